// An agent's plan for the rest of a turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/fixed_vector.hpp"
#include "common/game.hpp"

namespace deckatlas {

inline constexpr std::size_t kMaxPlan = 64;  // actions; a longer turn is planned in parts

template <Game G>
using ActionSequence = FixedVector<typename G::Action, kMaxPlan>;

// Returns each action only in the state it was planned for, recognised by its hash: in any other, the plan is void.
template <Game G>
class TurnPlan {
public:
    void clear() {
        steps_.clear();
        given_ = 0;
    }

    void push_back(const typename G::State& before, typename G::Action action) {
        steps_.push_back({G::hash(before), action});
    }

    bool full() const { return steps_.size() == kMaxPlan; }

    std::optional<typename G::Action> next(const typename G::State& state) {
        if (given_ == steps_.size() || steps_[given_].before != G::hash(state)) return std::nullopt;
        return steps_[given_++].action;
    }

private:
    struct Step {
        std::uint64_t before;
        typename G::Action action;
    };

    FixedVector<Step, kMaxPlan> steps_;
    std::size_t given_ = 0;
};

// The action that ends the turn; in the middle of a choice, where there is none, the first.
template <Game G>
typename G::Action ending_action(const typename G::ActionList& actions) {
    for (const auto action : actions) {
        if (G::ends_turn(action)) return action;
    }
    return actions[0];
}

// Carries out `actions` on a copy of `state` and stores them as a plan, with the end of the turn if there is room.
template <Game G>
void plan_sequence(const typename G::Context& context, typename G::State state, const ActionSequence<G>& actions,
                   Rng& rng, TurnPlan<G>& plan) {
    plan.clear();
    for (const auto action : actions) {
        if (G::is_over(state)) return;  // what a search adds after the end is not part of the turn
        plan.push_back(state, action);
        G::apply(context, state, action, rng);
    }
    if (G::is_over(state) || plan.full()) return;
    typename G::ActionList legal;
    G::legal_actions(context, state, legal);
    plan.push_back(state, ending_action<G>(legal));
}

}  // namespace deckatlas
