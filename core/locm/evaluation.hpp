// Legends of Code and Magic: what agents think a position is worth.
#pragma once

#include "locm/battle.hpp"

namespace deckatlas::locm {

// The "simple" rating of the contest's research players, seen by `player`: death, health, number and size of creatures.
struct SimpleRating {
    static constexpr int kDeath = 1000;
    static constexpr int kHealth = 2;
    static constexpr int kCreature = 10;

    static constexpr int board(const Side& side) {
        int total = 0;
        for (const auto& lane : side.lanes) {
            for (const Creature& creature : lane) total += creature.attack() + creature.defense();
        }
        return total + kCreature * side.creatures();
    }

    constexpr int operator()(const Battle& battle, int player) const {
        const Side& own = battle.sides[player];
        const Side& enemy = battle.sides[player ^ 1];
        int rating = kHealth * (own.health - enemy.health) + board(own) - board(enemy);
        if (enemy.health <= 0) rating += kDeath;
        if (own.health <= 0) rating -= kDeath;
        return rating;
    }
};

}  // namespace deckatlas::locm
