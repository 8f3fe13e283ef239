// Very many games of Hearthstone between two entrants: decks and seeds in, columns out.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "play/hearthstone_counters.hpp"
#include "play/hearthstone_game.hpp"
#include "play/turn_times.hpp"

namespace deckatlas::hearthstone {

// Who plays: an agent, and decks that it takes in turn, another one for every seed.
struct Entrant {
    PlayAgent agent;
    std::span<const DeckList> decks;
};

struct MatchOptions {
    std::int64_t first_game = 0;  // a long match may be played in parts: the first game of this one
    std::int64_t games = 0;
    std::uint64_t seed = 0;
    Mulligan mulligan = Mulligan::cheap;
    bool swap_seats = true;  // games 2k and 2k + 1 share seed and decks, and entrant 0 moves first in the even one
    int threads = 1;
};

// One row a game, seen by entrant (not by seat). Each pointer holds options.games rows, of a type that holds the most
// a game can have: of 65,535 half-turns, each of at most 255 cards and ten mana for each.
struct MatchColumns {
    std::uint64_t* seed;
    std::uint8_t* first;             // which entrant moved first
    std::uint8_t* winner;            // which entrant won; kNobody if none did
    std::uint8_t* is_void;           // whether a capacity was passed
    std::int32_t* turns;             // half-turns begun
    std::int32_t* actions;           // of both, ending the turn included, the mulligan not
    std::int16_t (*health)[2];       // at the end; below zero by as much as the last blow was too strong
    std::int16_t (*armor)[2];        // at the end
    std::int16_t (*cards_drawn)[2];  // that left the deck, opening hands included
    std::int32_t (*cards_played)[2];
    std::int32_t (*mana_spent)[2];
    std::int32_t (*mana_wasted)[2];    // left over when a turn ended
    std::int64_t (*minion_damage)[2];  // attack of minions, summed over the attacks they made
    std::int32_t (*hand_sizes)[2];     // cards in hand, summed over the starts of the own turns, after the draw
    HandsOfTurns (*hands)[2];          // the same turn by turn
    std::int64_t (*nodes)[2];          // states that searches made; 0 of agents that do not search
    std::uint64_t* final_hash;         // of the last state
};

// Seed of a game: the entrants are not in it, so that all candidates meet the same draws.
constexpr std::uint64_t game_seed(std::uint64_t match_seed, std::int64_t game, bool swap_seats) {
    return hash_combine(match_seed, static_cast<std::uint64_t>(swap_seats ? game / 2 : game));
}

// How a game of a match is set up.
struct Pairing {
    int first;  // the entrant that moves first
    std::uint64_t seed;
    DeckList decks[2];  // by seat
};

Pairing pair_up(const std::span<const DeckList> (&decks)[2], std::uint64_t match_seed, std::int64_t game,
                bool swap_seats);

// Writes a row of a game that was played; the states that searches made are left out.
void write_row(const MatchColumns& columns, std::int64_t row, const Pairing& pairing, const State& state,
               const Counting& counting);

// Plays all games; what turns take is noted in `times`. Every tenth of a second `poll` hears how many are done and may
// end the match by answering false. Returns whether all games were played.
bool play_match(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const std::function<bool(std::int64_t)>& poll);

}  // namespace deckatlas::hearthstone
