// Hearthstone: what the end of a turn changes by itself, for the rules and for ratings that look ahead to it.
#pragma once

#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// Whether a frozen minion thaws at the end of its controller's turn: it could have attacked if it were not frozen.
inline bool thaws(const CardSet& cards, const Minion& minion) {
    const bool by_mark = (cards.rules & kExhaustionIsMark) != 0;
    const bool awake = !minion.exhausted || (minion.has(kCharge) && !by_mark);
    return awake && !(minion.borrowed && by_mark) && minion.attacks == 0;
}

// The same for a hero.
inline bool thaws(const Player& hero) { return hero.attacks == 0; }

// Whether a temporary effect of a player remains.
inline bool outlasts_turn(const ActiveEnchantment& active) {
    return active.duration == Duration::permanent ||
           (active.duration == Duration::opponents_next_turn && active.begun == 0);
}

}  // namespace deckatlas::hearthstone
