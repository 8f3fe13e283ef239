// Agents of Hearthstone as Python names them.
#pragma once

#include <string>

#include "play/hearthstone_game.hpp"

namespace deckatlas::bindings {

hearthstone::PlayAgent agent_of(const std::string& name);

}  // namespace deckatlas::bindings
