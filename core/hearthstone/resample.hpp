// Hearthstone: sampling hidden cards.
//
// `resample` takes a player's view and returns a complete state that this player could be in. It reads only the view
// and the prior, so it cannot leak. `Unseen` keeps the cards of a known list that have not been seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/fixed_vector.hpp"
#include "common/random.hpp"
#include "hearthstone/view.hpp"

namespace deckatlas::hearthstone {

inline constexpr std::size_t kMostCandidates = 1024;  // more than two copies of every card that a class may have
using Candidates = FixedVector<CardId, kMostCandidates>;

// A player's prior for the opponent's hidden cards.
struct Prior {
    // Copies that may be among them, all equally likely: the unseen cards of the deck list if it is known, otherwise
    // all unseen copies that a deck of the class may have.
    std::span<const CardId> candidates;
    // Possible cards for a hidden card that was created in the game, all equally likely; and for any hidden card when
    // candidates run out.
    std::span<const CardId> others;
};

// Candidates that have not been seen, kept by the opponent of their owner.
class Unseen {
public:
    explicit Unseen(std::span<const CardId> copies) {
        for (const CardId card : copies.first(std::min(copies.size(), kMostCandidates))) left_.push_back(card);
    }

    // Removes the cards of `owner`'s deck that an action showed: hidden before, and no longer. Cards that were offered
    // as a choice and not taken are gone without having been seen.
    void note(const State& before, const State& after, int owner) {
        Hidden gone = hidden_cards(before, owner);
        for (const CardId card : hidden_cards(after, owner)) take(gone, card);
        const bool chose = before.phase == Phase::choice && before.active == owner;
        for (int i = 0; chose && i < before.choice_count; ++i) take(gone, before.choices[i]);
        for (const CardId card : gone) take(left_, card);
    }

    std::span<const CardId> cards() const { return {left_.begin(), left_.end()}; }

private:
    using Hidden = FixedVector<CardId, kHandLimit + kDeckLimit + kSecretLimit + kChoices>;

    static Hidden hidden_cards(const State& state, int owner) {
        const Player& player = state.players[owner];
        Hidden cards;
        for (int i = 0; i < player.hand_size; ++i) {
            if (player.hand[i].origin == Origin::drawn) cards.push_back(player.hand[i].card);
        }
        for (int i = 0; i < player.deck_size; ++i) cards.push_back(player.deck[i]);
        for (int i = 0; i < player.secret_count; ++i) cards.push_back(player.secrets[i].card);
        for (int i = 0; state.active == owner && i < state.choice_count; ++i) cards.push_back(state.choices[i]);
        return cards;
    }

    template <class Cards>
    static void take(Cards& from, CardId card) {
        for (CardId& each : from) {
            if (each != card) continue;
            each = from[from.size() - 1];
            return from.pop_back();
        }
    }

    Candidates left_;
};

// Draws hidden cards: candidates without replacement, then others.
class HiddenDraws {
public:
    HiddenDraws(const Prior& prior, Rng& rng) : others_(prior.others), rng_(rng) {
        for (const CardId card : prior.candidates.first(std::min(prior.candidates.size(), kMostCandidates)))
            left_.push_back(card);
    }

    std::size_t candidates() const { return left_.size(); }

    CardId candidate() { return take(rng_.below(static_cast<std::uint32_t>(left_.size()))); }

    // The unknown card if there are none.
    CardId other() {
        if (others_.empty()) return kUnknownCard;
        return others_[rng_.below(static_cast<std::uint32_t>(others_.size()))];
    }

    // A card that fits, from the candidates or else from the others; the unknown card if none fits.
    template <class Fits>
    CardId fitting(const Fits& fits) {
        if (const std::uint32_t count = count_of(left_, fits); count > 0)
            return take(place_of(left_, fits, rng_.below(count)));
        if (const std::uint32_t count = count_of(others_, fits); count > 0)
            return others_[place_of(others_, fits, rng_.below(count))];
        return kUnknownCard;
    }

private:
    CardId take(std::size_t place) {
        const CardId card = left_[place];
        left_[place] = left_[left_.size() - 1];
        left_.pop_back();
        return card;
    }

    template <class Cards, class Fits>
    static std::uint32_t count_of(const Cards& cards, const Fits& fits) {
        std::uint32_t count = 0;
        for (const CardId card : cards) count += fits(card);
        return count;
    }

    template <class Cards, class Fits>
    static std::size_t place_of(const Cards& cards, const Fits& fits, std::uint32_t which) {
        std::size_t place = 0;
        while (!fits(cards[place]) || which-- > 0) ++place;
        return place;
    }

    Candidates left_;
    std::span<const CardId> others_;
    Rng& rng_;
};

// Secrets of the visible classes, all different; false if a class does not have enough.
inline bool resample_secrets(const CardSet& cards, Player& owner, HiddenDraws& draws, Rng& rng) {
    for (int i = 0; i < owner.secret_count; ++i) {
        if (cards.is_known(owner.secrets[i].card)) continue;
        const HeroClass hero_class = cards[owner.secrets[i].card].hero_class;
        const auto fits = [&](CardId card) {
            for (int k = 0; k < owner.secret_count; ++k) {
                if (owner.secrets[k].card == card) return false;
            }
            return cards[card].secret && cards[card].hero_class == hero_class;
        };
        CardId secret = draws.fitting(fits);
        if (secret == kUnknownCard) {  // neither the deck nor the class can explain it: any secret
            std::uint32_t found = 0;
            for (CardId card = 1; card < cards.unknown_secrets; ++card) {
                if (fits(card) && rng.below(++found) == 0) secret = card;
            }
        }
        if (secret == kUnknownCard) return false;
        owner.secrets[i].card = secret;
    }
    return true;
}

// A state that the viewer of `view` could be in; false if the prior has no card for a hidden place.
inline bool resample(const CardSet& cards, const State& view, const Prior& prior, Rng& rng, State& result) {
    result = view;
    result.viewer = kSeesAll;
    Player& own = result.players[view.viewer];
    Player& opponent = result.players[view.viewer ^ 1];
    for (std::uint32_t i = own.deck_size; i > 1; --i) std::swap(own.deck[i - 1], own.deck[rng.below(i)]);

    HiddenDraws draws(prior, rng);
    if (!resample_secrets(cards, opponent, draws, rng)) return false;
    bool complete = true;
    const auto fill = [&](CardId& card, Origin origin) {
        card = origin == Origin::drawn && draws.candidates() > 0 ? draws.candidate() : draws.other();
        complete &= card != kUnknownCard;
    };
    for (int i = 0; i < opponent.deck_size; ++i) fill(opponent.deck[i], Origin::drawn);
    for (int i = 0; result.active != view.viewer && i < result.choice_count; ++i)
        fill(result.choices[i], Origin::drawn);
    for (int i = 0; i < opponent.hand_size; ++i) {
        if (is_hidden(opponent.hand[i])) fill(opponent.hand[i].card, opponent.hand[i].origin);
    }
    if (complete) heed_all(cards, result);
    return complete;
}

}  // namespace deckatlas::hearthstone
