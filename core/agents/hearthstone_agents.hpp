// The agents of Hearthstone that run in the core.
//
// A runner visits the variant once a turn, so inside a turn everything is known to the compiler.
#pragma once

#include <cstdint>
#include <variant>

#include "agents/hearthstone_planner.hpp"
#include "agents/simple_agents.hpp"

namespace deckatlas::hearthstone {

using PlayAgent = std::variant<RandomAgent, ActiveRandomAgent, PassAgent, PlannerAgent>;

template <class Agent>
concept Searches = requires(const Agent& agent) { agent.nodes(); };

inline bool searches(const PlayAgent& agent) {
    return std::visit([]<class Agent>(const Agent&) { return Searches<Agent>; }, agent);
}

// States that the agent has made in its searches of this game.
inline std::int64_t nodes_of(const PlayAgent& agent) {
    return std::visit(
        []<class Agent>(const Agent& each) -> std::int64_t {
            if constexpr (Searches<Agent>) return each.nodes();
            return 0;
        },
        agent);
}

}  // namespace deckatlas::hearthstone
