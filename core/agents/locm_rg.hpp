// ReinforcedGreediness's battle agent: best-first search over its own turn with its weights.
//
// The original searches in Python for 175 ms, or until nothing is left to search, and took 51 to 73 ms per turn on
// average: 0.29 to 0.42 of its limit. Of a budget of 2,000 sequences per turn it uses the same share: 0.32 on average
// in games between two such agents, 0.41 against the greedy agent (1,000 sequences: 0.38 and 0.46; 3,000: 0.28 and
// 0.38). The contest's rules in Python carry out about 20,000 actions per second, 3,500 in 175 ms, part of which are
// replays from the start of the turn: the same order of magnitude. Hence the default of 2,000.
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
