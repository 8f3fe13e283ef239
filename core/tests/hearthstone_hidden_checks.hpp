// Invariants of texts, views and guesses of every Hearthstone state, checked from outside.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "hearthstone/resample.hpp"
#include "hearthstone/text.hpp"
#include "hearthstone_checks.hpp"

namespace deckatlas::hearthstone::tests {

inline std::optional<State> read_if_valid(const CardSet& cards, const std::string& text) {
    try {
        return parse_state(cards, text);
    } catch (const TextError&) {
        return std::nullopt;
    }
}

// A text is parsed to the state it was written from.
inline void check_text(const CardSet& cards, const State& state) {
    const std::string text = format_state(cards, state);
    const auto again = read_if_valid(cards, text);
    CHECK(again.has_value(), state);
    CHECK(format_state(cards, *again) == text, state);
    CHECK(hash_state(*again) == hash_state(state), state);
    if (state.viewer == kSeesAll) check_state(cards, *again);
}

// A parsed state continues like the one it was written from.
inline void check_goes_on(const CardSet& cards, State state, Rng rng) {
    constexpr int kActions = 40;
    State other = parse_state(cards, format_state(cards, state));
    for (int i = 0; i < kActions && !HearthstoneGame::is_over(state); ++i) {
        const Action action = HearthstoneGame::random_action(cards, state, rng);
        Rng same = rng;
        HearthstoneGame::apply(cards, state, action, rng);
        HearthstoneGame::apply(cards, other, action, same);
        CHECK(hash_state(other) == hash_state(state), state);
        CHECK(same.state == rng.state, state);
    }
}

// A guess is a playable state, looks the same to the guessing player, and keeps its own cards.
inline void check_guess(const CardSet& cards, const State& view, const Prior& prior, Rng& rng) {
    State guess;
    CHECK(resample(cards, view, prior, rng, guess), view);
    check_state(cards, guess);
    CHECK(guess.viewer == kSeesAll, view);
    CHECK(format_state(cards, view_of(cards, guess, view.viewer)) == format_state(cards, view), view);
    ActionList actions;
    HearthstoneGame::legal_actions(cards, guess, actions);
    if (actions.empty()) return;
    HearthstoneGame::apply(cards, guess, actions[rng.below(static_cast<std::uint32_t>(actions.size()))], rng);
    check_state(cards, guess);
}

inline void check_views(const CardSet& cards, const State& state, Rng& rng) {
    for (int viewer = 0; viewer < 2; ++viewer) {
        const State view = view_of(cards, state, viewer);
        check_text(cards, view);
        CHECK(format_state(cards, view_of(cards, view, viewer)) == format_state(cards, view), view);
        const std::vector<CardId>& pool = cards.copies_for(state.players[viewer ^ 1].hero_class);
        check_guess(cards, view, {pool, pool}, rng);
    }
}

// A deck only has unseen cards of its list. A secret from outside the deck is treated as one of the deck.
inline void check_unseen(const CardSet& cards, const State& state, int owner, const Unseen& unseen) {
    std::vector<CardId> left(unseen.cards().begin(), unseen.cards().end());
    const Player& player = state.players[owner];
    for (int i = 0; i < player.deck_size; ++i) {
        if (cards[player.deck[i]].secret) continue;
        const auto found = std::find(left.begin(), left.end(), player.deck[i]);
        CHECK(found != left.end(), state);
        left.erase(found);
    }
}

}  // namespace deckatlas::hearthstone::tests
