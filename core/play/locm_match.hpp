// Many games of Legends of Code and Magic between two entrants: seeds in, columns out.
#pragma once

#include <cstdint>

#include "locm/cards.hpp"
#include "locm/draft.hpp"
#include "play/locm_game.hpp"
#include "play/match.hpp"

namespace deckatlas::locm {

// With the seed of a game, the official referee shows the same draft and shuffles.
struct MatchOptions : MatchGames {
    DraftFormat format = DraftFormat::referee;
};

// One row per game, seen by entrant (not by seat). Each pointer has options.games rows.
struct MatchColumns : OutcomeColumns {
    std::int32_t (*health)[2];       // at the end
    std::int16_t* turns;             // number of started half-turns
    std::int16_t* actions;           // decisions of both players in the battle, including passing
    std::int16_t (*cards_drawn)[2];  // including opening hands
    std::int16_t (*cards_played)[2];
    std::int16_t (*mana_spent)[2];
};

// Plays all games; the battle's turn times are recorded in `times`. Returns whether all games were played.
bool play_match(const CardTable& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const Poll& poll);

}  // namespace deckatlas::locm
