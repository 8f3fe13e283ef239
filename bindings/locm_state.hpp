// The Python-side state of Legends of Code and Magic: the plain value and the card table it is played with.
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
