// The information that an agent of Hearthstone plans with: what its player sees, with the rest sampled as often as it
// needs; or everything.
#pragma once

#include <cstdint>
#include <span>

#include "hearthstone/resample.hpp"

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
    Guesses(const CardSet& cards, const State& state, Information information)
        : cards_(cards), known_(known(cards, state, state.active, information)), information_(information) {}

    // A state that the player to move could be in; false if there is none. A deck of the opponent may have any cards of
    // its class. Cards seen earlier are not in a state and are not used: the plan for a position does not depend on its
    // history.
    bool draw(State& guess, Rng& rng) const {
        if (information_ == Information::perfect) {
            guess = known_;
            return true;
        }
        const std::span<const CardId> copies = cards_.copies_for(known_.players[known_.active ^ 1].hero_class);
        return resample(cards_, known_, {copies, copies}, rng, guess);
    }

private:
    const CardSet& cards_;
    const State known_;
    const Information information_;
};

}  // namespace deckatlas::hearthstone
