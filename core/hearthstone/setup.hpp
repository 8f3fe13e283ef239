// Hearthstone: how a game starts. Decks are shuffled and opening hands dealt; each player may replace cards of its
// hand, the first player first; then the second player gets The Coin and the first turn starts.
#pragma once

#include <cstdint>

#include "common/fixed_vector.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kOpeningHands[2] = {3, 4};  // of the first and the second player

// A player's deck for a game.
struct DeckList {
    CardId hero = 0;
    std::uint8_t size = 0;
    CardId cards[kDeckLimit] = {};
};

inline void insert_into_deck(Player& owner, CardId card, std::uint32_t at) {
    for (std::uint32_t i = owner.deck_size; i > at; --i) owner.deck[i] = owner.deck[i - 1];
    owner.deck[at] = card;
    ++owner.deck_size;
}

inline void give_coin(const CardSet& cards, Player& second) {
    if (cards.coin != 0 && second.hand_size < kHandLimit)
        second.hand[second.hand_size++] = HandCard{.card = cards.coin, .origin = Origin::revealed};
}

// A new game in which the player of the first deck moves first. Hands are dealt, and player 0 must choose which cards
// to keep.
template <class Random>
State new_game(const CardSet& cards, const DeckList (&decks)[2], Random& random) {
    State state;
    for (int player = 0; player < 2; ++player) {
        Player& own = state.players[player];
        const Card& hero = cards[decks[player].hero];
        own.hero = decks[player].hero;
        own.hero_class = hero.hero_class;
        own.power = hero.power;
        own.health = hero.health;
        own.max_health = hero.health;
        own.deck_size = decks[player].size;
        for (std::uint32_t i = 0; i < own.deck_size; ++i) {
            const std::uint32_t at = random.below(i + 1);  // all orders are equally likely
            own.deck[i] = own.deck[at];
            own.deck[at] = decks[player].cards[i];
        }
        for (int i = 0; i < kOpeningHands[player] && own.deck_size > 0; ++i)
            own.hand[own.hand_size++] = HandCard{.card = own.deck[--own.deck_size]};
    }
    if ((cards.rules & kCoinBeforeMulligan) != 0) give_coin(cards, state.players[1]);
    state.phase = Phase::mulligan;
    return state;
}

// The number of cards that the player may replace: all dealt ones, but not The Coin.
inline int replaceable_cards(const State& state) {
    const int hand = state.players[state.active].hand_size;
    return hand < kOpeningHands[state.active] ? hand : kOpeningHands[state.active];
}

// Replaces the cards of the player to move that are not in `kept`, a mask of places in the hand. The replaced cards are
// shuffled in when all replacements are drawn or, under one rule, each at once, so that it can be drawn again.
template <class Random>
void replace_cards(const CardSet& cards, State& state, std::uint32_t kept, Random& random) {
    Player& own = state.players[state.active];
    const bool at_once = (cards.rules & kMulliganPutsBackAtOnce) != 0;
    const auto put_back = [&](CardId card) { insert_into_deck(own, card, random.below(own.deck_size + 1u)); };
    FixedVector<CardId, kOpeningHands[1]> thrown;
    const int count = replaceable_cards(state);
    for (int i = 0; i < count; ++i) {
        if ((kept >> i & 1) != 0 || own.deck_size == 0) continue;
        const CardId old = own.hand[i].card;
        own.hand[i].card = own.deck[--own.deck_size];
        if (at_once) {
            put_back(old);
        } else {
            thrown.push_back(old);
        }
    }
    for (const CardId card : thrown) put_back(card);  // equivalent to a shuffle: the order of a deck is already random
}

}  // namespace deckatlas::hearthstone
