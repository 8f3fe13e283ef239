// Hearthstone: whether the position of a played minion, or the order of minions, matters. Where it does not, a search
// can treat all positions, or all orders, as one.
#pragma once

#include <algorithm>
#include <optional>

#include "hearthstone/cards.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// Which cards depend on positions; computed once. May be true too often, never too rarely.
class PlaceDependence {
public:
    explicit PlaceDependence(const CardSet& set) : set_(set) {}

    // Whether a minion's effect when played may depend on its position.
    bool when_played(const Card& card) const {
        for (const Play* const play : {&card.play, &card.combo, &card.choice[0], &card.choice[1]}) {
            if (program(play->program, Except::self)) return true;
        }
        return false;
    }

    // Whether a card's effects in play may depend on the positions of minions.
    bool in_play(const Card& card) const {
        const auto depends = [&](const Trigger& trigger) {
            return is_placed(trigger) || program(trigger.program, Except::attacker_and_defender);
        };
        return any_trigger(card, depends) || has_placed_aura(card);
    }

    // Whether a card's effect when played may depend on the order of the player's minions.
    bool on_order_when_played(const Card& card) const {
        for (const Play* const play : {&card.play, &card.combo, &card.choice[0], &card.choice[1]}) {
            if (ordered_program(play->program, Side::enemy)) return true;
        }
        return false;
    }

    // Whether a card's effects in play, or when it leaves, may depend on the order of minions before the turn ends.
    bool on_order_in_play(const Card& card) const {
        const auto depends = [&](const Trigger& trigger) {
            const bool comes_later = trigger.event == Event::turn_end || trigger.event == Event::turn_start;
            return !comes_later && (is_placed(trigger) || ordered_program(trigger.program));
        };
        return ordered_program(card.deathrattle) || any_trigger(card, depends) || has_placed_aura(card);
    }

private:
    bool neighbours(TableIndex selector) const {
        const Base base = set_.selectors[selector].base;
        return base == Base::adjacent_to_self || base == Base::adjacent_to_target || base == Base::target_and_adjacent;
    }
    bool number(TableIndex index) const { return neighbours(set_.numbers[index].selector); }
    bool condition(TableIndex index) const { return neighbours(set_.conditions[index].selector); }

    bool is_placed(const Trigger& trigger) const {
        return neighbours(trigger.source) || neighbours(trigger.target) || condition(trigger.condition);
    }

    bool has_placed_aura(const Card& card) const {
        for (int k = 0; k < card.auras.count; ++k) {
            const Aura& aura = set_.auras[static_cast<std::size_t>(card.auras.first + k)];
            if (neighbours(aura.selector) || number(aura.attack) || number(aura.health) || condition(aura.condition))
                return true;
        }
        return false;
    }

    template <class Test>
    bool any_trigger(const Card& card, const Test& test) const {
        for (int k = 0; k < card.triggers.count; ++k) {
            if (test(set_.triggers[static_cast<std::size_t>(card.triggers.first + k)])) return true;
        }
        return false;
    }

    // An effect on several minions of a side acts on one after the other, from the left.
    static bool one_by_one(const Selector& selector) {
        return selector.base == Base::minions || selector.base == Base::characters;
    }

    bool program(ProgramCounter start, Except leaves_newcomer_out) const {
        return any_of(start, [&](const Instruction&, const Selector& selector) {
            return one_by_one(selector) && selector.side != Side::enemy && selector.except != leaves_newcomer_out;
        });
    }

    // Except for random draws. Attachments act later, unseen by the checks of minions in play. `harmless` is a side
    // whose order is the same.
    bool ordered_program(ProgramCounter start, std::optional<Side> harmless = std::nullopt) const {
        return any_of(start, [&](const Instruction& instruction, const Selector& selector) {
            const bool draws_one = selector.pick == Pick::random && selector.count == 1;
            return (one_by_one(selector) && !draws_one && selector.side != harmless) || instruction.op == Op::attach;
        });
    }

    // Whether an instruction of a program looks at neighbours, or passes the test with one of its selectors.
    template <class Test>
    bool any_of(ProgramCounter start, const Test& test) const {
        if (start == 0) return false;
        for (std::size_t at = start; set_.instructions[at].op != Op::end; ++at) {
            const Instruction& instruction = set_.instructions[at];
            for (const TableIndex selector : {instruction.selector, instruction.selector2}) {
                if (neighbours(selector) || test(instruction, set_.selectors[selector])) return true;
            }
            if (number(instruction.amount) || number(instruction.amount2) || condition(instruction.condition))
                return true;
        }
        return false;
    }

    const CardSet& set_;
};

// Whether a minion that `player` played from a hand, leading from `before` to `after`, could have been put anywhere
// with the same result except for the order of its board. Random results can always differ.
inline bool placed_alike(const CardSet& cards, const State& before, const State& after, int player, CardId played) {
    if (cards[played].minds_own_place || after.graves != 0 || after.phase != Phase::main) return false;
    const auto minds = [&](CardId card) { return cards[card].minds_places; };
    for (const Player& side : after.players) {
        for (int i = 0; i < side.board_size; ++i) {
            const Minion& minion = after.minions[side.board[i]];
            if (minds(minion.card) || minion.attached > 0) return false;
        }
        if (minds(side.weapon.card)) return false;
    }
    const Player& enemy = before.players[player ^ 1];
    for (int i = 0; i < enemy.secret_count; ++i) {
        if (minds(enemy.secrets[i].card)) return false;
    }
    return true;
}

// Whether the board of `player` is the same as before except for a new minion at its left end.
inline bool only_newcomer_at_left(const State& before, const State& after, int player) {
    const Player& old = before.players[player];
    const Player& own = after.players[player];
    return own.board_size == old.board_size + 1 && std::equal(old.board, old.board + old.board_size, own.board + 1);
}

}  // namespace deckatlas::hearthstone
