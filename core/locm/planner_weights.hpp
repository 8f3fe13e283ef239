// Legends of Code and Magic: the weights of the turn planner's rating, and the value of a creature.
#pragma once

#include <cstddef>

#include "locm/battle.hpp"
#include "locm/cards.hpp"

namespace deckatlas::locm {

// The weights of the rating, found by experiments/locm-planner.
struct PlannerWeights {
    int body = 19;  // a creature that can deal damage
    int attack = 67;
    int defense = 26;
    int ward = 27;  // times attack
    int lethal = 107;
    int guard = 16;
    int guard_defense = 1;  // times defence
    int drain = 12;         // times attack
    int breakthrough = 5;   // times attack
    int own_health = 19;
    int enemy_health = 16;
    int own_low = 23;      // in addition, for each of the last ten points of own health
    int enemy_low = 8;     // the same for the enemy
    int card = 89;         // a card in hand
    int enemy_draw = 4;    // a card that the enemy will draw
    int draw = 57;         // a card to be drawn
    int threat = 18;       // own attackers that no Guard stops could win next turn
    int enemy_board = 83;  // value of an enemy creature in percent of an own one

    static constexpr std::size_t kNumbers = 18;
    static constexpr int kLargest = 1'000;  // larger weights could overflow a rating

    // The weights in the order above.
    static constexpr PlannerWeights from_numbers(const int* n) {
        return {n[0], n[1],  n[2],  n[3],  n[4],  n[5],  n[6],  n[7],  n[8],
                n[9], n[10], n[11], n[12], n[13], n[14], n[15], n[16], n[17]};
    }
};

// The value of a creature for its owner.
constexpr int worth(const PlannerWeights& weights, int attack, int defense, int keywords) {
    int value = (keywords & kGuard) != 0 ? weights.guard + weights.guard_defense * defense : 0;
    if (attack == 0) return value;
    value += weights.body + weights.attack * attack + weights.defense * defense;
    if ((keywords & kWard) != 0) value += weights.ward * attack;
    if ((keywords & kLethal) != 0) value += weights.lethal;
    if ((keywords & kDrain) != 0) value += weights.drain * attack;
    if ((keywords & kBreakthrough) != 0) value += weights.breakthrough * attack;
    return value;
}
constexpr int worth(const PlannerWeights& weights, Creature creature) {
    return worth(weights, creature.attack(), creature.defense(), creature.keywords());
}

}  // namespace deckatlas::locm
