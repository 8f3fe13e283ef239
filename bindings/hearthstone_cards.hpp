// The compiled cards of Hearthstone, read from the tables that Python made, with every index checked.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "hearthstone/cards.hpp"

namespace deckatlas::bindings {

hearthstone::CardSet read_card_set(const nanobind::dict& tables, const std::string& edition);

}  // namespace deckatlas::bindings
