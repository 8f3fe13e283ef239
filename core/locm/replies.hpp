// Legends of Code and Magic: a search's model of the opponent's next turn, without hidden cards.
#pragma once

#include <algorithm>

#include "locm/battle.hpp"
#include "locm/battle_game.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

// Starts the opponent's turn with the board only, without draws and hands: the opponent's hand is hidden, and the own
// hand cannot be played in that turn.
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

// The lowest rating during some random replies, each rated at its start and after every action. Actions are uniform
// over the legal ones, including PASS.
template <class Rating>
struct RandomReplies {
    Rating rating;
    int replies = 8;

    constexpr int operator()(const BattleContext& context, const Battle& battle, int player, Rng& rng) const {
        int lowest = rating(battle, player);
        if (is_over(battle) || battle.sides[player ^ 1].creatures() == 0) return lowest;
        Battle start = battle;
        begin_reply(start);
        for (int i = 0; i < replies; ++i) lowest = std::min(lowest, lowest_in_reply(context, start, player, rng));
        return lowest;
    }

private:
    constexpr int lowest_in_reply(const BattleContext& context, Battle battle, int player, Rng& rng) const {
        int lowest = rating(battle, player);
        while (!is_over(battle)) {
            const Action action = random_action(context.deal, battle, rng);
            if (action.kind == ActionKind::pass) break;
            apply(context.cards, context.deal, battle, action);
            lowest = std::min(lowest, rating(battle, player));
        }
        return lowest;
    }
};

}  // namespace deckatlas::locm
