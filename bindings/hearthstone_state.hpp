// A game of Hearthstone in Python: a state and its card set.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

#include "hearthstone/actions.hpp"
#include "hearthstone/setup.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::bindings {

struct HearthstoneState {
    std::shared_ptr<const hearthstone::CardSet> cards;
    hearthstone::State value;
};

// One row per deck: the hero, then the cards.
using DeckRows = nanobind::ndarray<const std::int32_t, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

std::vector<hearthstone::DeckList> read_decks(const hearthstone::CardSet& cards, const DeckRows& rows);

// Raises IllegalActionError, with the reason, if an action is illegal now, and StateError on a view, which cannot
// continue.
void check_legal(const HearthstoneState& self, const hearthstone::Action& action);

// A watcher of games whose actions come from Python: it only carries out legal actions.
template <class Watcher>
struct Checked : Watcher {
    template <class... Arguments>
    explicit Checked(const std::shared_ptr<const hearthstone::CardSet>& played_with, const Arguments&... arguments)
        : Watcher(*played_with, arguments...), cards(played_with) {}

    void before(const hearthstone::State& state, const hearthstone::Action& action) {
        check_legal({cards, state}, action);
        Watcher::before(state, action);
    }

    std::shared_ptr<const hearthstone::CardSet> cards;
};

int checked_player(int player);

// Raises StateError if a state is not for this player's eyes: it is the other player's view.
void check_viewer(const hearthstone::State& state, int player);

// The parts of class State that are defined in other files.
using BoundState = nanobind::class_<HearthstoneState>;
void bind_hearthstone_actions(nanobind::module_& module);
void bind_hearthstone_legality(BoundState& bound);
void bind_hearthstone_sides(nanobind::module_& module, BoundState& bound);
void bind_hearthstone_hidden(nanobind::module_& module, BoundState& bound);

}  // namespace deckatlas::bindings
