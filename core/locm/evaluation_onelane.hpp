// Legends of Code and Magic: OneLaneIsEnough's rating of positions.
#pragma once

#include "locm/battle.hpp"

namespace deckatlas::locm {

// Seen by `player`, in hundredths: a creature is attack * (2, with Ward 3) + defence + 2 for Guard, and the enemy's
// count a quarter more; a little for cards in hand and health; death outweighs everything.
struct OneLaneRating {
    constexpr int operator()(const Battle& battle, int player) const {
        const Side& own = battle.sides[player];
        const Side& enemy = battle.sides[player ^ 1];
        const int death = (enemy.health <= 0 ? kDeath : 0) - (own.health <= 0 ? kDeath : 0);
        return kOwnCreature * board(own) - kEnemyCreature * board(enemy) + kCard * own.hand_size() +
               kHealth * (own.health - enemy.health) + death;
    }

    static constexpr int kDeath = 100'000;

private:
    static constexpr int kOwnCreature = 100;
    static constexpr int kEnemyCreature = 125;
    static constexpr int kCard = 2;
    static constexpr int kHealth = 10;

    static constexpr int board(const Side& side) {
        int total = 0;
        for (const auto& lane : side.lanes) {
            for (const Creature& creature : lane) {
                const int weight = creature.has(kWard) ? 3 : 2;
                total += creature.attack() * weight + creature.defense() + (creature.has(kGuard) ? 2 : 0);
            }
        }
        return total;
    }
};

}  // namespace deckatlas::locm
