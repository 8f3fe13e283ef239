// Hearthstone: what a player can do, and whom it can be done to.
#pragma once

#include <bit>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "common/random.hpp"
#include "hearthstone/costs.hpp"
#include "hearthstone/select.hpp"
#include "hearthstone/setup.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

enum class ActionKind : std::uint8_t { end_turn, play, power, attack, choose, keep };

// Whom an action is aimed at, as the player to move sees it: 0 nobody, 1 the own hero, 2 to 8 own minions from the
// left, 9 the enemy hero, 10 to 16 its minions.
using TargetCode = std::uint8_t;
inline constexpr TargetCode kNoTarget = 0;
inline constexpr TargetCode kOwnHero = 1;
inline constexpr TargetCode kEnemyHero = kOwnHero + kBoardLimit + 1;
inline constexpr int kTargetCodes = 2 * (kBoardLimit + 1) + 1;
inline constexpr std::uint8_t kRightmost = kBoardLimit;  // a position at the right end, however many there are

struct Action {
    ActionKind kind = ActionKind::end_turn;
    // Place in the hand; attacker: 0 the hero, 1 to 7 minions; place among choices; mask of places in the hand to keep.
    std::uint8_t source = 0;
    std::uint8_t choice = 0;  // 1 or 2 of a card with choices
    TargetCode target = kNoTarget;
    std::uint8_t position = kRightmost;

    friend constexpr bool operator==(const Action&, const Action&) = default;
};

// Ten cards with two choices at sixteen targets, seven attackers and a hero at eight, a hero power at sixteen.
inline constexpr std::size_t kMostActions = 1 + kHandLimit * 2 * 16 + (kBoardLimit + 1) * (kBoardLimit + 1) + 17;
using ActionList = FixedVector<Action, kMostActions>;

inline Ref ref_of(const State& state, TargetCode code) {
    if (code == kNoTarget) return Ref();
    const int player = code < kEnemyHero ? state.active : state.active ^ 1;
    const int index = code < kEnemyHero ? code - kOwnHero : code - kEnemyHero;
    if (index == 0) return Ref::hero(player);
    if (index > state.players[player].board_size) return Ref();
    return Ref::minion(state.players[player].board[index - 1]);
}

class Options {
public:
    Options(const CardSet& cards, const State& state) : cards_(cards), state_(state) {}

    // Every action, with the positions a minion can be put at merged into one.
    void list(ActionList& out) const {
        if (state_.phase == Phase::choice) {
            for (int i = 0; i < state_.choice_count; ++i)
                out.push_back({ActionKind::choose, static_cast<std::uint8_t>(i)});
            return;
        }
        if (state_.phase == Phase::mulligan) {
            for (int kept = 0; kept < 1 << replaceable_cards(state_); ++kept)
                out.push_back({ActionKind::keep, static_cast<std::uint8_t>(kept)});
            return;
        }
        if (state_.phase != Phase::main) return;
        list_all_but_attacks(out);
        const Attacks attacks = find_attacks();
        const int count = attacks.count();
        for (int i = 0; i < count; ++i) out.push_back(attacks[i]);
    }

    // One of these, each as likely as any other.
    Action random(Rng& rng) const {
        ActionList actions;
        Attacks attacks;
        if (state_.phase == Phase::main) {
            list_all_but_attacks(actions);
            attacks = find_attacks();
        } else {
            list(actions);
        }
        const std::uint32_t chosen = rng.below(static_cast<std::uint32_t>(actions.size()) + attacks.count());
        return chosen < actions.size() ? actions[chosen] : attacks[static_cast<int>(chosen - actions.size())];
    }

    // How a card is played now: with its combo, its choice, or plainly.
    const Play& play_of(const Card& card, int choice) const {
        if (choice > 0) return card.choice[choice - 1];
        if (card.has_combo && state_.players[state_.active].cards_played > 0) return card.combo;
        return card.play;
    }

private:
    // All attacks of a turn: every attacker can attack the same minions.
    struct Attacks {
        std::uint32_t able = 0;     // mask of own minions that can attack
        std::uint32_t sparing = 0;  // those of them that cannot attack heroes
        std::uint32_t open = 0;     // mask of enemy minions that can be attacked
        bool hero_able = false;
        bool hero_open = false;

        int count() const {
            const int attackers = std::popcount(able) + hero_able;
            return attackers * std::popcount(open) + (hero_open ? attackers - std::popcount(able & sparing) : 0);
        }
        // From the left, the hero last; each on minions from the left, the hero last.
        Action operator[](int index) const {
            const int minions = std::popcount(open);
            Action action{ActionKind::attack};
            for (std::uint32_t left = able; left != 0; left &= left - 1) {
                const int place = std::countr_zero(left);
                const int targets = minions + (hero_open && (sparing >> place & 1) == 0);
                if (index < targets) {
                    action.source = static_cast<std::uint8_t>(1 + place);
                    break;
                }
                index -= targets;
            }
            std::uint32_t left = open;
            for (int i = 0; i < index; ++i) left &= left - 1;
            action.target = static_cast<TargetCode>(left != 0 ? kEnemyHero + 1 + std::countr_zero(left) : +kEnemyHero);
            return action;
        }
    };

    static constexpr std::uint32_t bit_if(bool set, int place) { return static_cast<std::uint32_t>(set) << place; }

    bool hero_can_attack() const {
        const Player& own = state_.players[state_.active];
        if (hero_attack(state_, state_.active) == 0 || own.frozen) return false;
        if ((cards_.rules & kExhaustionIsMark) != 0) return !own.hero_exhausted;
        return own.attacks < ((cards_[own.weapon.card].keywords & kWindfury) != 0 ? 2 : 1);
    }

    // Without branches where it can be: which minions can attack is hard to foresee.
    bool can_attack(const Minion& minion, std::uint32_t keywords) const {
        const bool held = (keywords & (kFrozen | kCantAttack)) != 0;
        const bool harmless = minion.current_attack() == 0;
        if ((cards_.rules & kExhaustionIsMark) != 0) return !minion.exhausted & !held & !harmless;
        const bool asleep = minion.exhausted & ((keywords & kCharge) == 0);
        const bool spent = minion.attacks >= 1 + ((keywords & kWindfury) != 0);
        return !asleep & !spent & !held & !harmless;
    }

    Attacks find_attacks() const {
        const Player& own = state_.players[state_.active];
        const Player& enemy = state_.players[state_.active ^ 1];
        Attacks attacks;
        for (int i = 0; i < own.board_size; ++i) {
            const Minion& minion = state_.minions[own.board[i]];
            const std::uint32_t keywords = minion.all_keywords();
            attacks.able |= bit_if(can_attack(minion, keywords), i);
            attacks.sparing |= bit_if((keywords & kCantAttackHeroes) != 0, i);
        }
        attacks.hero_able = hero_can_attack();
        std::uint32_t taunts = 0;
        for (int i = 0; i < enemy.board_size; ++i) {
            const std::uint32_t keywords = state_.minions[enemy.board[i]].all_keywords();
            const bool seen = (keywords & (kStealth | kImmune)) == 0;
            attacks.open |= bit_if(seen, i);
            taunts |= bit_if(seen & ((keywords & kTaunt) != 0), i);
        }
        if (taunts != 0) attacks.open = taunts;
        attacks.hero_open = taunts == 0 && (enemy.hero_keywords_this_turn & kImmune) == 0;
        return attacks;
    }

    void list_all_but_attacks(ActionList& out) const {
        out.push_back({});
        list_plays(out);
        list_power(out);
    }

    void list_plays(ActionList& out) const {
        const Player& own = state_.players[state_.active];
        const int mana = own.mana();
        const bool full = own.board_size == kBoardLimit;
        const Costs costs(cards_, state_, state_.active);
        const Card* const table = cards_.cards.data();
        std::uint32_t payable = 0;
        for (int i = 0; i < own.hand_size; ++i) {
            const Card& card = table[own.hand[i].card];
            const bool no_room = full & (card.type == CardType::minion);
            payable |= bit_if(!no_room & (costs.of(i, own.hand[i], card) <= mana), i);
        }
        for (; payable != 0; payable &= payable - 1) {
            const int i = std::countr_zero(payable);
            const HandCard held = own.hand[i];
            const Card& card = table[held.card];
            if (card.plain) {
                out.push_back({ActionKind::play, static_cast<std::uint8_t>(i)});
                continue;
            }
            if (card.secret && !can_add_secret(held.card)) continue;
            const auto source = static_cast<std::uint8_t>(i);
            if (card.choices == 0) {
                list_targets(play_of(card, 0), card, {ActionKind::play, source}, out);
            } else {
                list_targets(card.choice[0], card, {ActionKind::play, source, 1}, out);
                list_targets(card.choice[1], card, {ActionKind::play, source, 2}, out);
            }
        }
    }

    void list_power(ActionList& out) const {
        const Player& own = state_.players[state_.active];
        const Card& power = cards_[own.power];
        if (own.power == 0 || own.power_used || power.cost > own.mana()) return;
        list_targets(power.play, power, {ActionKind::power}, out);
    }

    bool can_add_secret(CardId card) const {
        const Player& own = state_.players[state_.active];
        if (own.secret_count == kSecretLimit) return false;
        for (int i = 0; i < own.secret_count; ++i) {
            if (own.secrets[i].card == card) return false;
        }
        return true;
    }

    bool requirement_holds(const Play& play) const {
        const Player& own = state_.players[state_.active];
        const Player& enemy = state_.players[state_.active ^ 1];
        switch (play.requirement) {
            case Requirement::nothing: return true;
            case Requirement::board_space: return own.board_size < kBoardLimit;
            case Requirement::enemy_minions: return enemy.board_size >= play.requirement_value;
            case Requirement::minions: return own.board_size + enemy.board_size >= play.requirement_value;
            case Requirement::weapon: return own.weapon.card != 0;
            case Requirement::enemy_minions_and_space:
                return enemy.board_size >= play.requirement_value && own.board_size < kBoardLimit;
            case Requirement::no_odd_cost_in_deck:
            case Requirement::no_even_cost_in_deck: return true;  // asked of the target alone
            case Requirement::totem_left: {
                if (own.board_size == kBoardLimit) return false;
                for (const CardId card : cards_.lists[play.requirement_value]) {
                    bool there = false;
                    for (int i = 0; i < own.board_size; ++i) there |= state_.on_board(state_.active, i).card == card;
                    if (!there) return true;
                }
                return false;
            }
        }
        return false;
    }

    bool asks_for_target(const Play& play) const {
        if (play.requirement < Requirement::no_odd_cost_in_deck) return true;
        const int parity = play.requirement == Requirement::no_odd_cost_in_deck ? 1 : 0;
        const Player& own = state_.players[state_.active];
        for (int i = 0; i < own.deck_size; ++i) {
            if (cards_[own.deck[i]].cost % 2 == parity) return false;
        }
        return true;
    }

    void list_targets(const Play& play, const Card& card, Action action, ActionList& out) const {
        if (!requirement_holds(play)) return;
        const Target& target = play.target;
        if ((!target.minions && !target.heroes) || !asks_for_target(play)) {
            out.push_back(action);
            return;
        }
        Scope scope;
        scope.controller = state_.active;
        const Look look(cards_, state_, scope);
        const bool filtered = target.filters[0].kind != FilterKind::anything;  // the second is there after the first
        const std::size_t before = out.size();
        const auto add = [&](int code, Ref ref) {
            if (filtered && !(look.passes(target.filters[0], ref) && look.passes(target.filters[1], ref))) return;
            action.target = static_cast<TargetCode>(code);
            out.push_back(action);
        };
        const bool own = target.side != Side::enemy;
        const bool enemy = target.side != Side::mine;
        // The order of the papers' programs: heroes, then the enemy's minions, then the own.
        if (target.heroes) {
            if (own) add(kOwnHero, Ref::hero(state_.active));
            const Player& opponent = state_.players[state_.active ^ 1];
            if (enemy && (opponent.hero_keywords_this_turn & kImmune) == 0)
                add(kEnemyHero, Ref::hero(state_.active ^ 1));
        }
        const bool magic = card.type == CardType::spell || card.type == CardType::power;
        const std::uint32_t elusive = magic ? std::uint32_t{kElusive} : 0;
        const auto add_minions = [&](int player, int hero, std::uint32_t out_of_reach) {
            for (int i = 0; i < state_.players[player].board_size; ++i) {
                const int place = state_.players[player].board[i];
                if (!state_.minions[place].has(out_of_reach)) add(hero + 1 + i, Ref::minion(place));
            }
        };
        if (target.minions && enemy) add_minions(state_.active ^ 1, kEnemyHero, kStealth | kImmune | elusive);
        if (target.minions && own) add_minions(state_.active, kOwnHero, elusive);
        if (out.size() == before && !target.required) {
            action.target = kNoTarget;
            out.push_back(action);
        }
    }

    const CardSet& cards_;
    const State& state_;
};

}  // namespace deckatlas::hearthstone
