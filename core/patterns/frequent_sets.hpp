// Frequent sets of items over decks, by bit sets: an item is, for example, the second copy of a card.
//
// A set is frequent if enough decks have all of its items, and weigh enough. It is maximal if no further item can join
// it. Real maps of 400 decks have a hundred thousand maximal sets and millions of frequent ones, so maximal sets are
// found without going through the others: at every step, one set that is as large as possible is built, and only items
// outside of it start new branches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace deckatlas::patterns {

using Item = std::uint16_t;
inline constexpr Item kNoItem = 0xffff;

struct Question {
    std::size_t decks = 0;
    std::vector<std::vector<std::uint64_t>> holders;  // for each item, a bit per deck that has it
    std::vector<std::int64_t> weights;                // of the decks, all above zero
    std::vector<Item> needs;                          // for each item, an earlier one that every deck with it has
    std::int64_t least = 1;                           // the weight of a frequent set, above zero
    int fewest = 1;                                   // the decks that have a frequent set
    std::size_t longest = 0;                          // the most items of a set
    bool only_maximal = true;
    std::size_t most_sets = 0;  // the search gives up beyond these
    std::uint64_t most_steps = 0;
};

struct FrequentSets {
    std::vector<Item> items;         // of all sets, one after the other; those of a set ascending
    std::vector<std::int64_t> ends;  // where each set ends
    std::vector<std::int64_t> weights;
    bool is_complete = true;
};

// All frequent sets of at least one item, or only the maximal ones. A set with an item also has the item it needs.
// If sets have at most `longest` items, one of that size counts as maximal.
FrequentSets frequent_sets(const Question& question);

}  // namespace deckatlas::patterns
