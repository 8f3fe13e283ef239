// Agents that look at most one action ahead, written once over the Game concept.
//
// An agent has `choose(context, state, rng)`, which returns a legal action; the runner calls it until the turn or the
// game ends. It may keep memory from one decision to the next, because every game has its own copy of the agent. A
// searching agent has a member `limits`.
#pragma once

#include "agents/rate.hpp"
#include "common/game.hpp"

namespace deckatlas {

// Ends its turn at once.
struct PassAgent {
    template <Game G>
    typename G::Action choose(const typename G::Context& context, const typename G::State& state, Rng&) const {
        typename G::ActionList actions;
        G::legal_actions(context, state, actions);
        for (const auto action : actions) {
            if (G::ends_turn(action)) return action;
        }
        return actions[0];
    }
};

// Uniform over the legal actions, including the end of the turn.
struct RandomAgent {
    template <Game G>
    typename G::Action choose(const typename G::Context& context, const typename G::State& state, Rng& rng) const {
        if constexpr (SamplesActions<G>) {
            return G::random_action(context, state, rng);
        } else {
            typename G::ActionList actions;
            G::legal_actions(context, state, actions);
            return actions[rng.below(static_cast<std::uint32_t>(actions.size()))];
        }
    }
};

// Uniform over the legal actions that do not end the turn; ends it if there are none.
struct ActiveRandomAgent {
    template <Game G>
    typename G::Action choose(const typename G::Context& context, const typename G::State& state, Rng& rng) const {
        typename G::ActionList all;
        typename G::ActionList active;
        G::legal_actions(context, state, all);
        for (const auto action : all) {
            if (!G::ends_turn(action)) active.push_back(action);
        }
        const auto& actions = active.empty() ? all : active;
        return actions[rng.below(static_cast<std::uint32_t>(actions.size()))];
    }
};

// Takes the action with the best rated successor, the first on ties. The end of the turn has the rating of the current
// state, before the opponent's turn, so the turn ends once no action is a strict improvement. A rating may know the
// gain of an action without carrying it out.
template <class Rating>
struct GreedyAgent {
    Rating rating;

    template <Game G>
    typename G::Action choose(const typename G::Context& context, const typename G::State& state, Rng& rng) const {
        typename G::ActionList actions;
        G::legal_actions(context, state, actions);
        auto best = actions[0];
        auto best_gain = gain<G>(context, state, best, rng);
        for (std::size_t i = 1; i < actions.size(); ++i) {
            const auto value = gain<G>(context, state, actions[i], rng);
            if (value > best_gain) {
                best_gain = value;
                best = actions[i];
            }
        }
        return best;
    }

private:
    template <Game G>
    int gain(const typename G::Context& context, const typename G::State& state, typename G::Action action,
             Rng& rng) const {
        if (G::ends_turn(action)) return 0;
        if constexpr (requires { rating.gain(context, state, action); }) {
            return rating.gain(context, state, action);
        } else {
            typename G::State successor = state;
            G::apply(context, successor, action, rng);
            const int player = G::player_to_move(state);
            return rating_of(rating, context, successor, player) - rating_of(rating, context, state, player);
        }
    }
};

}  // namespace deckatlas
