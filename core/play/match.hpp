// Matches of two entrants, for any game: the seeds and seats of its games, and the columns of every match.
#pragma once

#include <cstdint>

#include "common/game.hpp"
#include "play/run_games.hpp"
#include "play/seeds.hpp"
#include "play/turn_times.hpp"

namespace deckatlas {

// The games of a match.
struct MatchGames {
    std::int64_t first_game = 0;  // a long match may be played in parts: the first game of this part
    std::int64_t games = 0;
    std::uint64_t seed = 0;
    bool swap_seats = true;  // games 2k and 2k + 1 share a seed, and entrant 0 moves first in the even one
    int threads = 1;
};

// The setup of a game of a match: which entrant moves first, and the seed.
struct Pairing {
    int first;            // the entrant that moves first
    std::int64_t number;  // number of the seed in the match
    std::uint64_t seed;
};

constexpr Pairing pair_up(std::uint64_t match_seed, std::int64_t game, bool swap_seats) {
    return {swap_seats ? static_cast<int>(game & 1) : 0, swap_seats ? game / 2 : game,
            game_seed(match_seed, game, swap_seats)};
}

// Columns of every match: one row per game, seen by entrant (not by seat).
struct OutcomeColumns {
    std::uint64_t* seed;
    std::uint8_t* first;        // which entrant moved first
    std::uint8_t* winner;       // which entrant won; kNobody if there is no winner
    std::uint64_t* final_hash;  // of the last state
};

template <Game G>
void write_outcome(const OutcomeColumns& columns, std::int64_t row, const Pairing& pairing,
                   const typename G::State& state) {
    const int winner = G::winner(state);
    columns.seed[row] = pairing.seed;
    columns.first[row] = static_cast<std::uint8_t>(pairing.first);
    columns.winner[row] = static_cast<std::uint8_t>(winner == kNobody ? kNobody : winner ^ pairing.first);
    columns.final_hash[row] = G::hash(state);
}

// Plays all games of a match by play_row(row, pairing, seat_times, stop), which plays one and writes its row;
// `seat_times` is null, or has an entry for each seat. Turn times are recorded in `times`.
template <class PlayRow>
bool play_rows(const MatchGames& match, std::int64_t most_in_block, const MatchTimes& times, const PlayRow& play_row,
               const Poll& poll) {
    const auto play_game = [&](std::int64_t row, const std::atomic<bool>& stop) {
        const Pairing pairing = pair_up(match.seed, match.first_game + row, match.swap_seats);
        TurnTimes* const by_entrant = times.of_row(row);
        TurnTimes by_seat[2];
        play_row(row, pairing, by_entrant ? by_seat : nullptr, stop);
        for (int seat = 0; by_entrant && seat < 2; ++seat) by_entrant[seat ^ pairing.first] = by_seat[seat];
    };
    return run_each_game({match.games, match.threads, most_in_block}, play_game, poll);
}

}  // namespace deckatlas
