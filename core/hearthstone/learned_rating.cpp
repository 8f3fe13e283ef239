// A learned rating for any edition. See learned_rating.hpp.
#include "hearthstone/learned_rating.hpp"

#include <algorithm>
#include <utility>

namespace deckatlas::hearthstone {

LearnedRating::LearnedRating(RatingNumbers numbers) : numbers_(std::move(numbers)) {
    for (std::size_t i = 0; i < numbers_.cards.size(); ++i) places_[numbers_.cards[i]] = i;
}

std::shared_ptr<const EditionRating> LearnedRating::in_edition(const CardSet& cards) const {
    const std::lock_guard lock(mutex_);
    for (const auto& each : kept_) {
        if (each->network.is_for(cards)) return each;
    }
    if (kept_.size() == kMostKept) kept_.pop_front();
    return kept_.emplace_back(
        std::make_shared<EditionRating>(PositionNetwork(cards, numbers_for(cards)), KnownLists(cards, numbers_.decks)));
}

NetworkNumbers LearnedRating::numbers_for(const CardSet& cards) const {
    NetworkNumbers numbers = numbers_.network;
    const std::size_t columns = numbers.width + 1;
    numbers.own.resize(PositionFeatures(cards).count() * columns);
    for (std::size_t card = 0; card < cards.cards.size(); ++card) {
        const auto found = places_.find(cards.names.cards[card]);
        if (found == places_.end()) continue;
        for (std::size_t zone = 0; zone < kCardZones; ++zone) {
            const auto from = (found->second * kCardZones + zone) * columns;
            const auto to = (kFirstCardFeature + zone * cards.cards.size() + card) * columns;
            std::copy_n(numbers_.zones.begin() + static_cast<std::ptrdiff_t>(from), columns,
                        numbers.own.begin() + static_cast<std::ptrdiff_t>(to));
        }
    }
    return numbers;
}

}  // namespace deckatlas::hearthstone
