// Hearthstone: which actions of a turn do the same as others, since who is in them has a twin: another card in the hand
// or another minion on the board that is the same in all that a search minds. Where minions stand is not.
#pragma once

#include <cstdint>

#include "hearthstone/actions.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

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

    // Whether an action does what one with an earlier twin does.
    bool is_repeated(const Action& action) const {
        if (action.kind == ActionKind::play && (cards_ >> action.source & 1) != 0) return true;
        if (action.kind == ActionKind::attack && action.source > 0 && (own_ >> (action.source - 1) & 1) != 0)
            return true;
        if (action.target > kEnemyHero) return (enemy_ >> (action.target - kEnemyHero - 1) & 1) != 0;
        return action.target > kOwnHero && action.target < kEnemyHero && (own_ >> (action.target - kOwnHero - 1) & 1) != 0;
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

    std::uint32_t cards_ = 0;
    std::uint32_t own_ = 0;
    std::uint32_t enemy_ = 0;
};

}  // namespace deckatlas::hearthstone
