// One game of Legends of Code and Magic between two entrants: the draft, then the battle.
#pragma once

#include <algorithm>
#include <type_traits>
#include <variant>

#include "agents/locm_agents.hpp"
#include "agents/locm_drafters.hpp"
#include "locm/battle_game.hpp"
#include "locm/draft.hpp"
#include "play/play_game.hpp"

namespace deckatlas::locm {

// An entrant: a draft policy or a deck, and a battle agent.
struct Entrant {
    DraftPolicy draft;
    BattleAgent battle;
};

template <class Policy>
void pick_one(const CardTable& cards, Draft& draft, int seat, const Policy& policy, Rng& rng) {
    if constexpr (!std::is_same_v<Policy, FixedDeck>) pick(draft, seat, policy.choose(cards, draft, seat, rng));
}

// The thirty cards of a seat with its own deck.
inline void bring_deck(Draft& draft, int seat, const DraftPolicy& policy) {
    if (const auto* deck = std::get_if<FixedDeck>(&policy)) {
        std::copy(std::begin(deck->cards), std::end(deck->cards), draft.chosen[seat]);
        draft.made[seat] = kPicks;
    }
}

// All picks of one seat.
inline void make_picks(const CardTable& cards, Draft& draft, int seat, const DraftPolicy& policy, Rng& rng) {
    bring_deck(draft, seat, policy);
    std::visit(
        [&](const auto& chosen) {
            while (draft.made[seat] < kPicks) pick_one(cards, draft, seat, chosen, rng);
        },
        policy);
}

// The draft of a seed, with both players' picks.
inline Draft play_draft(const CardTable& cards, DraftFormat format, std::int64_t seed, const Entrant* const (&seats)[2],
                        GameStreams& streams) {
    const auto brings_deck = [&](int seat) { return std::holds_alternative<FixedDeck>(seats[seat]->draft); };
    Draft draft = brings_deck(0) && brings_deck(1) ? Draft() : new_draft(format, seed);
    for (int seat = 0; seat < 2; ++seat) make_picks(cards, draft, seat, seats[seat]->draft, streams.seats[seat]);
    return draft;
}

// The battle to its end, for a watcher.
template <class Watcher>
Battle play_battle(const BattleContext& context, const Entrant* const (&seats)[2], GameStreams& streams,
                   Watcher& watcher) {
    // Each game has its own copies: an agent's memory of one game must not reach another.
    BattleAgent agents[2] = {seats[0]->battle, seats[1]->battle};
    Battle battle = deal_hands(context.deal);
    watcher.game_begins(battle, streams.chance);
    next_turn(context.deal, battle);
    play_turns<BattleGame>(context, battle, agents, streams, watcher);
    return battle;
}

}  // namespace deckatlas::locm
