// Very many games of Legends of Code and Magic between two entrants: seeds in, columns out.
#pragma once

#include <cstdint>

#include "locm/cards.hpp"
#include "locm/draft.hpp"
#include "play/locm_game.hpp"
#include "play/match.hpp"

namespace deckatlas::locm {

// The official referee given the seed of a game shows the same draft and shuffles.
struct MatchOptions : MatchGames {
    DraftFormat format = DraftFormat::referee;
};

// One row a game, seen by entrant (not by seat). Each pointer holds options.games rows.
struct MatchColumns : OutcomeColumns {
    std::int32_t (*health)[2];       // at the end
    std::int16_t* turns;             // half-turns begun
    std::int16_t* actions;           // decisions of both in the battle, passing included
    std::int16_t (*cards_drawn)[2];  // opening hands included
    std::int16_t (*cards_played)[2];
    std::int16_t (*mana_spent)[2];
};

// Plays all games; what the battle's turns take is noted in `times`. Returns whether all games were played.
bool play_match(const CardTable& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const Poll& poll);

}  // namespace deckatlas::locm
