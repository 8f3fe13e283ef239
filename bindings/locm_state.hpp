// A game of Legends of Code and Magic in Python: a state and the edition of its cards.
#pragma once

#include <memory>
#include <string>

#include "locm/cards.hpp"
#include "locm/state.hpp"

namespace deckatlas::bindings {

// The 160 cards of an edition. Texts of states contain its label, which is empty for the official cards.
struct LocmCards : locm::CardTable {
    std::string edition;
};

struct LocmState {
    std::shared_ptr<const LocmCards> cards;
    locm::State value;
};

}  // namespace deckatlas::bindings
