// Draft policies for Legends of Code and Magic: which of three offered cards to take.
//
// A policy answers `choose(cards, draft, player, rng)` with 0, 1 or 2. It may read the offer at hand and what its own
// player has picked so far.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <variant>
#include <vector>

#include "agents/network.hpp"
#include "common/random.hpp"
#include "locm/draft.hpp"
#include "locm/draft_features.hpp"

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

// Picks what a network rates highest, the first offered on ties; each seat has a network, of 48 inputs and 3 outputs.
struct NetDraft {
    std::shared_ptr<const Network> networks[2];

    int choose(const CardTable& cards, const Draft& draft, int player, Rng&) const {
        double inputs[kOfferFeatures];
        offer_features(cards, draft.offers[draft.made[player]], inputs);
        const std::vector<double> outputs = networks[player]->evaluate({std::begin(inputs), std::end(inputs)});
        return static_cast<int>(std::max_element(outputs.begin(), outputs.end()) - outputs.begin());
    }
};

// Brings its own thirty cards and looks at no offer.
struct FixedDeck {
    std::uint8_t cards[kDeckSize] = {};
};

using DraftPolicy = std::variant<RandomDraft, RankingDraft, NetDraft, FixedDeck>;

}  // namespace deckatlas::locm
