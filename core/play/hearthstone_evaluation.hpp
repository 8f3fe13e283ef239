// Many evaluations of Hearthstone decks in one call: each deck, played by one pilot, meets the same opponents in the
// same games; the result is one row of numbers per game.
#pragma once

#include <cstdint>
#include <span>

#include "play/hearthstone_counters.hpp"
#include "play/hearthstone_game.hpp"
#include "play/run_games.hpp"

namespace deckatlas::hearthstone {

struct Opponent {
    PlayAgent agent;
    DeckList deck;
};

// A list of games that every deck plays, with one entry per game. Seeds do not depend on the deck, so all decks meet
// the same draws.
struct Course {
    std::span<const std::int32_t> opponent;
    std::span<const std::uint8_t> seat;  // of the evaluated deck: 0 moves first
    std::span<const std::uint64_t> seed;
};

struct EvaluationOptions {
    Mulligan mulligan = Mulligan::cheap;
    int threads = 1;
};

// The numbers recorded of a game, all for the player of the evaluated deck; Counters defines them.
enum class Noted : std::uint8_t {
    won,
    health_difference,  // without armor; excess damage counts
    half_turns,
    own_turns,    // number of started turns
    cards_drawn,  // without the opening hand
    cards_played,
    mana_spent,
    mana_wasted,
    minion_damage,
    hands_before,
    hands_after,
    damage_after,
    draws_seen,
    plan_mana_spent,
    plan_mana_wasted,
    plan_scores,
    retries,  // how often the game was void and started again, each time with game_seed(seed, retry)
    is_void,  // whether the last try was void too
    outcome,  // see Outcome
};
inline constexpr int kNoted = static_cast<int>(Noted::outcome) + 1;
inline constexpr int kMostRetries = 10;  // after this many retries a game stays void, without a winner

// Where results go.
struct EvaluationColumns {
    std::int64_t* notes;  // for each deck and each game of the course, kNoted numbers
    std::int64_t* plays;  // for each deck and each place in it, how often its card was played; 0 for further copies
    CardEvents (*events)[kDeckLimit];  // for each deck and each game, of the card at each place; null if not needed
};

// The numbers of a game that was played outside the core, for the player with the deck in that seat; and what happened
// to the card at each place of its deck.
void note_game(const State& state, const EvaluationCounting& counting, int seat, int deck_size, int retries,
               const EvaluationColumns& columns);

// Plays the course with all decks. Returns whether all games were played.
bool evaluate_decks(const CardSet& cards, const PlayAgent& pilot, std::span<const DeckList> decks,
                    std::span<const Opponent> opponents, const Course& course, const EvaluationOptions& options,
                    const EvaluationColumns& columns, const Poll& poll);

}  // namespace deckatlas::hearthstone
