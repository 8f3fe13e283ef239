// Tree search over the actions of one turn with "all moves as first" statistics (RAVE), written over the Game concept.
//
// Every state of the turn is a node; ending the turn gives a leaf. A visit goes down by
//     (beta * mean of the action anywhere in the tree + (1 - beta) * mean of the node) + c * sqrt(ln N / n)
// where beta falls from 1 to 0 over the first visits of a node; unvisited children come first, in random order.
// A new node is valued by a policy:
//
//     static constexpr std::size_t kKeys;                            // actions are distinguished by a key below this
//     std::size_t key(const State&, Action) const;
//     double value(const State&, bool turn_ended, Rng&) const;       // for the searching player
//
// The tree has a fixed capacity. Valuing a leaf lists the children of at most one node, so n leaves give at most
// 1 + n * (actions of a state) nodes; a tree with more capacity than that behaves as if it were unlimited. When it is
// full it stops growing, and its leaves are visited repeatedly.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "agents/limits.hpp"
#include "common/game.hpp"

namespace deckatlas {

struct RaveOptions {
    double exploration;  // c
    int smoothing;       // visits after which only a node's own mean counts
};

inline constexpr std::size_t kRaveCapacity = 1u << 19;  // nodes

// The tree keeps its memory from one search to the next.
template <Game G, class Policy, std::size_t Capacity = kRaveCapacity>
class RaveSearch {
public:
    static constexpr std::size_t kMostActions = G::ActionList::kCapacity;
    static_assert(Capacity > kMostActions, "there must be room for the root's children");

    using State = typename G::State;
    using Action = typename G::Action;
    using Context = typename G::Context;

    // Values `leaves` leaves from `root`, at least one, but fewer if time is up.
    void run(const Context& context, const Policy& policy, const RaveOptions& options, const State& root,
             std::int64_t leaves, const SearchLimits& limits, Rng& rng) {
        make_room(leaves);
        anywhere_.assign(Policy::kKeys, {});
        nodes_.push_back(Node{});
        states_.push_back(root);
        nodes_[0].state = 0;
        for (std::int64_t i = 0; i < leaves; ++i) {
            if (i > 0 && limits.late()) break;
            const std::int32_t leaf = descend(context, policy, options, rng);
            const Node& node = nodes_[at(leaf)];
            add_result(leaf, policy.value(states_[at(node.state)], node.turn_ended, rng));
        }
    }

    // Passes the line of best means to `note`, including PASS if it is part of it.
    template <class Note>
    void best_line(const Note& note) const {
        for (std::int32_t node = 0;;) {
            std::int32_t best = kNone;
            for (std::int32_t child : children(node)) {
                if (best == kNone || nodes_[at(child)].mean() > nodes_[at(best)].mean()) best = child;
            }
            if (best == kNone) return;
            note(nodes_[at(best)].action);
            node = best;
        }
    }

private:
    static constexpr std::int32_t kNone = -1;

    struct Sum {
        double total = 0;
        std::int32_t visits = 0;

        void add(double value) {
            total += value;
            ++visits;
        }
        double mean() const { return total / visits; }
    };

    struct Node : Sum {
        Action action{};
        std::int32_t key = 0;
        std::int32_t parent = kNone;
        std::int32_t state = kNone;  // kept from the first visit on
        std::int32_t first_child = kNone;
        std::int32_t child_count = 0;
        std::int32_t visited_children = 0;  // the first ones
        bool turn_ended = false;
    };

    struct Range {
        struct Iterator {
            std::int32_t i;
            std::int32_t operator*() const { return i; }
            Iterator& operator++() {
                ++i;
                return *this;
            }
            bool operator!=(Iterator other) const { return i != other.i; }
        };
        std::int32_t first, last;
        Iterator begin() const { return {first}; }
        Iterator end() const { return {last}; }
    };

    // Empties the tree and reserves memory, so that it need not move while it grows.
    void make_room(std::int64_t leaves) {
        const std::size_t visits = std::min(static_cast<std::size_t>(leaves), Capacity);
        nodes_.clear();
        nodes_.reserve(std::min(1 + visits * kMostActions, Capacity));
        states_.clear();
        states_.reserve(std::min(1 + visits, Capacity));  // those of visited nodes
    }

    static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
    Range children(std::int32_t node) const {  // those visited
        const Node& parent = nodes_[at(node)];
        return {parent.first_child, parent.first_child + parent.visited_children};
    }

    // Goes down to an unvisited node, or to an end: of the turn, the game or a full tree.
    std::int32_t descend(const Context& context, const Policy& policy, const RaveOptions& options, Rng& rng) {
        for (std::int32_t node = 0;;) {
            if (nodes_[at(node)].first_child == kNone) expand(context, policy, node, rng);
            Node& parent = nodes_[at(node)];
            if (parent.child_count == 0) return node;
            if (parent.visited_children < parent.child_count) {
                const std::int32_t child = parent.first_child + parent.visited_children++;
                enter(context, child, rng);
                return child;
            }
            node = most_promising(node, options);
        }
    }

    // Lists the children of a node in random order, if there is room for them.
    void expand(const Context& context, const Policy& policy, std::int32_t node, Rng& rng) {
        Node& parent = nodes_[at(node)];
        const State& state = states_[at(parent.state)];
        typename G::ActionList actions;
        if (!parent.turn_ended && !G::is_over(state)) G::legal_actions(context, state, actions);
        if (nodes_.size() + actions.size() > Capacity) return;
        parent.first_child = static_cast<std::int32_t>(nodes_.size());
        parent.child_count = static_cast<std::int32_t>(actions.size());
        for (std::size_t i = 0; i < actions.size(); ++i) {
            const std::size_t j = i + rng.below(static_cast<std::uint32_t>(actions.size() - i));
            std::swap(actions[i], actions[j]);
            Node child;
            child.action = actions[i];
            child.key = static_cast<std::int32_t>(policy.key(state, child.action));
            child.parent = node;
            assert(nodes_.size() < nodes_.capacity());
            nodes_.push_back(child);
        }
    }

    // The end of the turn is not carried out: the policy models what follows.
    void enter(const Context& context, std::int32_t index, Rng& rng) {
        Node& node = nodes_[at(index)];
        State state = states_[at(nodes_[at(node.parent)].state)];
        node.turn_ended = G::ends_turn(node.action);
        if (!node.turn_ended) G::apply(context, state, node.action, rng);
        node.state = static_cast<std::int32_t>(states_.size());
        assert(states_.size() < states_.capacity());
        states_.push_back(state);
    }

    std::int32_t most_promising(std::int32_t node, const RaveOptions& options) const {
        const double log_visits = std::log(static_cast<double>(nodes_[at(node)].visits));
        std::int32_t best = kNone;
        double best_score = 0;
        for (const std::int32_t index : children(node)) {
            const Node& child = nodes_[at(index)];
            double value = child.mean();
            if (child.visits < options.smoothing) {
                const double beta = static_cast<double>(options.smoothing - child.visits) / options.smoothing;
                value = beta * anywhere_[at(child.key)].mean() + (1 - beta) * value;
            }
            const double score = value + options.exploration * std::sqrt(log_visits / child.visits);
            if (best == kNone || score > best_score) {
                best = index;
                best_score = score;
            }
        }
        return best;
    }

    void add_result(std::int32_t leaf, double value) {
        for (std::int32_t index = leaf; index != kNone; index = nodes_[at(index)].parent) {
            Node& node = nodes_[at(index)];
            node.add(value);
            if (node.parent != kNone) anywhere_[at(node.key)].add(value);
        }
    }

    std::vector<Node> nodes_;
    std::vector<State> states_;
    std::vector<Sum> anywhere_;  // by key of the action
};

}  // namespace deckatlas
