// Draft policies for Legends of Code and Magic: which of three offered cards to take.
//
// A policy answers `choose(cards, draft, player, rng)` with 0, 1 or 2. It may read the offer at hand and what its own
// player has picked so far.
#pragma once

#include <variant>

#include "common/random.hpp"
#include "locm/draft.hpp"

namespace deckatlas::locm {

// Picks uniformly.
struct RandomDraft {
    int choose(const CardTable&, const Draft&, int, Rng& rng) const { return static_cast<int>(rng.below(kOffered)); }
};

// Picks the card with the highest score, the first offered on ties.
struct RankingDraft {
    double scores[kCards + 1] = {};  // by card id

    int choose(const CardTable&, const Draft& draft, int player, Rng&) const {
        const auto& offer = draft.offers[draft.made[player]];
        int best = 0;
        for (int i = 1; i < kOffered; ++i) {
            if (scores[offer[i]] > scores[offer[best]]) best = i;
        }
        return best;
    }
};

// Brings its own thirty cards and looks at no offer.
struct FixedDeck {
    std::uint8_t cards[kDeckSize] = {};
};

using DraftPolicy = std::variant<RandomDraft, RankingDraft, FixedDeck>;

}  // namespace deckatlas::locm
