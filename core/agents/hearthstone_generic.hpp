// The searches that are written once over the Game concept, as agents of Hearthstone: their types, and how each is
// made.
//
// They do not handle hidden cards, so they never see a real state: hidden cards are sampled again, and they treat that
// guess as true. Randomness in their searches comes from their own stream.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <variant>

#include "agents/best_first.hpp"
#include "agents/hearthstone_guesses.hpp"
#include "agents/options.hpp"
#include "agents/simple_agents.hpp"
#include "agents/tree_search.hpp"
#include "agents/turn_search.hpp"
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

using GreedyTurn = GreedyAgent<PositionRating>;
using RandomTurns = RandomTurnsAgent<HearthstoneGame, PositionRating>;
using DepthFirst = DepthFirstAgent<HearthstoneGame, PositionRating>;
using BestFirst = BestFirstAgent<HearthstoneGame, PositionRating, AttacksHero>;
using RatedTree = TreeSearchAgent<HearthstoneGame, RatingLeaf<PositionRating>, AnyOrder, kSmallTree>;
using GenericAgent = std::variant<GreedyTurn, RandomTurns, DepthFirst, BestFirst, RatedTree>;

// Lets one of them play in a guess of the hidden cards. The guess is kept while the player sees the same as in the
// guess, so that a plan for a whole turn is carried out; otherwise another one is drawn.
class GuessingAgent {
public:
    explicit GuessingAgent(const GenericAgent& agent) : agent_(agent) {}

    template <std::same_as<HearthstoneGame> G>
    Action choose(const CardSet& cards, const State& state, Rng& rng) {
        return decide(cards, state, rng);
    }

private:
    // In a separate file, so that the compiler can inline the rules in both places.
    Action decide(const CardSet& cards, const State& state, Rng& rng);

    bool is_as_imagined(const CardSet& cards, const State& state) const;

    GenericAgent agent_;
    bool imagines_ = false;
    State imagined_;  // the guess, with all actions since it was drawn
};

inline double checked_exploration(double c) {
    check_range("c", c, 0, 1'000'000'000);
    return c;
}

template <class Agent>
Agent greedy_agent() {
    return GuessingAgent(GreedyTurn());
}

template <class Agent>
Agent fmc_agent(std::int64_t playouts) {
    return GuessingAgent(with_limit<RandomTurns>("playouts", playouts));
}

template <class Agent>
Agent dfs_agent(std::int64_t nodes) {
    return GuessingAgent(with_limit<DepthFirst>("nodes", nodes));
}

template <class Agent>
Agent best_first_agent(std::int64_t nodes) {
    auto search = with_limit<BestFirst>("nodes", nodes);
    search.merge = true;
    return GuessingAgent(search);
}

template <class Agent>
Agent mcts0_agent(std::int64_t playouts, double c) {
    auto search = with_limit<RatedTree>("playouts", playouts);
    search.exploration = checked_exploration(c);
    return GuessingAgent(search);
}

// Part of the list of all agents, whose variant is `Agent`.
template <class Agent, class Add>
void list_generic_agents(const Add& add) {
    add("greedy_agent", &greedy_agent<Agent>);
    add("fmc_agent", &fmc_agent<Agent>, Option{"playouts"});
    add("dfs_agent", &dfs_agent<Agent>, Option{"nodes"});
    add("best_first_agent", &best_first_agent<Agent>, Option{"nodes"});
    add("mcts0_agent", &mcts0_agent<Agent>, Option{"playouts"}, Option{"c"});
}

}  // namespace deckatlas::hearthstone
