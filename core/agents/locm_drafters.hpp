// Draft policies for Legends of Code and Magic: which of three offered cards to take.
//
// A policy has `choose(cards, draft, player, rng)`, which returns 0, 1 or 2. It may read the current offer and its
// player's picks so far. kRepeats says that it makes the same picks from the same offers and does not use rng.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <variant>

#include "common/network.hpp"
#include "common/random.hpp"
#include "locm/draft.hpp"
#include "locm/draft_features.hpp"

namespace deckatlas::locm {

inline bool is_guard_creature(const Card& card) {
    return card.type == CardType::creature && (card.keywords & kGuard) != 0;
}

inline int creatures_picked(const CardTable& cards, const Draft& draft, int player) {
    int creatures = 0;
    for (int i = 0; i < draft.made[player]; ++i) {
        creatures += cards[draft.chosen[player][i]].type == CardType::creature ? 1 : 0;
    }
    return creatures;
}

// Picks uniformly.
struct RandomDraft {
    static constexpr bool kRepeats = false;
    int choose(const CardTable&, const Draft&, int, Rng& rng) const { return static_cast<int>(rng.below(kOffered)); }
};

// Picks the card with the highest score, the first offered on ties.
struct RankingDraft {
    static constexpr bool kRepeats = true;
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

// Picks by one of four rankings: each seat has one, and another while fewer than two in five picks are creatures.
struct SeatRankingDraft {
    static constexpr bool kRepeats = true;
    double scores[2][2][kCards + 1] = {};  // by seat, whether creatures are few, card id
    bool last_on_ties = false;

    int choose(const CardTable& cards, const Draft& draft, int player, Rng&) const {
        const int made = draft.made[player];
        const auto& ranking = scores[player][5 * creatures_picked(cards, draft, player) < 2 * made];
        const auto& offer = draft.offers[made];
        int best = 0;
        for (int i = 1; i < kOffered; ++i) {
            const double score = ranking[offer[i]];
            const double best_score = ranking[offer[best]];
            if (score > best_score || (last_on_ties && score == best_score)) best = i;
        }
        return best;
    }
};

// Wants a number of cards of each cost. A cost is urgent while the deck has fewer cards of it than it should have by
// now. The card with the highest score is picked among the urgent ones if there are any, else among all; the first
// offered on ties.
struct PatternDraft {
    static constexpr bool kRepeats = true;
    static constexpr int kCosts = 7;  // up to 1, 2, ..., 6, 7 or more

    double scores[2][kCards + 1] = {};  // by seat, card id
    int wanted[2][kCosts] = {};         // by seat, cost: of thirty cards

    static constexpr int cost_kind(const Card& card) { return std::clamp<int>(card.cost, 1, kCosts) - 1; }

    // n / 30 > d / t, for n wanted and d picked, at pick t counted from 1.
    static constexpr bool is_urgent(int wanted, int picked, int turn) { return wanted * turn > kPicks * picked; }

    constexpr int choose(const CardTable& cards, const Draft& draft, int player, Rng&) const {
        const int made = draft.made[player];
        int picked[kCosts] = {};
        for (int i = 0; i < made; ++i) ++picked[cost_kind(cards[draft.chosen[player][i]])];
        const auto& offer = draft.offers[made];
        int best = 0;
        bool best_urgent = false;
        for (int i = 0; i < kOffered; ++i) {
            const int kind = cost_kind(cards[offer[i]]);
            const bool urgent = is_urgent(wanted[player][kind], picked[kind], made + 1);
            const bool higher = scores[player][offer[i]] > scores[player][offer[best]];
            if (i == 0 || (urgent && !best_urgent) || (urgent == best_urgent && higher)) {
                best = i;
                best_urgent = urgent;
            }
        }
        return best;
    }
};

// Values each card by itself and by the rest of the deck. A kind of card (its cost, or being an item) with n cards in
// the deck is worth n times n times a bend, so one more is worth less (or more) the more there will be. The predicted
// number at the end is the number picked plus the usual number among the remaining picks.
struct CurveDraft {
    static constexpr bool kRepeats = true;
    static constexpr int kKinds = PatternDraft::kCosts + 1;  // the costs, then items
    static constexpr int kItems = PatternDraft::kCosts;

    double values[2][kCards + 1] = {};  // by seat, card id
    double bends[2][kKinds] = {};
    double usual[2][kKinds] = {};  // of thirty cards

    int choose(const CardTable& cards, const Draft& draft, int player, Rng&) const {
        const int made = draft.made[player];
        double extra[kKinds];  // the value of one more card of a kind
        int picked[kKinds] = {};
        for (int i = 0; i < made; ++i) {
            const Card& card = cards[draft.chosen[player][i]];
            ++picked[PatternDraft::cost_kind(card)];
            if (card.type != CardType::creature) ++picked[kItems];
        }
        const double left = static_cast<double>(kPicks - 1 - made) / kPicks;
        for (int kind = 0; kind < kKinds; ++kind) {
            extra[kind] = bends[player][kind] * (2 * (picked[kind] + left * usual[player][kind]) + 1);
        }
        const auto& offer = draft.offers[made];
        int best = 0;
        double best_value = 0;
        for (int i = 0; i < kOffered; ++i) {
            const Card& card = cards[offer[i]];
            double value = values[player][offer[i]] + extra[PatternDraft::cost_kind(card)];
            if (card.type != CardType::creature) value += extra[kItems];
            if (i == 0 || value > best_value) {
                best = i;
                best_value = value;
            }
        }
        return best;
    }
};

// The contest's Baseline1: the second card if it is a Guard creature, else the third if that is one, else the first.
struct Baseline1Draft {
    static constexpr bool kRepeats = true;
    int choose(const CardTable& cards, const Draft& draft, int player, Rng&) const {
        const auto& offer = draft.offers[draft.made[player]];
        for (int i = 1; i < kOffered; ++i) {
            if (is_guard_creature(cards[offer[i]])) return i;
        }
        return 0;
    }
};

// The contest's Baseline2: the creature with the highest attack, the first on ties, or the first card without one.
struct Baseline2Draft {
    static constexpr bool kRepeats = true;
    int choose(const CardTable& cards, const Draft& draft, int player, Rng&) const {
        const auto& offer = draft.offers[draft.made[player]];
        int best = 0;
        int best_attack = -1;
        for (int i = 0; i < kOffered; ++i) {
            const Card& card = cards[offer[i]];
            if (card.type == CardType::creature && card.attack > best_attack) {
                best = i;
                best_attack = card.attack;
            }
        }
        return best;
    }
};

// The contest's UJI agents aim for a mix of cards: numbers of creatures of each cost and of items of each colour. A
// card's demand is the number that its kind still lacks, plus six for a Guard creature.
class UjiMix {
public:
    static constexpr int kKinds = 10;  // creatures by cost, up to 1, 2, ..., 6, 7 or more; green, red, blue items

    // The demand for each card of the offer; negative if there are too many of its kind.
    static void wanted(const int (&mix)[kKinds], const CardTable& cards, const Draft& draft, int player,
                       int (&weights)[kOffered]) {
        int lacking[kKinds + 1] = {};  // the last is for hidden cards
        for (int kind = 0; kind < kKinds; ++kind) lacking[kind] = mix[kind];
        for (int i = 0; i < draft.made[player]; ++i) --lacking[kind_of(cards[draft.chosen[player][i]])];
        for (int i = 0; i < kOffered; ++i) {
            const Card& card = cards[draft.offers[draft.made[player]][i]];
            weights[i] = lacking[kind_of(card)] + (is_guard_creature(card) ? kGuardBonus : 0);
        }
    }

private:
    static constexpr int kCostKinds = 7;
    static constexpr int kGuardBonus = 6;

    static int kind_of(const Card& card) {
        if (card.type == CardType::creature) return std::clamp<int>(card.cost, 1, kCostKinds) - 1;
        return kCostKinds - 1 + static_cast<int>(card.type);  // one past the kinds for a hidden card
    }
};

// UJIAgent1: the card with the highest demand, the first on ties. It takes card 151 before anything else, and green and
// blue items only if there is nothing else.
struct Uji1Draft {
    static constexpr bool kRepeats = true;
    static constexpr int kMix[UjiMix::kKinds] = {5, 5, 3, 3, 3, 4, 4, 3, 0, 0};
    static constexpr int kFavourite = 151;
    static constexpr int kFavouriteWeight = 100;

    int choose(const CardTable& cards, const Draft& draft, int player, Rng&) const {
        const auto& offer = draft.offers[draft.made[player]];
        int weights[kOffered];
        UjiMix::wanted(kMix, cards, draft, player, weights);
        int best = 0;
        for (int i = 0; i < kOffered; ++i) {
            const CardType type = cards[offer[i]].type;
            if (offer[i] == kFavourite) weights[i] = kFavouriteWeight;
            if (type == CardType::green || type == CardType::blue) weights[i] = -kFavouriteWeight;
            if (weights[i] > weights[best]) best = i;
        }
        return best;
    }
};

// UJIAgent2: a random card with a probability proportional to its demand; uniform if there is no demand.
struct Uji2Draft {
    static constexpr bool kRepeats = false;
    static constexpr int kMix[UjiMix::kKinds] = {5, 4, 4, 3, 3, 3, 2, 2, 2, 2};

    int choose(const CardTable& cards, const Draft& draft, int player, Rng& rng) const {
        int weights[kOffered];
        UjiMix::wanted(kMix, cards, draft, player, weights);
        int total = 0;
        for (int& weight : weights) {
            weight = weight > 0 ? weight : 0;
            total += weight;
        }
        if (total == 0) return static_cast<int>(rng.below(kOffered));
        int left = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
        int choice = 0;
        while (left >= weights[choice]) left -= weights[choice++];
        return choice;
    }
};

// Picks the card that a network rates highest, the first on ties; each seat has a network of 48 inputs and 3 outputs.
struct NetDraft {
    static constexpr bool kRepeats = true;
    std::shared_ptr<const Network> networks[2];

    int choose(const CardTable& cards, const Draft& draft, int player, Rng&) const {
        double inputs[kOfferFeatures];
        offer_features(cards, draft.offers[draft.made[player]], inputs);
        double outputs[kOffered];
        networks[player]->evaluate(inputs, outputs);
        return static_cast<int>(std::max_element(std::begin(outputs), std::end(outputs)) - std::begin(outputs));
    }
};

// Has its own thirty cards and ignores offers.
struct FixedDeck {
    static constexpr bool kRepeats = true;
    std::uint8_t cards[kDeckSize] = {};
};

using DraftPolicy = std::variant<RandomDraft, RankingDraft, SeatRankingDraft, PatternDraft, CurveDraft, Baseline1Draft,
                                 Baseline2Draft, Uji1Draft, Uji2Draft, NetDraft, FixedDeck>;

}  // namespace deckatlas::locm
