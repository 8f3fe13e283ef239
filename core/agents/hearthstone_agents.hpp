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

// States that the agent has made in its searches of this game.
inline std::int64_t nodes_of(const PlayAgent& agent) {
    return std::visit(
        [](const auto& each) -> std::int64_t {
            if constexpr (requires { each.nodes(); }) return each.nodes();
            return 0;
        },
        agent);
}

}  // namespace deckatlas::hearthstone
