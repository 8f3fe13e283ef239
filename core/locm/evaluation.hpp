// Legends of Code and Magic: ratings of positions.
#pragma once

#include "locm/battle_game.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

// The "simple" rating of the contest's research players, seen by `player`: death, health, number and size of creatures.
class SimpleRating {
public:
    constexpr int operator()(const Battle& battle, int player) const {
        const Side& own = battle.sides[player];
        const Side& enemy = battle.sides[player ^ 1];
        return health(own.health, enemy.health) + board(own) - board(enemy);
    }

    // The change of the rating for the player to move by a legal action that does not end the turn. Equal to carrying
    // it out on a copy and rating that, but several times as fast.
    constexpr int gain(const BattleContext& context, const Battle& battle, Action action) const {
        const Change change = change_by(context, battle, action);
        const int own = battle.own().health;
        const int enemy = battle.enemy().health;
        return health(own + change.own_health, enemy + change.enemy_health) - health(own, enemy) + change.board;
    }

private:
    static constexpr int kDeath = 1000;
    static constexpr int kHealth = 2;
    static constexpr int kCreature = 10;

    struct Change {
        int own_health;
        int enemy_health;
        int board;  // own creatures minus the enemy's
    };

    static constexpr int worth(int attack, int defense) { return kCreature + attack + defense; }
    static constexpr int worth(Creature creature) { return worth(creature.attack(), creature.defense()); }

    static constexpr int board(const Side& side) {
        int total = kCreature * side.creatures();
        for (const auto& lane : side.lanes) {
            for (const Creature& creature : lane) total += creature.attack() + creature.defense();
        }
        return total;
    }

    static constexpr int health(int own, int enemy) {
        return kHealth * (own - enemy) + (enemy <= 0 ? kDeath : 0) - (own <= 0 ? kDeath : 0);
    }

    static constexpr Change change_by(const BattleContext& context, const Battle& battle, Action action) {
        if (action.kind == ActionKind::attack) return change_by_attack(battle, action.source, action.target);
        const Card& card = context.cards[context.deal.decks[battle.active()][action.source]];
        Change change{card.player_health, card.enemy_health, 0};
        if (action.kind == ActionKind::summon) {
            change.board = worth(card.attack, card.defense);
        } else if (action.target == kFace) {
            change.enemy_health += card.defense;
        } else {
            change.board = change_by_item(battle, card, action.target);
        }
        return change;
    }

    static constexpr Change change_by_attack(const Battle& battle, Slot from, int target) {
        const Creature attacker = battle.own().at(from);
        if (target == kFace) return {attacker.has(kDrain) ? attacker.attack() : 0, -attacker.attack(), 0};
        const Creature defender = battle.enemy().at(target);
        const Fight fight = resolve_fight(attacker, defender);
        const int lost = fight.attacker_dies ? worth(attacker) : fight.taken;
        const int won = fight.defender_dies ? worth(defender) : fight.dealt;
        return {fight.heal, fight.excess, won - lost};
    }

    static constexpr int change_by_item(const Battle& battle, const Card& item, Slot slot) {
        const bool green = item.type == CardType::green;
        const Creature before = (green ? battle.own() : battle.enemy()).at(slot);
        const Altered altered = resolve_item(item, before);
        const int after = altered.defense > 0 ? worth(altered.attack, altered.defense) : 0;
        return green ? after - worth(before) : worth(before) - after;
    }
};

}  // namespace deckatlas::locm
