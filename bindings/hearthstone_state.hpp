// A game of Hearthstone as Python holds it: a state and the cards it is played with.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

#include "hearthstone/setup.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::bindings {

struct HearthstoneState {
    std::shared_ptr<const hearthstone::CardSet> cards;
    hearthstone::State value;
};

// A row a deck: the hero, then the cards.
using DeckRows = nanobind::ndarray<const std::int32_t, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

std::vector<hearthstone::DeckList> read_decks(const hearthstone::CardSet& cards, const DeckRows& rows);

}  // namespace deckatlas::bindings
