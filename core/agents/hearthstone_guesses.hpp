// The information that an agent of Hearthstone plans with: what its player sees, with the rest sampled as often as it
// needs; or everything.
#pragma once

#include <cstdint>

#include "hearthstone/known_lists.hpp"

namespace deckatlas::hearthstone {

enum class Information : std::uint8_t {
    honest,   // what its player sees
    perfect,  // as published: both decks in order, the opponent's hand and secrets
};

// The known part of a state in a turn of `player`.
inline State known(const CardSet& cards, const State& state, int player, Information information) {
    return information == Information::honest ? view_of(cards, state, player) : state;
}

class Guesses {
public:
    // The opponent has one of these lists, or any cards of its class if there are none.
    Guesses(const CardSet& cards, const State& state, Information information, const KnownLists* lists = nullptr)
        : known_(known(cards, state, state.active, information)),
          information_(information),
          hidden_(cards, lists, known_, known_.active) {}

    // A state that the player to move could be in; false if there is none. Cards seen earlier only choose the list.
    bool draw(State& guess, Rng& rng) const {
        if (information_ == Information::perfect) {
            guess = known_;
            return true;
        }
        return hidden_.draw(known_, rng, guess);
    }

private:
    const State known_;
    const Information information_;
    const HiddenGuesses hidden_;
};

}  // namespace deckatlas::hearthstone
