// Legends of Code and Magic: sampling hidden cards.
//
// `resample` takes a player's view and returns a complete state that this player could be in. It reads only the view,
// so it cannot leak. The opponent's picks are drawn from their posterior, given a prior over which card of an offer is
// picked, the cards played so far (each from a random place of a shuffled deck) and the offers.
#pragma once

#include <cstdint>

#include "common/random.hpp"
#include "locm/state.hpp"

namespace deckatlas::locm {

// The prior: an offered card is picked with a probability proportional to its weight. All weights must be positive.
struct PickPrior {
    double weights[kCards + 1];  // by card id

    static constexpr PickPrior uniform() {
        PickPrior prior{};
        for (double& weight : prior.weights) weight = 1.0;
        return prior;
    }
};

// Which picks the opponent's seen cards came from: a random matching of seen cards to offers that contain them.
//
// A matching's probability is the product, over seen cards, of the prior that its offer gave this card. The chain below
// has exactly this stationary distribution: take a seen card out of its offer and let it choose an offer in proportion
// to the prior. If that offer is occupied, its card is evicted and chooses next, until a card finds a free offer. (The
// prior weight of a state with card c homeless is multiplied by the sum of c's choices, which makes every eviction
// reversible.) The same walk finds the initial matching.
class PickMatching {
public:
    constexpr PickMatching(const Draft& draft, const PickPrior& prior) {
        for (int pick = 0; pick < kPicks; ++pick) {
            double total = 0;
            for (const std::uint8_t card : draft.offers[pick]) total += prior.weights[card];
            for (int i = 0; i < kOffered; ++i) {
                card_[pick][i] = draft.offers[pick][i];
                chance_[pick][i] = prior.weights[card_[pick][i]] / total;
            }
            owner_[pick] = kFree;
        }
    }

    // Adds a seen card; false if no matching with the earlier ones was found.
    constexpr bool add(std::uint8_t card, Rng& rng) {
        const int seen = seen_++;
        seen_card_[seen] = card;
        return place(seen, rng);
    }

    // Mixes the chain.
    constexpr bool mix(Rng& rng) {
        const int moves = 4 * seen_;
        for (int i = 0; i < moves; ++i) {
            const int seen = static_cast<int>(rng.below(static_cast<std::uint32_t>(seen_)));
            owner_[pick_of_[seen]] = kFree;
            if (!place(seen, rng)) return false;
        }
        return true;
    }

    // Writes the picks: matched offers give their seen card, the others follow the prior.
    constexpr void write(std::uint8_t (&chosen)[kPicks], int made, Rng& rng) const {
        for (int pick = 0; pick < made; ++pick) {
            if (owner_[pick] != kFree) {
                chosen[pick] = seen_card_[owner_[pick]];
                continue;
            }
            const double draw = rng.unit();
            const int choice = draw < chance_[pick][0] ? 0 : draw < chance_[pick][0] + chance_[pick][1] ? 1 : 2;
            chosen[pick] = card_[pick][choice];
        }
    }

private:
    static constexpr int kFree = -1;
    static constexpr int kMaxSteps = 100'000;  // typical walks take one or two steps; a contradiction would never end

    constexpr bool place(int seen, Rng& rng) {
        for (int step = 0; step < kMaxSteps; ++step) {
            const int pick = choose_pick(seen_card_[seen], rng);
            if (pick < 0) return false;
            const int evicted = owner_[pick];
            owner_[pick] = seen;
            pick_of_[seen] = pick;
            if (evicted == kFree) return true;
            seen = evicted;
        }
        return false;
    }

    constexpr double chance_of(int pick, std::uint8_t card) const {
        double chance = 0;
        for (int i = 0; i < kOffered; ++i) {
            if (card_[pick][i] == card) chance += chance_[pick][i];
        }
        return chance;
    }

    constexpr int choose_pick(std::uint8_t card, Rng& rng) const {
        double total = 0;
        for (int pick = 0; pick < kPicks; ++pick) total += chance_of(pick, card);
        double draw = rng.unit() * total;
        int last = -1;
        for (int pick = 0; pick < kPicks; ++pick) {
            const double chance = chance_of(pick, card);
            if (chance == 0) continue;
            last = pick;
            draw -= chance;
            if (draw < 0) break;
        }
        return last;
    }

    std::uint8_t card_[kPicks][kOffered] = {};
    double chance_[kPicks][kOffered] = {};
    int owner_[kPicks] = {};  // the seen card of this pick
    std::uint8_t seen_card_[kPicks] = {};
    int pick_of_[kPicks] = {};
    int seen_ = 0;
};

// Fills the future offers. Every pool that contains the shown cards explains them equally well, so the rest of the pool
// is uniform among the other cards.
constexpr void resample_offers(Draft& draft, Rng& rng) {
    const int shown = draft.shown();
    bool is_shown[kCards + 1] = {};
    std::uint8_t pool[kCards] = {};
    int n = 0;
    for (int i = 0; i < shown * kOffered; ++i) {
        const std::uint8_t card = draft.offers[i / kOffered][i % kOffered];
        if (!is_shown[card]) pool[n++] = card;
        is_shown[card] = true;
    }
    const int known = n;
    for (int card = 1; card <= kCards; ++card) {
        if (!is_shown[card]) pool[n++] = static_cast<std::uint8_t>(card);
    }
    for (int i = known; i < kCards; ++i) {
        const auto j = static_cast<std::uint32_t>(i) + rng.below(static_cast<std::uint32_t>(kCards - i));
        const std::uint8_t card = pool[j];
        pool[j] = pool[i];
        pool[i] = card;
    }
    if (draft.format == DraftFormat::distinct) {
        for (int i = shown * kOffered; i < kPicks * kOffered; ++i) draft.offers[i / kOffered][i % kOffered] = pool[i];
        return;
    }
    std::uint8_t first_cards[kPoolSize] = {};
    for (int i = 0; i < kPoolSize; ++i) first_cards[i] = pool[i];
    offer_triples(first_cards, shown, draft, [&rng](std::uint32_t bound) { return rng.below(bound); });
}

constexpr bool resample_picks(State& state, int player, const PickPrior& prior, Rng& rng) {
    PickMatching matching(state.draft, prior);
    if (state.in_battle) {
        for (int position = 0; position < state.battle.sides[player].drawn; ++position) {
            const std::uint8_t card = state.deal.decks[player][position];
            if (card != kUnknownCard && !matching.add(card, rng)) return false;
        }
        if (!matching.mix(rng)) return false;
    }
    matching.write(state.draft.chosen[player], state.draft.made[player], rng);
    return true;
}

// Puts the unseen picks into the unknown places of the deck, in random order.
constexpr bool resample_order(State& state, int player, Rng& rng) {
    auto& deck = state.deal.decks[player];
    const Side& side = state.battle.sides[player];
    int unseen[kCards + 1] = {};
    const int size = state.deal.sizes[player];
    for (int i = 0; i < state.draft.made[player]; ++i) ++unseen[state.draft.chosen[player][i]];
    for (int i = 0; i < size; ++i) {
        if (deck[i] != kUnknownCard && --unseen[deck[i]] < 0) return false;
    }
    std::uint8_t left[kDeckSize] = {};
    int n = 0;
    for (int card = 1; card <= kCards; ++card) {
        for (int copies = unseen[card]; copies > 0; --copies) left[n++] = static_cast<std::uint8_t>(card);
    }
    for (int i = 0; i < size; ++i) {
        const bool was_played = i < side.drawn && (side.hand >> i & 1u) == 0;
        if (deck[i] != kUnknownCard || was_played) continue;
        if (n == 0) return false;
        const auto j = rng.below(static_cast<std::uint32_t>(n));
        deck[i] = left[j];
        left[j] = left[--n];
    }
    return true;
}

// A state that the viewer of `view` could be in; false if the seen cards contradict the offers.
constexpr bool resample(const CardTable& cards, const State& view, const PickPrior& prior, Rng& rng, State& result) {
    result = view;
    result.viewer = kSeesAll;
    const int opponent = view.viewer ^ 1;
    if (view.draft.has_offers() && !resample_picks(result, opponent, prior, rng)) return false;
    if (!view.in_battle) {
        resample_offers(result.draft, rng);
        for (auto& seed : result.shuffle_seeds) seed = static_cast<std::int64_t>(rng.next());
        return true;
    }
    if (!resample_order(result, 0, rng) || !resample_order(result, 1, rng)) return false;
    index_deal(cards, result.deal);
    return true;
}

}  // namespace deckatlas::locm
