#include "patterns/frequent_sets.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace deckatlas::patterns {
namespace {

using Bits = std::vector<std::uint64_t>;

constexpr std::size_t kWordBits = 64;

std::size_t words_for(std::size_t decks) { return (decks + kWordBits - 1) / kWordBits; }

// The decks that are still considered, numbered from 0; a set of them is a row of bits.
struct Decks {
    std::vector<std::int64_t> weights;
    int fewest;
    bool are_alike = true;  // all of weight 1

    Decks(std::vector<std::int64_t> given, int fewest_decks) : weights(std::move(given)), fewest(fewest_decks) {
        are_alike = std::all_of(weights.begin(), weights.end(), [](std::int64_t weight) { return weight == 1; });
    }

    std::size_t words() const { return words_for(weights.size()); }

    // The weight of a set of decks; none if it has too few.
    std::int64_t weight(const std::uint64_t* row) const {
        int count = 0;
        for (std::size_t word = 0; word < words(); ++word) count += std::popcount(row[word]);
        if (count < fewest) return 0;
        if (are_alike) return count;
        std::int64_t sum = 0;
        for (std::size_t word = 0; word < words(); ++word) {
            for (std::uint64_t rest = row[word]; rest != 0; rest &= rest - 1)
                sum += weights[word * kWordBits + static_cast<std::size_t>(std::countr_zero(rest))];
        }
        return sum;
    }
};

// An item that can join the current set: the decks that would be left, and their weight.
struct Candidate {
    Item item;
    std::int64_t weight;
    std::size_t row;  // its place in a table of rows
};

// Candidates and their rows of bits, side by side in memory.
struct Candidates {
    std::vector<Candidate> list;
    Bits rows;
    std::size_t words;

    explicit Candidates(std::size_t words_of_row) : words(words_of_row) {}

    const std::uint64_t* row(const Candidate& of) const { return rows.data() + of.row; }

    // Adds the decks that have both; takes it back if they weigh too little.
    void add_common(Item item, const std::uint64_t* a, const std::uint64_t* b, const Decks& decks, std::int64_t least) {
        const std::size_t at = rows.size();
        rows.resize(at + words);
        for (std::size_t word = 0; word < words; ++word) rows[at + word] = a[word] & b[word];
        const std::int64_t weight = decks.weight(rows.data() + at);
        if (weight < least) {
            rows.resize(at);
        } else {
            list.push_back({item, weight, at});
        }
    }
};

class Miner {
public:
    explicit Miner(const Question& question) : question_(question) {}

    FrequentSets run() {
        const Decks decks(question_.weights, question_.fewest);
        Bits all(decks.words(), 0);
        for (std::size_t deck = 0; deck < question_.decks; ++deck)
            all[deck / kWordBits] |= std::uint64_t{1} << (deck % kWordBits);
        Candidates first(decks.words());
        for (std::size_t item = 0; item < question_.holders.size(); ++item)
            first.add_common(static_cast<Item>(item), all.data(), question_.holders[item].data(), decks,
                             question_.least);
        if (first.list.empty()) return std::move(found_);
        if (question_.only_maximal && question_.longest >= question_.holders.size()) {
            std::int64_t weight = 0;
            for (const std::int64_t each : question_.weights) weight += each;
            maximal(decks, weight, std::move(first), Candidates(decks.words()));
        } else {
            bounded(decks, first, 0);
        }
        return std::move(found_);
    }

private:
    bool is_spent() {
        found_.is_complete =
            found_.is_complete && ++steps_ <= question_.most_steps && found_.ends.size() <= question_.most_sets;
        return !found_.is_complete;
    }

    void report(std::span<const Item> more, std::int64_t weight) {
        std::vector<Item> set(prefix_);
        set.insert(set.end(), more.begin(), more.end());
        if (set.empty()) return;
        std::sort(set.begin(), set.end());
        found_.items.insert(found_.items.end(), set.begin(), set.end());
        found_.ends.push_back(static_cast<std::int64_t>(found_.items.size()));
        found_.weights.push_back(weight);
    }

    // Reports all maximal sets that have the items of the prefix, further ones of `open`, and none of `closed`: sets
    // with those were reported before. `weight` is that of the decks that have the prefix.
    void maximal(const Decks& decks, std::int64_t weight, Candidates open, const Candidates& closed) {
        if (is_spent()) return;
        for (const Candidate& each : closed.list) {
            if (each.weight == weight) return;  // it can join every set from here on
        }
        const std::size_t before = prefix_.size();
        std::erase_if(open.list, [&](const Candidate& each) {
            if (each.weight == weight) prefix_.push_back(each.item);  // all decks that are left have it
            return each.weight == weight;
        });
        grow(decks, weight, std::move(open), closed);
        prefix_.resize(before);
    }

    void grow(const Decks& decks, std::int64_t weight, Candidates open, const Candidates& closed) {
        if (open.list.empty()) {
            if (closed.list.empty()) report({}, weight);
            return;
        }
        std::sort(open.list.begin(), open.list.end(), [](const Candidate& a, const Candidate& b) {
            return std::pair(a.weight, a.item) < std::pair(b.weight, b.item);
        });
        const std::vector<Candidate> inside = take_large_set(decks, open, closed);
        Candidates earlier = closed;  // grows by the heads of branches
        for (std::size_t head = 0; head < open.list.size() && found_.is_complete; ++head) {
            const Candidate& chosen = open.list[head];
            const std::uint64_t* const left = open.row(chosen);
            const Packing packing(decks, left);
            Candidates next_open(packing.decks.words()), next_closed(packing.decks.words());
            for (std::size_t later = head + 1; later < open.list.size(); ++later)
                packing.add(next_open, open, open.list[later], question_.least);
            for (const Candidate& each : inside) packing.add(next_open, open, each, question_.least);
            for (const Candidate& each : earlier.list) packing.add(next_closed, earlier, each, question_.least);
            prefix_.push_back(chosen.item);
            maximal(packing.decks, chosen.weight, std::move(next_open), next_closed);
            prefix_.pop_back();
            const std::size_t at = earlier.rows.size();
            earlier.rows.insert(earlier.rows.end(), left, left + earlier.words);
            earlier.list.push_back({chosen.item, chosen.weight, at});
        }
    }

    // Builds one set that is as large as possible, the heaviest items first, and reports it if it is maximal. Takes its
    // items out of `open` and returns them.
    std::vector<Candidate> take_large_set(const Decks& decks, Candidates& open, const Candidates& closed) {
        Bits left(open.row(open.list.back()), open.row(open.list.back()) + open.words);
        std::vector<Candidate> inside{open.list.back()};
        Bits both(open.words);
        const auto weight_with = [&](const std::uint64_t* row) {
            for (std::size_t word = 0; word < both.size(); ++word) both[word] = left[word] & row[word];
            return decks.weight(both.data());
        };
        std::vector<Candidate> outside;
        for (std::size_t place = open.list.size() - 1; place-- > 0;) {
            const Candidate& each = open.list[place];
            if (weight_with(open.row(each)) >= question_.least) {
                left.swap(both);
                inside.push_back(each);
            } else {
                outside.push_back(each);
            }
        }
        std::reverse(outside.begin(), outside.end());
        open.list = std::move(outside);
        const bool is_maximal = std::none_of(closed.list.begin(), closed.list.end(), [&](const Candidate& each) {
            return weight_with(closed.row(each)) >= question_.least;
        });
        if (is_maximal) {
            std::vector<Item> items(inside.size());
            std::transform(inside.begin(), inside.end(), items.begin(),
                           [](const Candidate& each) { return each.item; });
            report(items, decks.weight(left.data()));
        }
        return inside;
    }

    // The decks of a branch. Once few are left, they are numbered again, so that rows become short.
    struct Packing {
        Packing(const Decks& before, const std::uint64_t* left) : decks(before), left_(left) {
            std::size_t count = 0;
            for (std::size_t word = 0; word < before.words(); ++word)
                count += static_cast<std::size_t>(std::popcount(left[word]));
            if (2 * words_for(count) > before.words()) return;
            std::vector<std::int64_t> weights;
            for (std::size_t deck = 0; deck < before.weights.size(); ++deck) {
                if ((left[deck / kWordBits] >> (deck % kWordBits) & 1) == 0) continue;
                kept_.push_back(deck);
                weights.push_back(before.weights[deck]);
            }
            decks = Decks(std::move(weights), before.fewest);
        }

        // Adds a candidate of the branch before to those of this one.
        void add(Candidates& to, const Candidates& from, const Candidate& each, std::int64_t least) const {
            const std::uint64_t* const row = from.row(each);
            if (kept_.empty()) {
                to.add_common(each.item, row, left_, decks, least);
                return;
            }
            Bits packed(decks.words(), 0);
            for (std::size_t deck = 0; deck < kept_.size(); ++deck) {
                const std::uint64_t has = row[kept_[deck] / kWordBits] >> (kept_[deck] % kWordBits) & 1;
                packed[deck / kWordBits] |= has << (deck % kWordBits);
            }
            to.add_common(each.item, packed.data(), packed.data(), decks, least);
        }

        Decks decks;

    private:
        const std::uint64_t* left_;
        std::vector<std::size_t> kept_;  // the former number of each deck; empty if they keep their numbers
    };

    // Reports the frequent sets that start with the prefix, in order, up to the greatest length.
    void bounded(const Decks& decks, const Candidates& open, std::size_t begin) {
        for (std::size_t head = begin; head < open.list.size(); ++head) {
            if (is_spent()) return;
            const Candidate& chosen = open.list[head];
            if (!has_needed(chosen.item)) continue;
            prefix_.push_back(chosen.item);
            const bool is_longest = prefix_.size() == question_.longest;
            Candidates next(open.words);
            if (!is_longest) {
                for (const Candidate& each : open.list)
                    next.add_common(each.item, open.row(each), open.row(chosen), decks, question_.least);
            }
            const bool can_grow = next.list.size() > prefix_.size();  // the items of the prefix are in the list too
            if (!question_.only_maximal || !can_grow) report({}, chosen.weight);
            if (!is_longest) {
                const auto after = std::find_if(next.list.begin(), next.list.end(),
                                                [&](const Candidate& each) { return each.item > chosen.item; });
                bounded(decks, next, static_cast<std::size_t>(after - next.list.begin()));
            }
            prefix_.pop_back();
        }
    }

    bool has_needed(Item item) const {
        const Item needed = question_.needs[item];
        return needed == kNoItem || std::find(prefix_.begin(), prefix_.end(), needed) != prefix_.end();
    }

    const Question& question_;
    FrequentSets found_;
    std::vector<Item> prefix_;
    std::uint64_t steps_ = 0;
};

}  // namespace

FrequentSets frequent_sets(const Question& question) { return Miner(question).run(); }

}  // namespace deckatlas::patterns
