// Legends of Code and Magic: actions in a battle, and their fixed integer numbering for learning code.
#pragma once

#include <bit>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "locm/battle.hpp"

namespace deckatlas::locm {

enum class ActionKind : std::uint8_t { pass = 0, summon = 1, attack = 2, use = 3 };

inline constexpr int kFace = 15;  // the target "enemy player"; other targets are slots 0 to 6

// An action names a card by its position in the owner's deck and a creature by its slot. Aligned to a word, so that it
// fits one register.
struct alignas(4) Action {
    ActionKind kind = ActionKind::pass;
    std::uint8_t source = 0;  // summon, use: deck position of the card; attack: slot of the attacker
    std::uint8_t target = 0;  // summon: lane; attack, use: slot or kFace (green items: own slots, others: enemy slots)

    friend constexpr bool operator==(const Action&, const Action&) = default;
};

constexpr Action pass_action() { return {}; }
constexpr Action summon_action(int position, int lane) {
    return {ActionKind::summon, static_cast<std::uint8_t>(position), static_cast<std::uint8_t>(lane)};
}
constexpr Action attack_action(Slot attacker, int target) {
    return {ActionKind::attack, static_cast<std::uint8_t>(attacker), static_cast<std::uint8_t>(target)};
}
constexpr Action use_action(int position, int target) {
    return {ActionKind::use, static_cast<std::uint8_t>(position), static_cast<std::uint8_t>(target)};
}

// Passing, six attackers with at most four targets each, and eight cards in hand with at most seven targets each.
inline constexpr int kMaxActions = 1 + kLanes * kLaneSize * (kLaneSize + 1) + kHandLimit * (kLanes * kLaneSize + 1);
using ActionList = FixedVector<Action, kMaxActions>;

// Position of the n-th lowest set bit.
constexpr int nth_bit(std::uint32_t mask, int n) {
    for (; n > 0; --n) mask &= mask - 1;
    return std::countr_zero(mask);
}

// The same for sets of four, by table: one byte per set, two bits per n. The table is a pair of words and not an array,
// because a GPU has no arrays at namespace scope.
constexpr std::uint64_t pack_sets_of_four(std::uint32_t first) {
    std::uint64_t table = 0;
    for (std::uint32_t set = first; set < first + 8; ++set) {
        for (int n = 0; n < std::popcount(set); ++n) {
            table |= static_cast<std::uint64_t>(nth_bit(set, n)) << ((set - first) * 8 + static_cast<unsigned>(n) * 2);
        }
    }
    return table;
}
inline constexpr std::uint64_t kSmallSetsOfFour = pack_sets_of_four(0);
inline constexpr std::uint64_t kLargeSetsOfFour = pack_sets_of_four(8);

constexpr int nth_of_four(std::uint32_t set, std::uint32_t n) {
    const std::uint64_t table = (set & 8u) != 0 ? kLargeSetsOfFour : kSmallSetsOfFour;
    return static_cast<int>(table >> ((set & 7u) * 8 + n * 2) & 3u);
}

// Fixed numbering. 0 is PASS; then summons (hand index, lane), attacks (attacker, face or creature of its lane), uses
// (hand index; own creatures, enemy creatures, face); the three picks of the draft come last.
inline constexpr int kSlots = kLanes * kLaneSize;
inline constexpr int kUseTargets = 2 * kSlots + 1;
inline constexpr int kFirstSummon = 1;
inline constexpr int kFirstAttack = kFirstSummon + kHandLimit * kLanes;
inline constexpr int kFirstUse = kFirstAttack + kSlots * (kLaneSize + 1);
inline constexpr int kFirstPick = kFirstUse + kHandLimit * kUseTargets;
inline constexpr int kActionNumbers = kFirstPick + 3;
static_assert(kActionNumbers == 148);

constexpr int dense_slot(Slot slot) { return lane_of(slot) * kLaneSize + index_of(slot); }
constexpr Slot sparse_slot(int dense) { return slot_of(dense / kLaneSize, dense % kLaneSize); }

constexpr int action_number(const Deal& deal, const Battle& battle, Action action) {
    const std::uint32_t hand = battle.own().hand;
    const auto hand_index = [hand](int position) { return std::popcount(hand & ((1u << position) - 1)); };
    switch (action.kind) {
        case ActionKind::pass: return 0;
        case ActionKind::summon: return kFirstSummon + hand_index(action.source) * kLanes + action.target;
        case ActionKind::attack: {
            const int target = action.target == kFace ? 0 : 1 + index_of(action.target);
            return kFirstAttack + dense_slot(action.source) * (kLaneSize + 1) + target;
        }
        case ActionKind::use: break;
    }
    const bool green = deal.of_type[battle.active()][static_cast<int>(CardType::green)] >> action.source & 1u;
    const int target = action.target == kFace ? 2 * kSlots : dense_slot(action.target) + (green ? 0 : kSlots);
    return kFirstUse + hand_index(action.source) * kUseTargets + target;
}

// The inverse for battle actions; `number` must be in [0, kFirstPick). The result may be illegal and must be checked: a
// hand index past the hand gives a card that is not in hand, and only the item's type gives the side of a use's target.
constexpr Action numbered_action(const Deal& deal, const Battle& battle, int number) {
    const Side& own = battle.own();
    const auto position = [&own](int index) { return index < own.hand_size() ? nth_bit(own.hand, index) : 31; };
    if (number == 0) return pass_action();
    if (number < kFirstAttack) {
        const int offset = number - kFirstSummon;
        return summon_action(position(offset / kLanes), offset % kLanes);
    }
    if (number < kFirstUse) {
        const int offset = number - kFirstAttack;
        const Slot attacker = sparse_slot(offset / (kLaneSize + 1));
        const int target = offset % (kLaneSize + 1);
        return attack_action(attacker, target == 0 ? kFace : slot_of(lane_of(attacker), target - 1));
    }
    const int offset = number - kFirstUse;
    const int card = position(offset / kUseTargets);
    const int target = offset % kUseTargets;
    if (target == 2 * kSlots) return use_action(card, kFace);
    const bool green = deal.of_type[battle.active()][static_cast<int>(CardType::green)] >> card & 1u;
    if (green != (target < kSlots)) return use_action(31, 0);
    return use_action(card, sparse_slot(target % kSlots));
}

}  // namespace deckatlas::locm
