// Legends of Code and Magic: ReinforcedGreediness's rating of positions.
#pragma once

#include <cstdint>

#include "locm/battle.hpp"
#include "locm/cards.hpp"

namespace deckatlas::locm {

// ReinforcedGreediness's weights of keywords, in units of 1e-10, added up for each set of them.
struct KeywordWeights {
    std::int64_t of[1 << kKeywords] = {};

    constexpr KeywordWeights() {
        constexpr std::int64_t kEach[kKeywords] = {2653632695, 0, 5596083779, 711429871, 1433951645, 2955693950};
        for (int set = 0; set < 1 << kKeywords; ++set) {
            for (int i = 0; i < kKeywords; ++i) of[set] += (set >> i & 1) != 0 ? kEach[i] : 0;
        }
    }
};
inline constexpr KeywordWeights kKeywordWeights;

// Death, health, hand and creatures, with a weight for each keyword, seen by `player`. Creatures are summed in whole
// units of 1e-10, the precision of the weights, so positions that differ only in the order of their creatures get
// exactly the same rating.
class WeightedRating {
public:
    constexpr double operator()(const Battle& battle, int player) const {
        const Side& own = battle.sides[player];
        const Side& enemy = battle.sides[player ^ 1];
        const double death = (enemy.health <= 0 ? kDeath : 0.0) - (own.health <= 0 ? kDeath : 0.0);
        return death + kHealth * (own.health - enemy.health) + kHand * (own.hand_size() - enemy.hand_size()) +
               kBoard * static_cast<double>(board(own) - board(enemy));
    }

private:
    static constexpr double kDeath = 100000;
    static constexpr double kHealth = 0.0156030631;
    static constexpr double kHand = 0.0502277203;
    static constexpr double kBoard = 0.5381958101 * 0.9721034503 * 1e-10;
    static constexpr std::int64_t kAttack = 9903654503;
    static constexpr std::int64_t kDefense = 8807415489;

    static constexpr std::int64_t board(const Side& side) {
        std::int64_t total = 0;
        for (const auto& lane : side.lanes) {
            for (const Creature& creature : lane) {  // an empty slot is worth nothing
                total += kAttack * creature.attack() + kDefense * creature.defense() +
                         kKeywordWeights.of[creature.keywords()];
            }
        }
        return total;
    }
};

}  // namespace deckatlas::locm
