// A plan for the rest of a turn of Hearthstone: actions that say whom they are about.
#pragma once

#include <cstdint>

#include "common/fixed_vector.hpp"
#include "hearthstone/actions.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kLongestPlan = 32;  // actions

// An action of a plan, and who it is about, whatever their places are when it is carried out.
struct PlannedAction {
    Action action;
    CardId card = 0;             // that is played
    std::uint16_t attacker = 0;  // stamps of minions
    std::uint16_t target = 0;

    friend constexpr bool operator==(const PlannedAction&, const PlannedAction&) = default;
};

inline PlannedAction planned(const State& state, const Action& action) {
    PlannedAction out{action};
    if (action.kind == ActionKind::play) out.card = state.players[state.active].hand[action.source].card;
    if (action.kind == ActionKind::attack && action.source > 0)
        out.attacker = state.on_board(state.active, action.source - 1).stamp;
    if (const Ref target = ref_of(state, action.target); target.is_minion())
        out.target = state.minions[target.place()].stamp;
    return out;
}

struct Plan {
    int score = 0;           // of the state that it leads to
    int end_nodes = 0;       // different states that end the turn or the game, over all levels
    std::int64_t nodes = 0;  // states that were made
    bool random = false;     // whether anything in the search was drawn at random
    FixedVector<PlannedAction, kLongestPlan> actions;
};

}  // namespace deckatlas::hearthstone
