// Hearthstone: an estimate of how an attack changes a rating, without carrying it out.
#pragma once

#include "common/fixed_vector.hpp"
#include "hearthstone/actions.hpp"
#include "hearthstone/evaluation_position.hpp"

namespace deckatlas::hearthstone {

class AttackGuess {
public:
    AttackGuess(const PositionEvaluation& evaluation, const CardSet& cards, const State& state)
        : evaluation_(evaluation), state_(state) {
        for (int i = 0; i < state.players[state.active].board_size; ++i)
            own_.push_back(evaluation.fighter_of(cards, state.on_board(state.active, i)));
        for (int i = 0; i < state.players[state.active ^ 1].board_size; ++i)
            enemy_.push_back(evaluation.fighter_of(cards, state.on_board(state.active ^ 1, i)));
    }

    // For an attack by a minion.
    int gain(const Action& action) const {
        PositionEvaluation::Fighter attacker = own_[action.source - 1u];
        attacker.attack = state_.on_board(state_.active, action.source - 1).current_attack();
        if (action.target == kEnemyHero) return evaluation_.face_loss(state_, state_.active, attacker.attack);
        const PositionEvaluation::Fighter& target = enemy_[action.target - kEnemyHero - 1u];
        const int gained = evaluation_.loss(target, attacker);
        return evaluation_.percent(gained, evaluation_.weights.enemy_board) - evaluation_.loss(attacker, target);
    }

private:
    const PositionEvaluation& evaluation_;
    const State& state_;
    FixedVector<PositionEvaluation::Fighter, kBoardLimit> own_;
    FixedVector<PositionEvaluation::Fighter, kBoardLimit> enemy_;
};

}  // namespace deckatlas::hearthstone
