// A game of Legends of Code and Magic in Python: a state and its card table.
#pragma once

#include <memory>

#include "locm/cards.hpp"
#include "locm/state.hpp"

namespace deckatlas::bindings {

struct LocmState {
    std::shared_ptr<const locm::CardTable> cards;
    locm::State value;
};

}  // namespace deckatlas::bindings
