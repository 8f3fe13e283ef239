// Legends of Code and Magic: how the turn planner rates positions, by themselves and after the opponent's reply.
#pragma once

#include <bit>
#include <cstdint>

#include "locm/battle_game.hpp"
#include "locm/lane_replies.hpp"
#include "locm/planner_weights.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

class PlannerEvaluation {
public:
    static constexpr int kDeath = 1'000'000;

    explicit PlannerEvaluation(const PlannerWeights& weights = {}) : weights_(weights), replies_(weights) {}

    int rate(const BattleContext&, const Battle& battle, int player) const {
        return rate_sides(battle.sides[player], battle.sides[player ^ 1]);
    }

    // The enemy's best attacks, lane by lane; it plays no cards, because they are unknown.
    int rate_after_reply(const BattleContext&, const Battle& battle, int player) {
        Battle reply = battle;
        Side& enemy = reply.sides[player ^ 1];
        ++reply.turn;
        enemy.ready = static_cast<std::uint8_t>(enemy.occupied());
        int most_damage = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            const LaneReply& found = replies_.best(reply, lane);
            most_damage += found.most_damage;
            play_attacks(reply, lane, found.attacks);
        }
        if (most_damage >= battle.sides[player].health) return -kDeath;
        return rate_sides(reply.sides[player], reply.sides[player ^ 1]);
    }

    // An optimistic bound: every ready attack hits the face, and every card that is affordable by itself is played for
    // damage to it.
    bool may_win(const BattleContext& context, const Battle& battle) const {
        const Side& own = battle.own();
        const int player = battle.active();
        int damage = 0;
        for (int ready = own.ready; ready != 0; ready &= ready - 1) {
            damage += own.at(std::countr_zero(static_cast<unsigned>(ready))).attack();
        }
        for (std::uint32_t cards = own.hand & context.deal.affordable[player][own.mana]; cards != 0;
             cards &= cards - 1) {
            const Card& card = context.cards[context.deal.decks[player][std::countr_zero(cards)]];
            damage -= card.enemy_health;
            if (card.type == CardType::creature && (card.keywords & kCharge) != 0) {
                damage += card.attack;
            }
            if (card.type == CardType::green) damage += card.attack;
            if (card.type == CardType::blue) damage -= card.defense;
            // Charge or Breakthrough for a creature, or the removal of a Guard, is worth as much as the board allows.
            if (card.type == CardType::green && (card.keywords & kCharge) != 0) damage += kAnyAttack;
        }
        return damage >= battle.enemy().health;
    }

    int rate_race(const BattleContext&, const Battle& battle, int player) const {
        const Side& own = battle.sides[player];
        const Side& enemy = battle.sides[player ^ 1];
        int damage = 0;
        int blocked = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            int attack = 0;
            for (int ready = lane_bits(own.ready, lane); ready != 0; ready &= ready - 1) {
                attack += own.lanes[lane][std::countr_zero(static_cast<unsigned>(ready))].attack();
            }
            int guard_defense = 0;
            for (int guards = lane_bits(enemy.guards, lane); guards != 0; guards &= guards - 1) {
                guard_defense += enemy.lanes[lane][std::countr_zero(static_cast<unsigned>(guards))].defense();
            }
            if (guard_defense == 0) {
                damage += attack;
            } else if (attack > guard_defense) {
                blocked += attack - guard_defense;
            }
        }
        return -4 * (enemy.health - damage) + 2 * blocked + own.mana;
    }

private:
    static constexpr int kAnyAttack = 12;

    int board(const Side& side) const {
        int total = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            for (int i = 0; i < side.count[lane]; ++i) total += worth(weights_, side.lanes[lane][i]);
        }
        return total;
    }

    static int low(int health) { return health < 10 ? health : 10; }

    int rate_sides(const Side& own, const Side& enemy) const {
        if (enemy.health <= 0) return kDeath;
        if (own.health <= 0) return -kDeath;
        const int hand = own.hand_size();
        const int room = kHandLimit - hand;
        const int draws = own.next_draw < room ? own.next_draw : room;
        const int threat = wins_at_once(own, enemy) ? weights_.threat : 0;
        const auto enemy_board = static_cast<int>(std::int64_t{board(enemy)} * weights_.enemy_board / 100);
        return board(own) - enemy_board + weights_.own_health * own.health - weights_.enemy_health * enemy.health +
               weights_.own_low * low(own.health) - weights_.enemy_low * low(enemy.health) + weights_.card * hand +
               weights_.draw * draws + threat - weights_.enemy_draw * enemy.next_draw;
    }

    // Whether the attackers that no Guard stops are enough to win.
    static bool wins_at_once(const Side& attackers, const Side& defenders) {
        int damage = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            if (lane_bits(defenders.guards, lane) != 0) continue;
            for (int i = 0; i < attackers.count[lane]; ++i) damage += attackers.lanes[lane][i].attack();
        }
        return damage >= defenders.health;
    }

    PlannerWeights weights_;
    LaneReplies replies_;
};

}  // namespace deckatlas::locm
