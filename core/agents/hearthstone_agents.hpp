// The agents of Hearthstone that run in the core: their types, and how each is made.
//
// A runner visits the variant once per turn, so inside a turn the compiler knows all types.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agents/hearthstone_expert.hpp"
#include "agents/hearthstone_generic.hpp"
#include "agents/hearthstone_planner.hpp"
#include "agents/hearthstone_search.hpp"
#include "agents/hearthstone_tree.hpp"
#include "agents/options.hpp"
#include "agents/simple_agents.hpp"

namespace deckatlas::hearthstone {

using SearchAgent = PlanningAgent<TurnSearch<StatsRater>>;
using TreeAgent = PlanningAgent<TurnTreeSearch>;

using PlayAgent = std::variant<RandomAgent, ActiveRandomAgent, PassAgent, PlannerAgent, SearchAgent, TreeAgent,
                               GuessingAgent, ExpertAgent>;

template <class Agent>
concept CountsNodes = requires(const Agent& agent) { agent.nodes(); };

template <class Agent>
concept Searches = CountsNodes<Agent> || std::same_as<Agent, GuessingAgent>;

inline bool searches(const PlayAgent& agent) {
    return std::visit([]<class Agent>(const Agent&) { return Searches<Agent>; }, agent);
}

// Lets an agent with long searches end them once `stop` is set; its results are then discarded.
inline void heed(PlayAgent& agent, const std::atomic<bool>& stop) {
    std::visit(
        [&](auto& each) {
            if constexpr (requires { each.heed(stop); }) each.heed(stop);
        },
        agent);
}

// The number of states in the agent's searches of this game; 0 for agents that do not count them.
inline std::int64_t nodes_of(const PlayAgent& agent) {
    return std::visit(
        []<class Agent>(const Agent& each) -> std::int64_t {
            if constexpr (CountsNodes<Agent>) return each.nodes();
            return 0;
        },
        agent);
}

inline PlayAgent random_agent(bool active) {
    if (active) return ActiveRandomAgent();
    return RandomAgent();
}

inline PlayAgent planner_agent(const Rating& rating, std::int64_t width, std::int64_t depth, Information information,
                               bool replan) {
    const BeamOptions beam{.width = in_range("width", width, 1, kWidestBeam),
                           .depth = in_range("depth", depth, 1, kDeepestBeam)};
    return PlannerAgent(TurnBeam(rating, beam), {.information = information, .replan = replan});
}

using OptionalWeights = std::optional<std::vector<int>>;

inline PositionEvaluation position_evaluation(const OptionalWeights& weights) {
    PositionEvaluation evaluation;
    if (weights) {
        if (weights->size() != PositionWeights::kNumbers)
            throw OptionError("positions are rated by " + std::to_string(PositionWeights::kNumbers) + " weights, not " +
                              std::to_string(weights->size()));
        for (const int weight : *weights) check_range("a weight", weight, 0, PositionWeights::kMost);
        evaluation.weights = PositionWeights::from_numbers(weights->data());
    }
    return evaluation;
}

inline PlayAgent search_agent(std::int64_t width, std::int64_t finalists, const OptionalWeights& weights) {
    const SearchOptions options{.width = in_range("width", width, 1, kWidestSearch),
                                .finalists = in_range("finalists", finalists, 1, kMostFinalists)};
    return SearchAgent(TurnSearch(StatsRater(position_evaluation(weights)), options), {});
}

inline PlayAgent expert_agent(const std::shared_ptr<const LearnedRating>& rating, std::int64_t width,
                              std::int64_t finalists, std::int64_t luck, std::int64_t considered, std::int64_t replies,
                              std::int64_t reply_width, std::int64_t openings) {
    const int reply = in_range("reply_width", reply_width, 1, kWidestSearch);
    return ExpertAgent(rating, {.turn = {.width = in_range("width", width, 1, kWidestSearch),
                                         .finalists = in_range("finalists", finalists, 1, kMostFinalists)},
                                .luck = in_range("luck", luck, 0, kMostLuck),
                                .considered = in_range("considered", considered, 1, kMostFinalists),
                                .replies = in_range("replies", replies, 0, kMostReplies),
                                .reply = {.width = reply, .finalists = reply},
                                .openings = in_range("openings", openings, 1, kMostOpenings)});
}

inline PlayAgent mcts_agent(std::int64_t playouts, double c, const OptionalWeights& weights) {
    const double exploration = checked_exploration(c);
    const TreeOptions options{.playouts = in_range("playouts", playouts, 1, kMostPlayouts), .exploration = exploration};
    return TreeAgent(TurnTreeSearch(position_evaluation(weights), options), {});
}

template <class Add>
void list_agents(const Add& add) {
    add("random_agent", &random_agent, OptionWithDefault{"active", false});
    add("pass_agent", [] { return PlayAgent(PassAgent()); });
    add("planner_agent", &planner_agent, Option{"rating"}, ByNameOnly(), Option{"width"}, Option{"depth"},
        Option{"information"}, Option{"replan"});
    add("search_agent", &search_agent, Option{"width"}, Option{"finalists"},
        OptionWithDefault{"weights", OptionalWeights()});
    add("expert_agent", &expert_agent, Option{"rating"}, ByNameOnly(), Option{"width"}, Option{"finalists"},
        Option{"luck"}, Option{"considered"}, Option{"replies"}, Option{"reply_width"}, Option{"openings"});
    add("mcts_agent", &mcts_agent, Option{"playouts"}, Option{"c"}, OptionWithDefault{"weights", OptionalWeights()});
    list_generic_agents<PlayAgent>(add);
}

}  // namespace deckatlas::hearthstone
