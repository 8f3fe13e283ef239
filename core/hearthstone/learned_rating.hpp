// Hearthstone: a learned rating for any edition, and the decks that it knows. It makes the network of an edition when
// the edition is first played.
//
// The own numbers of cards are kept by the cards' ids, so an edition finds those of its cards, and a card that was not
// in training starts with what it shares with others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hearthstone/known_lists.hpp"
#include "hearthstone/position_network.hpp"

namespace deckatlas::hearthstone {

// The numbers of a rating; rows have one number more than the network is wide, as in NetworkNumbers.
struct RatingNumbers {
    NetworkNumbers network;           // its own rows are those of zones of numbers only
    std::vector<std::string> cards;   // ids of the cards with own numbers
    std::vector<std::int16_t> zones;  // for each of them, a row per zone of cards
    std::vector<ListedDeck> decks;    // that opponents may play
};

// What a rating is in one edition.
struct EditionRating {
    PositionNetwork network;
    KnownLists lists;
};

class LearnedRating {
public:
    // Sizes and limits of the numbers were checked.
    explicit LearnedRating(RatingNumbers numbers);

    // Its form for an edition. Threads may ask at the same time; those of the last few editions are kept.
    std::shared_ptr<const EditionRating> in_edition(const CardSet& cards) const;

    std::size_t width() const { return numbers_.network.width; }

private:
    static constexpr std::size_t kMostKept = 16;

    NetworkNumbers numbers_for(const CardSet& cards) const;

    RatingNumbers numbers_;
    std::map<std::string, std::size_t, std::less<>> places_;  // of cards
    mutable std::mutex mutex_;
    mutable std::deque<std::shared_ptr<const EditionRating>> kept_;
};

}  // namespace deckatlas::hearthstone
