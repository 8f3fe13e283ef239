// Reads the compiled cards of Hearthstone from Python's tables and checks every index.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "hearthstone/cards.hpp"

namespace deckatlas::bindings {

hearthstone::CardSet read_card_set(const nanobind::dict& tables, const std::string& edition);

}  // namespace deckatlas::bindings
