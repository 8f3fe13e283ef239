// Best-first search over the action sequences of one turn, written once over the Game concept.
//
// The frontier contains sequences. The one with the best rating (the shortest on ties) is continued by every action
// that does not end the turn, until nothing is left or the limit is reached. The best sequence seen (again the shortest
// on ties) is played, and then the turn ends. The opponent's reply is ignored.
//
// A node is a rated sequence: `limits.nodes` bounds the ratings of a turn, and the continuation that reaches it is
// finished. If sequences remain then, or time is up, `Closing` names actions to take without a search at the end of the
// sequence while there are any, such as attacks on the enemy player.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include "agents/limits.hpp"
#include "agents/rate.hpp"
#include "agents/turn_plan.hpp"
#include "common/game.hpp"
#include "common/hash_set.hpp"

namespace deckatlas {

template <Game G, class Rating, class Closing>
class BestFirstAgent {
public:
    using Context = typename G::Context;
    using State = typename G::State;
    using Action = typename G::Action;
    using ActionList = typename G::ActionList;

    SearchLimits limits;
    bool merge = false;  // whether a sequence that leads to a state already seen is dropped

    template <Game Played>
        requires std::same_as<Played, G>
    Action choose(const Context& context, const State& state, Rng& rng) {
        // A plan is valid while everything goes as expected, so the next turn makes a new one.
        if (!planned_ || G::hash(state) != foreseen_) make_plan(context, state, rng);
        if (done_ == plan_.size()) return end_of_turn(context, state);
        const Action action = plan_[done_++];
        State successor = state;
        Rng imagined{rng.state};
        G::apply(context, successor, action, imagined);
        foreseen_ = G::hash(successor);
        return action;
    }

private:
    // A state whose sequence was continued, and that sequence.
    struct Expanded {
        State state;
        std::int32_t node;
    };

    // A sequence: that of `expanded_[base]` plus one action. Node 0 is the empty sequence.
    struct Node {
        std::int32_t base;
        Action action;
    };

    // The rating of a sequence.
    struct Rated {
        double rating;
        std::int32_t length;
        std::int32_t node;

        // Whether it comes after another: rated lower, longer, or found later.
        bool operator<(const Rated& other) const {
            if (rating != other.rating) return rating < other.rating;
            return length != other.length ? length > other.length : node > other.node;
        }
    };

    void make_plan(const Context& context, const State& state, Rng& rng) {
        Rng imagined{rng.next()};  // random results in the search are independent of the game's
        search(context, state, imagined);
        plan_.clear();
        for (std::int32_t node = best_.node; node != 0; node = expanded_[index(at(node).base)].node) {
            plan_.push_back(at(node).action);
        }
        std::reverse(plan_.begin(), plan_.end());
        if (!frontier_.empty()) append_closing(context, state, imagined);
        planned_ = true;
        foreseen_ = G::hash(state);
        done_ = 0;
    }

    void search(const Context& context, const State& root, Rng& rng) {
        const int player = G::player_to_move(root);
        expanded_.clear();
        nodes_.clear();
        frontier_.clear();
        if (merge) {
            seen_.clear();
            seen_.insert(G::hash(root));
        }
        nodes_.push_back({0, Action()});
        best_ = {rated(context, root, player), 0, 0};
        expand(context, root, best_, player, rng);
        while (!frontier_.empty() && static_cast<std::int64_t>(nodes_.size()) < limits.nodes && !limits.late()) {
            std::pop_heap(frontier_.begin(), frontier_.end());
            const Rated next = frontier_.back();
            frontier_.pop_back();
            State state = expanded_[index(at(next.node).base)].state;
            G::apply(context, state, at(next.node).action, rng);
            expand(context, state, next, player, rng);
        }
    }

    // Rates every continuation of a sequence that leads to `state`.
    void expand(const Context& context, const State& state, Rated from, int player, Rng& rng) {
        const auto base = static_cast<std::int32_t>(expanded_.size());
        expanded_.push_back({state, from.node});
        ActionList actions;
        G::legal_actions(context, state, actions);
        for (const Action action : actions) {
            if (G::ends_turn(action)) continue;
            State successor = state;
            G::apply(context, successor, action, rng);
            if (merge && !seen_.insert(G::hash(successor))) continue;
            const auto node = static_cast<std::int32_t>(nodes_.size());
            nodes_.push_back({base, action});
            frontier_.push_back({rated(context, successor, player), from.length + 1, node});
            best_ = std::max(best_, frontier_.back());
            std::push_heap(frontier_.begin(), frontier_.end());
        }
    }

    void append_closing(const Context& context, State state, Rng& rng) {
        for (const Action action : plan_) G::apply(context, state, action, rng);
        ActionList actions;
        for (bool found = true; found;) {
            G::legal_actions(context, state, actions);
            const auto* closing = std::find_if(actions.begin(), actions.end(), closing_);
            found = closing != actions.end();
            if (found) {
                plan_.push_back(*closing);
                G::apply(context, state, *closing, rng);
            }
        }
    }

    static Action end_of_turn(const Context& context, const State& state) {
        ActionList actions;
        G::legal_actions(context, state, actions);
        return ending_action<G>(actions);
    }

    double rated(const Context& context, const State& state, int player) const {
        return static_cast<double>(rating_of(rating_, context, state, player));
    }

    static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
    const Node& at(std::int32_t node) const { return nodes_[index(node)]; }

    Rating rating_;
    Closing closing_;
    // The data of the last search; its memory is reused.
    std::vector<Expanded> expanded_;
    std::vector<Node> nodes_;
    std::vector<Rated> frontier_;  // a heap
    Rated best_{};
    HashSet seen_;
    // The plan for this turn.
    std::vector<Action> plan_;
    std::size_t done_ = 0;
    std::uint64_t foreseen_ = 0;  // hash of the state in which the plan continues
    bool planned_ = false;
};

}  // namespace deckatlas
