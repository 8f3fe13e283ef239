// Legends of Code and Magic: how Coac, winner of the contest of 2020, rates positions and models actions.
//
// A `CoacStanding` contains everything that the rating depends on, seen by the player whose turn is searched. It is
// updated by differences: the standing after an action is known before the action is carried out.
#pragma once

#include <cstdint>

#include "locm/battle_game.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

// The rules that Coac assumes: the real ones, or those of the published program, in which Breakthrough heals the enemy,
// a red or blue item removes Breakthrough unless it lists it, an attack on the face never heals, damage breaks no
// runes, and a game continues when a player is dead.
enum class CoacModel : bool { rules, original };

inline constexpr int kCoacDeath = 100'000;

constexpr int coac_worth(int attack, int defense, int keywords) {
    const int ward = (keywords & kWard) != 0 ? attack : 0;
    const int lethal = (keywords & kLethal) != 0 ? 4 : 0;
    const int guard = (keywords & kGuard) != 0 ? 9 : 0;
    return (attack > 0 ? 5 * (defense + 2 * attack + ward + lethal) + 20 : 0) + guard;
}

constexpr int coac_worth(Creature creature) {
    return coac_worth(creature.attack(), creature.defense(), creature.keywords());
}

// A creature after a fight it survived.
constexpr Creature after_fight(Creature creature, int damage, bool hit) {
    creature.change_defense(-damage);
    if (hit) creature.lose(kWard);
    return creature;
}

template <CoacModel model>
struct CoacStanding {
    int board = 0;  // value of the own creatures minus that of the enemy's
    int own_health = 0;
    int enemy_health = 0;
    int runes = 0;         // own ones
    int hand = 0;          // own cards in hand
    int draws = 0;         // own extra draws, beyond one per turn
    int passed_items = 0;  // items in the own hand that will not be played this turn

    friend constexpr bool operator==(const CoacStanding&, const CoacStanding&) = default;

    constexpr int value() const {
        const int fate = enemy_health <= 0 ? kCoacDeath : own_health <= 0 ? -kCoacDeath : 0;
        return board + 21 * passed_items + (hand + draws <= kHandLimit ? 5 * draws : 0) +
               2 * (own_health - enemy_health) - (own_health < 5 ? 100 : 0) + fate;
    }

    // The same as `change_health` of the rules.
    constexpr void change_own_health(int change) {
        own_health += change;
        if (model == CoacModel::original || change >= 0) return;
        const int standing = own_health > 0 ? (own_health - 1) / kRuneStep : 0;
        if (standing < runes) {
            draws += runes - standing;
            runes = standing;
        }
    }
};

template <CoacModel model>
constexpr CoacStanding<model> coac_standing(const Battle& battle) {
    const auto worth = [](const Side& side) {
        int total = 0;
        for (const auto& lane : side.lanes) {
            for (const Creature& creature : lane) total += coac_worth(creature);
        }
        return total;
    };
    const Side& own = battle.own();
    return {.board = worth(own) - worth(battle.enemy()),
            .own_health = own.health,
            .enemy_health = battle.enemy().health,
            .runes = own.runes,
            .hand = own.hand_size(),
            .draws = own.next_draw - 1};
}

// The change of the defending player's health by Breakthrough.
template <CoacModel model>
constexpr int coac_excess(const Fight& fight) {
    return model == CoacModel::original ? -fight.excess : fight.excess;
}

constexpr int coac_worth_after(Creature creature, int damage, bool hit, bool dies) {
    return dies ? 0 : coac_worth(after_fight(creature, damage, hit));
}

// The standing after a legal action of the player to move.
template <CoacModel model>
constexpr CoacStanding<model> coac_standing_after(const BattleContext& context, const Battle& battle,
                                                  CoacStanding<model> standing, Action action) {
    if (action.kind == ActionKind::attack) {
        const Creature attacker = battle.own().at(action.source);
        const Creature defender = battle.enemy().at(action.target);
        const Fight fight = resolve_fight(attacker, defender);
        const int lost =
            coac_worth(attacker) - coac_worth_after(attacker, fight.taken, defender.attack() > 0, fight.attacker_dies);
        const int won =
            coac_worth(defender) - coac_worth_after(defender, fight.dealt, attacker.attack() > 0, fight.defender_dies);
        standing.board += won - lost;
        standing.own_health += fight.heal;
        standing.enemy_health += coac_excess<model>(fight);
        return standing;
    }
    const Card& card = context.cards[context.deal.decks[battle.active()][action.source]];
    --standing.hand;
    standing.draws += card.draw;
    standing.change_own_health(card.player_health);
    standing.enemy_health += card.enemy_health;
    if (action.kind == ActionKind::summon) {
        standing.board += coac_worth(card.attack, card.defense, card.keywords);
    } else if (action.target == kFace) {
        standing.enemy_health += card.defense;
    } else {
        const bool green = card.type == CardType::green;
        const Creature before = (green ? battle.own() : battle.enemy()).at(action.target);
        const Altered altered = resolve_item(card, before);
        const int after = altered.defense > 0 ? coac_worth(altered.attack, altered.defense, altered.keywords) : 0;
        standing.board += green ? after - coac_worth(before) : coac_worth(before) - after;
    }
    return standing;
}

// Carries out a legal action of the player to move other than PASS. The published program's errors are applied
// afterwards; none of them affects which creatures are alive, ready or Guards.
template <CoacModel model>
constexpr void coac_apply(const BattleContext& context, Battle& battle, Action action) {
    if constexpr (model == CoacModel::rules) {
        apply(context.cards, context.deal, battle, action);
    } else {
        const Battle before = battle;
        const int player = battle.active();
        if (action.kind == ActionKind::summon) {
            summon(context.cards, context.deal, battle, action.source, action.target);
        } else if (action.kind == ActionKind::use) {
            use(context.cards, context.deal, battle, action.source, action.target);
        } else if (action.target == kFace) {
            attack_face(battle, action.source);
        } else {
            attack_creature(battle, action.source, action.target);
        }
        Side& own = battle.sides[player];
        Side& enemy = battle.sides[player ^ 1];
        own.runes = before.own().runes;
        enemy.runes = before.enemy().runes;
        enemy.next_draw = before.enemy().next_draw;
        own.next_draw = before.own().next_draw;
        if (action.kind == ActionKind::attack) {
            if (action.target == kFace) {
                own.health = before.own().health;
            } else {
                enemy.health = 2 * before.enemy().health - enemy.health;
            }
            return;
        }
        const Card& card = context.cards[context.deal.decks[player][action.source]];
        own.next_draw = static_cast<std::uint8_t>(own.next_draw + card.draw);
        const bool on_enemy = action.kind == ActionKind::use && card.type != CardType::green && action.target != kFace;
        if (on_enemy && enemy.creatures() == before.enemy().creatures()) {
            const Creature target = enemy.at(action.target);
            const int kept = before.enemy().at(action.target).keywords() & card.keywords & kBreakthrough;
            const int keywords = (target.keywords() & ~kBreakthrough) | kept;
            enemy.at(action.target) = Creature(target.attack(), target.defense(), keywords, target.position());
        }
    }
}

// Whether drawing at the start of the next turn kills a player who has taken `damage` more: each missing card costs a
// rune, or the game when no rune is left.
constexpr bool dies_drawing(const Side& side, int deck_size, int damage) {
    Side after = side;
    change_health(after, -damage);
    const int left = deck_size - side.drawn;
    if (side.hand_size() + left > kHandLimit) return false;  // the hand is full before the deck is empty
    return after.next_draw - left > after.runes;
}

// The published program's version, which is off by one rune unless health is a multiple of five.
constexpr bool dies_drawing_original(const Side& side, int deck_size, int damage) {
    const int runes = (side.health - damage) / kRuneStep;
    const int cards = 1 + (side.runes > runes ? side.runes - runes : 0);
    const int missing = cards - (deck_size - side.drawn);
    return missing > 0 && missing >= runes;
}

// Coac's test for a won game: there is no Guard, and the remaining attackers kill the player at once or at its next
// draw.
template <CoacModel model>
constexpr bool coac_is_lethal(const Side& target, int deck_size, bool guarded, int attack) {
    if (model == CoacModel::rules && target.health <= 0) return true;
    if (guarded) return false;
    if (attack >= target.health) return true;
    return model == CoacModel::rules ? dies_drawing(target, deck_size, attack)
                                     : dies_drawing_original(target, deck_size, attack);
}

}  // namespace deckatlas::locm
