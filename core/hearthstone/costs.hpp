// Hearthstone: what cards cost. Printed cost and the card's own formula, then auras in the order they came into play,
// then what the player has for a while, then what is on the card itself; never below zero.
#pragma once

#include <algorithm>

#include "hearthstone/select.hpp"

namespace deckatlas::hearthstone {

constexpr int changed_cost(int cost, const CostAura& aura) {
    switch (aura.change) {
        case CostChange::add: return cost + aura.amount;
        case CostChange::add_not_below_one: return std::max(cost + aura.amount, std::min(cost, 1));
        case CostChange::set: return aura.amount;
    }
    return cost;
}

// Calls act(aura, controller) for every cost aura in play that reaches the hand of `player`, in order of play.
template <class Do>
void each_cost_aura(const CardSet& cards, const State& state, int player, const Do& act) {
    if (!state.cost_auras) return;
    struct Holder {
        std::uint16_t stamp;
        std::uint8_t place;
    };
    FixedVector<Holder, 2 * kBoardLimit> sources;
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < state.players[side].board_size; ++i) {
            const Minion& minion = state.on_board(side, i);
            if (cards[minion.card].cost_auras.count == 0 || (minion.keywords & kSilenced) != 0) continue;
            sources.push_back({minion.stamp, state.players[side].board[i]});
        }
    }
    std::sort(sources.begin(), sources.end(), [](const Holder& a, const Holder& b) { return a.stamp < b.stamp; });
    for (const Holder& source : sources) {
        const Minion& minion = state.minions[source.place];
        const Range range = cards[minion.card].cost_auras;
        for (int k = 0; k < range.count; ++k) {
            const CostAura& aura = cards.cost_auras[static_cast<std::size_t>(range.first + k)];
            const bool own = minion.owner == player;
            if (aura.side == Side::all || (aura.side == Side::mine) == own)
                act(aura, minion.owner, Ref::minion(source.place));
        }
    }
}

inline int cost_in_hand(const CardSet& cards, const State& state, int player, int index) {
    const Player& owner = state.players[player];
    const HandCard& held = owner.hand[index];
    const Card& card = cards[held.card];
    Scope scope;
    scope.controller = static_cast<std::uint8_t>(player);
    scope.hand_place = static_cast<std::int8_t>(index);
    const Look look(cards, state, scope);
    int cost = card.cost;
    if (card.own_cost != 0) cost += look.value(cards.numbers[card.own_cost]);
    each_cost_aura(cards, state, player, [&](const CostAura& aura, int controller, Ref source) {
        if (!look.passes_as_card(aura.filter, held.card)) return;
        Scope of_aura;
        of_aura.controller = static_cast<std::uint8_t>(controller);
        of_aura.self = source;
        if (!Look(cards, state, of_aura).holds(cards.conditions[aura.condition])) return;
        cost = changed_cost(cost, aura);
    });
    for (int i = 0; i < owner.enchantment_count; ++i) {
        const ActiveEnchantment& active = owner.enchantments[i];
        const PlayerEnchantment& enchantment = cards.player_enchantments[active.index];
        if (enchantment.cost.filter.kind == FilterKind::anything) continue;  // it changes no costs
        if (look.passes_as_card(enchantment.cost.filter, held.card)) cost = changed_cost(cost, enchantment.cost);
    }
    cost += held.cost_change;
    return cost > 0 ? cost : 0;
}

}  // namespace deckatlas::hearthstone
