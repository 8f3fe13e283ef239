// A planner of whole turns, over the Game concept: a beam search over the actions of the turn, then the opponent's
// reply.
//
// Level by level it keeps the `width` best states of the turn, each once (transpositions are detected by hash), and
// every kept state is a candidate end of the turn. The `finalists` best of these are rated again after the opponent's
// reply, and the line to the best one is played. A line that wins immediately is played at once; an evaluation may
// first look for such lines itself.
//
// The evaluation is game-specific and never reads hidden cards:
//   may_win(context, state)                   whether the player to move could win this turn, at best
//   rate_race(context, state, player)         for a state within the turn, how close it is to such a win
//   rate(context, state, player)              for a state within the turn
//   rate_after_reply(context, state, player)  for a state at the end of the turn
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "agents/limits.hpp"
#include "agents/turn_plan.hpp"
#include "common/game.hpp"
#include "common/hash_set.hpp"

namespace deckatlas {

template <Game G, class Evaluation>
class TurnPlanner {
public:
    static constexpr int kMaxWidth = 64;
    static constexpr int kMaxDepth = 24;  // actions of one turn; a longer turn is planned in pieces

    TurnPlanner(const Evaluation& evaluation, int width, int finalists)
        : limits{.nodes = 1'000'000}, evaluation_(evaluation), width_(width), finalists_(finalists) {}

    SearchLimits limits;

    template <std::same_as<G> Played>
    typename G::Action choose(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        if (const auto planned = plan_.next(state)) return *planned;
        plan_sequence<G>(context, state, best_turn(context, state, rng), rng, plan_);
        return *plan_.next(state);
    }

    // A line to an end of the turn, and its rating after the reply.
    struct RatedLine {
        bool wins;
        int rating;
        ActionSequence<G> actions;
    };

    // The lines that the turn is chosen from, the best first; a line that wins stands alone. For people: it allocates.
    std::vector<RatedLine> explain(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        const int player = G::player_to_move(state);
        if (const int winning = find_turns(context, state, player, rng); winning >= 0)
            return {{true, at(winning).rating, line_to(winning)}};
        rate_endings(context, player);
        std::sort(endings_.begin(), endings_.end(), is_better);
        std::vector<RatedLine> lines;
        for (const Ending& ending : endings_) lines.push_back({false, ending.after, line_to(ending.node)});
        return lines;
    }

private:
    struct Node {
        typename G::State state;
        int rating;
        int parent;
        typename G::Action action;
    };

    struct Ending {
        int after;  // the rating after the reply, once it is known
        int rating;
        int node;
    };

    // On ties after the reply the one that was better before it, then the one found first.
    static bool is_better(const Ending& a, const Ending& b) {
        if (a.after != b.after) return a.after > b.after;
        return a.rating != b.rating ? a.rating > b.rating : a.node < b.node;
    }

    static constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t kMaxNodes = static_cast<std::size_t>(kMaxWidth) * kMaxDepth + 1;

    ActionSequence<G> best_turn(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        const int player = G::player_to_move(state);
        const int winning = find_turns(context, state, player, rng);
        return line_to(winning >= 0 ? winning : best_ending(context, player));
    }

    // Fills the beam with turns; returns a node that wins the game, or -1.
    int find_turns(const typename G::Context& context, const typename G::State& state, int player, Rng& rng) {
        if (evaluation_.may_win(context, state)) {
            const auto race = [&](const typename G::State& s) { return evaluation_.rate_race(context, s, player); };
            const int winning = search(context, state, player, race, rng);
            if (winning >= 0) return winning;
        }
        const auto rate = [&](const typename G::State& s) { return evaluation_.rate(context, s, player); };
        return search(context, state, player, rate, rng);
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
        G::legal_actions(context, at(i).state, actions);
        for (const auto action : actions) {
            if (G::ends_turn(action)) continue;
            Node child{at(i).state, 0, i, action};
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

    // Inserts a child into its level, replacing the worst if the level is full; returns its place, or -1.
    int keep(const Node& child, std::size_t level) {
        if (nodes_.size() - level < static_cast<std::size_t>(width_)) {
            nodes_.push_back(child);
            worst_ = kUnknown;
            return static_cast<int>(nodes_.size()) - 1;
        }
        if (worst_ == kUnknown) worst_ = worst_from(level);
        const bool wins = G::is_over(child.state);
        if (!wins && child.rating <= nodes_[worst_].rating) return -1;
        nodes_[worst_] = child;
        return static_cast<int>(std::exchange(worst_, kUnknown));
    }

    // The first of the lowest rated nodes from there on.
    std::size_t worst_from(std::size_t level) const {
        std::size_t worst = level;
        for (std::size_t i = level + 1; i < nodes_.size(); ++i) {
            if (nodes_[i].rating < nodes_[worst].rating) worst = i;
        }
        return worst;
    }

    // The finalist that is best after the reply.
    int best_ending(const typename G::Context& context, int player) {
        rate_endings(context, player);
        return std::min_element(endings_.begin(), endings_.end(), is_better)->node;
    }

    // Rates the finalists after the reply.
    void rate_endings(const typename G::Context& context, int player) {
        endings_.clear();
        for (std::size_t i = 0; i < nodes_.size(); ++i) endings_.push_back({0, nodes_[i].rating, static_cast<int>(i)});
        if (static_cast<std::size_t>(finalists_) < endings_.size()) {
            std::nth_element(endings_.begin(), endings_.begin() + finalists_, endings_.end(), is_better);
            endings_.resize(static_cast<std::size_t>(finalists_));
        }
        for (Ending& ending : endings_)
            ending.after = evaluation_.rate_after_reply(context, at(ending.node).state, player);
    }

    ActionSequence<G> line_to(int node) const {
        ActionSequence<G> backwards;
        for (int i = node; at(i).parent >= 0; i = at(i).parent) backwards.push_back(at(i).action);
        ActionSequence<G> line;
        for (std::size_t i = backwards.size(); i > 0; --i) line.push_back(backwards[i - 1]);
        return line;
    }

    const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }

    Evaluation evaluation_;
    int width_;
    int finalists_;
    std::vector<Node> nodes_;       // never grows beyond the memory reserved at first use
    std::size_t worst_ = kUnknown;  // of the level that is being filled, once it is full
    std::vector<Ending> endings_;
    HashSet seen_;
    TurnPlan<G> plan_;
};

}  // namespace deckatlas
