// ReinforcedGreediness's battle agent: best-first search over the own turn with its weights.
#pragma once

#include "agents/best_first.hpp"
#include "locm/battle_game.hpp"
#include "locm/evaluation_rg.hpp"

namespace deckatlas::locm {

struct AttacksFace {
    constexpr bool operator()(Action action) const {
        return action.kind == ActionKind::attack && action.target == kFace;
    }
};

using RgAgent = BestFirstAgent<BattleGame, WeightedRating, AttacksFace>;

}  // namespace deckatlas::locm
