// Very many games of Hearthstone between two entrants: decks and seeds in, columns out.
#pragma once

#include <cstdint>
#include <span>

#include "play/hearthstone_counters.hpp"
#include "play/hearthstone_game.hpp"
#include "play/match.hpp"

namespace deckatlas::hearthstone {

// Who plays: an agent, and decks that it takes in turn, another one for every seed.
struct Entrant {
    PlayAgent agent;
    std::span<const DeckList> decks;
};

// Games that share a seed share the decks, too.
struct MatchOptions : MatchGames {
    Mulligan mulligan = Mulligan::cheap;
};

// One row a game, seen by entrant (not by seat). Each pointer holds options.games rows, of a type that holds the most
// a game can have: of 65,535 half-turns, each of at most 255 cards and ten mana for each.
struct MatchColumns : OutcomeColumns {
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
};

// The decks of both seats, from those that each entrant takes in turn.
struct SeatDecks {
    SeatDecks(const std::span<const DeckList> (&decks)[2], const Pairing& pairing);

    DeckList by_seat[2];
};

// Writes a row of a game that was played; the states that searches made are left out.
void write_row(const MatchColumns& columns, std::int64_t row, const Pairing& pairing, const SeatDecks& decks,
               const State& state, const Counting& counting);

// Plays all games; what turns take is noted in `times`. Returns whether all games were played.
bool play_match(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const Poll& poll);

}  // namespace deckatlas::hearthstone
