// Hearthstone: our own agents' rating of a position for a player whose turn ends, by itself and after the opponent's
// attacks. It only uses what the player can see.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/fixed_vector.hpp"
#include "hearthstone/evaluation.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// The weights of the rating, found by experiments/hearthstone-search.
struct PositionWeights {
    int body = 13;  // a minion
    int attack = 31;
    int health = 29;
    int pair = 9;           // a point of attack and one of health together
    int taunt = 18;         // a Taunt
    int taunt_health = 11;  // times health
    int shield = 101;       // a Divine Shield
    int shield_attack = 2;
    int windfury = 12;  // times attack
    int stealth = 14;
    int poisonous = 15;
    int elusive = 21;
    int spell_damage = 48;
    int unable = 25;   // times attack, for a minion that cannot attack
    int premium = 33;  // per mana that a card with lasting effects costs beyond its numbers
    int own_health = 10;
    int enemy_health = 10;
    int own_low = 47;      // in addition, for each of the last twelve points
    int enemy_low = 66;    // the same for the enemy
    int own_lowest = 23;   // in addition, for each of the last six points
    int enemy_lowest = 2;  // the same for the enemy
    int card = 46;         // in the own hand
    int card_cost = 7;     // times its cost
    int coin = 23;
    int enemy_card = 85;
    int secret = 197;
    int enemy_secret = 17;
    int weapon = 36;       // times attack times the uses left, at most three
    int enemy_weapon = 2;  // the same for the enemy's
    int crystal = 67;
    int enemy_board = 93;  // value of an enemy minion in percent of an own one
    int danger = 19;       // for each point by which the enemy's attacks come closer than `reserve` to a win
    int reserve = 7;
    int doom = 186;   // its attacks are enough
    int threat = 38;  // own attackers will be enough
    int reply = 81;   // percent of the enemy's gain by its attacks

    static constexpr std::size_t kNumbers = 36;
    static constexpr int kMost = 1000;  // limit of each weight

    // The weights in the order above.
    static constexpr PositionWeights from_numbers(const int* n) {
        return {n[0],  n[1],  n[2],  n[3],  n[4],  n[5],  n[6],  n[7],  n[8],  n[9],  n[10], n[11],
                n[12], n[13], n[14], n[15], n[16], n[17], n[18], n[19], n[20], n[21], n[22], n[23],
                n[24], n[25], n[26], n[27], n[28], n[29], n[30], n[31], n[32], n[33], n[34], n[35]};
    }
};

class PositionEvaluation {
public:
    PositionWeights weights;

    // Without further attacks. Won and lost positions have the extreme numbers.
    int rate(const CardSet& cards, const State& state, int player) const {
        if (state.phase == Phase::over) return over(state, player);
        const Player& own = state.players[player];
        const Player& enemy = state.players[player ^ 1];
        return board(cards, state, player) - percent(board(cards, state, player ^ 1), weights.enemy_board) +
               own_life(own.health + own.armor) - enemy_life(enemy.health + enemy.armor) + rest(cards, state, player);
    }

    // After the opponent's attacks, for a state at the start of its turn. It plays no cards.
    int rate_after_reply(const CardSet& cards, const State& state, int player) const {
        if (state.phase == Phase::over) return over(state, player);
        Fight fight(*this, cards, state, player);
        const int before = fight.own_worth - percent(fight.enemy_worth, weights.enemy_board);
        const int most = fight.most_damage();
        fight.trade();
        const Player& own = state.players[player];
        const Player& enemy = state.players[player ^ 1];
        const int health = own.health + own.armor;
        const int enemy_health = enemy.health + enemy.armor;
        const int after = fight.own_worth - percent(fight.enemy_worth, weights.enemy_board);
        int value = before + percent(after - before, weights.reply) + own_life(health - fight.damage) -
                    enemy_life(enemy_health) + rest(cards, state, player);
        if (most >= health) {
            value -= weights.doom + weights.danger * (weights.reserve + std::min(most - health, weights.reserve));
        } else if (most + weights.reserve > health) {
            value -= weights.danger * (most + weights.reserve - health);
        }
        if (fight.own_attack() >= enemy_health) value += weights.threat;
        return value;
    }

    int worth(const CardSet& cards, const Minion& minion) const {
        const std::uint32_t keywords = minion.keywords | minion.aura_keywords | minion.lasting_keywords;
        const int attack = lasting_attack(minion);
        const int health = bounded(minion.current_health());
        int value = weights.body + weights.attack * attack + weights.health * health +
                    weights.pair * std::min(attack, health) + weights.spell_damage * minion.spell_damage;
        if ((keywords & kMarked) != 0) value += worth_of_keywords(keywords, attack, health);
        if (const int premium = cards[minion.card].premium; premium > 0 && !minion.is_silent())
            value += weights.premium * premium;
        return value;
    }

    // A fighter and its value.
    struct Fighter {
        int attack = 0;
        int health = 0;
        int worth = 0;
        int blows = 0;
        bool shield = false;
        bool taunt = false;
        bool hidden = false;
        bool poisonous = false;
        bool twice = false;
        bool able = false;
        bool hero = false;
    };

    Fighter fighter_of(const CardSet& cards, const Minion& minion) const {
        const std::uint32_t keywords = minion.all_keywords();
        const bool able = (keywords & (kCantAttack | kFrozen)) == 0;
        const bool twice = (keywords & kWindfury) != 0;
        return {.attack = lasting_attack(minion),
                .health = bounded(minion.current_health()),
                .worth = worth(cards, minion),
                .blows = able ? 1 + twice : 0,
                .shield = (keywords & kDivineShield) != 0,
                .taunt = (keywords & kTaunt) != 0,
                .hidden = (keywords & (kStealth | kImmune)) != 0,
                .poisonous = (keywords & kPoisonous) != 0,
                .twice = twice,
                .able = able};
    }

    // The loss of value of `hurt` by a hit from `by`.
    int loss(const Fighter& hurt, const Fighter& by) const {
        if (by.attack == 0) return 0;
        if (hurt.hero) return weights.enemy_health * by.attack;
        if (hurt.shield) return weights.shield + weights.shield_attack * hurt.attack;
        if (by.attack >= hurt.health || by.poisonous) return hurt.worth;
        return std::min(weights.health * by.attack, hurt.worth);
    }

    static int percent(int value, int share) { return static_cast<int>(std::int64_t{value} * share / 100); }

    // The loss of value of the enemy's hero by this damage.
    int face_loss(const State& state, int player, int damage) const {
        const Player& enemy = state.players[player ^ 1];
        const int health = enemy.health + enemy.armor;
        return enemy_life(health) - enemy_life(health - damage);
    }

private:
    static constexpr std::uint32_t kMarked =
        kTaunt | kDivineShield | kStealth | kWindfury | kPoisonous | kCantAttack | kElusive | kFrozen;

    // Capped at a useful maximum, so that sums fit an int.
    static int bounded(int number) { return std::min(number, 100); }

    static int over(const State& state, int player) {
        if (state.winner == kNobody) return 0;
        return state.winner == player ? kWon : kLost;
    }

    // Without temporary effects of this turn.
    static int lasting_attack(const Minion& minion) {
        const int attack =
            minion.has(kAttackEqualsHealth) ? minion.current_health() : minion.attack + minion.aura_attack;
        return std::max(bounded(attack), 0);
    }

    int worth_of_keywords(std::uint32_t keywords, int attack, int health) const {
        int value = 0;
        if ((keywords & kTaunt) != 0) value += weights.taunt + weights.taunt_health * health;
        if ((keywords & kDivineShield) != 0) value += weights.shield + weights.shield_attack * attack;
        if ((keywords & kWindfury) != 0) value += weights.windfury * attack;
        if ((keywords & kStealth) != 0) value += weights.stealth;
        if ((keywords & kPoisonous) != 0) value += weights.poisonous;
        if ((keywords & kElusive) != 0) value += weights.elusive;
        if ((keywords & (kCantAttack | kFrozen)) != 0) value -= weights.unable * attack;
        return value;
    }

    int board(const CardSet& cards, const State& state, int player) const {
        int total = 0;
        for (int i = 0; i < state.players[player].board_size; ++i) total += worth(cards, state.on_board(player, i));
        return total;
    }

    int own_life(int health) const {
        return weights.own_health * health + weights.own_low * std::min(health, 12) +
               weights.own_lowest * std::min(health, 6);
    }
    int enemy_life(int health) const {
        return weights.enemy_health * health + weights.enemy_low * std::min(health, 12) +
               weights.enemy_lowest * std::min(health, 6);
    }

    // Cards, secrets, weapons and mana.
    int rest(const CardSet& cards, const State& state, int player) const {
        const Player& own = state.players[player];
        const Player& enemy = state.players[player ^ 1];
        int value = weights.card * own.hand_size - weights.enemy_card * enemy.hand_size +
                    weights.secret * own.secret_count - weights.enemy_secret * enemy.secret_count +
                    weights.weapon * use_of(own.weapon) - weights.enemy_weapon * use_of(enemy.weapon) +
                    weights.crystal * (own.crystals - own.overload_owed - enemy.crystals);
        for (int i = 0; i < own.hand_size; ++i) {
            const CardId card = own.hand[i].card;
            value += card == cards.coin ? weights.coin - weights.card
                                        : weights.card_cost * (cards.faces[card].cost + own.hand[i].cost_change);
        }
        return value;
    }

    static int use_of(const Weapon& weapon) {
        return bounded(weapon_attack(weapon)) * std::min<int>(weapon.durability, 3);
    }

    // The enemy's attackers and their targets.
    class Fight {
    public:
        int own_worth = 0;
        int enemy_worth = 0;
        int damage = 0;  // to the own hero

        Fight(const PositionEvaluation& evaluation, const CardSet& cards, const State& state, int player)
            : evaluation_(evaluation) {
            for (int i = 0; i < state.players[player].board_size; ++i) {
                const Fighter fighter = evaluation.fighter_of(cards, state.on_board(player, i));
                own_worth += fighter.worth;
                taunts_ += fighter.taunt && !fighter.hidden;
                own_.push_back(fighter);
            }
            for (int i = 0; i < state.players[player ^ 1].board_size; ++i) {
                const Fighter fighter = evaluation.fighter_of(cards, state.on_board(player ^ 1, i));
                enemy_worth += fighter.worth;
                enemy_taunts_ += fighter.taunt && !fighter.hidden ? fighter.health : 0;
                enemy_.push_back(fighter);
            }
            const Player& enemy = state.players[player ^ 1];
            if (const int attack = bounded(weapon_attack(enemy.weapon)); attack > 0 && !enemy.frozen) {
                enemy_.push_back({.attack = attack, .health = enemy.health + enemy.armor, .blows = 1, .hero = true});
            }
        }

        // The most damage to the own hero, with the Taunts in the way.
        int most_damage() const {
            int attack = 0;
            int wall = 0;
            for (const Fighter& each : enemy_) attack += each.attack * each.blows;
            for (const Fighter& each : own_) wall += each.taunt && !each.hidden ? each.health + each.shield : 0;
            return attack - wall;
        }

        // Of the remaining minions, on the enemy's hero next turn.
        int own_attack() const {
            int attack = -enemy_taunts_;
            for (const Fighter& each : own_)
                attack += each.health > 0 && each.able ? each.attack * (1 + each.twice) : 0;
            return attack;
        }

        // Attacks greedily, each time with the enemy's largest gain; attackers without a better target hit the hero.
        void trade() {
            for (;;) {
                int best = 0;
                Fighter* attacker = nullptr;
                Fighter* target = nullptr;
                for (Fighter& each : enemy_) {
                    if (each.blows == 0 || each.attack == 0) continue;
                    const int face = taunts_ == 0 ? evaluation_.weights.own_health * each.attack : 0;
                    if (face > best) {
                        best = face;
                        attacker = &each;
                        target = nullptr;
                    }
                    for (Fighter& other : own_) {
                        if (other.health <= 0 || other.hidden || (taunts_ > 0 && !other.taunt)) continue;
                        const int gain = evaluation_.loss(other, each) - evaluation_.loss(each, other);
                        if (gain > best) {
                            best = gain;
                            attacker = &each;
                            target = &other;
                        }
                    }
                }
                if (attacker == nullptr) return;
                --attacker->blows;
                if (target == nullptr) {
                    damage += attacker->attack;
                    continue;
                }
                const int own_loss = evaluation_.loss(*target, *attacker);
                const int enemy_loss = evaluation_.loss(*attacker, *target);
                const Fighter before = *attacker;
                hit(*attacker, *target, enemy_loss);
                hit(*target, before, own_loss);
                own_worth -= own_loss;
                if (!attacker->hero) enemy_worth -= enemy_loss;
                if (target->health <= 0) taunts_ -= target->taunt;
            }
        }

    private:
        static void hit(Fighter& hurt, const Fighter& by, int loss) {
            if (by.attack == 0) return;
            hurt.worth -= loss;
            if (hurt.shield) {
                hurt.shield = false;
            } else {
                hurt.health = by.poisonous && !hurt.hero ? 0 : hurt.health - by.attack;
                if (hurt.health <= 0) hurt.blows = 0;
            }
        }

        const PositionEvaluation& evaluation_;
        FixedVector<Fighter, kBoardLimit> own_;
        FixedVector<Fighter, kBoardLimit + 1> enemy_;
        int taunts_ = 0;
        int enemy_taunts_ = 0;
    };
};

}  // namespace deckatlas::hearthstone
