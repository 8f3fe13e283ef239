// Hearthstone: the operands of an instruction: conditions, amounts, random picks, cards. Part of resolver.hpp.
#pragma once

#include "hearthstone/resolver.hpp"

namespace deckatlas::hearthstone {

template <class Random>
bool Resolver<Random>::condition_holds(const Condition& condition, const Scope& scope) {
    if (condition.kind == ConditionKind::coin_flip) return (random_.below(2) == 0) != condition.negated;
    return look(scope).holds(condition);
}

template <class Random>
int Resolver<Random>::amount(TableIndex index, const Scope& scope) {
    const Number& number = cards_.numbers[index];
    if (number.kind == NumberKind::random_between) {
        const auto span = static_cast<std::uint32_t>(number.offset - number.factor + 1);
        return number.factor + static_cast<int>(random_.below(span));
    }
    return look(scope).value(number);
}

// Picks some of them: all if there are not more, else drawn until enough are different, which has the same
// distribution as drawing without replacement.
template <class Random>
template <class Items, class CardAt>
void Resolver<Random>::pick_some(const Items& all, std::size_t count, const CardAt& card_at, Items& out) {
    if (all.size() <= count) {
        out = all;
        return;
    }
    bool taken[Items::kCapacity] = {};
    while (out.size() < count && take_step()) {
        const std::size_t chosen = random_.pick(static_cast<std::uint32_t>(all.size()), card_at);
        if (!taken[chosen]) out.push_back(all[chosen]);
        taken[chosen] = true;
    }
}

// The selected, after any random pick.
template <class Random>
void Resolver<Random>::choose(const Selector& selector, const Scope& scope, Selection& out) {
    Selection all;
    const Look sight = look(scope);
    sight.select(selector, all);
    const auto card_at = [&](std::uint32_t i) { return sight.card_of(all[i]); };
    if (selector.pick == Pick::random) return pick_some(all, selector.count, card_at, out);
    out = all;
    if (selector.pick == Pick::all || all.empty()) return;
    const std::size_t spared = random_.pick(static_cast<std::uint32_t>(all.size()), card_at);
    for (std::size_t i = spared; i + 1 < out.size(); ++i) out[i] = out[i + 1];
    out.pop_back();
}

template <class Random>
void Resolver<Random>::choose_cards(const Selector& selector, const Scope& scope, CardSelection& out) {
    CardSelection all;
    const Look sight = look(scope);
    sight.select_cards(selector, all);
    const std::size_t count = selector.pick == Pick::all ? all.size() : selector.count;
    pick_some(all, count, [&](std::uint32_t i) { return sight.card_at(selector.base, all[i]); }, out);
}

template <class Random>
CardId Resolver<Random>::card_for(const Instruction& instruction, const Scope& scope, std::size_t which) {
    const auto from_list = [&](const std::vector<CardId>& list) -> CardId {
        if (list.empty()) return 0;
        return list[random_.pick(static_cast<std::uint32_t>(list.size()), [&](std::uint32_t i) { return list[i]; })];
    };
    const auto of_class = [&](int player) -> CardId {
        const int offset = static_cast<int>(state_.players[player].hero_class) - 1;
        return from_list(cards_.lists[static_cast<std::size_t>(instruction.card + offset)]);
    };
    switch (instruction.choice) {
        case Choice::card: return instruction.card;
        case Choice::random_of_list: return from_list(cards_.lists[instruction.card]);
        case Choice::random_for_my_class: return of_class(scope.controller);
        case Choice::random_for_enemy_class: return of_class(scope.controller ^ 1);
        case Choice::random_not_in_play: {
            FixedVector<CardId, kBoardLimit> left;
            const Player& owner = state_.players[scope.controller];
            for (const CardId card : cards_.lists[instruction.card]) {
                bool there = false;
                for (int i = 0; i < owner.board_size; ++i) there |= state_.on_board(scope.controller, i).card == card;
                if (!there && left.size() < kBoardLimit) left.push_back(card);
            }
            if (left.empty()) return 0;
            return left[random_.below(static_cast<std::uint32_t>(left.size()))];
        }
        case Choice::copy_of_selected:
        case Choice::fresh_copy_of_selected: {
            const Selector& selector = cards_.selectors[instruction.selector2];
            const Look sight = look(scope);
            if (sight.holds_cards(selector)) {
                CardSelection chosen;
                choose_cards(selector, scope, chosen);
                return which < chosen.size() ? sight.card_at(selector.base, chosen[which]) : CardId{0};
            }
            Selection chosen;
            choose(selector, scope, chosen);
            return chosen.empty() ? CardId{0} : sight.card_of(chosen[0]);
        }
    }
    return 0;
}

// Whether a computed number is zero.
template <class Random>
bool Resolver<Random>::is_nothing(TableIndex number, const Scope& scope) const {
    const NumberKind kind = cards_.numbers[number].kind;
    return kind != NumberKind::constant && kind != NumberKind::random_between &&
           look(scope).value(cards_.numbers[number]) <= 0;
}

}  // namespace deckatlas::hearthstone
