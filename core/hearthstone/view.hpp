// Hearthstone: one player's view of a game.
//
// Hidden are the opponent's hand except for cards that both players know, its deck, its secrets (their classes are
// public), the cards it chooses from, and the order of the own deck. For a hidden card in hand it is public whether it
// was drawn or created by an effect. Two states that differ only in hidden information have the same view.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "hearthstone/heed.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

inline bool is_hidden(const HandCard& held) { return held.origin != Origin::revealed; }

// Arrays keep their old contents when their sizes shrink.
inline void forget_leftovers(State& state) {
    for (Player& player : state.players) {
        std::fill(player.hand + player.hand_size, player.hand + kHandLimit, HandCard{});
        std::fill(player.deck + player.deck_size, player.deck + kDeckLimit, kUnknownCard);
        std::fill(player.secrets + player.secret_count, player.secrets + kSecretLimit, Secret{});
        std::fill(player.seen + player.seen_count, player.seen + kMostSeen, kUnknownCard);
    }
    std::fill(state.choices + state.choice_count, state.choices + kChoices, kUnknownCard);
}

// Sorts a deck into the order of the card table, the next card to draw first.
inline void sort_deck(Player& player) { std::sort(player.deck, player.deck + player.deck_size, std::greater<>()); }

// The state as `viewer` knows it: hidden cards are the unknown card or an unknown secret of their class, and the own
// deck is in the order of the card table.
inline State view_of(const CardSet& cards, const State& state, int viewer) {
    State view = state;
    view.viewer = static_cast<std::int8_t>(viewer);
    forget_leftovers(view);
    Player& own = view.players[viewer];
    Player& opponent = view.players[viewer ^ 1];
    sort_deck(own);
    std::fill(opponent.deck, opponent.deck + opponent.deck_size, kUnknownCard);
    for (int i = 0; i < opponent.hand_size; ++i) {
        if (is_hidden(opponent.hand[i])) opponent.hand[i] = HandCard{.origin = opponent.hand[i].origin};
    }
    for (int i = 0; i < opponent.secret_count; ++i)
        opponent.secrets[i].card = cards.unknown_secret(cards[opponent.secrets[i].card].hero_class);
    if (view.active != viewer) std::fill(view.choices, view.choices + view.choice_count, kUnknownCard);
    heed_all(cards, view);  // the listeners would reveal hidden secrets
    return view;
}

}  // namespace deckatlas::hearthstone
