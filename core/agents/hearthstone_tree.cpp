// Tree search over a turn of Hearthstone.
#include "agents/hearthstone_tree.hpp"

#include <algorithm>
#include <cmath>

#include "common/fixed_vector.hpp"
#include "common/numeric.hpp"
#include "hearthstone/hearthstone_game.hpp"
#include "hearthstone/sensible_actions.hpp"

namespace deckatlas::hearthstone {
namespace {

constexpr std::size_t kCapacity = std::size_t{1} << 18;  // nodes; a full tree stops growing

}  // namespace

class TurnTreeSearch::Run {
public:
    Run(const CardSet& cards, const PositionEvaluation& evaluation, const TreeOptions& options,
        TurnSearch<StatsRater>& turns, Memory& memory, Rng& rng)
        : cards_(cards),
          evaluation_(evaluation),
          options_(options),
          turns_(turns),
          memory_(memory),
          player_(memory.state.active),
          draws_{rng} {}

    Plan search(const Guesses& guesses, const std::atomic<bool>* stop) {
        memory_.nodes.push_back({.by = {}, .first_guess = worth_of(memory_.state)});
        for (int i = 0; i < options_.playouts; ++i) {
            play(i % kFollowEvery == 0);
            ++plan_.end_nodes;
            if ((stop != nullptr && stop->load(std::memory_order_relaxed)) || !guesses.draw(memory_.state, draws_.rng))
                break;
        }
        plan_.random = draws_.count > 0;
        write_plan();
        return plan_;
    }

private:
    static constexpr Index kRoot = 0;

    // One playout from a sampled state; it may follow a plan of the turn search.
    void play(bool follows_plan) {
        State& state = memory_.state;
        Plan plan;
        if (follows_plan) plan = turns_.search(cards_, state, draws_.rng);
        plan_.nodes += plan.nodes;
        FixedVector<Index, kLongestPlan> path;
        path.push_back(kRoot);
        while (is_in_turn(state) && path.size() < kLongestPlan) {
            const std::size_t at = path.size() - 1;
            follows_plan = follows_plan && at < plan.actions.size();
            const Index chosen = select(path[at], follows_plan ? &plan.actions[at] : nullptr);
            if (chosen == kNone) break;
            follows_plan = follows_plan && same(node(chosen).by, plan.actions[at]);
            step(state, chosen_action_);
            path.push_back(chosen);
            if (node(chosen).visits == 0 && !follows_plan) break;
        }
        const double worth = play_out(state);
        for (const Index each : path) {
            ++node(each).visits;
            node(each).total += worth;
        }
    }

    bool is_in_turn(const State& state) const { return state.phase != Phase::over && state.active == player_; }

    // The wanted child, or the one with the highest upper confidence bound, among those that are legal now; its action
    // is recorded.
    Index select(Index parent, const PlannedAction* wanted) {
        SensibleActionList actions;
        list_sensible_actions(cards_, memory_.state, actions);
        Index best = kNone;
        double best_bound = 0;
        double here = -1;  // rating of the state, computed when needed
        for (const Action& action : actions) {
            Index child = find(parent, planned_by_who(memory_.state, action));
            if (child == kNone) child = add(parent, action, here);
            if (child == kNone) continue;
            Node& each = node(child);
            ++each.available;
            double bound = each.mean() + options_.exploration * std::sqrt(each.available) / (each.visits + 1);
            if (wanted != nullptr && same(each.by, *wanted)) bound = kWanted;
            if (best == kNone || bound > best_bound) {
                best = child;
                best_bound = bound;
                chosen_action_ = action;
            }
        }
        return best;
    }

    Index find(Index parent, const PlannedAction& by) {
        Index child = node(parent).first_child;
        while (child != kNone && !same(node(child).by, by)) child = node(child).sibling;
        return child;
    }

    // A new child starts with its parent's value plus the immediate change by the action.
    Index add(Index parent, const Action& action, double& here) {
        if (memory_.nodes.size() == kCapacity) return kNone;
        if (here < 0) here = worth_of(memory_.state);
        double guess = node(parent).mean();
        if (action.kind != ActionKind::end_turn) {
            copy_state(memory_.state, memory_.child);
            step(memory_.child, action);
            guess = std::clamp(guess + worth_of(memory_.child) - here, 0.0, 1.0);
        }
        const auto child = static_cast<Index>(memory_.nodes.size());
        memory_.nodes.push_back({.by = planned_by_who(memory_.state, action), .first_guess = guess});
        Node& above = node(parent);
        (above.first_child == kNone ? above.first_child : node(above.last_child).sibling) = child;
        above.last_child = child;
        return child;
    }

    // The identity of an action. For the hand and for choices this is the card, whatever its place.
    static PlannedAction planned_by_who(const State& state, const Action& action) {
        PlannedAction by = planned(state, action);
        if (action.kind == ActionKind::choose) by.card = state.choices[action.source];
        return by;
    }
    static bool same(const PlannedAction& a, const PlannedAction& b) {
        const bool by_place = a.card == 0 && a.attacker == 0;
        return a.action.kind == b.action.kind && a.card == b.card && a.attacker == b.attacker && a.target == b.target &&
               a.action.choice == b.action.choice && a.action.position == b.action.position &&
               (!by_place || a.action.source == b.action.source) &&
               (a.target != 0 || a.action.target == b.action.target);
    }

    // Plays the rest of the turn, the opponent's turn and the next own turn greedily.
    double play_out(State& state) {
        if (is_in_turn(state)) {
            play_greedily(state);
            if (state.phase == Phase::main) step(state, Action{});
        }
        for (int turn = 0; turn < kTurnsAhead && state.phase == Phase::main; ++turn) {
            if (turn > 0) step(state, Action{});
            if (state.phase == Phase::main) play_greedily(state);
        }
        return worth_of(state);
    }

    // Takes the action with the best rated result while that is an improvement.
    void play_greedily(State& state) {
        const int player = state.active;
        int rating = evaluation_.rate(cards_, state, player);
        for (int steps = 0; steps < kLongestPlan && state.phase != Phase::over && state.active == player; ++steps) {
            SensibleActionList actions;
            list_sensible_actions(cards_, state, actions);
            const bool must_choose = state.phase == Phase::choice;
            bool found = false;
            for (const Action& action : actions) {
                if (action.kind == ActionKind::end_turn) continue;
                copy_state(state, memory_.child);
                step(memory_.child, action);
                if (memory_.child.is_void) continue;
                const int next = evaluation_.rate(cards_, memory_.child, player);
                if (next <= rating && (found || !must_choose)) continue;
                rating = next;
                found = true;
                copy_state(memory_.child, memory_.best_child);
            }
            if (!found) return;
            copy_state(memory_.best_child, state);
        }
    }

    void step(State& state, const Action& action) {
        apply(cards_, state, action, draws_);
        ++plan_.nodes;
    }

    // Between 0, lost, and 1, won.
    double worth_of(const State& state) const {
        constexpr double kUnit = 1000;  // a rating that is nearly a win
        return 0.5 + 0.5 * tanh_exact(evaluation_.rate(cards_, state, player_) / kUnit);
    }

    void write_plan() {
        constexpr std::uint32_t kOften = 30;  // enough visits to trust a choice
        plan_.score = static_cast<int>(kScoreUnit * node(kRoot).mean());
        for (Index at = kRoot; plan_.actions.size() < kLongestPlan;) {
            const Index next = favourite(at);
            if (next == kNone || (at != kRoot && node(at).visits < kOften)) return;
            plan_.actions.push_back(node(next).by);
            at = next;
        }
    }

    // The child with the most visits, the better one on ties; none if there are no children.
    Index favourite(Index at) {
        Index best = kNone;
        for (Index child = node(at).first_child; child != kNone; child = node(child).sibling) {
            const bool more = best == kNone || node(child).visits > node(best).visits;
            const bool as_many = !more && node(child).visits == node(best).visits;
            if (more || (as_many && node(child).mean() > node(best).mean())) best = child;
        }
        return best;
    }

    Node& node(Index index) { return memory_.nodes[index]; }

    static constexpr int kFollowEvery = 8;  // one of this many playouts follows a plan
    static constexpr int kTurnsAhead = 2;   // after the current turn
    static constexpr double kScoreUnit = 1'000'000;
    static constexpr double kWanted = 1e12;  // above every bound

    const CardSet& cards_;
    const PositionEvaluation& evaluation_;
    const TreeOptions options_;
    TurnSearch<StatsRater>& turns_;
    Memory& memory_;
    const int player_;
    CountedDraws draws_;
    Plan plan_;
    Action chosen_action_;
};

Plan TurnTreeSearch::search(const CardSet& cards, const Guesses& guesses, Rng& rng) {
    Memory& memory = memory_.get();
    if (!guesses.draw(memory.state, rng)) return {};
    if (const Plan plan = turns_.find_win(cards, guesses, memory.state, rng); !plan.actions.empty()) return plan;
    memory.nodes.clear();
    memory.nodes.reserve(kCapacity);
    return Run(cards, evaluation_, options_, turns_, memory, rng).search(guesses, stop_);
}

}  // namespace deckatlas::hearthstone
