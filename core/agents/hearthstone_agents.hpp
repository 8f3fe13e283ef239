// The agents of Hearthstone that run in the core.
//
// A runner visits the variant once per turn, so inside a turn the compiler knows all types.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <variant>

#include "agents/hearthstone_generic.hpp"
#include "agents/hearthstone_planner.hpp"
#include "agents/hearthstone_search.hpp"
#include "agents/hearthstone_tree.hpp"
#include "agents/simple_agents.hpp"

namespace deckatlas::hearthstone {

using SearchAgent = PlanningAgent<TurnSearch>;
using TreeAgent = PlanningAgent<TurnTreeSearch>;

using PlayAgent =
    std::variant<RandomAgent, ActiveRandomAgent, PassAgent, PlannerAgent, SearchAgent, TreeAgent, GuessingAgent>;

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

}  // namespace deckatlas::hearthstone
