// Hearthstone: which cards use hidden information, so that playing one reveals some of it.
#pragma once

#include "hearthstone/actions.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// Cards in the opponent's hand or deck. May be true too often, never too rarely.
class HiddenSight {
public:
    explicit HiddenSight(const CardSet& cards) : cards_(cards) {}

    bool is_needed_by(const State& state, const Action& action) const {
        return action.kind == ActionKind::play && is_needed_by(state.players[state.active].hand[action.source].card);
    }

    bool is_needed_by(CardId id) const {
        const Card& card = cards_[id];
        for (const Play* const play : {&card.play, &card.combo, &card.choice[0], &card.choice[1]}) {
            if (program(play->program)) return true;
        }
        return false;
    }

private:
    bool program(ProgramCounter start) const {
        for (std::size_t at = start; start != 0 && cards_.instructions[at].op != Op::end; ++at) {
            const Instruction& instruction = cards_.instructions[at];
            if (selector(instruction.selector) || selector(instruction.selector2) || number(instruction.amount) ||
                number(instruction.amount2) || selector(cards_.conditions[instruction.condition].selector))
                return true;
        }
        return false;
    }
    bool number(TableIndex index) const { return selector(cards_.numbers[index].selector); }
    bool selector(TableIndex index) const {
        const Selector& selector = cards_.selectors[index];
        return (selector.base == Base::hand || selector.base == Base::deck) && selector.side != Side::mine;
    }

    const CardSet& cards_;
};

}  // namespace deckatlas::hearthstone
