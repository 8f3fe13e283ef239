// Legends of Code and Magic: a cached search for a player's best attacks in one lane.
//
// Lanes are independent: nothing that happens in one matters in the other. Many ways to end a turn leave a lane in the
// same state, so the results are cached.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/fixed_vector.hpp"
#include "locm/battle.hpp"
#include "locm/planner_weights.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

// An attack on a creature, with the places of both in their lane at that time.
struct LaneAttack {
    std::uint8_t from = 0;
    std::uint8_t to = 0;
};
using LaneAttacks = FixedVector<LaneAttack, kLaneSize>;

struct LaneReply {
    LaneAttacks attacks;  // on creatures, in order; the creatures still ready attack the face, if no Guard is left
    int gain = 0;         // the attacker's gain by these attacks
    int most_damage = 0;  // the most damage to the face by any attacks
};

// Carries out the attacks for the player to move, including those on the face.
inline void play_attacks(Battle& battle, int lane, const LaneAttacks& attacks) {
    for (const LaneAttack attack : attacks) {
        attack_creature(battle, slot_of(lane, attack.from), slot_of(lane, attack.to));
    }
    if (lane_bits(battle.enemy().guards, lane) != 0) return;
    for (int left = lane_bits(battle.own().ready, lane); left != 0; left &= left - 1) {
        attack_face(battle, slot_of(lane, std::countr_zero(static_cast<unsigned>(left))));
    }
}

class LaneReplies {
public:
    explicit LaneReplies(const PlannerWeights& weights) : weights_(weights) {}

    // The player to move's best attacks in a lane in which all its creatures are ready.
    const LaneReply& best(const Battle& battle, int lane) {
        const Lane now = lane_of_battle(battle, lane);
        const Key key = key_of(now);
        Remembered& known = remembered_[place_of(key)];
        if (known.key != key) {
            known.key = key;
            known.reply = LaneReply();
            known.reply.gain = std::numeric_limits<int>::min();
            LaneAttacks attacks;
            search(now, 0, attacks, known.reply);
        }
        return known.reply;
    }

private:
    struct Lane {
        Creature own[kLaneSize];
        Creature enemy[kLaneSize];
        int ready;       // places of own creatures
        int guards;      // places of enemy creatures
        int enemies;     // number of enemy creatures
        int damage = 0;  // done to the enemy's face so far
    };

    // The creatures in order; with all own ones ready, a reply depends on nothing else. Creatures have positive
    // defence, so 0 is an empty place. A lane without creatures has the key of an empty cache entry, whose reply is
    // correct for it: no attacks.
    using Key = std::array<std::uint32_t, 2 * kLaneSize>;
    struct Remembered {
        Key key{};
        LaneReply reply;
    };
    static constexpr int kPlacesBits = 8;  // a cache four times as large is not faster

    static Lane lane_of_battle(const Battle& battle, int lane) {
        const Side& own = battle.own();
        const Side& enemy = battle.enemy();
        const auto& ours = own.lanes[lane];
        const auto& theirs = enemy.lanes[lane];
        assert(lane_bits(own.ready, lane) == (1 << own.count[lane]) - 1);
        return {.own = {ours[0], ours[1], ours[2]},
                .enemy = {theirs[0], theirs[1], theirs[2]},
                .ready = lane_bits(own.ready, lane),
                .guards = lane_bits(enemy.guards, lane),
                .enemies = enemy.count[lane]};
    }

    static Key key_of(const Lane& lane) {
        return {lane.own[0].strength(),   lane.own[1].strength(),   lane.own[2].strength(),
                lane.enemy[0].strength(), lane.enemy[1].strength(), lane.enemy[2].strength()};
    }

    static std::size_t place_of(const Key& key) {
        const auto two = [&key](std::size_t i) { return key[i] | static_cast<std::uint64_t>(key[i + 1]) << 32; };
        const std::uint64_t hash =
            (two(0) * 0x9E3779B97F4A7C15ull + two(2)) * 0xBF58476D1CE4E5B9ull + two(4) * 0x94D049BB133111EBull;
        return static_cast<std::size_t>(hash >> (64 - kPlacesBits));
    }

    // Tries every order of attacks on creatures; the remaining attackers attack the face.
    void search(const Lane& lane, int gain, LaneAttacks& attacks, LaneReply& found) const {
        end_with_face(lane, gain, attacks, found);
        const int targets = lane.guards != 0 ? lane.guards : (1 << lane.enemies) - 1;
        for (int ready = lane.ready; ready != 0; ready &= ready - 1) {
            const int from = std::countr_zero(static_cast<unsigned>(ready));
            const Creature attacker = lane.own[from];
            if (attacker.attack() == 0) continue;
            for (int left = targets; left != 0; left &= left - 1) {
                const int to = std::countr_zero(static_cast<unsigned>(left));
                const Creature defender = lane.enemy[to];
                const Fight fight = resolve_fight(attacker, defender);
                attacks.push_back({static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)});
                const int gained = fight_gain(fight, attacker, defender);
                search(after_fight(lane, fight, from, to), gain + gained, attacks, found);
                attacks.pop_back();
            }
        }
    }

    // An attacker fights once per turn: its remaining stats no longer matter, only whether it dies and others move up.
    static Lane after_fight(Lane lane, const Fight& fight, int from, int to) {
        lane.ready &= ~(1 << from);
        if (fight.attacker_dies) {
            close_gap(lane.own, from);
            lane.ready = drop_slot(lane.ready, from);
        }
        if (fight.defender_dies) {
            close_gap(lane.enemy, to);
            lane.guards = drop_slot(lane.guards, to);
            --lane.enemies;
        } else {
            wound(lane.enemy[to], fight.dealt, true);
        }
        lane.damage -= fight.excess;
        return lane;
    }

    void end_with_face(const Lane& lane, int gain, const LaneAttacks& attacks, LaneReply& found) const {
        int damage = lane.damage;
        for (int left = lane.guards == 0 ? lane.ready : 0; left != 0; left &= left - 1) {
            const Creature attacker = lane.own[std::countr_zero(static_cast<unsigned>(left))];
            const int drained = attacker.has(kDrain) ? attacker.attack() : 0;
            damage += attacker.attack();
            gain += weights_.own_health * (attacker.attack() + drained);
        }
        if (damage > found.most_damage) found.most_damage = damage;
        if (gain <= found.gain) return;
        found.gain = gain;
        found.attacks = attacks;
    }

    // The value of a fight for the attacker, whose attack is not 0.
    int fight_gain(const Fight& fight, Creature attacker, Creature defender) const {
        int gain = worth(weights_, defender) - worth(weights_, attacker);
        if (!fight.defender_dies) {
            gain -= worth(weights_, defender.attack(), defender.defense() - fight.dealt, defender.keywords() & ~kWard);
        }
        if (!fight.attacker_dies) {
            const int kept = defender.attack() > 0 ? attacker.keywords() & ~kWard : attacker.keywords();
            gain += worth(weights_, attacker.attack(), attacker.defense() - fight.taken, kept);
        }
        return gain + weights_.own_health * (fight.heal - fight.excess);
    }

    PlannerWeights weights_;
    std::array<Remembered, std::size_t{1} << kPlacesBits> remembered_{};
};

}  // namespace deckatlas::locm
