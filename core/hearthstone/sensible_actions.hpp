// Hearthstone: the actions of a turn that our own searches try, fewer than all legal ones.
//
// Actions of cards, attackers and targets that have an earlier twin are left out: another card in the hand or another
// minion on the board that is equal in everything a search considers. Harmful effects target the enemy; silence also
// targets own minions that cannot attack. Helpful effects target own characters: healing targets damaged ones, attack
// for this turn targets those that can attack. Without such a target, only one target is tried. An option allows all
// targets. A minion is put at every position only if its position matters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "hearthstone/actions.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// Which cards and minions have an earlier twin.
class Twins {
public:
    explicit Twins(const State& state) {
        const Player& own = state.players[state.active];
        for (int i = 1; i < own.hand_size; ++i) {
            for (int k = 0; k < i; ++k) cards_ |= bit_if(alike(own.hand[i], own.hand[k]), i);
        }
        own_ = twins_on(state, state.active);
        enemy_ = twins_on(state, state.active ^ 1);
    }

    // Whether another action does the same with an earlier twin.
    bool is_repeated(const Action& action) const {
        if (action.kind == ActionKind::play && (cards_ >> action.source & 1) != 0) return true;
        if (action.kind == ActionKind::attack && action.source > 0 && (own_ >> (action.source - 1) & 1) != 0)
            return true;
        if (action.target > kEnemyHero) return (enemy_ >> (action.target - kEnemyHero - 1) & 1) != 0;
        return action.target > kOwnHero && action.target < kEnemyHero &&
               (own_ >> (action.target - kOwnHero - 1) & 1) != 0;
    }

private:
    static bool alike(const HandCard& a, const HandCard& b) {
        return a.card == b.card && a.cost_change == b.cost_change && a.attack_change == b.attack_change &&
               a.attached == b.attached;
    }
    static bool alike(const Minion& a, const Minion& b) {
        return a.card == b.card && a.attack == b.attack && a.health == b.health && a.damage == b.damage &&
               a.attack_this_turn == b.attack_this_turn && a.aura_attack == b.aura_attack &&
               a.aura_health == b.aura_health && a.all_keywords() == b.all_keywords() && a.attached == 0 &&
               b.attached == 0 && a.attacks == b.attacks && a.exhausted == b.exhausted;
    }

    static std::uint32_t twins_on(const State& state, int player) {
        std::uint32_t found = 0;
        for (int i = 1; i < state.players[player].board_size; ++i) {
            for (int k = 0; k < i; ++k) found |= bit_if(alike(state.on_board(player, i), state.on_board(player, k)), i);
        }
        return found;
    }

    std::uint32_t cards_ = 0;  // places of cards with an earlier twin
    std::uint32_t own_ = 0;
    std::uint32_t enemy_ = 0;
};

// The sensible targets of a card or hero power.
enum class Aim : std::uint8_t { anybody, enemies, enemies_and_held, friends, hurt_friends, ready_friends };

// Whether healing is damage for the player to move.
inline bool healing_harms(const State& state) {
    bool found = false;
    for (int i = 0; i < state.players[state.active].board_size; ++i)
        found |= state.on_board(state.active, i).has(kHealingIsDamage);
    return found;
}

inline Aim aim_of(const CardSet& cards, const State& state, const Play& play) {
    bool harms = false;
    bool silences = false;
    Aim helps = Aim::anybody;
    for (std::size_t at = play.program; play.program != 0 && cards.instructions[at].op != Op::end; ++at) {
        const Instruction& instruction = cards.instructions[at];
        if (cards.selectors[instruction.selector].base != Base::target) continue;
        const Number& amount = cards.numbers[instruction.amount];
        switch (instruction.op) {
            case Op::damage:
            case Op::damage_from:
            case Op::destroy:
            case Op::freeze:
            case Op::set_health:
            case Op::remove_keywords:
            case Op::transform: harms = true; break;
            case Op::silence: harms = silences = true; break;
            case Op::set_attack:  // the computed value may be larger than before
                if (amount.kind != NumberKind::constant) return Aim::anybody;
                harms = true;
                break;
            case Op::heal:
            case Op::heal_fully:
                if (healing_harms(state)) {
                    harms = true;
                } else {
                    helps = Aim::hurt_friends;
                }
                break;
            case Op::buff:
                if (amount.kind == NumberKind::constant && amount.offset < 0) {
                    harms = true;
                } else {
                    helps = instruction.duration == Duration::this_turn ? Aim::ready_friends : Aim::friends;
                }
                break;
            default: return Aim::anybody;
        }
    }
    if (!harms) return helps;
    if (helps != Aim::anybody) return Aim::anybody;
    return silences ? Aim::enemies_and_held : Aim::enemies;
}

inline constexpr std::uint32_t kHeld = kFrozen | kCantAttack | kCantAttackHeroes;  // keywords that prevent attacks

inline bool is_ready(const Minion& minion) {
    const std::uint32_t keywords = minion.all_keywords();
    const bool asleep = minion.exhausted && (keywords & kCharge) == 0;
    return !asleep && (keywords & (kFrozen | kCantAttack)) == 0 && minion.attacks <= ((keywords & kWindfury) != 0);
}

// Whether attack would be useful for the hero.
inline bool is_ready(const CardSet& cards, const Player& hero) {
    const bool twice = (cards[hero.weapon.card].keywords & kWindfury) != 0;
    return !hero.frozen && !hero.hero_exhausted && hero.attacks <= twice;
}

inline bool is_sensible(const CardSet& cards, const State& state, Aim aim, TargetCode target) {
    const bool own = target < kEnemyHero;
    if (aim == Aim::anybody || target == kNoTarget) return true;
    if (aim == Aim::enemies) return !own;
    if (!own) return aim == Aim::enemies_and_held;
    if (aim == Aim::friends) return true;
    const Player& player = state.players[state.active];
    if (target == kOwnHero)
        return aim == Aim::hurt_friends ? player.health < player.max_health
                                        : aim == Aim::ready_friends && is_ready(cards, player);
    const Minion& minion = state.on_board(state.active, target - kOwnHero - 1);
    if (aim == Aim::enemies_and_held) return minion.has(kHeld);
    return aim == Aim::hurt_friends ? minion.damage > 0 : is_ready(minion);
}

enum class Aiming : std::uint8_t { sensible, anyhow };

inline constexpr std::size_t kMostSensibleActions = 2 * kMostActions;
using SensibleActionList = FixedVector<Action, kMostSensibleActions>;

class SensibleActions {
public:
    SensibleActions(const CardSet& cards, const State& state, Aiming aiming)
        : cards_(cards), state_(state), aiming_(aiming), twins_(state) {}

    // Including the end of the turn.
    void list(SensibleActionList& out) const {
        ActionList all;
        Options(cards_, state_).list(all);
        for (std::size_t i = 0; i < all.size();) {
            std::size_t end = i + 1;
            if (all[i].target != kNoTarget && all[i].kind != ActionKind::attack) {
                while (end < all.size() && is_same_but_for_target(all[i], all[end])) ++end;
            }
            if (end - i == 1) {
                add(all[i], out);
            } else {
                add_aimed(all, i, end, out);
            }
            i = end;
        }
    }

private:
    static bool is_same_but_for_target(const Action& a, const Action& b) {
        return a.kind == b.kind && a.source == b.source && a.choice == b.choice;
    }

    // All sensible targets of one card.
    void add_aimed(const ActionList& all, std::size_t begin, std::size_t end, SensibleActionList& out) const {
        const Aim aim = aiming_ == Aiming::anyhow ? Aim::anybody : aim_of(cards_, state_, play_of(all[begin]));
        bool found = false;
        for (std::size_t i = begin; i < end; ++i) {
            if (!is_sensible(cards_, state_, aim, all[i].target)) continue;
            found = true;
            add(all[i], out);
        }
        if (!found) add(all[begin], out);
    }

    const Play& play_of(const Action& action) const {
        const Player& own = state_.players[state_.active];
        const CardId card = action.kind == ActionKind::power ? own.power : own.hand[action.source].card;
        return Options(cards_, state_).play_of(cards_[card], action.choice);
    }

    // An action at all positions to try, as long as there is room for all other actions.
    void add(Action action, SensibleActionList& out) const {
        if (twins_.is_repeated(action)) return;
        const auto positions = static_cast<std::size_t>(positions_of(action));
        if (positions == 1 || out.size() + positions > kMostActions) return out.push_back(action);
        for (std::size_t position = 0; position < positions; ++position) {
            action.position = static_cast<std::uint8_t>(position);
            out.push_back(action);
        }
    }

    int positions_of(const Action& action) const {
        if (action.kind != ActionKind::play) return 1;
        const Player& own = state_.players[state_.active];
        const Card& card = cards_[own.hand[action.source].card];
        const bool minds = card.type == CardType::minion && (card.minds_own_place || card.minds_places);
        return minds ? own.board_size + 1 : 1;
    }

    const CardSet& cards_;
    const State& state_;
    const Aiming aiming_;
    const Twins twins_;
};

inline void list_sensible_actions(const CardSet& cards, const State& state, SensibleActionList& out,
                                  Aiming aiming = Aiming::sensible) {
    SensibleActions(cards, state, aiming).list(out);
}

}  // namespace deckatlas::hearthstone
