// Coac, winner of the contest of 2020: a search of its next three actions, with the enemy's greedy answer to each line,
// repeated after every action until nothing is left to do; then every creature that can attack the face does.
//
// `limits.nodes` counts rated positions per turn. The published program searches for 190 ms, in which it practically
// always finishes; so does this one within its default number of nodes: a quarter of it changes none of a thousand
// games. Past the limit, or past a referee's clock, it looks one action ahead, like the published program.
//
// The speed-ups do not change the result: a line whose standing before the answer is not better than the best line so
// far cannot win, because the answer never raises it; neither can a position that was searched before.
#pragma once

#include <cstdint>

#include "agents/limits.hpp"
#include "agents/locm_coac_reply.hpp"
#include "common/fixed_vector.hpp"
#include "locm/battle_game.hpp"
#include "locm/evaluation_coac.hpp"

namespace deckatlas::locm {

// A cache of seen keys of fixed size: a newer key replaces an older one.
template <int kBits>
class SeenKeys {
public:
    // Whether the key is in the cache; adds it.
    bool meet(std::uint64_t key) {
        std::uint64_t& place = keys_[key >> (64 - kBits)];
        const bool seen = place == key;
        place = key;
        return seen;
    }

private:
    std::uint64_t keys_[1 << kBits] = {};
};

// At most all cards of the hand, and attacks of creatures old and new.
inline constexpr int kCoacPlanCapacity = kHandLimit + kSlots + kHandLimit;
using CoacPlan = FixedVector<Action, kCoacPlanCapacity>;

// One turn of Coac.
template <CoacModel model>
class CoacTurn {
public:
    CoacTurn(const BattleContext& context, const Battle& battle, const SearchLimits& limits)
        : context_(context), limits_(limits), new_cards_(battle.own().hand) {
        root_.battle = battle;
        root_.standing = coac_standing<model>(battle);
        const Side& own = battle.own();
        int next[kLanes] = {0, 0};
        for (int i = 0; i < own.creatures(); ++i) {
            const int lane = own.order >> i & 1;
            old_cards_[i] = own.lanes[lane][next[lane]++].position();
        }
        old_count_ = own.creatures();
        const auto& of_type = context.deal.of_type[battle.active()];
        items_ = own.hand & ~of_type[static_cast<int>(CardType::creature)];
    }

    void plan(CoacPlan& actions) {
        while (!is_lethal() && !is_done(root_)) {
            Action action;
            if (!find_best(action)) break;
            if (action.kind != ActionKind::pass) actions.push_back(action);
            step(root_, action);
        }
        strike_at_face(actions);
    }

private:
    static constexpr int kDepth = 3;
    static constexpr std::size_t kManyActions = 35;  // with this many the search is one action shorter
    static constexpr int kMaxListed = kHandLimit * (kSlots + 2) + (kSlots + kHandLimit) * (kLaneSize + 1);
    using Listed = FixedVector<Action, kMaxListed>;

    // Cards that Coac only uses on valuable creatures.
    static constexpr int kStaffOfSuppression = 142;
    static constexpr int kPierceArmour = 143;
    static constexpr int kRootkinRitual = 149;
    static constexpr int kDecimate = 151;

    struct Node {
        Battle battle;
        CoacStanding<model> standing;
        std::uint32_t passed = 0;  // deck positions of own cards that do nothing more this turn
    };

    // "This card does nothing more this turn" is an action of the search: PASS with the card's deck position.
    static constexpr Action pass_card(int position) {
        return {ActionKind::pass, static_cast<std::uint8_t>(position), 0};
    }

    void step(Node& node, Action action) const {
        if (action.kind == ActionKind::pass) {
            node.passed |= 1u << action.source;
        } else {
            coac_apply<model>(context_, node.battle, action);
        }
        node.standing = coac_standing<model>(node.battle);
        node.standing.passed_items = std::popcount(node.passed & node.battle.own().hand & items_);
    }

    CoacStanding<model> standing_after(const Node& node, Action action) const {
        if (action.kind != ActionKind::pass) {
            return coac_standing_after<model>(context_, node.battle, node.standing, action);
        }
        CoacStanding<model> standing = node.standing;
        standing.passed_items += static_cast<int>(items_ >> action.source & 1u);
        return standing;
    }

    // With the real rules a finished game does not continue.
    static bool is_done(const Node& node) { return model == CoacModel::rules && is_over(node.battle); }

    bool is_lethal() const {
        const Battle& battle = root_.battle;
        int attack = 0;
        for (int ready = battle.own().ready; ready != 0; ready &= ready - 1) {
            attack += battle.own().at(std::countr_zero(static_cast<unsigned>(ready))).attack();
        }
        const int deck_size = context_.deal.sizes[battle.active() ^ 1];
        return coac_is_lethal<model>(battle.enemy(), deck_size, battle.enemy().guards != 0, attack);
    }

    void strike_at_face(CoacPlan& actions) {
        const Battle& battle = root_.battle;
        for (int ready = battle.own().ready; ready != 0; ready &= ready - 1) {
            const Slot slot = std::countr_zero(static_cast<unsigned>(ready));
            if (lane_bits(battle.enemy().guards, lane_of(slot)) == 0) actions.push_back(attack_action(slot, kFace));
        }
    }

    // ---- the actions of a position, card by card as the protocol lists them --------------------------------------

    void list_actions(const Node& node, Listed& actions) const {
        const Battle& battle = node.battle;
        const Side& own = battle.own();
        const std::uint32_t playable = own.hand & context_.deal.affordable[battle.active()][own.mana] & ~node.passed;
        Slot slots[32];
        std::uint32_t fighters = 0;  // deck positions of creatures that may attack
        for (int ready = own.ready; ready != 0; ready &= ready - 1) {
            const Slot slot = std::countr_zero(static_cast<unsigned>(ready));
            const Creature creature = own.at(slot);
            slots[creature.position()] = slot;
            if (creature.attack() > 0) fighters |= 1u << creature.position();
        }
        fighters &= ~node.passed;
        for (std::uint32_t cards = playable | (fighters & new_cards_); cards != 0; cards &= cards - 1) {
            const int position = std::countr_zero(cards);
            if ((fighters >> position & 1u) != 0) {
                list_attacks(battle, slots[position], actions);
            } else {
                list_plays(battle, position, actions);
            }
            actions.push_back(pass_card(position));
        }
        for (int i = 0; i < old_count_; ++i) {
            const int position = old_cards_[i];
            if ((fighters >> position & 1u) == 0) continue;
            list_attacks(battle, slots[position], actions);
            actions.push_back(pass_card(position));
        }
    }

    static void list_attacks(const Battle& battle, Slot attacker, Listed& actions) {
        const int lane = lane_of(attacker);
        for (int left = attack_targets(battle.enemy(), lane) & ~kFaceBit; left != 0; left &= left - 1) {
            actions.push_back(attack_action(attacker, slot_of(lane, std::countr_zero(static_cast<unsigned>(left)))));
        }
    }

    void list_plays(const Battle& battle, int position, Listed& actions) const {
        const int id = context_.deal.decks[battle.active()][position];
        const Card& card = context_.cards[id];
        switch (card.type) {
            case CardType::creature:
                for (int lane = 0; lane < kLanes; ++lane) {
                    if (battle.own().count[lane] < kLaneSize) actions.push_back(summon_action(position, lane));
                }
                break;
            case CardType::green: list_own_targets(battle, position, actions); break;
            case CardType::red:
            case CardType::blue:
                list_enemy_targets(battle, position, id, card, actions);
                if (card.type == CardType::blue) actions.push_back(use_action(position, kFace));
                break;
            case CardType::unknown: break;
        }
    }

    // Own creatures that have not attacked: first those of this turn, by their place in the hand, then the others.
    void list_own_targets(const Battle& battle, int position, Listed& actions) const {
        const Side& own = battle.own();
        Slot slots[32];
        std::uint32_t targets = 0;
        for (int left = own.occupied() & ~own.attacked; left != 0; left &= left - 1) {
            const Slot slot = std::countr_zero(static_cast<unsigned>(left));
            slots[own.at(slot).position()] = slot;
            targets |= 1u << own.at(slot).position();
        }
        for (std::uint32_t left = targets & new_cards_; left != 0; left &= left - 1) {
            actions.push_back(use_action(position, slots[std::countr_zero(left)]));
        }
        for (int i = 0; i < old_count_; ++i) {
            if ((targets >> old_cards_[i] & 1u) != 0) actions.push_back(use_action(position, slots[old_cards_[i]]));
        }
    }

    static bool is_worth(int id, const Card& card, Creature target) {
        if (target.attack() == 0 && !target.has(kGuard)) return false;
        switch (id) {
            case kStaffOfSuppression:
            case kRootkinRitual: return (target.keywords() & ~kCharge) != 0;
            case kPierceArmour: return target.has(kGuard);
            case kDecimate:
                return target.attack() >= 4 || target.defense() >= 4 ||
                       (target.keywords() & (kWard | kLethal | kGuard)) != 0;
            default: return card.type == CardType::red || card.defense != 0;
        }
    }

    static void list_enemy_targets(const Battle& battle, int position, int id, const Card& card, Listed& actions) {
        const Side& enemy = battle.enemy();
        int next[kLanes] = {0, 0};
        for (int i = 0; i < enemy.creatures(); ++i) {
            const int lane = enemy.order >> i & 1;
            const Slot slot = slot_of(lane, next[lane]++);
            if (is_worth(id, card, enemy.at(slot))) actions.push_back(use_action(position, slot));
        }
    }

    // ---- the search ----------------------------------------------------------------------------------------------

    // The first action of the first of the best lines from the root; none if no action is possible.
    bool find_best(Action& action) {
        ++searches_;
        alpha_ = -4 * kCoacDeath;
        Listed actions;
        list_actions(root_, actions);
        if (actions.empty()) return false;
        const int depth = depth_at(kDepth, actions);
        for (const Action first : actions) {
            first_ = first;
            follow(root_, first, depth - 1);
        }
        action = best_;
        return true;
    }

    int depth_at(int depth, const Listed& actions) const {
        if (nodes_ >= limits_.nodes || limits_.late()) return 1;
        return actions.size() >= kManyActions ? depth - 1 : depth;
    }

    void follow(const Node& node, Action action, int depth) {
        ++nodes_;
        const CoacStanding<model> standing = standing_after(node, action);
        if (depth <= 0 && cannot_win(standing)) return;
        Node next = node;
        next.standing = standing;
        if (action.kind == ActionKind::pass) {
            next.passed |= 1u << action.source;
        } else {
            coac_apply<model>(context_, next.battle, action);
        }
        if (depth <= 0) {
            answer(next);
        } else if (!positions_.meet(position_key(next, depth))) {
            expand(next, depth);
        }
    }

    void expand(const Node& node, int depth) {
        Listed actions;
        if (!is_done(node)) list_actions(node, actions);
        if (actions.empty()) {
            if (!cannot_win(node.standing)) answer(node);
            return;
        }
        const int reduced = depth_at(depth, actions);
        for (const Action action : actions) follow(node, action, reduced - 1);
    }

    // Unless every line is a certain loss, the answer never raises the value.
    bool cannot_win(const CoacStanding<model>& standing) const {
        return alpha_ > -kCoacDeath / 2 && standing.value() <= alpha_;
    }

    void answer(const Node& node) {
        const int value = value_of(node);
        if (value > alpha_) {
            alpha_ = value;
            best_ = first_;
        }
    }

    int value_of(const Node& node) {
        if (model == CoacModel::rules && node.battle.enemy().health <= 0) return node.standing.value();
        if (answers_.meet(answer_key(node))) return alpha_;
        return CoacReply<model>(context_, node.battle, node.standing, new_cards_).value(alpha_);
    }

    // ---- transpositions ------------------------------------------------------------------------------------------

    static std::uint64_t board_key(const Side& side, int ready, int attacked) {
        std::uint64_t key = 0;
        for (int left = side.occupied(); left != 0; left &= left - 1) {
            const Slot slot = std::countr_zero(static_cast<unsigned>(left));
            const auto flags = static_cast<std::uint64_t>((ready >> slot & 1) | (attacked >> slot & 1) << 1);
            Creature creature = side.at(slot);
            creature.touch();
            key += mix64(creature.bits() | flags << 32 | static_cast<std::uint64_t>(lane_of(slot) + 1) << 40);
        }
        return key;
    }

    // What the enemy's answer depends on.
    std::uint64_t answer_key(const Node& node) const {
        const Side& own = node.battle.own();
        const CoacStanding<model>& s = node.standing;
        std::uint64_t key = mix64(static_cast<std::uint64_t>(searches_)) + board_key(own, 0, 0);
        key = mix64(key) + board_key(node.battle.enemy(), 0, 0);
        key = mix64(key) + (static_cast<std::uint64_t>(static_cast<std::uint32_t>(s.own_health)) << 32 |
                            static_cast<std::uint32_t>(s.enemy_health));
        return mix64(mix64(key) +
                     static_cast<std::uint64_t>(s.hand | s.draws << 8 | s.passed_items << 16 | s.runes << 24));
    }

    // What the rest of the turn also depends on.
    std::uint64_t position_key(const Node& node, int depth) const {
        const Side& own = node.battle.own();
        std::uint64_t key = answer_key(node) + board_key(own, own.ready, own.attacked);
        key = mix64(key) + (static_cast<std::uint64_t>(node.passed) << 32 | own.hand);
        return mix64(key + static_cast<std::uint64_t>(own.mana << 4 | depth));
    }

    const BattleContext& context_;
    const SearchLimits& limits_;
    const std::uint32_t new_cards_;  // the hand at the start, by deck position
    std::uint32_t items_ = 0;        // items in it
    int old_cards_[kSlots] = {};     // creatures on the board at the start, by deck position, oldest first
    int old_count_ = 0;
    Node root_;
    std::int64_t nodes_ = 0;
    int searches_ = 0;
    int alpha_ = 0;  // value of the best line so far
    Action first_;   // the first action of the current line
    Action best_;
    SeenKeys<11> positions_;
    SeenKeys<11> answers_;
};

struct CoacAgent {
    CoacModel model = CoacModel::rules;
    SearchLimits limits;

    template <Game G>
    Action choose(const BattleContext& context, const Battle& battle, Rng&) {
        if (!has_plan_ || hash_battle(battle) != expected_) make_plan(context, battle);
        while (next_ < plan_.size()) {
            const Action action = plan_[next_++];
            // The published program's position differs from the real one.
            if (!is_legal(context.deal, battle, action)) continue;
            Battle after = battle;
            apply(context.cards, context.deal, after, action);
            expected_ = hash_battle(after);
            return action;
        }
        has_plan_ = false;
        return pass_action();
    }

private:
    void make_plan(const BattleContext& context, const Battle& battle) {
        plan_.clear();
        next_ = 0;
        has_plan_ = true;
        if (model == CoacModel::rules) {
            CoacTurn<CoacModel::rules>(context, battle, limits).plan(plan_);
        } else {
            CoacTurn<CoacModel::original>(context, battle, limits).plan(plan_);
        }
    }

    CoacPlan plan_;
    std::size_t next_ = 0;
    bool has_plan_ = false;
    std::uint64_t expected_ = 0;  // hash of the position in which the plan continues
};

}  // namespace deckatlas::locm
