// Legends of Code and Magic: an order of actions within a turn, for searches that want fewer sequences.
#pragma once

#include "locm/actions.hpp"

namespace deckatlas::locm {

// Summons before items before attacks. It excludes some plans: a lane cannot be cleared before a creature is summoned
// into the free place, nor a creature traded before an item is used.
struct MoveTypeOrder {
    constexpr int phase(Action action) const {
        switch (action.kind) {
            case ActionKind::attack: return 2;
            case ActionKind::use: return 1;
            default: return 0;
        }
    }
};

}  // namespace deckatlas::locm
