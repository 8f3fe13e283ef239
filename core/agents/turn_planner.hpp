// A planner of whole turns, over the Game concept: a beam over the actions of the turn, then the opponent's best reply.
//
// Level by level it keeps the `width` best rated states of the turn, each reached once (transpositions meet by hash), and
// every state kept is a way to end the turn. The `finalists` best of these are rated again after the opponent's best
// reply, and the line to the winner is played. A line that wins on the spot is played at once; an evaluation may look
// for such lines by itself first.
//
// The evaluation belongs to the game and never looks at hidden cards:
//   may_win(context, state)                   whether the player to move could win this very turn, at best
//   rate_race(context, state, player)         of a state within the turn, how near it is to such a win
//   rate(context, state, player)              of a state within the turn
//   rate_after_reply(context, state, player)  of a state in which the turn ends
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "agents/limits.hpp"
#include "common/fixed_vector.hpp"
#include "common/game.hpp"

namespace deckatlas {

// The states met in one search: an open-addressing table that forgets everything when a search begins.
class SeenStates {
public:
    void clear() {
        entries_.resize(kCapacity);
        ++search_;
        size_ = 0;
    }

    // True if the state is new. A full table lets everything pass, which costs time but never a state.
    bool insert(std::uint64_t hash) {
        if (size_ >= kCapacity / 2) return true;
        for (std::size_t i = hash % kCapacity;; i = (i + 1) % kCapacity) {
            Entry& entry = entries_[i];
            if (entry.search != search_) {
                entry = {hash, search_};
                ++size_;
                return true;
            }
            if (entry.hash == hash) return false;
        }
    }

private:
    static constexpr std::size_t kCapacity = 8192;

    struct Entry {
        std::uint64_t hash = 0;
        std::uint64_t search = 0;
    };

    std::vector<Entry> entries_;
    std::uint64_t search_ = 0;
    std::size_t size_ = 0;
};

template <Game G, class Evaluation>
class TurnPlanner {
public:
    static constexpr int kMaxWidth = 64;
    static constexpr int kMaxDepth = 24;  // actions of one turn; a longer turn is planned in pieces

    TurnPlanner(const Evaluation& evaluation, int width, int finalists)
        : limits{.nodes = 1'000'000}, evaluation_(evaluation), width_(width), finalists_(finalists) {}

    SearchLimits limits;

    template <Game>
    typename G::Action choose(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        if (next_ >= plan_.size() || G::hash(state) != expected_) make_plan(context, state, rng);
        const typename G::Action action = plan_[next_++];
        if (!G::ends_turn(action)) {
            typename G::State after = state;
            G::apply(context, after, action, rng);
            expected_ = G::hash(after);
        }
        return action;
    }

private:
    struct Node {
        typename G::State state;
        int rating;
        int parent;
        typename G::Action action;
    };

    static constexpr std::size_t kMaxNodes = static_cast<std::size_t>(kMaxWidth) * kMaxDepth + 1;

    void make_plan(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        const int player = G::player_to_move(state);
        if (evaluation_.may_win(context, state)) {
            const auto race = [&](const typename G::State& s) { return evaluation_.rate_race(context, s, player); };
            const int winning = search(context, state, player, race, rng);
            if (winning >= 0) {
                follow(winning, false);
                return;
            }
        }
        const auto rate = [&](const typename G::State& s) { return evaluation_.rate(context, s, player); };
        const int winning = search(context, state, player, rate, rng);
        if (winning >= 0) {
            follow(winning, false);
        } else {
            follow(best_ending(context, player), true);
        }
    }

    // Fills the beam from `state`; returns a node that wins the game, or -1.
    template <class Rate>
    int search(const typename G::Context& context, const typename G::State& state, int player, const Rate& rate,
               Rng& rng) {
        nodes_.clear();
        nodes_.reserve(kMaxNodes);
        seen_.clear();
        seen_.insert(G::hash(state));
        nodes_.push_back(Node{state, rate(state), -1, {}});
        int visited = 0;
        std::size_t level = 0;
        for (int depth = 0; depth < kMaxDepth; ++depth) {
            const std::size_t next_level = nodes_.size();
            for (std::size_t i = level; i < next_level; ++i) {
                if (visited >= limits.nodes || limits.late()) break;
                const int winning = expand(context, static_cast<int>(i), next_level, player, rate, visited, rng);
                if (winning >= 0) return winning;
            }
            if (nodes_.size() == next_level) break;
            level = next_level;
        }
        return -1;
    }

    // Adds the children of node i that are among the best of their level; returns a child that wins, or -1.
    template <class Rate>
    int expand(const typename G::Context& context, int i, std::size_t level, int player, const Rate& rate, int& visited,
               Rng& rng) {
        typename G::ActionList actions;
        G::legal_actions(context, nodes_[static_cast<std::size_t>(i)].state, actions);
        for (const auto action : actions) {
            if (G::ends_turn(action)) continue;
            Node child{nodes_[static_cast<std::size_t>(i)].state, 0, i, action};
            G::apply(context, child.state, action, rng);
            ++visited;
            if (G::is_over(child.state)) {
                if (G::winner(child.state) != player) continue;
                return keep(child, level);
            }
            if (!seen_.insert(G::hash(child.state))) continue;
            child.rating = rate(child.state);
            keep(child, level);
        }
        return -1;
    }

    // Puts a child into its level, over the worst there if the level is full; returns where, or -1.
    int keep(const Node& child, std::size_t level) {
        if (nodes_.size() - level < static_cast<std::size_t>(width_)) {
            nodes_.push_back(child);
            return static_cast<int>(nodes_.size()) - 1;
        }
        std::size_t worst = level;
        for (std::size_t i = level + 1; i < nodes_.size(); ++i) {
            if (nodes_[i].rating < nodes_[worst].rating) worst = i;
        }
        const bool wins = G::is_over(child.state);
        if (!wins && child.rating <= nodes_[worst].rating) return -1;
        nodes_[worst] = child;
        return static_cast<int>(worst);
    }

    int best_ending(const typename G::Context& context, int player) {
        endings_.resize(nodes_.size());
        std::iota(endings_.begin(), endings_.end(), 0);
        const auto better = [this](int a, int b) {
            const int first = nodes_[static_cast<std::size_t>(a)].rating;
            const int second = nodes_[static_cast<std::size_t>(b)].rating;
            return first != second ? first > second : a < b;
        };
        const std::size_t n = std::min(endings_.size(), static_cast<std::size_t>(finalists_));
        std::partial_sort(endings_.begin(), endings_.begin() + static_cast<std::ptrdiff_t>(n), endings_.end(), better);
        int best = endings_[0];
        int best_rating = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const int rating =
                evaluation_.rate_after_reply(context, nodes_[static_cast<std::size_t>(endings_[k])].state, player);
            if (k == 0 || rating > best_rating) {
                best = endings_[k];
                best_rating = rating;
            }
        }
        return best;
    }

    // Makes the line that leads to a node the plan.
    void follow(int node, bool then_end_turn) {
        plan_.clear();
        next_ = 0;
        for (int i = node; nodes_[static_cast<std::size_t>(i)].parent >= 0; i = nodes_[static_cast<std::size_t>(i)].parent) {
            plan_.push_back(nodes_[static_cast<std::size_t>(i)].action);
        }
        std::reverse(&plan_[0], &plan_[0] + plan_.size());
        if (then_end_turn) plan_.push_back(ending_);
    }

    Evaluation evaluation_;
    int width_;
    int finalists_;
    std::vector<Node> nodes_;  // never grows past what is reserved at first use
    std::vector<int> endings_;
    SeenStates seen_;
    FixedVector<typename G::Action, kMaxDepth + 1> plan_;
    std::size_t next_ = 0;
    std::uint64_t expected_ = 0;
    typename G::Action ending_{};
};

}  // namespace deckatlas
