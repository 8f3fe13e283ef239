// Legends of Code and Magic: what a search assumes of the turn that follows its own, without looking at hidden cards.
#pragma once

#include "locm/battle.hpp"
#include "locm/battle_game.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

// Starts the opponent's turn on the board alone: nobody draws, and nobody holds a card. What the opponent has in hand
// is hidden, and what the own hand holds cannot be played in that turn.
constexpr void begin_reply(Battle& battle) {
    for (Side& side : battle.sides) {
        side.hand = 0;
        side.attacked = 0;
        side.ready = 0;
    }
    ++battle.turn;
    Side& side = battle.sides[battle.active()];
    side.ready = static_cast<std::uint8_t>(side.occupied());
}

// The lowest rating that some random replies come through: each action is uniform over the legal ones, PASS
// included, and the position is rated after every action.
template <class Rating>
struct RandomReplies {
    Rating rating;
    int replies = 8;

    constexpr int operator()(const BattleContext& context, const Battle& battle, int player, Rng& rng) const {
        if (is_over(battle) || battle.sides[player ^ 1].creatures() == 0) return rating(battle, player);
        Battle start = battle;
        begin_reply(start);
        int lowest = lowest_in_reply(context, start, player, rng);
        for (int i = 1; i < replies; ++i) {
            const int value = lowest_in_reply(context, start, player, rng);
            if (value < lowest) lowest = value;
        }
        return lowest;
    }

private:
    constexpr int lowest_in_reply(const BattleContext& context, Battle battle, int player, Rng& rng) const {
        int lowest = 0;
        for (bool first = true;; first = false) {
            const Action action = random_action(context.deal, battle, rng);
            const bool passes = action.kind == ActionKind::pass;
            if (!passes) apply(context.cards, context.deal, battle, action);
            const int value = rating(battle, player);
            if (first || value < lowest) lowest = value;
            if (passes || is_over(battle)) return lowest;
        }
    }
};

// Summons before items before attacks: fewer sequences that reach the same end.
struct MoveTypeOrder {
    constexpr int phase(Action action) const {
        switch (action.kind) {
            case ActionKind::attack: return 2;
            case ActionKind::use: return 1;
            default: return 0;
        }
    }
};

}  // namespace deckatlas::locm
