// The compiled cards of Hearthstone, read from the tables that Python made, with every index checked.
#pragma once

#include <nanobind/nanobind.h>

#include "hearthstone/cards.hpp"

namespace deckatlas::bindings {

hearthstone::CardSet read_card_set(const nanobind::dict& tables);

}  // namespace deckatlas::bindings
