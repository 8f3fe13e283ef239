// Legends of Code and Magic: the draft, the seeds behind a game, and the shuffled decks that follow from them.
//
// One 64-bit seed defines a game: with that seed, the official referee shows the same cards and shuffles the same
// decks. For that reason all draws here use java.util.Random.
#pragma once

#include <cstdint>

#include "common/random.hpp"
#include "locm/battle.hpp"
#include "locm/cards.hpp"

namespace deckatlas::locm {

inline constexpr int kPicks = kDeckSize;
inline constexpr int kOffered = 3;
inline constexpr int kPoolSize = 60;

enum class DraftFormat : std::uint8_t {
    referee,   // a pool of 60 cards; each pick offers three different cards of it, with repeats between picks
    distinct,  // 90 different cards, each offered once
    given,     // no draft: the game starts from two given decks
};

struct Seeds {
    std::int64_t draft = 0;
    std::int64_t shuffle[2] = {0, 0};
};

constexpr Seeds derive_seeds(std::uint64_t game_seed) {
    JavaRandom random(static_cast<std::int64_t>(game_seed));
    Seeds seeds;
    seeds.draft = random.next_long();
    seeds.shuffle[0] = random.next_long();
    seeds.shuffle[1] = random.next_long();
    return seeds;
}

struct Draft {
    std::uint8_t offers[kPicks][kOffered] = {};  // card ids; 0 without a draft and, in a view, for future offers
    std::uint8_t chosen[2][kPicks] = {};         // card ids in the order of the picks; 0 where hidden
    std::uint8_t made[2] = {0, 0};               // picks made so far
    DraftFormat format = DraftFormat::given;

    constexpr bool has_offers() const { return format != DraftFormat::given; }
    // The number of offers shown: both players see an offer before either picks from it.
    constexpr int shown() const {
        const int rounds = (made[0] < made[1] ? made[0] : made[1]) + 1;
        return rounds < kPicks ? rounds : kPicks;
    }
};

// Fills the offers from `from` on, each with three different cards of the pool; `below(n)` is uniform in [0, n).
template <class Below>
constexpr void offer_triples(const std::uint8_t (&pool)[kPoolSize], int from, Draft& draft, Below&& below) {
    for (int i = from; i < kPicks; ++i) {
        const std::uint32_t first = below(kPoolSize);
        std::uint32_t second = below(kPoolSize);
        while (second == first) second = below(kPoolSize);
        std::uint32_t third = below(kPoolSize);
        while (third == first || third == second) third = below(kPoolSize);
        draft.offers[i][0] = pool[first];
        draft.offers[i][1] = pool[second];
        draft.offers[i][2] = pool[third];
    }
}

constexpr void offer_from_pool(JavaRandom& random, Draft& draft) {
    std::uint8_t pool[kPoolSize] = {};
    bool taken[kCards] = {};
    for (auto& card : pool) {
        std::uint32_t index = random.next_int(kCards);
        while (taken[index]) index = random.next_int(kCards);
        taken[index] = true;
        card = static_cast<std::uint8_t>(index + 1);
    }
    offer_triples(pool, 0, draft, [&random](std::uint32_t n) { return random.next_int(n); });
}

constexpr void offer_distinct(JavaRandom& random, Draft& draft) {
    std::uint8_t cards[kCards] = {};
    for (int i = 0; i < kCards; ++i) cards[i] = static_cast<std::uint8_t>(i + 1);
    for (int i = 0; i < kPicks * kOffered; ++i) {
        const auto j = static_cast<std::uint32_t>(i) + random.next_int(static_cast<std::uint32_t>(kCards - i));
        const std::uint8_t card = cards[j];
        cards[j] = cards[i];
        draft.offers[i / kOffered][i % kOffered] = card;
    }
}

constexpr Draft new_draft(DraftFormat format, std::int64_t seed) {
    Draft draft;
    draft.format = format;
    JavaRandom random(seed);
    if (format == DraftFormat::referee) {
        offer_from_pool(random, draft);
    } else {
        offer_distinct(random, draft);
    }
    return draft;
}

constexpr void pick(Draft& draft, int player, int choice) {
    const int number = draft.made[player]++;
    draft.chosen[player][number] = draft.offers[number][choice];
}

// Shuffles the chosen cards of both players into their decks.
constexpr Deal shuffle_decks(const CardTable& cards, const Draft& draft, const std::int64_t (&seeds)[2]) {
    Deal deal;
    for (int player = 0; player < 2; ++player) {
        auto& deck = deal.decks[player];
        for (int i = 0; i < kDeckSize; ++i) deck[i] = draft.chosen[player][i];
        JavaRandom random(seeds[player]);
        for (int i = kDeckSize - 1; i > 0; --i) {
            const auto j = random.next_int(static_cast<std::uint32_t>(i + 1));
            const std::uint8_t card = deck[i];
            deck[i] = deck[j];
            deck[j] = card;
        }
    }
    index_deal(cards, deal);
    return deal;
}

}  // namespace deckatlas::locm
