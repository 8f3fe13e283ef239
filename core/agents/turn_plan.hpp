// A plan for the rest of a turn: a search finds it once, the runner fetches it action by action.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "common/game.hpp"

namespace deckatlas {

template <Game G, std::size_t Capacity>
class TurnPlan {
public:
    using State = typename G::State;
    using Action = typename G::Action;

    // Starts a plan for `state`; its actions follow, and PASS must come last unless the game ends before.
    void start(const State& state) {
        actions_.clear();
        next_ = 0;
        expected_ = G::hash(state);
    }
    void add(Action action) { actions_.push_back(action); }

    // Whether the plan was made for this very state: it is not if the turn, or anything else, differs.
    bool fits(const State& state) const { return next_ < actions_.size() && expected_ == G::hash(state); }

    Action take(const typename G::Context& context, const State& state, Rng& rng) {
        const Action action = actions_[next_++];
        if (next_ < actions_.size()) {
            State successor = state;
            G::apply(context, successor, action, rng);
            expected_ = G::hash(successor);
        }
        return action;
    }

private:
    FixedVector<Action, Capacity> actions_;
    std::size_t next_ = 0;
    std::uint64_t expected_ = 0;
};

}  // namespace deckatlas
