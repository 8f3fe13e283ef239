// Hearthstone: the actions of a turn without those that do the same as others.
//
// Left out are those of cards, attackers and targets that have a twin: another card in the hand or another minion on the
// board that is the same in all that a search minds. A minion is put at every position only if it minds its place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "hearthstone/actions.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// Who has a twin before it.
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

    std::uint32_t cards_ = 0;  // places of those with an earlier twin
    std::uint32_t own_ = 0;
    std::uint32_t enemy_ = 0;
};

// How many positions are to be tried of what an action plays.
inline int positions_of(const CardSet& cards, const State& state, const Action& action) {
    if (action.kind != ActionKind::play) return 1;
    const Player& own = state.players[state.active];
    const Card& card = cards[own.hand[action.source].card];
    const bool minds = card.type == CardType::minion && (card.minds_own_place || card.minds_places);
    return minds ? own.board_size + 1 : 1;
}

inline constexpr std::size_t kMostDistinctActions = 2 * kMostActions;
using DistinctActionList = FixedVector<Action, kMostDistinctActions>;

// The end of the turn included. Where there are more than the list holds, further positions are left out.
inline void list_distinct_actions(const CardSet& cards, const State& state, DistinctActionList& out) {
    ActionList actions;
    Options(cards, state).list(actions);
    const Twins twins(state);
    for (std::size_t i = 0; i < actions.size(); ++i) {
        Action action = actions[i];
        if (twins.is_repeated(action)) continue;
        const int positions = positions_of(cards, state, action);
        const std::size_t others = actions.size() - i - 1;
        if (positions == 1 || out.size() + static_cast<std::size_t>(positions) + others > kMostDistinctActions) {
            out.push_back(action);
            continue;
        }
        for (int position = 0; position < positions; ++position) {
            action.position = static_cast<std::uint8_t>(position);
            out.push_back(action);
        }
    }
}

}  // namespace deckatlas::hearthstone
