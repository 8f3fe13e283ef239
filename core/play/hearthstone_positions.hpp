// Positions of many games of Hearthstone, with how the games ended: what ratings learn from.
//
// Positions are recorded where turns change, for both players: for the player whose turn begins, and for the one whose
// turn ends. Half of the latter are recorded before the turn ends and half after, since searches rate both.
//
// Now and then a turn is played by another agent, so that positions are seen that the pilots avoid. Positions before
// such a turn are dropped: their games did not end as the pilots would have ended them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hearthstone/position_features.hpp"
#include "play/hearthstone_game.hpp"
#include "play/run_games.hpp"

namespace deckatlas::hearthstone {

// The games to play, with one entry per game; the first of each pair moves first.
struct RecordedGames {
    std::span<const PlayAgent> pilots;
    std::span<const DeckList> decks;
    const std::int32_t (*pilots_of_game)[2] = nullptr;
    const std::int32_t (*decks_of_game)[2] = nullptr;
    std::span<const std::uint64_t> seeds;
};

struct RecordingOptions {
    Mulligan mulligan = Mulligan::own;
    double share = 1;  // of positions that are recorded; each game draws its own by its seed
    const PlayAgent* explorer = nullptr;
    double explored = 0;  // the chance that the explorer plays a turn, and that another mulligan is used in a game
    int threads = 1;
};

// One entry for each position, in the order of games and turns.
struct RecordedPositions {
    std::vector<Feature> features;       // of all positions, one after the other
    std::vector<std::int64_t> offsets;   // where the features of each position start, and where the last ones end
    std::vector<std::uint8_t> moments;   // see Moment
    std::vector<std::uint8_t> outcomes;  // see Outcome, for the player who sees the position
    std::vector<std::int32_t> games;
    std::vector<std::uint16_t> half_turns;  // the number of the turn that ends or begins
    // The rating of the player to move, by its own pilot: of the last plan of a turn that ends, of the first plan of a
    // turn that begins; 0 for pilots that do not plan.
    std::vector<std::int32_t> plan_scores;
};

// What became of each game.
struct RecordedOutcomes {
    std::uint8_t* winner;  // the seat; kNobody if there is no winner
    std::uint8_t* is_void;
    std::int32_t* turns;
};

// Plays the games and returns their positions, without those of void games. If `poll` stops the games, what is returned
// is incomplete.
RecordedPositions record_positions(const CardSet& cards, const RecordedGames& games, const RecordingOptions& options,
                                   const RecordedOutcomes& outcomes, const Poll& poll);

}  // namespace deckatlas::hearthstone
