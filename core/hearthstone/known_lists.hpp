// Hearthstone: decks that opponents are known to play, and guesses of hidden cards by them.
//
// A guess takes a known list of the opponent's class, more likely one that has the cards seen so far. If some of these
// are not in the list, the opponent plays a variant of it: then as large a part of its hidden cards may be any others.
// A player knows its own deck, too: an opponent of its class may play the same.
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
    explicit UnseenOfList(const KnownLists::List& list) : left_(list) {}
    UnseenOfList(const KnownLists::List& list, const Player& owner) : left_(list) {
        for (int i = 0; i < owner.seen_count; ++i) {
            if (!take(owner.seen[i])) ++misses_;
        }
    }

    int misses() const { return misses_; }  // cards seen that are not in the list
    std::span<CardId> cards() { return {left_.begin(), left_.end()}; }

    // False if there is no such card.
    bool take(CardId card) {
        for (CardId& each : left_) {
            if (each != card) continue;
            each = left_[left_.size() - 1];
            left_.pop_back();
            return true;
        }
        return false;
    }

private:
    KnownLists::List left_;
    int misses_ = 0;
};

// The cards that a player began with, as far as it can tell: those of its deck and hand, its secrets, and those seen.
inline KnownLists::List own_list(const Player& own) {
    KnownLists::List list;
    const auto add = [&](CardId card) {
        if (list.size() < kDeckLimit) list.push_back(card);
    };
    for (int i = 0; i < own.seen_count; ++i) add(own.seen[i]);
    for (int i = 0; i < own.deck_size; ++i) add(own.deck[i]);
    for (int i = 0; i < own.hand_size; ++i) {
        if (own.hand[i].origin == Origin::drawn) add(own.hand[i].card);
    }
    for (int i = 0; i < own.secret_count; ++i) add(own.secrets[i].card);
    return list;
}

inline bool has_all(const KnownLists::List& list, const KnownLists::List& cards) {
    UnseenOfList left(list);
    return std::ranges::all_of(cards, [&](CardId card) { return left.take(card); });
}

// Guesses what a player cannot see of its opponent.
class HiddenGuesses {
public:
    // The opponent of `player`, who sees `view`, has one of the known lists, or the list that `player` plays if
    // it is of that class, or any cards of its class if no list is known.
    HiddenGuesses(const CardSet& cards, const KnownLists* known, const State& view, int player)
        : cards_(cards), copies_(cards.copies_for(view.players[player ^ 1].hero_class)) {
        const Player& opponent = view.players[player ^ 1];
        if (known != nullptr) {
            lists_ = known->of(opponent.hero_class);
            if (view.players[player].hero_class == opponent.hero_class) add_own(view.players[player]);
        }
        std::array<int, kMostKnownLists + 1> misses;
        int fewest = kMostSeen;
        for (std::size_t i = 0; i < count(); ++i) {
            misses[i] = UnseenOfList(list(i), opponent).misses();
            fewest = std::min(fewest, misses[i]);
        }
        for (std::size_t i = 0; i < count(); ++i) {
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
    static constexpr std::size_t kFewestOwn = kDeckLimit / 2;
    static constexpr std::uint32_t kSeenBefore = 3;  // as if so many cards seen before the game had been in the list

    // Adds the own list to the known ones of the class, unless one of them has all its cards. A position made by hand
    // may have too few cards to tell.
    void add_own(const Player& own) {
        own_ = own_list(own);
        if (lists_.empty() || own_.size() < kFewestOwn) return;
        has_own_ = std::ranges::none_of(lists_, [&](const KnownLists::List& known) { return has_all(known, own_); });
    }

    std::size_t count() const { return lists_.size() + (has_own_ ? 1 : 0); }
    const KnownLists::List& list(std::size_t i) const { return i < lists_.size() ? lists_[i] : own_; }

    const KnownLists::List& draw_list(Rng& rng) const {
        std::uint32_t drawn = rng.below(total_);
        std::size_t at = 0;
        for (; drawn >= weights_[at]; ++at) drawn -= weights_[at];
        return list(at);
    }

    const CardSet& cards_;
    std::span<const CardId> copies_;
    std::span<const KnownLists::List> lists_;
    KnownLists::List own_;
    bool has_own_ = false;
    std::array<std::uint32_t, kMostKnownLists + 1> weights_;
    std::uint32_t total_ = 0;
};

}  // namespace deckatlas::hearthstone
