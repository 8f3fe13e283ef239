// How the search over a turn of Hearthstone works. A file that includes this one instantiates the search for a rater,
// so that the compiler can inline the rules there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "agents/hearthstone_search.hpp"
#include "common/fixed_vector.hpp"
#include "hearthstone/attack_guess.hpp"
#include "hearthstone/hearthstone_game.hpp"
#include "hearthstone/hidden_sight.hpp"
#include "hearthstone/lethal.hpp"
#include "hearthstone/sensible_actions.hpp"
#include "hearthstone/turn_key.hpp"

namespace deckatlas::hearthstone {

template <RatesTurns Rater>
class TurnSearch<Rater>::Run {
public:
    // Without `guesses` the root is treated as true.
    Run(const CardSet& cards, Rater& rater, const SearchOptions& options, const State& root, const Guesses* guesses,
        Rng& rng, Memory& memory, RatedPlans* considered = nullptr)
        : cards_(cards),
          rater_(rater),
          options_(options),
          root_(root),
          guesses_(guesses),
          player_(root.active),
          draws_{rng},
          memory_(memory),
          considered_(considered) {}

    Plan find_win() {
        fill(ForWin{cards_, player_});
        return plan_;
    }

    // The end of the planned turn; null if there is none.
    const State* end() const { return end_; }

    Plan search() {
        if (LethalSight::may_win(cards_, root_)) find_win();
        if (won_) return plan_;
        fill(ForEnd{cards_, player_, rater_});
        if (!won_) plan_best_end();
        return plan_;
    }

private:
    static constexpr std::size_t kMostAttacks = kBoardLimit * (kBoardLimit + 1);
    static constexpr int kMost = 2;  // the most of three trials of a win that may depend on luck

    // The goal of a beam: how it rates states, which it keeps, and how it chooses actions.
    struct ForWin {
        static constexpr bool kSparing = false;
        const CardSet& cards;
        const int player;

        int rate(const State& state) const { return LethalSight::rate(cards, state, player); }
        bool keeps(const State& state) const {
            return state.phase != Phase::main || LethalSight::may_win(cards, state);
        }
    };
    struct ForEnd {
        static constexpr bool kSparing = true;  // tries sensible targets only, and skips attacks with a low estimate
        const CardSet& cards;
        const int player;
        Rater& rater;

        int rate(const State& state) const { return rater.rate(cards, state, player); }
        bool keeps(const State&) const { return true; }
    };

    // A kept state: its node, and its link once its level is complete.
    struct Kept {
        std::uint8_t node = 0;
        int rating = 0;
        int link = kNoLink;
    };
    // An attack of a minion, and its estimated gain.
    struct Attack {
        Action action;
        int gain = 0;
    };
    // How much better the result of a link's action was than on average.
    struct Luck {
        int link = kNoLink;
        int gain = 0;
    };
    using Level = FixedVector<Kept, kWidestSearch>;

    // Fills the beam; a winning plan ends it.
    template <class Goal>
    void fill(const Goal& goal) {
        free_.clear();
        links_.clear();
        finalists_.clear();
        memory_.seen.clear();
        for (int i = static_cast<int>(memory_.nodes.size()); i > 0; --i)
            free_.push_back(static_cast<std::uint8_t>(i - 1));
        Level level;
        level.push_back({take(), goal.rate(root_), kNoLink});
        copy_state(root_, node(level[0]).state);
        node(level[0]).random = false;
        for (int depth = 0; !level.empty(); ++depth) {
            next_.clear();
            for (std::size_t i = 0; depth < kDeepestSearch && i < level.size(); ++i) {
                expand(level[i], goal);
                if (won_) return;
            }
            for (const Kept& kept : level) offer(kept);
            for (Kept& kept : next_) {
                kept.link = static_cast<int>(links_.size());
                links_.push_back(node(kept).link);
            }
            level = next_;
        }
    }

    // Keeps the children of a state that are among the best of their level.
    template <class Goal>
    void expand(const Kept& parent, const Goal& goal) {
        SensibleActionList actions;
        list_sensible_actions(cards_, node(parent).state, actions, Goal::kSparing ? Aiming::sensible : Aiming::anyhow);
        FixedVector<Attack, kMostAttacks> attacks;
        for (std::size_t i = 0; i < actions.size() && !won_; ++i) {
            if (actions[i].kind == ActionKind::end_turn) continue;
            if (Goal::kSparing && actions[i].kind == ActionKind::attack && actions[i].source > 0) {
                attacks.push_back({actions[i], 0});
            } else {
                consider(parent, actions[i], goal);
            }
        }
        if (!attacks.empty()) try_attacks(parent, attacks, goal);
    }

    // Attacks of minions, the highest estimates first; attacks with too low an estimate are skipped.
    template <class Goal>
    void try_attacks(const Kept& parent, FixedVector<Attack, kMostAttacks>& attacks, const Goal& goal) {
        const AttackGuess guess(rater_.attack_evaluation(), cards_, node(parent).state);
        for (Attack& attack : attacks) attack.gain = guess.gain(attack.action);
        sort_by_gain(attacks);
        for (const Attack& attack : attacks) {
            if (won_ || (is_full() && rater_.is_too_weak(parent.rating, attack.gain, next_[next_.size() - 1].rating)))
                return;
            consider(parent, attack.action, goal);
        }
    }

    // Insertion sort: there are few, and equal ones keep their order.
    static void sort_by_gain(FixedVector<Attack, kMostAttacks>& attacks) {
        for (std::size_t i = 1; i < attacks.size(); ++i) {
            const Attack attack = attacks[i];
            std::size_t at = i;
            for (; at > 0 && attacks[at - 1].gain < attack.gain; --at) attacks[at] = attacks[at - 1];
            attacks[at] = attack;
        }
    }

    // Carries out an action and keeps the result if it is good enough.
    template <class Goal>
    void consider(const Kept& parent, const Action& action, const Goal& goal) {
        Node& child = memory_.nodes[free_[free_.size() - 1]];
        const std::uint32_t draws = draws_.count;
        make(parent, action, child);
        if (is_won(child.state)) {
            if (plan_win(child, {parent.link, planned(node(parent).state, action)})) return;
            make(parent, action, child);  // with other random results
        }
        if (child.state.phase == Phase::over) return;
        const int rating = goal.rate(child.state);
        const bool full = is_full();
        if (full && rating <= next_[next_.size() - 1].rating) return;
        if (!goal.keeps(child.state) || !memory_.seen.insert(TurnKey(child.state).value())) return;
        child.link = {parent.link, planned(node(parent).state, action), rating,
                      draws_.count != draws || reveals(node(parent).state, child.state)};
        const std::uint8_t place = take();
        if (full) {
            free_.push_back(next_[next_.size() - 1].node);
        } else {
            next_.push_back({});
        }
        insert(next_, {place, rating, kNoLink});
    }

    void make(const Kept& parent, const Action& action, Node& child) {
        const std::uint32_t draws = draws_.count;
        copy_state(node(parent).state, child.state);
        step(child.state, action);
        child.random = node(parent).random || draws_.count != draws;
    }
    void step(State& state, const Action& action) {
        apply(cards_, state, action, draws_);
        ++plan_.nodes;
    }
    bool is_won(const State& state) const { return state.phase == Phase::over && state.winner == player_; }

    bool is_full() const { return next_.size() == static_cast<std::size_t>(options_.width); }

    // A kept state is a candidate end of the turn if it is among the best; otherwise its node is free.
    void offer(const Kept& kept) {
        if (node(kept).state.phase != Phase::main) return free_.push_back(kept.node);
        if (finalists_.size() < static_cast<std::size_t>(options_.finalists)) {
            finalists_.push_back({});
        } else if (kept.rating > finalists_[finalists_.size() - 1].rating) {
            free_.push_back(finalists_[finalists_.size() - 1].node);
        } else {
            return free_.push_back(kept.node);
        }
        insert(finalists_, kept);
    }

    // Inserts it before all lower-rated ones, replacing the last.
    template <class List>
    static void insert(List& list, const Kept& kept) {
        std::size_t at = list.size() - 1;
        for (; at > 0 && list[at - 1].rating < kept.rating; --at) list[at] = list[at - 1];
        list[at] = kept;
    }

    void plan_best_end() {
        TurnEnds ends;
        FixedVector<int, kMostFinalists> links;  // of the ends
        for (const Kept& kept : finalists_) {
            State& end = memory_.ends[ends.size()];
            copy_state(node(kept).state, end);
            step(end, Action{});
            if (end.is_void) continue;
            ends.push_back({&end, 0});
            links.push_back(kept.link);
        }
        plan_.end_nodes = static_cast<int>(ends.size());
        if (ends.empty()) return;
        rater_.rate_ends(cards_, player_, ends);
        if (guesses_ != nullptr && rater_.luck_samples() > 0) allow_for_luck(ends, links);
        plan_.nodes += rater_.look_further(cards_, player_, ends, draws_.rng);
        std::size_t best = 0;
        for (std::size_t i = 1; i < ends.size(); ++i) {
            if (ends[i].rating > ends[best].rating) best = i;
        }
        plan_.score = ends[best].rating;
        end_ = ends[best].state;
        write_plan(links[best], {});
        if (considered_ != nullptr) list_considered(ends, links);
    }

    // Whether an action drew own cards, or revealed a secret of the opponent.
    bool reveals(const State& before, const State& after) const {
        return after.players[player_].deck_size != before.players[player_].deck_size ||
               after.players[player_ ^ 1].secret_count != before.players[player_ ^ 1].secret_count;
    }

    // Ends that owe their rating to luck lose it: the first random or hidden result of their line counts as on average.
    void allow_for_luck(TurnEnds& ends, const FixedVector<int, kMostFinalists>& links) {
        FixedVector<Luck, kMostFinalists> known;  // many ends share the first such action
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const int link = first_lucky(links[i]);
            if (link == kNoLink) continue;
            const Luck* found =
                std::find_if(known.begin(), known.end(), [&](const Luck& luck) { return luck.link == link; });
            if (found == known.end()) {
                known.push_back({link, luck_of(link)});
                found = known.end() - 1;
            }
            ends[i].rating = rater_.without_luck(ends[i].rating, found->gain);
        }
    }

    // How much better the result of a link's action was than on average.
    int luck_of(int link) {
        const Link& lucky = links_[static_cast<std::size_t>(link)];
        const FixedVector<PlannedAction, kLongestPlan> actions = actions_to(lucky.parent, lucky.by);
        std::int64_t total = 0;
        int samples = 0;
        for (int i = 0; i < rater_.luck_samples(); ++i) {
            State& state = memory_.trial;
            if (!guesses_->draw(state, draws_.rng)) continue;
            for (const PlannedAction& planned : actions) {
                const std::optional<Action> action = PlannedNow(cards_, state).find(planned);
                if (!action || state.phase == Phase::over) break;
                step(state, *action);
            }
            total += rater_.end_rating(rater_.rate(cards_, state, player_));
            ++samples;
        }
        return samples == 0 ? 0 : rater_.end_rating(lucky.rating) - static_cast<int>(total / samples);
    }

    int first_lucky(int link) const {
        int first = kNoLink;
        for (; link != kNoLink; link = links_[static_cast<std::size_t>(link)].parent) {
            if (links_[static_cast<std::size_t>(link)].lucky) first = link;
        }
        return first;
    }

    void list_considered(const TurnEnds& ends, const FixedVector<int, kMostFinalists>& links) const {
        for (std::size_t i = 0; i < ends.size(); ++i)
            considered_->push_back({ends[i].rating, actions_to(links[i], {})});
        std::stable_sort(considered_->begin(), considered_->end(),
                         [](const RatedPlan& a, const RatedPlan& b) { return a.rating > b.rating; });
    }

    // Plans a found win, unless it depends on luck.
    bool plan_win(const Node& end, const Link& last) {
        write_plan(last.parent, last.by);
        won_ = guesses_ == nullptr || is_certain(end) || wins_mostly();
        if (won_) {
            plan_.score = kWon;
            end_ = &end.state;
        } else {
            plan_.actions.clear();
        }
        return won_;
    }

    // Whether the plan that leads to this end depends on nothing random or hidden.
    bool is_certain(const Node& end) const {
        if (end.random || root_.players[player_ ^ 1].secret_count > 0) return false;
        if (end.state.players[player_].deck_size != root_.players[player_].deck_size) return false;
        for (const PlannedAction& planned : plan_.actions) {
            if (planned.card != 0 && HiddenSight(cards_).is_needed_by(planned.card)) return false;
        }
        return true;
    }

    bool wins_mostly() {
        int won = 0;
        for (int lost = 0; won < kMost && lost < kMost;) ++(wins_another_time() ? won : lost);
        return won == kMost;
    }

    bool wins_another_time() {
        State& state = memory_.trial;
        if (!guesses_->draw(state, draws_.rng)) return false;
        for (const PlannedAction& planned : plan_.actions) {
            const std::optional<Action> action = PlannedNow(cards_, state).find(planned);
            if (!action) return false;
            step(state, *action);
            if (state.phase == Phase::over) return is_won(state);
        }
        return false;
    }

    void write_plan(int link, const PlannedAction& last) {
        plan_.actions = actions_to(link, last);
        plan_.random = draws_.count > 0;
    }

    // The actions that lead to a link, and a last one.
    FixedVector<PlannedAction, kLongestPlan> actions_to(int link, const PlannedAction& last) const {
        FixedVector<PlannedAction, kLongestPlan> backwards;
        backwards.push_back(last);
        for (; link != kNoLink; link = links_[static_cast<std::size_t>(link)].parent)
            backwards.push_back(links_[static_cast<std::size_t>(link)].by);
        FixedVector<PlannedAction, kLongestPlan> actions;
        for (std::size_t i = backwards.size(); i > 0; --i) actions.push_back(backwards[i - 1]);
        return actions;
    }

    std::uint8_t take() {
        const std::uint8_t place = free_[free_.size() - 1];
        free_.pop_back();
        return place;
    }
    Node& node(const Kept& kept) { return memory_.nodes[kept.node]; }

    const CardSet& cards_;
    Rater& rater_;
    const SearchOptions options_;
    const State& root_;
    const Guesses* const guesses_;
    const int player_;
    CountedDraws draws_;
    Memory& memory_;
    RatedPlans* const considered_;
    Plan plan_;
    const State* end_ = nullptr;
    bool won_ = false;
    Level next_;
    FixedVector<Kept, kMostFinalists> finalists_;
    FixedVector<Link, kWidestSearch * kDeepestSearch> links_;
    FixedVector<std::uint8_t, 2 * kWidestSearch + kMostFinalists + 1> free_;
};

template <RatesTurns Rater>
Plan TurnSearch<Rater>::search(const CardSet& cards, const Guesses& guesses, Rng& rng, RatedPlans* considered) {
    Memory& memory = fitted_memory();
    if (!guesses.draw(memory.root, rng)) return {};
    const Plan plan = Run(cards, rater_, options_, memory.root, &guesses, rng, memory, considered).search();
    if (considered != nullptr && plan.score == kWon) *considered = {{plan.score, plan.actions}};
    return plan;
}

template <RatesTurns Rater>
Plan TurnSearch<Rater>::search(const CardSet& cards, const State& root, Rng& rng) {
    return Run(cards, rater_, options_, root, nullptr, rng, fitted_memory()).search();
}

template <RatesTurns Rater>
const State* TurnSearch<Rater>::end_of_turn(const CardSet& cards, const State& root, Rng& rng, std::int64_t& nodes) {
    Run run(cards, rater_, options_, root, nullptr, rng, fitted_memory());
    nodes += run.search().nodes;
    return run.end();
}

template <RatesTurns Rater>
Plan TurnSearch<Rater>::find_win(const CardSet& cards, const Guesses& guesses, const State& root, Rng& rng) {
    if (!LethalSight::may_win(cards, root)) return {};
    return Run(cards, rater_, options_, root, &guesses, rng, fitted_memory()).find_win();
}

template <RatesTurns Rater>
typename TurnSearch<Rater>::Memory& TurnSearch<Rater>::fitted_memory() {
    Memory& memory = memory_.get();
    memory.nodes.resize(static_cast<std::size_t>(2 * options_.width + options_.finalists + 1));
    memory.ends.resize(static_cast<std::size_t>(options_.finalists));
    return memory;
}

}  // namespace deckatlas::hearthstone
