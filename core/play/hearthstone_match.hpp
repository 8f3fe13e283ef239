// Many games of Hearthstone between two entrants: decks and seeds in, columns out.
#pragma once

#include <cstdint>
#include <span>

#include "play/hearthstone_counters.hpp"
#include "play/hearthstone_game.hpp"
#include "play/match.hpp"

namespace deckatlas::hearthstone {

// An entrant: an agent, and decks that it takes in turn, another one for every seed.
struct Entrant {
    PlayAgent agent;
    std::span<const DeckList> decks;
};

// Games that share a seed also share the decks.
struct MatchOptions : MatchGames {
    Mulligan mulligan = Mulligan::cheap;
};

// One row per game, seen by entrant (not by seat). Each pointer has options.games rows, of a type that fits the largest
// values of a game: 65,535 half-turns, each with at most 255 cards and ten mana for each.
struct MatchColumns : OutcomeColumns {
    std::uint8_t* is_void;           // whether a capacity was exceeded
    std::int32_t* turns;             // number of started half-turns
    std::int32_t* actions;           // of both players, with ends of turns, without the mulligan
    std::int16_t (*health)[2];       // at the end; negative by the excess damage
    std::int16_t (*armor)[2];        // at the end
    std::int16_t (*cards_drawn)[2];  // that left the deck, including opening hands
    std::int32_t (*cards_played)[2];
    std::int32_t (*mana_spent)[2];
    std::int32_t (*mana_wasted)[2];    // left at the ends of turns
    std::int64_t (*minion_damage)[2];  // attack of minions, summed over the attacks they made
    std::int32_t (*hand_sizes)[2];     // cards in hand, summed over the starts of own turns, after the draw
    HandsOfTurns (*hands)[2];          // the same turn by turn
    std::int64_t (*nodes)[2];          // states of searches; 0 for agents that do not search
};

// The decks of both seats, from the decks that each entrant takes in turn.
struct SeatDecks {
    SeatDecks(const std::span<const DeckList> (&decks)[2], const Pairing& pairing);

    DeckList by_seat[2];
};

// Writes the row of a played game, without the states of searches.
void write_row(const MatchColumns& columns, std::int64_t row, const Pairing& pairing, const SeatDecks& decks,
               const State& state, const Counting& counting);

// Plays all games; turn times are recorded in `times`. Returns whether all games were played.
bool play_match(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const Poll& poll);

}  // namespace deckatlas::hearthstone
