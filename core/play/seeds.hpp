// The randomness of a game: its seed, and the streams derived from it.
//
// Seeds do not depend on the entrants, so all candidates meet the same drafts, shuffles and draws.
#pragma once

#include <cstdint>

#include "common/random.hpp"

namespace deckatlas {

// The seed of a game of a match. With swapped seats, games 2k and 2k + 1 share one.
constexpr std::uint64_t game_seed(std::uint64_t match_seed, std::int64_t game, bool swap_seats) {
    return hash_combine(match_seed, static_cast<std::uint64_t>(swap_seats ? game / 2 : game));
}

inline constexpr int kChanceSeat = 2;  // the "seat" whose stream is the game's own

// The random stream of a seat in the game of a seed.
constexpr Rng seat_stream(std::uint64_t game_seed, int seat) {
    return Rng{hash_combine(game_seed, 0x5EA7ull + static_cast<std::uint64_t>(seat))};
}

// All streams of a game: a player's draws never depend on the draws of the other player or of the game.
struct GameStreams {
    explicit constexpr GameStreams(std::uint64_t game_seed)
        : seats{seat_stream(game_seed, 0), seat_stream(game_seed, 1)}, chance(seat_stream(game_seed, kChanceSeat)) {}

    Rng seats[2];
    Rng chance;  // for shuffles and effects
};

}  // namespace deckatlas
