// Hearthstone: the targets of actions, as codes and as sets.
#pragma once

#include <bit>
#include <cstdint>

#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// The target of an action, seen by the player to move: 0 no target, 1 the own hero, 2 to 8 own minions from the left,
// 9 the enemy hero, 10 to 16 its minions.
using TargetCode = std::uint8_t;
inline constexpr TargetCode kNoTarget = 0;
inline constexpr TargetCode kOwnHero = 1;
inline constexpr TargetCode kEnemyHero = kOwnHero + kBoardLimit + 1;
inline constexpr int kTargetCodes = 2 * (kBoardLimit + 1) + 1;

// Bits of a TargetMask, in the order of the papers' programs: heroes, then the enemy's minions, then the own ones; last
// a bit for no target, so that an action without a target is a set of one.
inline constexpr int kEnemyMinionsAt = 2;
inline constexpr int kOwnMinionsAt = kEnemyMinionsAt + kBoardLimit;
inline constexpr int kNobodyAt = kOwnMinionsAt + kBoardLimit;
inline constexpr TargetMask kWholeBoard = (1u << kBoardLimit) - 1;
inline constexpr TargetMask kOwnHeroMask = 1u << 0;
inline constexpr TargetMask kEnemyHeroMask = 1u << 1;
inline constexpr TargetMask kEnemyMinionsMask = kWholeBoard << kEnemyMinionsAt;
inline constexpr TargetMask kOwnMinionsMask = kWholeBoard << kOwnMinionsAt;
inline constexpr TargetMask kNobodyMask = 1u << kNobodyAt;

constexpr TargetCode code_at(int bit) {
    if (bit == kNobodyAt) return kNoTarget;
    if (bit >= kOwnMinionsAt) return static_cast<TargetCode>(kOwnHero + 1 + bit - kOwnMinionsAt);
    if (bit >= kEnemyMinionsAt) return static_cast<TargetCode>(kEnemyHero + 1 + bit - kEnemyMinionsAt);
    return bit == 0 ? kOwnHero : kEnemyHero;
}

// The lowest element after skipping the `skipped` lowest ones; the set must have more elements than that.
constexpr int nth_bit(std::uint64_t set, int skipped) {
    for (; skipped > 0; --skipped) set &= set - 1;
    return std::countr_zero(set);
}

constexpr Ref ref_of(const State& state, TargetCode code) {
    if (code == kNoTarget) return Ref();
    const int player = code < kEnemyHero ? state.active : state.active ^ 1;
    const int index = code < kEnemyHero ? code - kOwnHero : code - kEnemyHero;
    if (index == 0) return Ref::hero(player);
    if (index > state.players[player].board_size) return Ref();
    return Ref::minion(state.players[player].board[index - 1]);
}

}  // namespace deckatlas::hearthstone
