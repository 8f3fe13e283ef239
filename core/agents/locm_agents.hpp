// The battle agents of Legends of Code and Magic that run in the core.
//
// A runner visits the variant once per turn, so inside a turn the compiler knows all types.
#pragma once

#include <variant>

#include "agents/locm_baselines.hpp"
#include "agents/locm_chad.hpp"
#include "agents/locm_coac.hpp"
#include "agents/locm_onelane.hpp"
#include "agents/locm_research.hpp"
#include "agents/locm_rg.hpp"
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

}  // namespace deckatlas::locm
