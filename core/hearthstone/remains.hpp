// Hearthstone: a number for a minion that died or left play for good. No rule uses it; searches that distinguish states
// like the papers' planner need to know how minions died.
#pragma once

#include <cstdint>

#include "common/random.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

inline std::uint64_t remains_of(const State& state, int place) {
    const Minion& dead = state.minions[place];
    const std::uint32_t marks = (state.attackers >> place & 1) | (state.defenders >> place & 1) << 1;
    const auto part = [](int number) { return std::uint64_t{static_cast<std::uint16_t>(number)}; };
    const std::uint64_t who =
        part(dead.card) | part(dead.stamp) << 16 | part(dead.attack) << 32 | part(dead.health) << 48;
    const std::uint64_t how = part(dead.damage) | std::uint64_t{dead.position} << 16 | std::uint64_t{marks} << 24 |
                              std::uint64_t{dead.keywords} << 32;
    return mix64(mix64(who) + how);
}

}  // namespace deckatlas::hearthstone
