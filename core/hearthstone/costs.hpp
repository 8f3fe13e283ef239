// Hearthstone: the costs of cards. Printed cost and the card's own formula, then auras in order of play, then the
// player's temporary effects, then changes of the card itself; never below zero.
#pragma once

#include <algorithm>

#include "common/inlining.hpp"
#include "hearthstone/select.hpp"

namespace deckatlas::hearthstone {

inline constexpr std::size_t kCostAuras = std::size_t{kCardCostAuras} * 2 * kBoardLimit;  // all auras of every minion

// The change by an aura of kind add_to_printed.
constexpr int change_of_printed(int printed, const CostAura& aura) {
    return std::max(printed + aura.amount, 1) - printed;
}

constexpr int changed_cost(int cost, const CostAura& aura, int printed) {
    switch (aura.change) {
        case CostChange::add: return cost + aura.amount;
        case CostChange::add_not_below_one: return std::max(cost + aura.amount, std::min(cost, 1));
        case CostChange::set: return aura.amount;
        case CostChange::add_to_printed: return cost + change_of_printed(printed, aura);
    }
    return cost;
}

// The mana that a player can spend; under one rule negative, if overload locks more than there is.
inline int mana_of(const CardSet& cards, const Player& player) {
    return (cards.rules & kOverloadIsDebt) != 0 ? player.mana_or_debt() : player.mana();
}

// Masks of places in a hand.
struct Affordable {
    std::uint32_t cards = 0;
    std::uint32_t plain = 0;  // the plain cards among all cards
};

// The costs of the cards in a player's hand, for a state that does not change meanwhile.
class Costs {
public:
    Costs(const CardSet& cards, const State& state, int player) : cards_(cards), state_(state), player_(player) {
        if (state.cost_auras) find_auras();
        printed_ = auras_.empty() && state.players[player].enchantment_count == 0;
    }

    int of(int index) const {
        const HandCard& held = state_.players[player_].hand[index];
        const CardFace face = cards_.faces[held.card];
        int cost = face.cost;
        if (!printed_ || (face.marks & kHasOwnCost) != 0) cost = changed(cost, index);
        cost += held.cost_change;
        return cost > 0 ? cost : 0;
    }

    // Which cards cost at most this. All places of the hand are read, so that only the final mask depends on the number
    // of cards.
    Affordable affordable(int mana) const {
        const Player& owner = state_.players[player_];
        const CardFace* const faces = cards_.faces.data();
        Affordable found;
        std::uint32_t marks = 0;
        for (int i = kHandLimit - 1; i >= 0; --i) {
            const HandCard& held = owner.hand[i];
            const CardFace face = faces[held.card];
            found.cards = found.cards << 1 | (face.cost + held.cost_change <= mana);
            marks = marks << 1 | face.marks;
        }
        const std::uint32_t held = (1u << owner.hand_size) - 1;
        found.cards &= held;
        found.plain = marks / kPlain & held;
        const std::uint32_t unsure = printed_ ? marks / kHasOwnCost & held : held;
        if (unsure != 0) found.cards = (found.cards & ~unsure) | at_most(mana, unsure);
        return found;
    }

private:
    struct Source {
        std::uint16_t stamp;
        std::uint8_t place;
        std::uint8_t owner;
    };

    DECKATLAS_OUTLINE std::uint32_t at_most(int mana, std::uint32_t places) const {
        std::uint32_t found = 0;
        each_place(places, [&](int i) { found |= static_cast<std::uint32_t>(of(i) <= mana) << i; });
        return found;
    }

    // The auras that affect the hand, in order of play.
    DECKATLAS_OUTLINE void find_auras() {
        FixedVector<Source, 2 * kBoardLimit> sources;
        each_place(state_.in_play(), [&](int place) {
            const Minion& minion = state_.minions[place];
            if (cards_[minion.card].cost_auras.count == 0 || minion.is_silent()) return;
            sources.push_back({minion.stamp, static_cast<std::uint8_t>(place), minion.owner});
        });
        std::sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) { return a.stamp < b.stamp; });
        for (const Source& source : sources) {
            const Range range = cards_[state_.minions[source.place].card].cost_auras;
            for (int k = 0; k < range.count; ++k) {
                const CostAura& aura = cards_.cost_auras[static_cast<std::size_t>(range.first + k)];
                if (aura.side != Side::all && (aura.side == Side::mine) != (source.owner == player_)) continue;
                Scope scope;
                scope.controller = source.owner;
                scope.self = Ref::minion(source.place);
                if (!Look(cards_, state_, scope).holds(cards_.conditions[aura.condition])) continue;
                auras_.push_back(&aura);
            }
        }
    }

    DECKATLAS_OUTLINE int changed(int cost, int index) const {
        const Player& owner = state_.players[player_];
        const CardId id = owner.hand[index].card;
        Scope scope;
        scope.controller = static_cast<std::uint8_t>(player_);
        scope.hand_place = static_cast<std::int8_t>(index);
        const Look look(cards_, state_, scope);
        if (cards_[id].own_cost != 0) cost += look.value(cards_.numbers[cards_[id].own_cost]);
        for (const CostAura* aura : auras_) {
            if (look.passes_as_card(aura->filter, id)) cost = changed_cost(cost, *aura, cards_[id].cost);
        }
        for (int i = 0; i < owner.enchantment_count; ++i) {
            const CostAura& aura = cards_.player_enchantments[owner.enchantments[i].index].cost;
            if (aura.filter.kind == FilterKind::anything) continue;  // it changes no costs
            if (look.passes_as_card(aura.filter, id)) cost = changed_cost(cost, aura, cards_[id].cost);
        }
        return cost;
    }

    const CardSet& cards_;
    const State& state_;
    int player_;
    bool printed_;  // only the cards themselves change costs
    FixedVector<const CostAura*, kCostAuras> auras_;
};

// The cost without changes by others.
inline int base_cost_in_hand(const CardSet& cards, const State& state, int player, int index) {
    const Card& card = cards[state.players[player].hand[index].card];
    if (card.own_cost == 0) return card.cost;
    Scope scope;
    scope.controller = static_cast<std::uint8_t>(player);
    scope.hand_place = static_cast<std::int8_t>(index);
    return card.cost + Look(cards, state, scope).value(cards.numbers[card.own_cost]);
}

inline int cost_in_hand(const CardSet& cards, const State& state, int player, int index) {
    return Costs(cards, state, player).of(index);
}

}  // namespace deckatlas::hearthstone
