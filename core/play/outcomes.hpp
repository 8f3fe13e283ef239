// How a game ended for one of its players, as stored in logs: a code of two bits and a margin of one byte.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/game.hpp"

namespace deckatlas {

enum class Outcome : std::uint8_t { lost, won, nobody, is_void };

// A game may become void when it exceeds a capacity of its state; `G::is_void(state)` reports it.
template <Game G>
constexpr Outcome outcome_of(const typename G::State& state, int seat) {
    if constexpr (requires { G::is_void(state); }) {
        if (G::is_void(state)) return Outcome::is_void;
    }
    const int winner = G::winner(state);
    if (winner == seat) return Outcome::won;
    return winner == kNobody ? Outcome::nobody : Outcome::lost;
}

// The margin of a game, negative if it was lost: the difference in health, clamped to a signed byte.
constexpr std::int8_t margin_of(int own_health, int other_health) {
    constexpr int kMost = 127;
    return static_cast<std::int8_t>(std::clamp(own_health - other_health, -kMost, kMost));
}

}  // namespace deckatlas
