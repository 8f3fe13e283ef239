// Searches over one turn for the sequence of actions whose last state has the best rating: random sequences, and all of
// them depth first. Written once over the Game concept.
//
// Neither looks past the end of the turn: ending it has the rating of the current state, before the opponent's turn, so
// in games that draw cards only between turns nothing hidden is read. A `Rating` has `rating(state, player)` or
// `rating(context, state, player)`. The whole turn is planned at its first decision. A won game ends the search.
#pragma once

#include <concepts>
#include <cstdint>

#include "agents/limits.hpp"
#include "agents/rate.hpp"
#include "agents/simple_agents.hpp"
#include "agents/turn_plan.hpp"
#include "common/game.hpp"
#include "common/hash_set.hpp"
#include "common/scratch.hpp"

namespace deckatlas {

inline constexpr std::int64_t kClockEvery = 64;  // nodes or playouts between two readings of the clock

// The best end among random turns ("flat Monte Carlo"): each action is uniform over the legal ones, including the end
// of the turn. `limits.nodes` counts turns.
template <Game G, class Rating>
class RandomTurnsAgent {
public:
    SearchLimits limits;
    Rating rating;

    template <std::same_as<G> Played>
    typename G::Action choose(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        if (const auto planned = plan_.next(state)) return *planned;
        plan_sequence<G>(context, state, best_turn(context, state, rng), rng, plan_);
        return *plan_.next(state);
    }

private:
    ActionSequence<G> best_turn(const typename G::Context& context, const typename G::State& state, Rng& rng) const {
        const int player = G::player_to_move(state);
        ActionSequence<G> best;
        ActionSequence<G> turn;
        auto best_rating = rating_of(rating, context, state, player);
        for (std::int64_t i = 1; i <= limits.nodes; ++i) {
            typename G::State end = state;
            play_random_turn(context, end, turn, rng);
            const auto value = rating_of(rating, context, end, player);
            const bool won = G::winner(end) == player;
            if (value > best_rating || won) {
                best_rating = value;
                best = turn;
            }
            if (won || (i % kClockEvery == 0 && limits.late())) break;
        }
        return best;
    }

    static void play_random_turn(const typename G::Context& context, typename G::State& state, ActionSequence<G>& turn,
                                 Rng& rng) {
        turn.clear();
        while (!G::is_over(state) && turn.size() < kMaxPlan) {
            const auto action = RandomAgent().template choose<G>(context, state, rng);
            if (G::ends_turn(action)) return;
            G::apply(context, state, action, rng);
            turn.push_back(action);
        }
    }

    TurnPlan<G> plan_;
};

// The best end among all sequences of the turn, depth first in the order of the legal actions; a state that several
// sequences reach is entered once. `limits.nodes` counts entered states.
template <Game G, class Rating>
class DepthFirstAgent {
public:
    SearchLimits limits;
    Rating rating;

    template <std::same_as<G> Played>
    typename G::Action choose(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        if (const auto planned = plan_.next(state)) return *planned;
        plan_sequence<G>(context, state, best_turn(context, state, rng), rng, plan_);
        return *plan_.next(state);
    }

private:
    // A state on the way from the start of the turn, and how far its actions have been tried.
    struct Level {
        typename G::State state;
        typename G::ActionList actions;
        std::size_t tried;
    };

    struct Memory {
        HashSet seen;
        Level levels[kMaxPlan + 1];
    };

    ActionSequence<G> best_turn(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        const int player = G::player_to_move(state);
        Memory& memory = memory_.get();
        memory.seen.clear();
        memory.seen.insert(G::hash(state));
        ActionSequence<G> best;
        ActionSequence<G> path;
        auto best_rating = rating_of(rating, context, state, player);
        enter(context, state, memory.levels[0]);
        for (std::int64_t nodes = 1; nodes < limits.nodes; ++nodes) {
            if (!next_unseen(context, memory, path, rng)) break;
            const typename G::State& reached = memory.levels[path.size()].state;
            const auto value = rating_of(rating, context, reached, player);
            const bool won = G::winner(reached) == player;
            if (value > best_rating || won) {
                best_rating = value;
                best = path;
            }
            if (won || (nodes % kClockEvery == 0 && limits.late())) break;
        }
        return best;
    }

    static void enter(const typename G::Context& context, const typename G::State& state, Level& level) {
        level.state = state;
        level.tried = 0;
        G::legal_actions(context, state, level.actions);
    }

    // Moves `path` to the next unseen state; false if there is none.
    static bool next_unseen(const typename G::Context& context, Memory& memory, ActionSequence<G>& path, Rng& rng) {
        for (;;) {
            Level& level = memory.levels[path.size()];
            if (level.tried == level.actions.size() || path.size() == kMaxPlan) {
                if (path.empty()) return false;
                path.pop_back();
                continue;
            }
            const auto action = level.actions[level.tried++];
            if (G::ends_turn(action)) continue;
            typename G::State next = level.state;
            G::apply(context, next, action, rng);
            if (!memory.seen.insert(G::hash(next))) continue;
            path.push_back(action);
            enter(context, next, memory.levels[path.size()]);
            return true;
        }
    }

    TurnPlan<G> plan_;
    Scratch<Memory> memory_;
};

}  // namespace deckatlas
