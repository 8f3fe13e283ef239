// What lets searches that are written once over the Game concept play Hearthstone.
//
// They do not handle hidden cards, so they never see a real state: hidden cards are sampled again, and they treat that
// guess as true. Randomness in their searches comes from their own stream.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "agents/hearthstone_guesses.hpp"
#include "hearthstone/evaluation_position.hpp"
#include "hearthstone/hearthstone_game.hpp"

namespace deckatlas::hearthstone {

// The rating of a position by `search`. A win or a loss counts at most this many points, so that means and differences
// of ratings make sense.
struct PositionRating {
    static constexpr int kMost = 10'000;
    PositionEvaluation evaluation;

    int operator()(const CardSet& cards, const State& state, int player) const {
        return std::clamp(evaluation.rate(cards, state, player), -kMost, kMost);
    }
};

struct AttacksHero {
    constexpr bool operator()(const Action& action) const {
        return action.kind == ActionKind::attack && action.target == kEnemyHero;
    }
};

inline constexpr std::uint32_t kSmallTree = 1u << 12;  // nodes; a state of Hearthstone is large

// Lets a search, one of a variant, play in a guess of the hidden cards. The guess is kept while the player sees the
// same as in the guess, so that a plan for a whole turn is carried out; otherwise another one is drawn.
template <class Searches>
class GuessingAgentOf {
public:
    explicit GuessingAgentOf(const Searches& search) : search_(search) {}

    template <std::same_as<HearthstoneGame> G>
    Action choose(const CardSet& cards, const State& state, Rng& rng) {
        return decide(cards, state, rng);
    }

private:
    // In a separate file, so that the compiler can inline the rules in both places.
    Action decide(const CardSet& cards, const State& state, Rng& rng);

    bool is_as_imagined(const CardSet& cards, const State& state) const;

    Searches search_;
    bool imagines_ = false;
    State imagined_;  // the guess, with all actions since it was drawn
};

}  // namespace deckatlas::hearthstone
