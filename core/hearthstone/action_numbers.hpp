// Hearthstone: a number for every action, from 0 without gaps, the same in every state.
#pragma once

#include "hearthstone/actions.hpp"
#include "hearthstone/setup.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kChoiceCodes = 3;
inline constexpr int kPositions = kBoardLimit + 1;
inline constexpr int kAttackers = kBoardLimit + 1;
inline constexpr int kAttackTargets = kBoardLimit + 1;

// The numbers of a kind start where those of the kind before end.
inline constexpr int kFirstPlay = 1;
inline constexpr int kFirstPower = kFirstPlay + kHandLimit * kChoiceCodes * kTargetCodes * kPositions;
inline constexpr int kFirstAttack = kFirstPower + kTargetCodes;
inline constexpr int kFirstChoose = kFirstAttack + kAttackers * kAttackTargets;
inline constexpr int kFirstKeep = kFirstChoose + kChoices;
inline constexpr int kActionNumbers = kFirstKeep + (1 << kOpeningHands[1]);

constexpr int number_of(const Action& action) {
    switch (action.kind) {
        case ActionKind::end_turn: return 0;
        case ActionKind::play:
            return kFirstPlay +
                   ((action.source * kChoiceCodes + action.choice) * kTargetCodes + action.target) * kPositions +
                   action.position;
        case ActionKind::power: return kFirstPower + action.target;
        case ActionKind::attack: return kFirstAttack + action.source * kAttackTargets + (action.target - kEnemyHero);
        case ActionKind::choose: return kFirstChoose + action.source;
        case ActionKind::keep: return kFirstKeep + action.source;
    }
    return 0;
}

// The action of a number from 0 to kActionNumbers - 1.
constexpr Action action_of(int number) {
    Action action;
    const auto split = [&number](int parts) {
        const int rest = number % parts;
        number /= parts;
        return static_cast<std::uint8_t>(rest);
    };
    if (number == 0) return action;
    if (number < kFirstPower) {
        number -= kFirstPlay;
        action.kind = ActionKind::play;
        action.position = split(kPositions);
        action.target = split(kTargetCodes);
        action.choice = split(kChoiceCodes);
        action.source = static_cast<std::uint8_t>(number);
    } else if (number < kFirstAttack) {
        action.kind = ActionKind::power;
        action.target = static_cast<TargetCode>(number - kFirstPower);
    } else if (number < kFirstChoose) {
        number -= kFirstAttack;
        action.kind = ActionKind::attack;
        action.target = static_cast<TargetCode>(kEnemyHero + split(kAttackTargets));
        action.source = static_cast<std::uint8_t>(number);
    } else if (number < kFirstKeep) {
        action.kind = ActionKind::choose;
        action.source = static_cast<std::uint8_t>(number - kFirstChoose);
    } else {
        action.kind = ActionKind::keep;
        action.source = static_cast<std::uint8_t>(number - kFirstKeep);
    }
    return action;
}

constexpr bool numbers_are_dense() {
    for (int number = 0; number < kActionNumbers; ++number) {
        if (number_of(action_of(number)) != number) return false;
    }
    return true;
}
static_assert(numbers_are_dense());

}  // namespace deckatlas::hearthstone
