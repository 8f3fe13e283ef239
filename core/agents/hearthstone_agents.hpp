// The agents of Hearthstone that run in the core.
//
// A runner visits the variant once a turn, so inside a turn everything is known to the compiler.
#pragma once

#include <variant>

#include "agents/hearthstone_planner.hpp"
#include "agents/simple_agents.hpp"

namespace deckatlas::hearthstone {

using PlayAgent = std::variant<RandomAgent, ActiveRandomAgent, PassAgent, PlannerAgent, SearchAgent, TreeAgent>;

}  // namespace deckatlas::hearthstone
