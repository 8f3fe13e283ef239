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

// The numbers of a deck's cards may have at most this sum.
struct DeckLimit {
    std::vector<std::int64_t> numbers;
    std::int64_t most = 0;
};

// What a deck is: its size, and how many copies of each card it may have; there are enough copies for a deck. It may
// have to have some cards, and to keep to limits; some cards of a deck can always be chosen.
struct DeckRules {
    std::vector<std::uint8_t> most_copies;
    std::vector<std::uint8_t> least_copies;  // zero for most cards
    std::vector<DeckLimit> limits;
    std::size_t size = 0;
    std::size_t free = 0;  // cards of a deck that can be chosen

    std::size_t cards() const { return most_copies.size(); }
    bool has_constraints() const { return free < size || !limits.empty(); }
};

// A deck in memory of somebody else.
struct DeckView {
    std::uint16_t* cards;
    std::uint8_t* counts;
};

class DeckDraws {
public:
    DeckDraws(const DeckRules& rules, std::uint64_t seed) : rules_(&rules), rng_{seed}, slack_(rules.limits.size()) {
        for (std::size_t card = 0; card < rules.cards(); ++card)
            copies_.insert(copies_.end(), rules.most_copies[card], static_cast<std::uint16_t>(card));
    }

    std::uint32_t below(std::uint32_t bound) { return rng_.below(bound); }

    // A deck drawn uniformly from all allowed copies. For every place of the deck, one draw takes a copy out of the
    // list of those that remain: it exchanges places with the first of them. Only for rules without constraints.
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
    // come back. Places of cards that a deck must have are drawn again. With limits, a new card has room if it takes
    // no more than what was left and what the removed card of the same number took. Since other new cards may have
    // taken the last cards that do so, the deck stays as it was after too many draws.
    std::size_t mutate(DeckView deck, std::uint16_t* removed) {
        const std::size_t size = rules_->size;
        const std::size_t replaced =
            std::min(static_cast<std::size_t>(std::countr_zero(rng_.next())) + 1, rules_->free);
        set_slack(deck);
        for (std::size_t i = 0; i < replaced; ++i) {
            const std::size_t last = size - 1 - i;
            std::uint32_t place;
            do {
                place = rng_.below(static_cast<std::uint32_t>(last + 1));
            } while (deck.counts[deck.cards[place]] <= rules_->least_copies[deck.cards[place]]);
            std::swap(deck.cards[place], deck.cards[last]);
            removed[i] = deck.cards[last];
            --deck.counts[removed[i]];
        }
        for (std::size_t i = 0; i < replaced; ++i) {
            for (std::size_t k = 0; k < slack_.size(); ++k) slack_[k] += rules_->limits[k].numbers[removed[i]];
            std::uint32_t card;
            std::size_t draws = 0;
            do {
                card = rng_.below(static_cast<std::uint32_t>(rules_->cards()));
                if (!slack_.empty() && ++draws > kMostDraws) {
                    put_back(deck, removed, replaced, i);
                    return 0;
                }
            } while (deck.counts[card] >= rules_->most_copies[card] || !fits(card));
            for (std::size_t k = 0; k < slack_.size(); ++k) slack_[k] -= rules_->limits[k].numbers[card];
            deck.cards[size - replaced + i] = static_cast<std::uint16_t>(card);
            ++deck.counts[card];
        }
        return replaced;
    }

private:
    static constexpr std::size_t kMostDraws = 10'000;

    // What the limits leave.
    void set_slack(DeckView deck) {
        for (std::size_t k = 0; k < slack_.size(); ++k) {
            slack_[k] = rules_->limits[k].most;
            for (std::size_t i = 0; i < rules_->size; ++i) slack_[k] -= rules_->limits[k].numbers[deck.cards[i]];
        }
    }

    bool fits(std::uint32_t card) const {
        for (std::size_t k = 0; k < slack_.size(); ++k)
            if (rules_->limits[k].numbers[card] > slack_[k]) return false;
        return true;
    }

    // Undoes a mutation of which some new cards are in the deck.
    void put_back(DeckView deck, const std::uint16_t* removed, std::size_t replaced, std::size_t added) const {
        std::uint16_t* const first = deck.cards + rules_->size - replaced;
        for (std::size_t i = 0; i < added; ++i) --deck.counts[first[i]];
        for (std::size_t i = 0; i < replaced; ++i) {
            first[i] = removed[i];
            ++deck.counts[removed[i]];
        }
    }

    const DeckRules* rules_;
    Rng rng_;
    std::vector<std::uint16_t> copies_;
    std::vector<std::int64_t> slack_;  // of each limit
};

}  // namespace deckatlas::surrogate
