// Hearthstone: whether a player may win this turn, by an optimistic estimate, and how close a state of the turn is to a
// win. It only uses what the player can see.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hearthstone/costs.hpp"
#include "hearthstone/evaluation.hpp"
#include "hearthstone/sensible_actions.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

class LethalSight {
public:
    // Whether the visible damage could be enough, if all of it hit the hero.
    static bool may_win(const CardSet& cards, const State& state) {
        return state.phase == Phase::main && LethalSight(cards, state).may_win();
    }

    // How close a state of the turn is to a win: the missing damage, then the enemy's health.
    static int rate(const CardSet& cards, const State& state, int player) {
        if (state.phase == Phase::over) return state.winner == player ? kWon : kLost;
        const Player& own = state.players[player];
        const Player& enemy = state.players[player ^ 1];
        const int health = enemy.health + enemy.armor;
        return -16 * (health + wall(state, player ^ 1) - ready_attack(cards, state)) - 2 * health + own.mana();
    }

private:
    static constexpr int kMostMana = 20;
    static constexpr int kAnything = 10;  // assumed damage of effects that depend on more than the card

    LethalSight(const CardSet& cards, const State& state)
        : cards_(cards),
          state_(state),
          attackers_(state.players[state.active].board_size),
          wall_(wall(state, state.active ^ 1)) {}

    bool may_win() const {
        const Player& own = state_.players[state_.active];
        const Player& enemy = state_.players[state_.active ^ 1];
        int needed = enemy.health + enemy.armor - ready_attack(cards_, state_);
        if (wall_ > 0 && !opens_ways(cards_, state_)) needed += wall_;
        if (needed <= 0) return true;
        // The most damage that cards can add with the available mana.
        int most[kMostMana + 1] = {};
        const int mana = std::min(own.mana() + coins(cards_, own), kMostMana);
        const Costs costs(cards_, state_, state_.active);
        const auto add = [&](int cost, int gain) {
            for (int left = mana; gain > 0 && left >= cost; --left)
                most[left] = std::max(most[left], most[left - cost] + gain);
        };
        for (int i = 0; i < own.hand_size; ++i) add(std::max(0, costs.of(i)), reach_of(own.hand[i].card));
        if (!own.power_used && own.power != 0) add(cards_[own.power].cost, reach_of(own.power));
        return most[mana] >= needed;
    }

    static int coins(const CardSet& cards, const Player& own) {
        int found = 0;
        for (int i = 0; i < own.hand_size; ++i) found += own.hand[i].card == cards.coin;
        return found;
    }

    // The health of Taunts in the way.
    static int wall(const State& state, int player) {
        int health = 0;
        for (int i = 0; i < state.players[player].board_size; ++i) {
            const Minion& minion = state.on_board(player, i);
            if (minion.has(kTaunt) && !minion.has(kStealth))
                health += minion.current_health() + minion.has(kDivineShield);
        }
        return health;
    }

    // Whether something may remove Taunts other than by the same amount of damage.
    static bool opens_ways(const CardSet& cards, const State& state) {
        const Player& own = state.players[state.active];
        bool found = false;
        for (int i = 0; i < own.board_size; ++i) found |= state.on_board(state.active, i).has(kPoisonous);
        for (int i = 0; i < own.hand_size && !found; ++i) {
            const Card& card = cards[own.hand[i].card];
            found = (card.keywords & kPoisonous) != 0;
            for (const Play* const play : {&card.play, &card.combo, &card.choice[0], &card.choice[1]})
                found = found || program_opens_ways(cards, play->program);
        }
        return found;
    }

    static bool program_opens_ways(const CardSet& cards, ProgramCounter start) {
        for (std::size_t at = start; start != 0 && cards.instructions[at].op != Op::end; ++at) {
            const Instruction& instruction = cards.instructions[at];
            switch (instruction.op) {
                case Op::silence:
                case Op::destroy:
                case Op::bounce:
                case Op::transform:
                case Op::take_control:
                case Op::set_health:
                case Op::swap_stats:
                case Op::remove_keywords: return true;
                case Op::buff:
                    if ((instruction.keywords & kPoisonous) != 0) return true;
                    break;
                case Op::damage:
                    if (cards.selectors[instruction.selector].base != Base::target) return true;
                    break;
                default: break;
            }
        }
        return false;
    }

    // The attack of the player to move's characters that can still attack.
    static int ready_attack(const CardSet& cards, const State& state) {
        const int player = state.active;
        const Player& own = state.players[player];
        int total = 0;
        for (int i = 0; i < own.board_size; ++i) {
            const Minion& minion = state.on_board(player, i);
            const std::uint32_t keywords = minion.all_keywords();
            const bool asleep = minion.exhausted && (keywords & kCharge) == 0;
            if (asleep || (keywords & (kFrozen | kCantAttack | kCantAttackHeroes)) != 0) continue;
            total += minion.current_attack() * std::max(0, ((keywords & kWindfury) != 0 ? 2 : 1) - minion.attacks);
        }
        if (!own.frozen) {
            const int blows = blows_with(cards, own.weapon.card);
            total += hero_attack(state, player) * std::max(0, blows - own.attacks);
        }
        return total;
    }

    // The most damage that a card may add this turn.
    int reach_of(CardId id) const {
        const Card& card = cards_[id];
        int reach = card.type == CardType::weapon ? blows_with(id) * card.attack : 0;
        if (card.type == CardType::minion && (card.keywords & kCharge) != 0) reach += card.attack;
        for (int k = 0; k < card.auras.count; ++k)
            reach += aura_reach(cards_.auras[static_cast<std::size_t>(card.auras.first + k)]);
        int played = reach_of(card.play);
        if (card.has_combo) played = std::max(played, reach_of(card.combo));
        for (int i = 0; i < card.choices; ++i) played = std::max(played, reach_of(card.choice[i]));
        return reach + played;
    }

    int aura_reach(const Aura& aura) const {
        if ((aura.keywords & (kCharge | kWindfury)) != 0) return kAnything;
        return amount(aura.attack) * attackers_;
    }

    int reach_of(const Play& play) const {
        int reach = 0;
        for (std::size_t at = play.program; play.program != 0 && cards_.instructions[at].op != Op::end; ++at) {
            const Instruction& instruction = cards_.instructions[at];
            const bool targeted = cards_.selectors[instruction.selector].base == Base::target;
            switch (instruction.op) {
                case Op::damage:
                case Op::split_damage:
                case Op::damage_from:
                    // Useful even if it cannot hit the hero, if it helps against the Taunts.
                    if (!targeted || play.target.heroes || wall_ > 0) reach += amount(instruction.amount);
                    break;
                case Op::heal:
                case Op::heal_fully:
                    if ((!targeted || play.target.heroes || wall_ > 0) && healing_may_harm())
                        reach += instruction.op == Op::heal ? amount(instruction.amount) : kAnything;
                    break;
                case Op::silence: reach += held_attack(); break;
                case Op::buff:
                    if ((instruction.keywords & (kCharge | kWindfury)) != 0) reach += kAnything;
                    reach += amount(instruction.amount) * most_blows() *
                             strengthened(cards_.selectors[instruction.selector].base);
                    break;
                case Op::buff_weapon: reach += amount(instruction.amount) * most_blows(); break;
                case Op::equip: reach += blows_with(instruction.card) * cards_[instruction.card].attack; break;
                case Op::summon:
                case Op::summon_around:
                case Op::summon_at_end: reach += charge_of(instruction); break;
                case Op::set_current_health:
                case Op::set_attack:
                case Op::take_control:
                case Op::swap_stats: reach += kAnything; break;
                default: break;
            }
        }
        return reach;
    }

    static int blows_with(const CardSet& cards, CardId weapon) {
        return (cards[weapon].keywords & kWindfury) != 0 ? 2 : 1;
    }
    int blows_with(CardId weapon) const { return blows_with(cards_, weapon); }

    // The most attacks of one character of the player to move.
    int most_blows() const {
        bool twice = false;
        for (int i = 0; i < attackers_; ++i) twice |= state_.on_board(state_.active, i).has(kWindfury);
        return twice ? 2 : blows_with(state_.players[state_.active].weapon.card);
    }

    // How many own characters a buff may affect.
    int strengthened(Base base) const {
        if (base == Base::target || base == Base::hero) return 1;
        return attackers_ + (base == Base::characters);
    }

    // Whether healing is damage for the player to move, or may become damage this turn.
    bool healing_may_harm() const {
        const Player& own = state_.players[state_.active];
        bool found = healing_harms(state_);
        for (int i = 0; i < own.hand_size; ++i) found |= (cards_[own.hand[i].card].keywords & kHealingIsDamage) != 0;
        return found;
    }

    // The most attack of a minion that silence may enable to attack.
    int held_attack() const {
        int most = 0;
        for (int i = 0; i < attackers_; ++i) {
            const Minion& minion = state_.on_board(state_.active, i);
            const int attack = std::max<int>(minion.current_attack(), cards_[minion.card].attack);
            if (!minion.exhausted && minion.has(kHeld)) most = std::max(most, attack);
        }
        return most;
    }

    // The attack of minions with Charge that an instruction summons.
    int charge_of(const Instruction& instruction) const {
        const auto charge = [&](CardId id) { return (cards_[id].keywords & kCharge) != 0 ? cards_[id].attack : 0; };
        const int count = amount(instruction.amount);
        if (instruction.choice == Choice::card) return charge(instruction.card) * count;
        if (instruction.choice != Choice::random_of_list) return 0;
        int most = 0;
        for (const CardId id : cards_.lists[instruction.card]) most = std::max(most, charge(id));
        return most * count;
    }

    int amount(TableIndex index) const {
        const Number& number = cards_.numbers[index];
        return number.kind == NumberKind::constant ? std::max<int>(0, number.offset) : kAnything;
    }

    const CardSet& cards_;
    const State& state_;
    const int attackers_;  // own minions in play
    const int wall_;       // health of Taunts in the way
};

}  // namespace deckatlas::hearthstone
