// Very many games of Legends of Code and Magic between two entrants: seeds in, columns out.
#pragma once

#include <cstdint>
#include <functional>

#include "locm/cards.hpp"
#include "locm/draft.hpp"
#include "play/locm_game.hpp"
#include "play/turn_times.hpp"

namespace deckatlas::locm {

struct MatchOptions {
    std::int64_t first_game = 0;  // a long match may be played in parts: the first game of this one
    std::int64_t games = 0;
    std::uint64_t seed = 0;
    DraftFormat format = DraftFormat::referee;
    bool swap_seats = true;  // games 2k and 2k + 1 share a seed, and entrant 0 moves first in the even one
    int threads = 1;
};

// One row a game, seen by entrant (not by seat). Each pointer holds options.games rows.
struct MatchColumns {
    std::uint64_t* seed;             // the official referee given this seed shows the same draft and shuffles
    std::uint8_t* first;             // which entrant moved first
    std::uint8_t* winner;            // which entrant won
    std::int32_t (*health)[2];       // at the end
    std::int16_t* turns;             // half-turns begun
    std::int16_t* actions;           // decisions of both in the battle, passing included
    std::int16_t (*cards_drawn)[2];  // opening hands included
    std::int16_t (*cards_played)[2];
    std::int16_t (*mana_spent)[2];
    std::uint64_t* final_hash;  // of the last position
};

// Seed of a game: the entrants are not in it, so that all candidates meet the same drafts and shuffles.
constexpr std::uint64_t game_seed(std::uint64_t match_seed, std::int64_t game, bool swap_seats) {
    return hash_combine(match_seed, static_cast<std::uint64_t>(swap_seats ? game / 2 : game));
}

// Plays all games; what the battle's turns take is noted in `times`. Every tenth of a second `poll` hears how many are
// done and may end the match by answering false. Returns whether all games were played.
bool play_match(const CardTable& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const std::function<bool(std::int64_t)>& poll);

}  // namespace deckatlas::locm
