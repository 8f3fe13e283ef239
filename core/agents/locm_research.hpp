// The research players of Legends of Code and Magic: searches over the own turn that rate positions by death, health,
// number and size of creatures (`SimpleRating`).
//
// The originals search for 190 ms a turn.
#pragma once

#include "agents/tree_search.hpp"
#include "agents/turn_search.hpp"
#include "locm/battle_game.hpp"
#include "locm/evaluation.hpp"
#include "locm/replies.hpp"

namespace deckatlas::locm {

using FlatAgent = RandomTurnsAgent<BattleGame, SimpleRating>;
using FullTurnAgent = DepthFirstAgent<BattleGame, SimpleRating>;
using RatedTreeAgent = TreeSearchAgent<BattleGame, RatingLeaf<SimpleRating>>;
using ReplyTreeAgent = TreeSearchAgent<BattleGame, RandomReplies<SimpleRating>>;
using OrderedReplyTreeAgent = TreeSearchAgent<BattleGame, RandomReplies<SimpleRating>, MoveTypeOrder>;

}  // namespace deckatlas::locm
