// Monte Carlo tree search over one turn (UCT), written once over the Game concept.
//
// A node is a state within the turn; ending the turn is an action like any other and leads to a node without children.
// A playout walks down by upper confidence bounds, adds one new node and calls the `Leaf` for the value of stopping
// there: `leaf(context, state, player, rng)`, an integer. Nothing is carried out past the end of the turn here, so in
// games that draw cards only between turns nothing hidden is read; a leaf may model the opponent itself. An `Order` may
// forbid actions that come too late: no action follows one of a later phase.
//
// The line with the most visits is played as far as it was fully explored, then the search starts again. A won game
// ends the search. `limits.nodes` counts playouts of one search.
#pragma once

#include <cassert>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <vector>

#include "agents/limits.hpp"
#include "agents/rate.hpp"
#include "agents/turn_plan.hpp"
#include "common/game.hpp"
#include "common/scratch.hpp"

namespace deckatlas {

// The rating of the state itself.
template <class Rating>
struct RatingLeaf {
    Rating rating;

    template <class Context, class State>
    int operator()(const Context& context, const State& state, int player, Rng&) const {
        return rating_of(rating, context, state, player);
    }
};

// All actions have the same phase: none is forbidden.
struct AnyOrder {
    template <class Action>
    constexpr int phase(Action) const {
        return 0;
    }
};

inline constexpr std::uint32_t kTreeCapacity = 1u << 15;  // nodes

// The tree, in a pool of fixed capacity that is allocated once. When it is full it stops growing, and its leaves are
// visited repeatedly. There must be room for the root's children.
template <Game G, std::uint32_t Capacity>
class TurnTree {
public:
    using State = typename G::State;
    using Action = typename G::Action;
    using Index = std::uint32_t;

    static constexpr Index kRoot = 0;
    static constexpr Index kNone = Capacity;

    struct Node {
        Action action;
        Index parent;
        Index first_child = 0;
        std::uint32_t children = 0;
        std::uint32_t visits = 0;
        std::int64_t total = 0;
        std::int32_t phase;
        bool ended;        // the turn or the game
        State state = {};  // once visited
    };

    TurnTree() { nodes_.reserve(Capacity); }

    void clear(const State& root, int phase) {
        nodes_.clear();
        add(Action{}, kNone, phase, false);
        nodes_[kRoot].state = root;
    }

    const Node& operator[](Index i) const { return nodes_[i]; }

    // Adds the children of a visited node; there are none if the turn is over or the tree is full.
    template <class Order>
    void expand(const typename G::Context& context, const Order& order, Index at) {
        Node& node = nodes_[at];
        if (node.ended || node.children > 0) return;
        typename G::ActionList actions;
        G::legal_actions(context, node.state, actions);
        if (nodes_.size() + actions.size() > Capacity) return;
        node.first_child = size();
        for (const auto action : actions) {
            const bool ends = G::ends_turn(action);
            const int phase = ends ? node.phase : order.phase(action);
            if (phase < node.phase) continue;
            add(action, at, phase, ends);
        }
        node.children = size() - node.first_child;
    }

    // Computes the state of a node at its first visit.
    void enter(const typename G::Context& context, Index at, Rng& rng) {
        Node& node = nodes_[at];
        node.state = nodes_[node.parent].state;
        if (node.ended) return;
        G::apply(context, node.state, node.action, rng);
        node.ended = G::is_over(node.state);
    }

    // The child with the highest upper confidence bound; unvisited ones come first, in the order of the legal actions.
    Index select(Index at, double exploration) const {
        const Node& node = nodes_[at];
        const Index end = node.first_child + node.children;
        const double log_visits = std::log(static_cast<double>(node.visits));
        Index best = node.first_child;
        double best_bound = -HUGE_VAL;
        for (Index i = node.first_child; i < end; ++i) {
            if (nodes_[i].visits == 0) return i;
            const auto visits = static_cast<double>(nodes_[i].visits);
            const double bound =
                static_cast<double>(nodes_[i].total) / visits + exploration * std::sqrt(log_visits / visits);
            if (bound > best_bound) {
                best_bound = bound;
                best = i;
            }
        }
        return best;
    }

    void back_up(Index at, int value) {
        for (; at != kNone; at = nodes_[at].parent) {
            ++nodes_[at].visits;
            nodes_[at].total += value;
        }
    }

    // The child with the most visits, the better one on ties; none if there are no children.
    Index favourite(Index at) const {
        const Node& node = nodes_[at];
        Index best = kNone;
        for (Index i = node.first_child; i < node.first_child + node.children; ++i) {
            if (best == kNone || nodes_[i].visits > nodes_[best].visits ||
                (nodes_[i].visits == nodes_[best].visits && nodes_[i].total > nodes_[best].total)) {
                best = i;
            }
        }
        return best;
    }

    bool all_children_visited(Index at) const {
        const Node& node = nodes_[at];
        // The first visits are in order.
        return node.children > 0 && nodes_[node.first_child + node.children - 1].visits > 0;
    }

private:
    Index size() const { return static_cast<Index>(nodes_.size()); }

    void add(Action action, Index parent, int phase, bool ended) {
        assert(nodes_.size() < Capacity);
        nodes_.push_back({.action = action, .parent = parent, .phase = phase, .ended = ended});
    }

    std::vector<Node> nodes_;
};

// An agent that plays by such a tree. With several phases the playouts are split evenly, and each part continues below
// the favourite child of the part before.
template <Game G, class Leaf, class Order = AnyOrder, std::uint32_t Capacity = kTreeCapacity>
class TreeSearchAgent {
public:
    SearchLimits limits;
    double exploration = 0.1;
    int phases = 1;
    Leaf leaf;
    Order order;

    template <std::same_as<G> Played>
    typename G::Action choose(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        if (const auto planned = plan_.next(state)) return *planned;
        plan_.clear();
        typename G::ActionList actions;
        G::legal_actions(context, state, actions);
        if (actions.size() == 1) return actions[0];
        search(context, state, rng);
        return *plan_.next(state);
    }

private:
    using Tree = TurnTree<G, Capacity>;
    using Index = typename Tree::Index;

    static constexpr std::int64_t kClockEvery = 16;  // playouts between two readings of the clock

    void search(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        // If the last plan ended within the turn, its order still applies.
        const int phase = G::hash(state) == planned_to_ ? phase_ : 0;
        Tree& tree = tree_.get();
        tree.clear(state, phase);
        tree.expand(context, order, Tree::kRoot);
        Index top = Tree::kRoot;
        std::int64_t done = 0;
        for (int part = 1; part <= phases; ++part) {
            for (const std::int64_t end = limits.nodes * part / phases; done < end; ++done) {
                const Index leaf_node = play_out(context, tree, top, rng);
                if (G::winner(tree[leaf_node].state) == G::player_to_move(state)) return plan_path(tree, leaf_node);
                if (done % kClockEvery == kClockEvery - 1 && limits.late()) return plan_favourites(tree);
            }
            const Index favourite = tree.favourite(top);
            if (favourite != Tree::kNone) top = favourite;
        }
        plan_favourites(tree);
    }

    // One playout from `top`; returns the node that was rated.
    Index play_out(const typename G::Context& context, Tree& tree, Index top, Rng& rng) const {
        Index at = top;
        for (;;) {
            if (tree[at].visits > 0) tree.expand(context, order, at);
            if (tree[at].children == 0) break;
            at = tree.select(at, exploration);
            if (tree[at].visits == 0) {
                tree.enter(context, at, rng);
                break;
            }
        }
        const int player = G::player_to_move(tree[Tree::kRoot].state);
        tree.back_up(at, leaf(context, tree[at].state, player, rng));
        return at;
    }

    void plan_path(const Tree& tree, Index last) {
        FixedVector<Index, kMaxPlan> path;
        for (Index at = last; at != Tree::kRoot && path.size() < kMaxPlan; at = tree[at].parent) path.push_back(at);
        for (std::size_t i = path.size(); i > 0; --i) plan(tree, path[i - 1]);
    }

    // At least one action, and more while all alternatives were visited.
    void plan_favourites(const Tree& tree) {
        Index at = Tree::kRoot;
        do {
            at = tree.favourite(at);
            plan(tree, at);
        } while (!plan_.full() && tree.all_children_visited(at));
    }

    void plan(const Tree& tree, Index at) {
        plan_.push_back(tree[tree[at].parent].state, tree[at].action);
        planned_to_ = G::hash(tree[at].state);
        phase_ = tree[at].phase;
    }

    TurnPlan<G> plan_;
    std::uint64_t planned_to_ = 0;  // the state after the planned actions, and their last one's phase
    int phase_ = 0;
    Scratch<Tree> tree_;
};

}  // namespace deckatlas
