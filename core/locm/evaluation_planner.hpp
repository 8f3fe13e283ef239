// Legends of Code and Magic: how the turn planner rates positions, by themselves and after the opponent's reply.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "locm/battle_game.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

// The numbers behind the rating, found by experiments/locm-planner.
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
    int own_low = 23;      // on top, for each point of own health among the last ten
    int enemy_low = 8;     // the same for the enemy
    int card = 89;         // a card in hand
    int enemy_draw = 4;    // a card the enemy will draw
    int draw = 57;         // a card to be drawn
    int threat = 18;       // own attackers that no Guard stops could win the next turn
    int enemy_board = 83;  // worth of an enemy creature in percent of an own one

    static constexpr std::size_t kNumbers = 18;

    // The weights in the order above.
    static constexpr PlannerWeights from_numbers(const int* n) {
        return {n[0], n[1],  n[2],  n[3],  n[4],  n[5],  n[6],  n[7],  n[8],
                n[9], n[10], n[11], n[12], n[13], n[14], n[15], n[16], n[17]};
    }
};

class PlannerEvaluation {
public:
    PlannerWeights weights;

    static constexpr int kDeath = 1'000'000;

    int rate(const BattleContext&, const Battle& battle, int player) const {
        return rate_sides(battle.sides[player], battle.sides[player ^ 1]);
    }

    // The enemy's best attacks, searched through lane by lane; it plays no card, since none is known.
    int rate_after_reply(const BattleContext&, const Battle& battle, int player) const {
        Battle reply = battle;
        Side& enemy = reply.sides[player ^ 1];
        ++reply.turn;
        enemy.ready = static_cast<std::uint8_t>(enemy.occupied());
        int most_damage = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            LaneReply found{.best = reply, .health = reply.sides[player].health};
            search_attacks(reply, lane, 0, found);
            most_damage += found.most_damage;
            reply = found.best;
        }
        if (most_damage >= battle.sides[player].health) return -kDeath;
        return rate_sides(reply.sides[player], reply.sides[player ^ 1]);
    }

    // A generous guess: every ready attack reaches the face, and every card that is affordable by itself is played for
    // it.
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
            // Charge and Breakthrough given to a creature, or a Guard out of the way, are worth what is on the board.
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

    int worth(int attack, int defense, int keywords) const {
        int value = (keywords & kGuard) != 0 ? weights.guard + weights.guard_defense * defense : 0;
        if (attack == 0) return value;
        value += weights.body + weights.attack * attack + weights.defense * defense;
        if ((keywords & kWard) != 0) value += weights.ward * attack;
        if ((keywords & kLethal) != 0) value += weights.lethal;
        if ((keywords & kDrain) != 0) value += weights.drain * attack;
        if ((keywords & kBreakthrough) != 0) value += weights.breakthrough * attack;
        return value;
    }
    int worth(Creature creature) const { return worth(creature.attack(), creature.defense(), creature.keywords()); }

    int board(const Side& side) const {
        int total = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            for (int i = 0; i < side.count[lane]; ++i) total += worth(side.lanes[lane][i]);
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
        const int threat = wins_at_once(own, enemy) ? weights.threat : 0;
        return board(own) - board(enemy) * weights.enemy_board / 100 + weights.own_health * own.health -
               weights.enemy_health * enemy.health + weights.own_low * low(own.health) -
               weights.enemy_low * low(enemy.health) + weights.card * hand + weights.draw * draws + threat -
               weights.enemy_draw * enemy.next_draw;
    }

    // Whether attackers that no Guard stops are enough.
    static bool wins_at_once(const Side& attackers, const Side& defenders) {
        int damage = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            if (lane_bits(defenders.guards, lane) != 0) continue;
            for (int i = 0; i < attackers.count[lane]; ++i) damage += attackers.lanes[lane][i].attack();
        }
        return damage >= defenders.health;
    }

    int fight_gain(Creature attacker, Creature defender) const {
        const Fight fight = resolve_fight(attacker, defender);
        int gain = 0;
        if (fight.defender_dies) {
            gain += worth(defender);
        } else {
            const int kept = attacker.attack() > 0 ? defender.keywords() & ~kWard : defender.keywords();
            gain += worth(defender) - worth(defender.attack(), defender.defense() - fight.dealt, kept);
        }
        if (fight.attacker_dies) {
            gain -= worth(attacker);
        } else {
            const int kept = defender.attack() > 0 ? attacker.keywords() & ~kWard : attacker.keywords();
            gain -= worth(attacker) - worth(attacker.attack(), attacker.defense() - fight.taken, kept);
        }
        return gain + weights.own_health * (fight.heal - fight.excess);
    }

    // What the player to move can make of one lane.
    struct LaneReply {
        Battle best;
        int health;  // of the other player before
        int best_gain = -kDeath;
        int most_damage = 0;  // to the face, whatever it costs
    };

    // Tries every order of attacks on creatures; those who are left attack the face.
    void search_attacks(const Battle& battle, int lane, int gain, LaneReply& found) const {
        end_with_face(battle, lane, gain, found);
        const Side& own = battle.own();
        const Side& enemy = battle.enemy();
        const int targets = attack_targets(enemy, lane) & ~(1 << kLaneSize);
        for (int ready = lane_bits(own.ready, lane); ready != 0; ready &= ready - 1) {
            const int source = std::countr_zero(static_cast<unsigned>(ready));
            const Creature attacker = own.lanes[lane][source];
            if (attacker.attack() == 0) continue;
            for (int left = targets; left != 0; left &= left - 1) {
                const int target = std::countr_zero(static_cast<unsigned>(left));
                const int gained = fight_gain(attacker, enemy.lanes[lane][target]);
                Battle next = battle;
                attack_creature(next, slot_of(lane, source), slot_of(lane, target));
                search_attacks(next, lane, gain + gained, found);
            }
        }
    }

    void end_with_face(const Battle& battle, int lane, int gain, LaneReply& found) const {
        const Side& own = battle.own();
        const bool open = lane_bits(battle.enemy().guards, lane) == 0;
        const int ready = open ? lane_bits(own.ready, lane) : 0;
        int damage = found.health - battle.enemy().health;
        for (int left = ready; left != 0; left &= left - 1) {
            const Creature attacker = own.lanes[lane][std::countr_zero(static_cast<unsigned>(left))];
            const int drained = attacker.has(kDrain) ? attacker.attack() : 0;
            damage += attacker.attack();
            gain += weights.own_health * (attacker.attack() + drained);
        }
        if (damage > found.most_damage) found.most_damage = damage;
        if (gain <= found.best_gain) return;
        found.best_gain = gain;
        found.best = battle;
        for (int left = ready; left != 0; left &= left - 1) {
            attack_face(found.best, slot_of(lane, std::countr_zero(static_cast<unsigned>(left))));
        }
    }
};

}  // namespace deckatlas::locm
