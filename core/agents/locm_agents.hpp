// The battle agents of Legends of Code and Magic that run in the core: their types, and how each is made.
//
// A runner visits the variant once per turn, so inside a turn the compiler knows all types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agents/locm_baselines.hpp"
#include "agents/locm_chad.hpp"
#include "agents/locm_coac.hpp"
#include "agents/locm_onelane.hpp"
#include "agents/locm_research.hpp"
#include "agents/locm_rg.hpp"
#include "agents/options.hpp"
#include "agents/simple_agents.hpp"
#include "agents/turn_planner.hpp"
#include "locm/battle_game.hpp"
#include "locm/evaluation.hpp"
#include "locm/evaluation_planner.hpp"

namespace deckatlas::locm {

using PlannerAgent = TurnPlanner<BattleGame, PlannerEvaluation>;

using BattleAgent = std::variant<PassAgent, RandomAgent, ActiveRandomAgent, GreedyAgent<SimpleRating>, Baseline1Agent,
                                 Baseline2Agent, CoacAgent, RgAgent, OneLaneAgent, ChadAgent, FlatAgent, FullTurnAgent,
                                 RatedTreeAgent, ReplyTreeAgent, OrderedReplyTreeAgent, PlannerAgent>;

inline BattleAgent random_agent(bool active) {
    if (active) return ActiveRandomAgent();
    return RandomAgent();
}

template <class Agent>
BattleAgent searching_agent(std::int64_t nodes) {
    return with_limit<Agent>("nodes", nodes);
}

template <class Agent>
BattleAgent sampling_agent(std::int64_t playouts) {
    return with_limit<Agent>("playouts", playouts);
}

inline BattleAgent coac_agent(std::int64_t nodes, bool original) {
    auto agent = with_limit<CoacAgent>("nodes", nodes);
    agent.model = original ? CoacModel::original : CoacModel::rules;
    return agent;
}

inline BattleAgent rg_agent(std::int64_t nodes, bool merge) {
    auto agent = with_limit<RgAgent>("nodes", nodes);
    agent.merge = merge;
    return agent;
}

template <class Agent, int Phases = 1>
BattleAgent tree_agent(std::int64_t playouts, double c) {
    auto agent = with_limit<Agent>("playouts", playouts);
    agent.exploration = in_range("c", c, 0.0, 1e9);
    agent.phases = Phases;
    return agent;
}

using OptionalWeights = std::optional<std::vector<int>>;

inline BattleAgent planner_agent(std::int64_t width, std::int64_t finalists, const OptionalWeights& weights) {
    PlannerWeights rating;
    if (weights) {
        if (weights->size() != PlannerWeights::kNumbers)
            throw OptionError("the planner has " + std::to_string(PlannerWeights::kNumbers) + " weights, not " +
                              std::to_string(weights->size()));
        for (const int weight : *weights)
            check_range("a weight", weight, -PlannerWeights::kLargest, PlannerWeights::kLargest);
        rating = PlannerWeights::from_numbers(weights->data());
    }
    return PlannerAgent(PlannerEvaluation(rating), in_range("width", width, 1, PlannerAgent::kMaxWidth),
                        in_range("finalists", finalists, 1, 1'000'000));
}

template <class Add>
void list_battle_agents(const Add& add) {
    add("pass_agent", [] { return BattleAgent(PassAgent()); });
    add("random_agent", &random_agent, OptionWithDefault{"active", false});
    add("greedy_agent", [] { return BattleAgent(GreedyAgent<SimpleRating>()); });
    add("baseline1_agent", [] { return BattleAgent(Baseline1Agent()); });
    add("baseline2_agent", [] { return BattleAgent(Baseline2Agent()); });
    add("coac_agent", &coac_agent, Option{"nodes"}, OptionWithDefault{"original", false});
    add("rg_agent", &rg_agent, Option{"nodes"}, OptionWithDefault{"merge", false});
    add("onelane_agent", &searching_agent<OneLaneAgent>, Option{"nodes"});
    add("chad_agent", &sampling_agent<ChadAgent>, Option{"playouts"});
    add("fmc_agent", &sampling_agent<FlatAgent>, Option{"playouts"});
    add("dfs_agent", &searching_agent<FullTurnAgent>, Option{"nodes"});
    add("mcts0_agent", &tree_agent<RatedTreeAgent>, Option{"playouts"}, Option{"c"});
    add("mcts_agent", &tree_agent<ReplyTreeAgent>, Option{"playouts"}, Option{"c"});
    add("mctsp_agent", &tree_agent<OrderedReplyTreeAgent>, Option{"playouts"}, Option{"c"});
    add("bbmcts_agent", &tree_agent<ReplyTreeAgent, 2>, Option{"playouts"}, Option{"c"});
    add("planner_agent", &planner_agent, Option{"width"}, Option{"finalists"},
        OptionWithDefault{"weights", OptionalWeights()});
}

}  // namespace deckatlas::locm
