// Ratings of the contest's agents, computed by hand and checked at compile time.
#include "locm/evaluation_chad.hpp"
#include "locm/evaluation_onelane.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm::tests {
namespace {

constexpr Battle board(int own_health, int enemy_health) {
    Battle battle;
    battle.turn = 0;
    battle.sides[0].health = own_health;
    battle.sides[1].health = enemy_health;
    return battle;
}
constexpr Battle with(Battle battle, int player, int lane, int attack, int defense, int keywords = 0) {
    add_creature(battle.sides[player], lane, Creature(attack, defense, keywords, battle.sides[player].creatures()));
    return battle;
}

// ---- OneLaneIsEnough, in hundredths ------------------------------------------------------------------------------

constexpr OneLaneRating kOneLane;

static_assert(kOneLane(board(30, 30), 0) == 0);
static_assert(kOneLane(board(30, 25), 0) == 50);
static_assert(kOneLane(board(30, 25), 1) == -50);
static_assert(kOneLane(with(board(30, 30), 0, 0, 3, 4), 0) == 1000);
static_assert(kOneLane(with(board(30, 30), 0, 0, 3, 4, kWard), 0) == 1300);
static_assert(kOneLane(with(board(30, 30), 0, 1, 3, 4, kGuard), 0) == 1200);
static_assert(kOneLane(with(board(30, 30), 1, 1, 3, 4, kGuard | kLethal), 0) == -1500);
static_assert(kOneLane(board(30, 0), 0) == 300 + 100'000);
static_assert(kOneLane(board(-2, 30), 0) == -320 - 100'000);

// ---- Chad --------------------------------------------------------------------------------------------------------

constexpr ChadRating kChad;

constexpr bool near(double a, double b) { return a - b < 1e-9 && b - a < 1e-9; }
constexpr double of_creature(int own, int lane, int attack, int defense, int keywords = 0, int player = 0) {
    return kChad(with(board(30, 30), own != 0 ? player : player ^ 1, lane, attack, defense, keywords), player);
}

constexpr double kFirst = 9.6 * (7.450 + 2.457 + 0.540 + 2.213 + 0.0229 + 1.315 + 7.609);
constexpr double kSecond = 9.6 * (8.747 + 4.039 + 0.540 + 3.546 + 0.0179 + 7.488 + 8.871);

static_assert(near(kChad(board(30, 30), 0), 0));
static_assert(near(kChad(board(30, 20), 0), 1245.0 / 5500));
static_assert(near(kChad(board(20, 30), 0), -850.0 / 5500));
static_assert(near(kChad(board(30, 20), 1), -950.0 / 5500));
static_assert(near(kChad(board(20, 30), 1), 1445.0 / 5500));
static_assert(near(kChad(board(0, 10), 0), -10));
static_assert(near(kChad(board(10, 0), 0), 10));
static_assert(near(ChadRating::kPassed, -250.0 / 5500));

static_assert(near(of_creature(1, 0, 3, 4), 1.6 * (7.450 * 3 + 4) / kFirst));
static_assert(near(of_creature(1, 0, 3, 4, 0, 1), 1.6 * (8.747 * 3 + 4) / kSecond));
static_assert(near(of_creature(0, 0, 3, 4), -1.8 * (7.450 * 3 + 4) / kFirst));
static_assert(near(of_creature(1, 0, 3, 4, kBreakthrough), 1.6 * ((7.450 + 2.457) * 3 + 4) / kFirst));
static_assert(near(of_creature(1, 0, 3, 4, kCharge), 1.6 * ((7.450 + 0.540) * 3 + 4) / kFirst));
static_assert(near(of_creature(1, 0, 3, 4, kGuard), 1.6 * (7.450 * 3 + 4 + 2.213 * 4) / kFirst));
static_assert(near(of_creature(1, 0, 3, 4, kLethal), 1.6 * (7.450 * 3 + 4 + 2.29) / kFirst));
static_assert(near(of_creature(1, 0, 0, 4, kLethal), 1.6 * 4 / kFirst));  // Lethal counts only with an attack
static_assert(near(of_creature(1, 0, 3, 4, kWard), 1.6 * ((7.450 + 1.315) * 3 + 4) / kFirst));
static_assert(near(of_creature(1, 0, 3, 4, kDrain), 1.6 * ((7.450 + 7.609) * 3 + 4) / kFirst));

// The gain of an own creature in the left lane if the enemy has one more.
constexpr double factor(int attack, int defense, int keywords, int lane, int enemy_keywords) {
    const Battle alone = with(board(30, 30), 0, 0, attack, defense, keywords);
    const double enemy = kChad(with(board(30, 30), 1, lane, 1, 1, enemy_keywords), 0);
    return (kChad(with(alone, 1, lane, 1, 1, enemy_keywords), 0) - enemy) / kChad(alone, 0);
}

static_assert(near(factor(2, 2, kGuard, 1, 0), 1.3));  // a Guard whose lane is empty while the other is not
static_assert(near(factor(2, 2, kGuard, 0, 0), 1));
static_assert(near(factor(2, 6, 0, 0, kLethal), 0.8));  // a large creature that faces Lethal
static_assert(near(factor(2, 5, 0, 0, kLethal), 1));
static_assert(near(factor(2, 6, 0, 1, kLethal), 1));
static_assert(near(factor(2, 2, kLethal, 0, kGuard), 1.3));  // Lethal against a Guard
static_assert(near(factor(2, 2, kLethal, 1, kGuard), 1));

}  // namespace
}  // namespace deckatlas::locm::tests

int main() {}
