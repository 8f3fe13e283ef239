// Checks the planner's cache of lanes against a search that carries out every attack by the rules.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "checks.hpp"
#include "locm/lane_replies.hpp"
#include "locm/state.hpp"

namespace deckatlas::locm::tests {

// The best attacks of the player to move in a lane, each carried out on the whole battle.
class LaneSearch {
public:
    LaneSearch(const PlannerWeights& weights, const Battle& battle, int lane)
        : weights_(weights), start_(battle), lane_(lane) {
        found.gain = std::numeric_limits<int>::min();
        search(battle);
    }

    LaneReply found;

private:
    void search(const Battle& battle) {
        Battle end = battle;
        play_attacks(end, lane_, {});
        found.most_damage = std::max(found.most_damage, start_.enemy().health - end.enemy().health);
        const int gain = board_gain(battle) + weights_.own_health * health_gain(end);
        if (gain > found.gain) {
            found.gain = gain;
            found.attacks = attacks_;
        }
        for (int ready = lane_bits(battle.own().ready, lane_), from = 0; from < kLaneSize; ++from) {
            if ((ready >> from & 1) != 0 && battle.own().lanes[lane_][from].attack() > 0) attack(battle, from);
        }
    }

    void attack(const Battle& battle, int from) {
        for (int targets = attack_targets(battle.enemy(), lane_), to = 0; to < kLaneSize; ++to) {
            if ((targets >> to & 1) == 0) continue;
            Battle next = battle;
            attack_creature(next, slot_of(lane_, from), slot_of(lane_, to));
            attacks_.push_back({static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)});
            search(next);
            attacks_.pop_back();
        }
    }

    int board(const Side& side) const {
        int total = 0;
        for (int i = 0; i < side.count[lane_]; ++i) total += worth(weights_, side.lanes[lane_][i]);
        return total;
    }
    int board_gain(const Battle& now) const {
        return board(now.own()) - board(start_.own()) + board(start_.enemy()) - board(now.enemy());
    }
    int health_gain(const Battle& now) const {
        return now.own().health - start_.own().health + start_.enemy().health - now.enemy().health;
    }

    const PlannerWeights weights_;
    const Battle start_;
    int lane_;
    LaneAttacks attacks_;
};

// Any weights that the planner accepts, small ones more often: then many replies have equal values.
inline PlannerWeights draw_weights(Rng& rng) {
    const int largest = rng.below(2) == 0 ? 3 : PlannerWeights::kLargest;
    int numbers[PlannerWeights::kNumbers];
    for (int& number : numbers)
        number = static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * largest + 1))) - largest;
    return PlannerWeights::from_numbers(numbers);
}

inline void check_replies(const State& state, const PlannerWeights& weights, LaneReplies& replies) {
    Battle battle = state.battle;
    battle.sides[battle.active()].ready = static_cast<std::uint8_t>(battle.own().occupied());
    for (int lane = 0; lane < kLanes; ++lane) {
        const LaneReply expected = LaneSearch(weights, battle, lane).found;
        const LaneReply& remembered = replies.best(battle, lane);
        CHECK(remembered.gain == expected.gain && remembered.most_damage == expected.most_damage, state);
        Battle one = battle;
        Battle other = battle;
        play_attacks(one, lane, expected.attacks);
        play_attacks(other, lane, remembered.attacks);
        CHECK(hash_battle(one) == hash_battle(other), state);
    }
}

}  // namespace deckatlas::locm::tests
