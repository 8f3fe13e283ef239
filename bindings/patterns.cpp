// Bindings of frequent sets, and checks on what they are given.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "errors.hpp"
#include "patterns/frequent_sets.hpp"
#include "without_gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using Flags = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Row = nb::ndarray<nb::numpy, T>;

constexpr std::size_t kMostDecks = 1'000'000;
constexpr std::size_t kMostItems = 10'000;
constexpr std::int64_t kMostWeight = std::numeric_limits<std::int64_t>::max() / 2;

void check_shapes(const Flags& has, const Numbers& weights, const Numbers& needs) {
    if (has.shape(0) > kMostDecks || has.shape(1) > kMostItems)
        throw SearchError("frequent sets are found over at most " + std::to_string(kMostDecks) + " decks and " +
                          std::to_string(kMostItems) + " items");
    if (weights.shape(0) != has.shape(0) || needs.shape(0) != has.shape(1))
        throw SearchError("every deck has a weight, and every item says what it needs");
}

std::vector<std::int64_t> checked_weights(const Numbers& given) {
    std::vector<std::int64_t> weights = copy_of(given);
    std::int64_t sum = 0;
    for (const std::int64_t weight : weights) {
        if (weight < 1 || weight > kMostWeight - sum)
            throw SearchError("weights of decks are above zero, and their sum is not huge");
        sum += weight;
    }
    return weights;
}

std::vector<patterns::Item> checked_needs(const Numbers& given) {
    std::vector<patterns::Item> found;
    for (const std::int64_t needed : copy_of(given)) {
        if (needed < -1 || needed >= static_cast<std::int64_t>(found.size()))
            throw SearchError("an item needs an earlier one, or -1");
        found.push_back(needed < 0 ? patterns::kNoItem : static_cast<patterns::Item>(needed));
    }
    return found;
}

std::vector<std::vector<std::uint64_t>> holders_of(const Flags& has) {
    const std::size_t decks = has.shape(0), items = has.shape(1);
    const auto* const flags = reinterpret_cast<const std::uint8_t*>(has.data());  // any byte, in arrays of strangers
    std::vector<std::vector<std::uint64_t>> holders(items, std::vector<std::uint64_t>((decks + 63) / 64, 0));
    for (std::size_t deck = 0; deck < decks; ++deck) {
        for (std::size_t item = 0; item < items; ++item)
            holders[item][deck / 64] |= std::uint64_t{flags[deck * items + item] != 0} << (deck % 64);
    }
    return holders;
}

std::tuple<Row<patterns::Item>, Row<std::int64_t>, Row<std::int64_t>, bool> frequent_sets_of(
    const Flags& has, const Numbers& weights, const Numbers& needs, std::int64_t least, int fewest, std::size_t longest,
    bool only_maximal, std::size_t most_sets, std::uint64_t most_steps) {
    check_shapes(has, weights, needs);
    if (least < 1 || longest < 1) throw SearchError("a frequent set has a weight and a length of at least 1");
    patterns::Question question;
    question.decks = has.shape(0);
    question.holders = holders_of(has);
    question.weights = checked_weights(weights);
    question.needs = checked_needs(needs);
    question.least = least;
    question.fewest = fewest;
    question.longest = longest;
    question.only_maximal = only_maximal;
    question.most_sets = most_sets;
    question.most_steps = most_steps;
    patterns::FrequentSets found = [&] {
        const WithoutGil without_gil;
        return patterns::frequent_sets(question);
    }();
    const std::size_t items = found.items.size(), sets = found.ends.size();
    return {array_of(std::move(found.items), items), array_of(std::move(found.ends), sets),
            array_of(std::move(found.weights), sets), found.is_complete};
}

}  // namespace

void bind_patterns(nb::module_& module) {
    module.def("frequent_sets", &frequent_sets_of, "has"_a, "weights"_a, "needs"_a, nb::kw_only(), "least"_a,
               "fewest"_a, "longest"_a, "only_maximal"_a, "most_sets"_a, "most_steps"_a,
               "Sets of items that at least `fewest` decks of at least this weight have: the items of all sets one "
               "after the other, where each set ends, its weight, and whether all were found.\n\n`has` says for each "
               "deck which items it has; "
               "`needs` names for each item an earlier one that it never comes without, or -1. A set with the greatest "
               "length counts as maximal. The search gives up after too many sets or steps.");
}

}  // namespace deckatlas::bindings
