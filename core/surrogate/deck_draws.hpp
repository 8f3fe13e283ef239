// Random decks and their mutations.
//
// A deck is a list of cards, with repeats, beside the count of each card. The draws from the generator and their order
// are part of the behaviour: a plain version in the tests repeats them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/random.hpp"

namespace deckatlas::surrogate {

// What a deck is: its size, and how many copies of each card it may have; there are enough copies for a deck.
struct DeckRules {
    std::vector<std::uint8_t> most_copies;
    std::size_t size = 0;

    std::size_t cards() const { return most_copies.size(); }
};

// A deck in memory of somebody else.
struct DeckView {
    std::uint16_t* cards;
    std::uint8_t* counts;
};

class DeckDraws {
public:
    DeckDraws(const DeckRules& rules, std::uint64_t seed) : rules_(&rules), rng_{seed} {
        for (std::size_t card = 0; card < rules.cards(); ++card)
            copies_.insert(copies_.end(), rules.most_copies[card], static_cast<std::uint16_t>(card));
    }

    std::uint32_t below(std::uint32_t bound) { return rng_.below(bound); }

    // A deck drawn uniformly from all allowed copies. For every place of the deck, one draw takes a copy out of the
    // list of those that remain: it exchanges places with the first of them.
    void random(DeckView deck) {
        std::vector<std::uint16_t> copies = copies_;
        std::fill_n(deck.counts, rules_->cards(), std::uint8_t{0});
        for (std::size_t i = 0; i < rules_->size; ++i) {
            std::swap(copies[i], copies[i + rng_.below(static_cast<std::uint32_t>(copies.size() - i))]);
            deck.cards[i] = copies[i];
            ++deck.counts[copies[i]];
        }
    }

    // Replaces k cards, where k has probability 2 to the minus k, and returns k. The cards removed are written to
    // `removed`, which has room for a deck; the new cards are the last k of the deck. One draw gives k, as the zeros at
    // the end of its bits plus one. One draw for each card to remove takes a place of the deck; the last card not yet
    // removed exchanges places with it. Then cards of the pool are drawn until k of them had room; a removed card may
    // come back.
    std::size_t mutate(DeckView deck, std::uint16_t* removed) {
        const std::size_t size = rules_->size;
        const std::size_t replaced = std::min(static_cast<std::size_t>(std::countr_zero(rng_.next())) + 1, size);
        for (std::size_t i = 0; i < replaced; ++i) {
            const std::size_t last = size - 1 - i;
            std::swap(deck.cards[rng_.below(static_cast<std::uint32_t>(last + 1))], deck.cards[last]);
            removed[i] = deck.cards[last];
            --deck.counts[removed[i]];
        }
        for (std::size_t i = size - replaced; i < size; ++i) {
            std::uint32_t card;
            do {
                card = rng_.below(static_cast<std::uint32_t>(rules_->cards()));
            } while (deck.counts[card] >= rules_->most_copies[card]);
            deck.cards[i] = static_cast<std::uint16_t>(card);
            ++deck.counts[card];
        }
        return replaced;
    }

private:
    const DeckRules* rules_;
    Rng rng_;
    std::vector<std::uint16_t> copies_;
};

}  // namespace deckatlas::surrogate
