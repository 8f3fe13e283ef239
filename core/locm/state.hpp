// Legends of Code and Magic: a whole game as one plain value, from the first offer of the draft to the end.
#pragma once

#include <cstdint>

#include "locm/battle_game.hpp"
#include "locm/draft.hpp"
#include "locm/rules.hpp"

namespace deckatlas::locm {

inline constexpr std::int8_t kSeesAll = -1;

struct State {
    Draft draft;
    Deal deal;
    Battle battle;
    std::int64_t shuffle_seeds[2] = {0, 0};  // 0 once the decks are shuffled, and in a view
    bool in_battle = false;
    std::int8_t viewer = kSeesAll;  // in a player's view: which player; hidden cards are then the unknown card
};

// During the draft the players pick in turn; both see the same offer.
constexpr int player_to_move(const State& state) {
    if (state.in_battle) return state.battle.active();
    return state.draft.made[0] == state.draft.made[1] ? 0 : 1;
}

constexpr void begin_battle(const CardTable& cards, State& state) {
    state.deal = shuffle_decks(cards, state.draft, state.shuffle_seeds);
    state.shuffle_seeds[0] = state.shuffle_seeds[1] = 0;
    state.battle = deal_hands(state.deal);
    state.in_battle = true;
    next_turn(state.deal, state.battle);
}

constexpr void apply_pick(const CardTable& cards, State& state, int choice) {
    pick(state.draft, player_to_move(state), choice);
    if (state.draft.made[0] == kPicks && state.draft.made[1] == kPicks) begin_battle(cards, state);
}

// The draft of one seed, with the shuffles of another. If they are equal, this is the official referee's game.
constexpr State new_game(DraftFormat format, std::uint64_t draft_seed, std::uint64_t game_seed) {
    State state;
    state.draft = new_draft(format, derive_seeds(draft_seed).draft);
    const Seeds seeds = derive_seeds(game_seed);
    state.shuffle_seeds[0] = seeds.shuffle[0];
    state.shuffle_seeds[1] = seeds.shuffle[1];
    return state;
}
constexpr State new_game(DraftFormat format, std::uint64_t seed) { return new_game(format, seed, seed); }

// A game between two given decks: both players know the lists, neither knows their order.
constexpr State new_game(const CardTable& cards, const std::uint8_t (&decks)[2][kDeckSize], std::uint64_t seed) {
    const Seeds seeds = derive_seeds(seed);
    State state;
    for (int player = 0; player < 2; ++player) {
        for (int i = 0; i < kDeckSize; ++i) state.draft.chosen[player][i] = decks[player][i];
        state.draft.made[player] = kPicks;
        state.shuffle_seeds[player] = seeds.shuffle[player];
    }
    begin_battle(cards, state);
    return state;
}

// Sorts the first n card ids of a list, by counting.
constexpr void sort_cards(std::uint8_t (&list)[kPicks], int n) {
    std::uint8_t copies[kCards + 1] = {};
    for (int i = 0; i < n; ++i) ++copies[list[i]];
    int i = 0;
    for (int card = 0; card <= kCards; ++card) {
        for (; copies[card] > 0; --copies[card]) list[i++] = static_cast<std::uint8_t>(card);
    }
}

// What `viewer` knows: its own hand, both boards and all public numbers; the offers shown so far and its own picks;
// with given decks both lists. Hidden information (the opponent's hand and picks, future offers and the order of both
// decks) is replaced by the unknown card. Two states that differ only there have the same view, byte for byte.
constexpr State view_of(const CardTable& cards, const State& state, int viewer) {
    State view = state;
    const int opponent = viewer ^ 1;
    view.viewer = static_cast<std::int8_t>(viewer);
    view.shuffle_seeds[0] = view.shuffle_seeds[1] = 0;
    if (view.draft.has_offers()) {
        for (auto& card : view.draft.chosen[opponent]) card = kUnknownCard;
        for (int i = view.draft.shown(); i < kPicks; ++i) {
            for (auto& card : view.draft.offers[i]) card = kUnknownCard;
        }
    } else {
        // The written order of a given list is not information for a player.
        for (int player = 0; player < 2; ++player) {
            sort_cards(view.draft.chosen[player], view.draft.made[player]);
        }
    }
    if (!view.in_battle) return view;
    for (int player = 0; player < 2; ++player) {
        const Side& side = view.battle.sides[player];
        for (int position = 0; position < view.deal.sizes[player]; ++position) {
            const bool in_hand = (side.hand >> position & 1u) != 0;
            if (position >= side.drawn || (player == opponent && in_hand)) {
                view.deal.decks[player][position] = kUnknownCard;
            }
        }
    }
    index_deal(cards, view.deal);
    return view;
}

// A hash of everything in the state that can matter for play, including hidden cards.
constexpr std::uint64_t hash_state(const State& state) {
    std::uint64_t hash = state.in_battle ? hash_battle(state.battle) : 1;
    const auto add = [&hash](std::uint64_t value) { hash = mix64(hash) + value; };
    for (const auto& offer : state.draft.offers)
        add(offer[0] | static_cast<std::uint64_t>(offer[1]) << 8 | static_cast<std::uint64_t>(offer[2]) << 16);
    for (int player = 0; player < 2; ++player) {
        for (const std::uint8_t card : state.draft.chosen[player]) add(card);
        for (const std::uint8_t card : state.deal.decks[player]) add(card);
        add(state.draft.made[player] | static_cast<std::uint64_t>(state.draft.format) << 16 |
            static_cast<std::uint64_t>(state.deal.sizes[player]) << 8);
        add(static_cast<std::uint64_t>(state.shuffle_seeds[player]));
    }
    return mix64(hash + static_cast<std::uint64_t>(state.viewer + 1));
}

}  // namespace deckatlas::locm
