// Tests frequent sets of random decks under sanitizers against going through every set of items.
//
// Usage: frequent_sets CASES
#include "patterns/frequent_sets.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "check.hpp"
#include "common/random.hpp"

namespace deckatlas::patterns {
namespace {

using Sets = std::map<std::uint32_t, std::int64_t>;  // a bit per item, and the weight

bool holds(const Question& question, std::size_t item, std::size_t deck) {
    return (question.holders[item][deck / 64] >> (deck % 64) & 1) != 0;
}

Question random_question(Rng& rng) {
    Question question;
    question.decks = 1 + static_cast<std::size_t>(rng.below(200));
    const std::size_t items = 1 + static_cast<std::size_t>(rng.below(10));
    const bool are_alike = rng.below(2) == 0;
    for (std::size_t deck = 0; deck < question.decks; ++deck)
        question.weights.push_back(are_alike ? 1 : 1 + static_cast<std::int64_t>(rng.below(4)));
    question.holders.assign(items, std::vector<std::uint64_t>((question.decks + 63) / 64, 0));
    question.needs.assign(items, kNoItem);
    for (std::size_t item = 0; item < items; ++item) {
        if (item > 0 && rng.below(4) == 0) question.needs[item] = static_cast<Item>(item - 1);
        const auto often = rng.below(11);
        for (std::size_t deck = 0; deck < question.decks; ++deck) {
            const bool may = question.needs[item] == kNoItem || holds(question, item - 1, deck);
            if (may && rng.below(10) < often) question.holders[item][deck / 64] |= std::uint64_t{1} << (deck % 64);
        }
    }
    question.least = 1 + static_cast<std::int64_t>(rng.below(static_cast<std::uint32_t>(question.decks / 3 + 1)));
    question.fewest = 1 + static_cast<int>(rng.below(4));
    question.longest = rng.below(2) == 0 ? items : 1 + static_cast<std::size_t>(rng.below(4));
    question.only_maximal = rng.below(2) == 0;
    question.most_sets = question.most_steps = 1'000'000;
    return question;
}

// Every set, one by one.
Sets all_sets(const Question& question) {
    Sets found;
    const std::size_t items = question.holders.size();
    for (std::uint32_t set = 1; set < std::uint32_t{1} << items; ++set) {
        std::int64_t weight = 0;
        int count = 0;
        for (std::size_t deck = 0; deck < question.decks; ++deck) {
            bool has_all = true;
            for (std::size_t item = 0; item < items; ++item)
                has_all = has_all && ((set >> item & 1) == 0 || holds(question, item, deck));
            if (has_all) weight += question.weights[deck];
            if (has_all) ++count;
        }
        bool is_whole = static_cast<std::size_t>(std::popcount(set)) <= question.longest;
        for (std::size_t item = 0; item < items; ++item) {
            if ((set >> item & 1) != 0 && question.needs[item] != kNoItem)
                is_whole = is_whole && (set >> question.needs[item] & 1) != 0;
        }
        if (is_whole && weight >= question.least && count >= question.fewest) found[set] = weight;
    }
    if (!question.only_maximal) return found;
    Sets maximal;
    for (const auto& [set, weight] : found) {
        const bool is_inside = std::any_of(found.begin(), found.end(), [set = set](const auto& other) {
            return other.first != set && (other.first & set) == set;
        });
        if (!is_inside) maximal[set] = weight;
    }
    return maximal;
}

void check(const Question& question) {
    const FrequentSets found = frequent_sets(question);
    CHECK(found.is_complete);
    CHECK(found.ends.size() == found.weights.size());
    Sets sets;
    std::int64_t begin = 0;
    for (std::size_t number = 0; number < found.ends.size(); ++number) {
        std::uint32_t set = 0;
        for (std::int64_t at = begin; at < found.ends[number]; ++at)
            set |= std::uint32_t{1} << found.items[static_cast<std::size_t>(at)];
        begin = found.ends[number];
        CHECK(sets.emplace(set, found.weights[number]).second);
    }
    CHECK(sets == all_sets(question));
}

}  // namespace
}  // namespace deckatlas::patterns

int main(int count, char** arguments) {
    using namespace deckatlas;
    const int cases = count > 1 ? std::atoi(arguments[1]) : 1000;
    for (int number = 0; number < cases; ++number) {
        Rng rng(static_cast<std::uint64_t>(number));
        patterns::check(patterns::random_question(rng));
    }
    std::printf("%d cases of frequent sets agree with going through every set\n", cases);
    return 0;
}
