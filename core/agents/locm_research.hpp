// The research players of Legends of Code and Magic: searches over their own turn that rate positions by death, health,
// number and size of creatures (`SimpleRating`).
//
// They differ from the originals: budgets are counted; a won game ends every search; where a tree's best line leaves
// the fully explored part, a new tree is grown instead of continuing at random; and no search reads hidden cards: in a
// leaf's random replies the opponent has only its board, where the originals gave it its real hand.
//
// Default budgets (src/deckatlas/games/locm/agents.py). The originals search for 190 ms per turn; from the speed of
// their engine we estimate 4,000 playouts with replies, and 30,000 random turns or 100,000 states without. All of them
// level off far below: with ten times its default budget each wins half of its games against itself (400 paired
// games, dfs 1,000: mcts 50.3 % ± 3.4, mctsp 49.0 ± 3.8, mcts0 50.0 ± 0.7, fmc 49.5 ± 3.2, dfs 50.0 ± 0.3). The
// defaults are thus as strong as far larger budgets, and take at most 0.4 ms per turn.
#pragma once

#include "agents/tree_search.hpp"
#include "agents/turn_search.hpp"
#include "locm/battle_game.hpp"
#include "locm/evaluation.hpp"
#include "locm/move_order.hpp"
#include "locm/replies.hpp"

namespace deckatlas::locm {

using FlatAgent = RandomTurnsAgent<BattleGame, SimpleRating>;
using FullTurnAgent = DepthFirstAgent<BattleGame, SimpleRating>;
using RatedTreeAgent = TreeSearchAgent<BattleGame, RatingLeaf<SimpleRating>>;
using ReplyTreeAgent = TreeSearchAgent<BattleGame, RandomReplies<SimpleRating>>;
using OrderedReplyTreeAgent = TreeSearchAgent<BattleGame, RandomReplies<SimpleRating>, MoveTypeOrder>;

}  // namespace deckatlas::locm
