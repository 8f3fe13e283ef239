// Hearthstone: whether a player may win in this very turn, by a generous guess, and how near a state of the turn is to
// it. It looks at nothing that the player cannot see.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hearthstone/costs.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

class LethalSight {
public:
    // Whether damage that is in sight could be enough, if all of it went to the hero.
    static bool may_win(const CardSet& cards, const State& state) {
        if (state.phase != Phase::main) return false;
        const int player = state.active;
        const Player& own = state.players[player];
        const Player& enemy = state.players[player ^ 1];
        const int needed = enemy.health + enemy.armor - ready_attack(cards, state) +
                           (opens_ways(cards, state) ? 0 : wall(state, player ^ 1));
        if (needed <= 0) return true;
        // The most that cards can add for the mana there is.
        constexpr int kMostMana = 20;
        int most[kMostMana + 1] = {};
        const int mana = std::min(own.mana() + coins(cards, own), kMostMana);
        const Costs costs(cards, state, player);
        const auto add = [&](int cost, int gain) {
            for (int left = mana; gain > 0 && left >= cost; --left)
                most[left] = std::max(most[left], most[left - cost] + gain);
        };
        for (int i = 0; i < own.hand_size; ++i) add(std::max(0, costs.of(i)), reach_of(cards, own.hand[i].card));
        if (!own.power_used && own.power != 0) add(cards[own.power].cost, reach_of(cards, own.power));
        return most[mana] >= needed;
    }

    // How near a state of the turn is to a win: the damage that is missing, then the enemy's health.
    static int rate(const CardSet& cards, const State& state, int player) {
        if (state.phase == Phase::over) return state.winner == player ? kWon : -kWon;
        const Player& own = state.players[player];
        const Player& enemy = state.players[player ^ 1];
        const int health = enemy.health + enemy.armor;
        return -16 * (health + wall(state, player ^ 1) - ready_attack(cards, state)) - 2 * health + own.mana();
    }

private:
    static constexpr int kWon = 1'000'000;
    static constexpr int kAnything = 10;  // of what depends on more than the card

    static int coins(const CardSet& cards, const Player& own) {
        int found = 0;
        for (int i = 0; i < own.hand_size; ++i) found += own.hand[i].card == cards.coin;
        return found;
    }

    // Health of Taunts in the way.
    static int wall(const State& state, int player) {
        int health = 0;
        for (int i = 0; i < state.players[player].board_size; ++i) {
            const Minion& minion = state.on_board(player, i);
            if (minion.has(kTaunt) && !minion.has(kStealth))
                health += minion.current_health() + minion.has(kDivineShield);
        }
        return health;
    }

    // Whether somebody may get Taunts out of the way in another manner than by as much damage.
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

    // Attack of those of the player to move who can still attack.
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
            const int blows = (cards[own.weapon.card].keywords & kWindfury) != 0 ? 2 : 1;
            total += hero_attack(state, player) * std::max(0, blows - own.attacks);
        }
        return total;
    }

    // The most damage that a card may add this turn.
    static int reach_of(const CardSet& cards, CardId id) {
        const Card& card = cards[id];
        int reach = card.type == CardType::weapon ? card.attack : 0;
        if (card.type == CardType::minion && (card.keywords & kCharge) != 0) reach += card.attack;
        if (card.auras.count > 0) reach += kAnything;
        int program = program_reach(cards, card.play.program);
        if (card.has_combo) program = std::max(program, program_reach(cards, card.combo.program));
        for (int i = 0; i < card.choices; ++i) program = std::max(program, program_reach(cards, card.choice[i].program));
        return reach + program;
    }

    static int program_reach(const CardSet& cards, ProgramCounter start) {
        int reach = 0;
        for (std::size_t at = start; start != 0 && cards.instructions[at].op != Op::end; ++at) {
            const Instruction& instruction = cards.instructions[at];
            switch (instruction.op) {
                case Op::damage:
                case Op::split_damage:
                case Op::damage_from:
                case Op::buff:
                case Op::buff_weapon: reach += amount(cards, instruction.amount); break;
                case Op::equip: reach += cards[instruction.card].attack; break;
                case Op::set_current_health:
                case Op::set_attack:
                case Op::summon:
                case Op::take_control:
                case Op::swap_stats: reach += kAnything; break;
                default: break;
            }
        }
        return reach;
    }

    static int amount(const CardSet& cards, TableIndex index) {
        const Number& number = cards.numbers[index];
        return number.kind == NumberKind::constant ? number.offset : kAnything;
    }
};

}  // namespace deckatlas::hearthstone
