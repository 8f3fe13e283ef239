// A turn of Legends of Code and Magic planned in advance, as the contest's programs send it to the referee.
//
// Such a program reads the cards once and prints all its commands. The referee tries one command after the other and
// skips those that are illegal by then, so a plan may contain commands that will fail.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "common/fixed_vector.hpp"
#include "locm/actions.hpp"
#include "locm/battle.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

// The slots of a side's creatures in the order of the protocol.
using SlotList = FixedVector<Slot, kSlots>;
constexpr SlotList slots_in_summoning_order(const Side& side) {
    SlotList slots;
    int listed[kLanes] = {0, 0};
    for (int age = 0; age < side.creatures(); ++age) {
        const int lane = side.order >> age & 1;
        slots.push_back(slot_of(lane, listed[lane]++));
    }
    return slots;
}

class CommandPlan {
public:
    static constexpr int kNoCard = 31;  // the target "enemy player", which has no deck position

    bool is_for(const Battle& battle) const { return turn_ == battle.turn; }
    void begin(const Battle& battle) {
        turn_ = battle.turn;
        next_ = 0;
        commands_.clear();
    }

    // Cards are given by their deck positions, which stay the same while slots change.
    void summon(int position, int lane) { add(ActionKind::summon, position, lane); }
    void attack(int position, int target) { add(ActionKind::attack, position, target); }
    void use(int position, int target) { add(ActionKind::use, position, target); }

    // The next command that is legal now; PASS if none is left.
    Action next(const Deal& deal, const Battle& battle) {
        while (next_ < commands_.size()) {
            const std::optional<Action> action = resolve(deal, battle, commands_[next_++]);
            if (action && is_legal(deal, battle, *action)) return *action;
        }
        return pass_action();
    }

private:
    struct PlannedCommand {
        ActionKind kind;
        std::uint8_t source;  // deck position
        std::uint8_t target;  // summon: lane; attack, use: deck position or kNoCard
    };
    // Every creature at the face and at every enemy; every card in hand to both lanes.
    static constexpr int kCapacity = kSlots * (1 + kSlots) + kHandLimit * kLanes;

    void add(ActionKind kind, int source, int target) {
        commands_.push_back({kind, static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(target)});
    }

    static std::optional<Slot> find(const Side& side, int position) {
        for (int left = side.occupied(); left != 0; left &= left - 1) {
            const Slot slot = std::countr_zero(static_cast<unsigned>(left));
            if (side.at(slot).position() == position) return slot;
        }
        return std::nullopt;
    }

    static std::optional<Action> resolve(const Deal& deal, const Battle& battle, PlannedCommand command) {
        if (command.kind == ActionKind::summon) return summon_action(command.source, command.target);
        int target = kFace;
        if (command.target != kNoCard) {
            const std::uint32_t green = deal.of_type[battle.active()][static_cast<int>(CardType::green)];
            const bool helps = command.kind == ActionKind::use && (green >> command.source & 1u) != 0;
            const std::optional<Slot> slot = find(helps ? battle.own() : battle.enemy(), command.target);
            if (!slot) return std::nullopt;
            target = *slot;
        }
        if (command.kind == ActionKind::use) return use_action(command.source, target);
        const std::optional<Slot> attacker = find(battle.own(), command.source);
        return attacker ? std::optional(attack_action(*attacker, target)) : std::nullopt;
    }

    FixedVector<PlannedCommand, kCapacity> commands_;
    std::size_t next_ = 0;
    std::int32_t turn_ = -1;
};

}  // namespace deckatlas::locm
