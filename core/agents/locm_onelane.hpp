// OneLaneIsEnough: a tree over the phases of a turn, with the enemy's worst reply at the end of each line.
//
// A turn goes through phases in a fixed order: summon Charge creatures, green items, red items, attacks, summon
// the rest, green items again; then idle creatures hit the face. The enemy replies with the attacks that hurt most, and
// its idle creatures hit the face. Blue items are never used.
//
// Unlike in the original, the right lane is also filled when the left one is full, items are not tried in every order,
// an item skipped at first is considered again at the end, defenders do not drain, and effects of cards on health
// count.
//
// `limits.nodes` counts visited states, on both sides. The default is an estimate of what the original visits in its
// 95 ms, at some two microseconds per state. It nearly always completes its tree in that time, and so does this one,
// which prunes: games hardly change from 2,000 states on. A budget is shared equally among the children of a state, and
// what one does not use goes to the next, so that a small budget still looks everywhere; at least one line is always
// completed, and a started reply is finished.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <vector>

#include "agents/limits.hpp"
#include "agents/turn_plan.hpp"
#include "common/hash_set.hpp"
#include "locm/battle_game.hpp"
#include "locm/evaluation_onelane.hpp"
#include "locm/turn_search.hpp"

namespace deckatlas::locm {

class OneLaneSearch {
public:
    OneLaneSearch(const BattleContext& context, const SearchLimits& limits, HashSet& seen)
        : context_(context), limits_(limits), seen_(seen) {}

    void run(const Battle& root) {
        player_ = root.active();
        explore(root, {Phase::charge_left, 0}, limits_.nodes);
    }
    const ActionSequence<BattleGame>& best_line() const { return best_line_; }

private:
    enum class Phase : std::uint8_t { charge_left, charge_right, green, red, attack, left, right, green_again, reply };

    // A point in the turn: the phase and, as deck positions, the items or attackers that still have a choice in it.
    struct Step {
        Phase phase;
        std::uint32_t pending;
    };

    // A choice: up to a lane of summons, or another action, or none.
    struct Choice {
        FixedVector<Action, kLaneSize> actions;
        Step next;
    };
    // Any creature, or none, can come first when a lane is filled; an item has the creatures of a side, or none.
    using Choices = FixedVector<Choice, std::max(kHandLimit, kSlots) + 1>;

    static constexpr int kWin = 10 * OneLaneRating::kDeath;
    static constexpr int kLaneSlots[kLanes] = {0x0F, 0xF0};

    // ---- the own turn ----

    // Visits the successors of `battle` with about `budget` states.
    void explore(const Battle& battle, Step step, std::int64_t budget) {
        const std::int64_t end = nodes_++ + budget;
        Choices choices;
        while (step.phase != Phase::reply && !list_choices(battle, step, choices)) step = start_of(battle, step.phase);
        if (!seen_.insert(key_of(battle, step))) return;
        if (step.phase == Phase::reply) {
            finish_line(battle);
            return;
        }
        for (std::size_t i = 0; i < choices.size() && !won_; ++i) {
            if (i > 0 && (nodes_ >= end || late_)) return;
            Battle successor = battle;
            const int length = length_;
            for (const Action action : choices[i].actions) {
                if (is_over(successor)) break;  // a summon can kill
                apply(context_.cards, context_.deal, successor, action);
                line_[length_++] = action;
            }
            explore(successor, choices[i].next, (end - nodes_) / static_cast<std::int64_t>(choices.size() - i));
            length_ = length;
        }
    }

    std::uint64_t key_of(const Battle& battle, Step step) const {
        const std::uint64_t place = static_cast<std::uint64_t>(step.phase) << 32 | step.pending;
        return hash_combine(hash_battle(battle), place);
    }

    // The point where the phase after `phase` starts.
    Step start_of(const Battle& battle, Phase phase) const {
        const auto next = static_cast<Phase>(static_cast<int>(phase) + 1);
        const Side& own = battle.own();
        if (next == Phase::green || next == Phase::green_again) return {next, of_type(own, CardType::green)};
        if (next == Phase::red) return {next, of_type(own, CardType::red)};
        if (next == Phase::attack) return {next, attackers(own, kAllSlots)};
        return {next, 0};
    }
    std::uint32_t of_type(const Side& own, CardType type) const {
        return own.hand & context_.deal.of_type[player_][static_cast<int>(type)];
    }

    // Lists the choices at `step`; false if its phase has no choices left, or the game is over.
    bool list_choices(const Battle& battle, Step step, Choices& choices) const {
        if (is_over(battle)) return false;
        switch (step.phase) {
            case Phase::charge_left:
            case Phase::charge_right:
            case Phase::left:
            case Phase::right: return list_summons(battle, step.phase, choices);
            case Phase::green:
            case Phase::green_again:
            case Phase::red: return list_items(battle, step, choices);
            case Phase::attack: return list_attacks(battle, step, choices);
            case Phase::reply: break;
        }
        return false;
    }

    // Fills a lane with the most expensive creatures that the mana allows, once starting with each of them; or skips
    // it.
    bool list_summons(const Battle& battle, Phase phase, Choices& choices) const {
        const Side& own = battle.own();
        const bool charge = phase == Phase::charge_left || phase == Phase::charge_right;
        const int lane = phase == Phase::charge_right || phase == Phase::right ? 1 : 0;
        FixedVector<int, kHandLimit> order;
        for (std::uint32_t left = playable(context_.deal, battle, CardType::creature); left != 0; left &= left - 1) {
            const int position = std::countr_zero(left);
            if (((card_at(position).keywords & kCharge) != 0) == charge) order.push_back(position);
        }
        const int room = kLaneSize - own.count[lane];
        if (order.empty() || room == 0) return false;
        std::stable_sort(&order[0], &order[0] + order.size(),
                         [this](int a, int b) { return card_at(a).cost > card_at(b).cost; });
        const Step next = start_of(battle, phase);
        for (std::size_t first = 0; first < order.size(); ++first) {
            Choice choice{{}, next};
            int mana = own.mana;
            for (std::size_t i = first; i < order.size() && static_cast<int>(choice.actions.size()) < room; ++i) {
                if (card_at(order[i]).cost > mana) continue;
                mana -= card_at(order[i]).cost;
                choice.actions.push_back(summon_action(order[i], lane));
            }
            choices.push_back(choice);
        }
        choices.push_back({{}, next});
        return true;
    }

    // The cheapest item first: skip it, or use it on any possible creature.
    bool list_items(const Battle& battle, Step step, Choices& choices) const {
        const bool red = step.phase == Phase::red;
        const int targets = red ? battle.enemy().occupied() : battle.own().occupied();
        const std::uint32_t items = step.pending & context_.deal.affordable[player_][battle.own().mana];
        if (targets == 0 || items == 0) return false;
        int item = std::countr_zero(items);
        for (std::uint32_t left = items & (items - 1); left != 0; left &= left - 1) {
            const int position = std::countr_zero(left);
            if (card_at(position).cost < card_at(item).cost) item = position;
        }
        const Step next{step.phase, step.pending & ~(1u << item)};
        choices.push_back({{}, next});
        for (int left = targets; left != 0; left &= left - 1) {
            Choice choice{{}, next};
            choice.actions.push_back(use_action(item, std::countr_zero(static_cast<unsigned>(left))));
            choices.push_back(choice);
        }
        return true;
    }

    // The weakest creature first: any creature it may attack, or none.
    bool list_attacks(const Battle& battle, Step step, Choices& choices) const {
        const Slot slot = next_attacker(battle, step.pending);
        if (slot == kNobody) return false;
        const Step next{step.phase, step.pending & ~(1u << battle.own().at(slot).position())};
        for_each_target(battle, slot, [&](Slot target) {
            Choice choice{{}, next};
            choice.actions.push_back(attack_action(slot, target));
            choices.push_back(choice);
        });
        choices.push_back({{}, next});
        return true;
    }

    // The line ends: idle creatures hit the face, the enemy replies.
    void finish_line(const Battle& battle) {
        Battle end = battle;
        int length = length_;
        if (!is_over(end)) attack_face_with_all(end, kAllSlots, [&](Action action) { line_[length++] = action; });
        won_ = winner(end) == player_;
        late_ = late_ || limits_.late();
        const int value = won_ ? kWin : worst_reply(end);
        if (value <= best_value_) return;
        best_value_ = value;
        best_line_.clear();
        for (int i = 0; i < length; ++i) best_line_.push_back(line_[i]);
    }

    // ---- the enemy's reply ----

    // The lowest value that the enemy can reach by attacking, or any value not above the best so far if it is not
    // better. Lanes are independent unless damage from both can kill.
    int worst_reply(const Battle& end) {
        Battle battle = end;
        pass_without_drawing(battle);
        const Side& enemy = battle.own();
        int damage = 0;
        for (const auto& lane : enemy.lanes) {
            for (const Creature& creature : lane) damage += creature.attack();
        }
        if (damage >= battle.enemy().health) return reply(battle, attackers(enemy, kAllSlots), kAllSlots, best_value_);
        const int before = rating_(battle, player_);
        const int left = reply(battle, attackers(enemy, kLaneSlots[0]), kLaneSlots[0], best_value_);
        if (left <= best_value_) return left;  // attacks of the right lane can only lower it
        const int change = left - before;
        return change + reply(battle, attackers(enemy, kLaneSlots[1]), kLaneSlots[1], best_value_ - change);
    }

    // The enemy's `pending` attackers choose in turn; then the rest of `slots` hit the face. Stops at `enough`.
    int reply(const Battle& battle, std::uint32_t pending, int slots, int enough) {
        ++nodes_;
        const Slot slot = next_attacker(battle, pending);
        if (slot == kNobody) {
            Battle end = battle;
            attack_face_with_all(end, slots, [](Action) {});
            return rating_(end, player_);
        }
        pending &= ~(1u << battle.own().at(slot).position());
        int worst = reply(battle, pending, slots, enough);
        for_each_target(battle, slot, [&](Slot target) {
            if (worst <= enough) return;
            Battle successor = battle;
            attack_creature(successor, slot, target);
            worst = std::min(worst, reply(successor, pending, slots, enough));
        });
        return worst;
    }

    // ---- both sides ----

    static constexpr Slot kNobody = -1;

    const Card& card_at(int position) const { return context_.cards[context_.deal.decks[player_][position]]; }

    // Deck positions of the creatures in `slots` that can attack and do any damage.
    static std::uint32_t attackers(const Side& side, int slots) {
        std::uint32_t positions = 0;
        for (int ready = side.ready & slots; ready != 0; ready &= ready - 1) {
            const Creature creature = side.at(std::countr_zero(static_cast<unsigned>(ready)));
            if (creature.attack() > 0) positions |= 1u << creature.position();
        }
        return positions;
    }

    // The weakest of the `pending` attackers that has a creature to attack.
    static Slot next_attacker(const Battle& battle, std::uint32_t pending) {
        const Side& own = battle.own();
        Slot weakest = kNobody;
        for (int ready = own.ready; ready != 0; ready &= ready - 1) {
            const Slot slot = std::countr_zero(static_cast<unsigned>(ready));
            const Creature creature = own.at(slot);
            if ((pending >> creature.position() & 1u) == 0 || battle.enemy().count[lane_of(slot)] == 0) continue;
            if (weakest == kNobody || creature.attack() < own.at(weakest).attack()) weakest = slot;
        }
        return weakest;
    }

    template <class Visit>
    static void for_each_target(const Battle& battle, Slot attacker, const Visit& visit) {
        const int lane = lane_of(attacker);
        for (int left = attack_targets(battle.enemy(), lane) & ~kFaceBit; left != 0; left &= left - 1) {
            visit(slot_of(lane, std::countr_zero(static_cast<unsigned>(left))));
        }
    }

    const BattleContext& context_;
    const SearchLimits& limits_;
    HashSet& seen_;
    OneLaneRating rating_;
    int player_ = 0;
    std::int64_t nodes_ = 0;
    bool won_ = false;
    bool late_ = false;
    Action line_[kMaxTurnActions] = {};
    int length_ = 0;
    int best_value_ = -kWin;
    ActionSequence<BattleGame> best_line_;
};

class OneLaneAgent {
public:
    SearchLimits limits;

    template <std::same_as<BattleGame> G>
    Action choose(const BattleContext& context, const Battle& battle, Rng& rng) {
        if (const auto planned = plan_.next(battle)) return *planned;
        seen_.clear();
        OneLaneSearch search(context, limits, seen_);
        search.run(battle);
        plan_sequence<BattleGame>(context, battle, search.best_line(), rng, plan_);
        return *plan_.next(battle);
    }

private:
    TurnPlan<BattleGame> plan_;
    HashSet seen_;
};

}  // namespace deckatlas::locm
