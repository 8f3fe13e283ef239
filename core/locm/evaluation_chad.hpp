// Legends of Code and Magic: Chad's rating of positions.
#pragma once

#include <cstdint>

#include "locm/battle.hpp"

namespace deckatlas::locm {

// Seen by `player`: squares of the lost health, and creatures with weights for each seat, with a few bonuses for
// matchups of own and enemy creatures in a lane.
class ChadRating {
public:
    constexpr double operator()(const Battle& battle, int player) const {
        const Side& own = battle.sides[player];
        const Side& enemy = battle.sides[player ^ 1];
        double score = health(own.health, enemy.health, player);
        for (int lane = 0; lane < kLanes; ++lane) {
            bool lethal = false;
            for (int i = 0; i < enemy.count[lane]; ++i) {
                const Creature creature = enemy.lanes[lane][i];
                lethal = lethal || creature.has(kLethal);
                score -= kEnemyCreature * worth(creature, player);
            }
            const bool guarded = lane_bits(enemy.guards, lane) != 0;
            const bool unopposed = enemy.count[lane] == 0 && enemy.count[lane ^ 1] > 0;
            for (int i = 0; i < own.count[lane]; ++i) {
                const Creature creature = own.lanes[lane][i];
                double value = kOwnCreature * worth(creature, player);
                if (unopposed && creature.has(kGuard)) value *= kIdleGuard;
                if (lethal && creature.defense() > kLargeDefense) value *= kFacingLethal;
                if (guarded && creature.has(kLethal)) value *= kLethalAgainstGuard;
                score += value;
            }
        }
        return score;
    }

    static constexpr double kPassed = -250.0 / 5500.0;  // added once the turn has ended

private:
    static constexpr double kScale = 1.0 / 5500.0;
    static constexpr double kDeath = 55000.0 * kScale;
    static constexpr double kEnemyHealth[2] = {12.45 * kScale, 14.45 * kScale};
    static constexpr double kOwnHealth[2] = {8.5 * kScale, 9.5 * kScale};
    static constexpr double kOwnCreature = 1.6;
    static constexpr double kEnemyCreature = 1.8;
    static constexpr double kIdleGuard = 1.3;
    static constexpr double kFacingLethal = 0.8;
    static constexpr double kLethalAgainstGuard = 1.3;
    static constexpr int kLargeDefense = 5;

    // By seat: attack; Breakthrough, Charge; Guard; Lethal; Ward, Drain.
    static constexpr double kWeights[2][7] = {{7.450, 2.457, 0.540, 2.213, 0.0229, 1.315, 7.609},
                                              {8.747, 4.039, 0.540, 3.546, 0.0179, 7.488, 8.871}};

    // A creature's worth is linear in attack and defence, with factors that depend on its keywords.
    struct Factors {
        double attack;
        double defense;
        double lethal;  // if it has any attack
    };
    struct FactorTable {
        Factors of[2][1 << kKeywords] = {};

        constexpr FactorTable() {
            for (int seat = 0; seat < 2; ++seat) {
                const auto& w = kWeights[seat];
                double sum = 0;
                for (const double weight : w) sum += weight;
                const double scale = 1.0 / (9.6 * sum);
                for (int k = 0; k < 1 << kKeywords; ++k) {
                    const auto if_has = [k](Keyword keyword, double x) { return (k & keyword) != 0 ? x : 0.0; };
                    of[seat][k] = {scale * (w[0] + if_has(kBreakthrough, w[1]) + if_has(kCharge, w[2]) +
                                            if_has(kWard, w[5]) + if_has(kDrain, w[6])),
                                   scale * (1.0 + if_has(kGuard, w[3])), scale * if_has(kLethal, 100.0 * w[4])};
                }
            }
        }
    };
    static const FactorTable kFactors;

    static constexpr double worth(Creature creature, int player);

    static constexpr double health(int own, int enemy, int player) {
        if (enemy <= 0) return kDeath;
        if (own <= 0) return -kDeath;
        const auto lost_squared = [](int health) {
            const double lost = kStartHealth - health;
            return lost * lost;
        };
        return kEnemyHealth[player] * lost_squared(enemy) - kOwnHealth[player] * lost_squared(own);
    }
};

inline constexpr ChadRating::FactorTable ChadRating::kFactors{};

constexpr double ChadRating::worth(Creature creature, int player) {
    const Factors& factors = kFactors.of[player][creature.keywords()];
    return creature.attack() * factors.attack + creature.defense() * factors.defense +
           (creature.attack() > 0 ? factors.lethal : 0.0);
}

}  // namespace deckatlas::locm
