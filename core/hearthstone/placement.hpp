// Hearthstone: whether the position of a played minion matters. Where it does not, a search can treat all positions as
// one.
#pragma once

#include <algorithm>

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
        for (int k = 0; k < card.triggers.count; ++k) {
            const Trigger& trigger = set_.triggers[static_cast<std::size_t>(card.triggers.first + k)];
            if (neighbours(trigger.source) || neighbours(trigger.target) || condition(trigger.condition) ||
                program(trigger.program, Except::attacker_and_defender))
                return true;
        }
        for (int k = 0; k < card.auras.count; ++k) {
            const Aura& aura = set_.auras[static_cast<std::size_t>(card.auras.first + k)];
            if (neighbours(aura.selector) || number(aura.attack) || number(aura.health) || condition(aura.condition))
                return true;
        }
        return false;
    }

private:
    bool neighbours(TableIndex selector) const {
        const Base base = set_.selectors[selector].base;
        return base == Base::adjacent_to_self || base == Base::adjacent_to_target || base == Base::target_and_adjacent;
    }
    bool number(TableIndex index) const { return neighbours(set_.numbers[index].selector); }
    bool condition(TableIndex index) const { return neighbours(set_.conditions[index].selector); }

    // An effect on several minions of a side acts on one after the other, from the left, unless the new one is
    // excluded.
    bool one_by_one(TableIndex index, Except leaves_newcomer_out) const {
        const Selector& selector = set_.selectors[index];
        return (selector.base == Base::minions || selector.base == Base::characters) && selector.side != Side::enemy &&
               selector.except != leaves_newcomer_out;
    }

    bool program(ProgramCounter start, Except leaves_newcomer_out) const {
        if (start == 0) return false;
        for (std::size_t at = start; set_.instructions[at].op != Op::end; ++at) {
            const Instruction& instruction = set_.instructions[at];
            for (const TableIndex selector : {instruction.selector, instruction.selector2}) {
                if (neighbours(selector) || one_by_one(selector, leaves_newcomer_out)) return true;
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
