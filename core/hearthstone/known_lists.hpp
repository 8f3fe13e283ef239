// Hearthstone: decks that opponents are known to play, and guesses of hidden cards by them.
//
// A guess takes a known list of the opponent's class, more likely one that has the cards seen so far. If some of these
// are not in the list, the opponent plays a variant of it: then as large a part of its hidden cards may be any others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hearthstone/resample.hpp"

namespace deckatlas::hearthstone {

inline constexpr std::size_t kMostKnownLists = 64;  // of a class

// A list by the ids of its cards, for any edition.
struct ListedDeck {
    HeroClass hero_class = HeroClass::neutral;
    std::vector<std::string> cards;
};

// The known lists whose cards an edition has.
class KnownLists {
public:
    using List = FixedVector<CardId, kDeckLimit>;

    // Each class has at most kMostKnownLists, of at most kDeckLimit cards.
    KnownLists(const CardSet& cards, const std::vector<ListedDeck>& decks) {
        for (const ListedDeck& deck : decks) {
            List list;
            for (const std::string& id : deck.cards) {
                const auto found = cards.names.numbers.find(id);
                if (found != cards.names.numbers.end()) list.push_back(found->second);
            }
            if (list.size() == deck.cards.size()) lists_[static_cast<std::size_t>(deck.hero_class)].push_back(list);
        }
    }

    std::span<const List> of(HeroClass hero_class) const { return lists_[static_cast<std::size_t>(hero_class)]; }

private:
    std::array<std::vector<List>, kClasses + 1> lists_;
};

// A known list without the cards seen.
class UnseenOfList {
public:
    UnseenOfList(const KnownLists::List& list, const Player& owner) : left_(list) {
        for (int i = 0; i < owner.seen_count; ++i) {
            if (!take(owner.seen[i])) ++misses_;
        }
    }

    int misses() const { return misses_; }  // cards seen that are not in the list
    std::span<CardId> cards() { return {left_.begin(), left_.end()}; }

private:
    bool take(CardId card) {
        for (CardId& each : left_) {
            if (each != card) continue;
            each = left_[left_.size() - 1];
            left_.pop_back();
            return true;
        }
        return false;
    }

    KnownLists::List left_;
    int misses_ = 0;
};

// Guesses what a player cannot see of its opponent.
class HiddenGuesses {
public:
    // The opponent has one of the known lists, or any cards of its class if none is known.
    HiddenGuesses(const CardSet& cards, const KnownLists* known, const Player& opponent)
        : cards_(cards), copies_(cards.copies_for(opponent.hero_class)) {
        if (known != nullptr) lists_ = known->of(opponent.hero_class);
        std::array<int, kMostKnownLists> misses;
        int fewest = kMostSeen;
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            misses[i] = UnseenOfList(lists_[i], opponent).misses();
            fewest = std::min(fewest, misses[i]);
        }
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            weights_[i] = 1u << kBitsPerMiss * (kMostMisses - std::min(kMostMisses, misses[i] - fewest));
            total_ += weights_[i];
        }
    }

    // A state that the viewer of `view` could be in; false if there is none.
    bool draw(const State& view, Rng& rng, State& guess) const {
        if (lists_.empty() || copies_.empty()) return resample(cards_, view, {copies_, copies_}, rng, guess);
        const Player& opponent = view.players[view.viewer ^ 1];
        UnseenOfList unseen(draw_list(rng), opponent);
        const auto misses = static_cast<std::uint32_t>(unseen.misses());
        for (CardId& card : unseen.cards()) {
            if (misses > 0 && rng.below(kSeenBefore + opponent.seen_count) < misses)
                card = copies_[rng.below(static_cast<std::uint32_t>(copies_.size()))];
        }
        return resample(cards_, view, {unseen.cards(), copies_}, rng, guess);
    }

private:
    // One card seen that a list lacks makes it sixteen times less likely; after six more than the best it stays so.
    static constexpr int kBitsPerMiss = 4;
    static constexpr int kMostMisses = 6;
    static constexpr std::uint32_t kSeenBefore = 3;  // as if so many cards seen before the game had been in the list

    const KnownLists::List& draw_list(Rng& rng) const {
        std::uint32_t drawn = rng.below(total_);
        std::size_t at = 0;
        for (; drawn >= weights_[at]; ++at) drawn -= weights_[at];
        return lists_[at];
    }

    const CardSet& cards_;
    std::span<const CardId> copies_;
    std::span<const KnownLists::List> lists_;
    std::array<std::uint32_t, kMostKnownLists> weights_;
    std::uint32_t total_ = 0;
};

}  // namespace deckatlas::hearthstone
