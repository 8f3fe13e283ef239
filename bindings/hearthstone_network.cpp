// Bindings of the learned rating of Hearthstone's positions, with every check on its numbers.
#include "hearthstone_network.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "hearthstone/card_attributes.hpp"
#include "hearthstone/learned_rating.hpp"
#include "hearthstone_state.hpp"
#include "surrogate.hpp"

using namespace nanobind::literals;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

template <class T>
using Array = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

constexpr std::int64_t kAny = 1 << 15;

// The numbers of an array with this shape, none larger than `most`.
template <class T>
std::vector<T> numbers_of(const nb::dict& arrays, const std::string& name, const std::vector<std::size_t>& shape,
                          std::int64_t most) {
    Array<T> array;
    if (!arrays.contains(name.c_str()) || !nb::try_cast(arrays[name.c_str()], array, false))
        throw ModelError("a network needs an array " + name + " of " + std::to_string(8 * sizeof(T)) + "-bit integers");
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < array.ndim(); ++i) found.push_back(array.shape(i));
    if (found != shape) {
        std::string expected;
        for (const std::size_t size : shape) expected += (expected.empty() ? "" : " x ") + std::to_string(size);
        throw ModelError("the array " + name + " must have the shape " + expected);
    }
    const std::vector<T> numbers(array.data(), array.data() + array.size());
    for (const T number : numbers) {
        if (number > most || number < -most)
            throw ModelError("the numbers of " + name + " must be from -" + std::to_string(most) + " to " +
                             std::to_string(most));
    }
    return numbers;
}

NetworkNumbers network_numbers(std::size_t width, const nb::dict& arrays) {
    constexpr std::size_t kHidden = kNetworkHidden;
    NetworkNumbers numbers;
    numbers.width = width;
    numbers.own = numbers_of<std::int16_t>(arrays, "own_numbers", {kFirstCardFeature, width + 1}, kAny);
    numbers.shared =
        numbers_of<std::int32_t>(arrays, "shared", {feature_attribute_names().size(), width + 1}, kMostShared);
    numbers.bias = numbers_of<std::int32_t>(arrays, "bias", {width}, kMostBias);
    const auto first = numbers_of<std::int16_t>(arrays, "first", {2, kHidden, width}, kMostDense);
    const auto second = numbers_of<std::int16_t>(arrays, "second", {2, kHidden, kHidden}, kMostDense);
    const auto last = numbers_of<std::int16_t>(arrays, "last", {2, kHidden}, kMostDense);
    const auto first_bias = numbers_of<std::int32_t>(arrays, "first_bias", {2, kHidden}, kMostBias);
    const auto second_bias = numbers_of<std::int32_t>(arrays, "second_bias", {2, kHidden}, kMostBias);
    const auto last_bias = numbers_of<std::int32_t>(arrays, "last_bias", {2, 1}, kMostBias);
    for (std::size_t moment = 0; moment < 2; ++moment) {
        const auto half = [&](const auto& both) {
            const auto size = static_cast<std::ptrdiff_t>(both.size() / 2);
            const auto from = both.begin() + static_cast<std::ptrdiff_t>(moment) * size;
            return std::decay_t<decltype(both)>(from, from + size);
        };
        numbers.dense[moment] = {half(first),      half(second),      half(last),
                                 half(first_bias), half(second_bias), half(last_bias)};
    }
    return numbers;
}

ListedDeck listed_deck(const std::pair<std::string, std::vector<std::string>>& deck) {
    const auto* const found = std::find(std::begin(kClassNames) + 1, std::end(kClassNames), deck.first);
    if (found == std::end(kClassNames)) throw ModelError("a known list has an unknown class");
    if (deck.second.size() > kDeckLimit)
        throw ModelError("a known list has more than " + std::to_string(kDeckLimit) + " cards");
    return {static_cast<HeroClass>(found - std::begin(kClassNames)), deck.second};
}

std::vector<ListedDeck> listed_decks(const std::vector<std::pair<std::string, std::vector<std::string>>>& decks) {
    std::vector<ListedDeck> listed;
    std::size_t counts[kClasses + 1] = {};
    for (const auto& deck : decks) {
        listed.push_back(listed_deck(deck));
        if (++counts[static_cast<std::size_t>(listed.back().hero_class)] > kMostKnownLists)
            throw ModelError("a network knows at most " + std::to_string(kMostKnownLists) + " lists of a class");
    }
    return listed;
}

std::shared_ptr<LearnedRating> make_rating(std::size_t width, const std::vector<std::string>& cards,
                                           const nb::dict& arrays,
                                           const std::vector<std::pair<std::string, std::vector<std::string>>>& decks) {
    if (width == 0 || width > kWidestNetwork || width % kRowBlock != 0)
        throw ModelError("the width of a network must be a multiple of " + std::to_string(kRowBlock) + " up to " +
                         std::to_string(kWidestNetwork) + ", not " + std::to_string(width));
    return std::make_shared<LearnedRating>(
        RatingNumbers{network_numbers(width, arrays), cards,
                      numbers_of<std::int16_t>(arrays, "own_cards", {cards.size(), kCardZones, width + 1}, kAny),
                      listed_decks(decks)});
}

EditionNetwork network_for(const LearnedRating& self, const std::shared_ptr<const CardSet>& cards) {
    const std::shared_ptr<const EditionRating> found = self.in_edition(*cards);
    return {cards, {found, &found->network}};
}

HearthstoneState guess(const LearnedRating& self, const HearthstoneState& state, int player, std::uint64_t seed) {
    check_viewer(state.value, player);
    Rng rng{hash_combine(seed, 0x6E55ull)};
    const State view = view_of(*state.cards, state.value, player);
    HearthstoneState result{state.cards, {}};
    const std::shared_ptr<const EditionRating> rating = self.in_edition(*state.cards);
    if (!HiddenGuesses(*state.cards, &rating->lists, view, player).draw(view, rng, result.value))
        throw StateError("there are not enough cards for the hidden ones");
    return result;
}

void check_state(const EditionNetwork& self, const HearthstoneState& state, int player) {
    if (!self.network->is_for(*state.cards)) throw StateError("this state has another edition");
    check_viewer(state.value, player);
}

int rate(const EditionNetwork& self, const HearthstoneState& state, int player, Moment moment, bool portable) {
    check_state(self, state, player);
    return self.network->rate(state.value, player, moment, position_kernels(portable));
}

nb::ndarray<nb::numpy, std::int16_t> rows_of(const EditionNetwork& each) {
    const PositionNetwork& self = *each.network;
    const std::size_t count = self.features().count();
    std::vector<std::int16_t> rows;
    for (std::size_t feature = 0; feature < count; ++feature) {
        for (std::size_t k = 0; k < self.width(); ++k) rows.push_back(self.row(static_cast<Feature>(feature), k));
    }
    return array_of(std::move(rows), count, self.width());
}

nb::ndarray<nb::numpy, std::int32_t> direct_of(const EditionNetwork& each) {
    const PositionNetwork& self = *each.network;
    std::vector<std::int32_t> direct;
    for (std::size_t feature = 0; feature < self.features().count(); ++feature)
        direct.push_back(self.direct(static_cast<Feature>(feature)));
    const std::size_t count = direct.size();
    return array_of(std::move(direct), count);
}

// One rater for all: as a search does it.
nb::ndarray<nb::numpy, std::int32_t> rate_all(const EditionNetwork& self, const std::vector<HearthstoneState>& states,
                                              int player, Moment moment) {
    for (const HearthstoneState& state : states) check_state(self, state, player);
    PositionRater rater(self.network);
    std::vector<std::int32_t> ratings;
    for (const HearthstoneState& state : states) ratings.push_back(rater.rate(state.value, player, moment));
    return array_of(std::move(ratings), states.size());
}

}  // namespace

void bind_hearthstone_network(nb::module_& m) {
    nb::class_<LearnedRating>(m, "LearnedRating", "A learned rating of positions for any edition.")
        .def(
            nb::new_(&make_rating), "width"_a, "cards"_a, "arrays"_a, "decks"_a,
            "The arrays are own numbers of features that are no cards (`own_numbers`) and of cards by card and zone "
            "(`own_cards`), shared numbers of features, the bias of their sums, and the dense layers for both moments: "
            "first, second, last and their biases. Decks are classes with ids of cards: those that opponents may play.")
        .def_prop_ro("width", &LearnedRating::width)
        .def("network_for", &network_for, "cards"_a, "The network of an edition.")
        .def("guess", &guess, "state"_a, "player"_a, "seed"_a,
             "A state that this player could be in, where the opponent has one of the known decks.");
    nb::class_<EditionNetwork>(m, "PositionNetwork", "A learned rating of positions of an edition, in whole numbers.")
        .def_prop_ro("rows", &rows_of, nb::rv_policy::move, "The row of each feature.")
        .def_prop_ro("direct", &direct_of, nb::rv_policy::move, "What each feature adds to the output directly.")
        .def(
            "rate", &rate, "state"_a, "player"_a, "moment"_a, "portable"_a = false,
            "The logit of the chance to win, in 1024ths; the largest and the smallest 32-bit number for decided games. "
            "With `portable` by the code for any machine, which gives the same.")
        .def("rate_all", &rate_all, "states"_a, "player"_a, "moment"_a,
             "The same for many states, one after the other: faster if they share their decks.");
    m.def("chance_of_logit", &chance_of_logit, "logit"_a, "The chance to win that a rating says.");
    nb::dict scales;
    scales["own"] = 1 << kOwnBits;
    scales["shared"] = 1 << kSharedBits;
    scales["row"] = 1 << kRowBits;
    scales["dense"] = 1 << kDenseBits;
    scales["sum"] = 1 << kSumBits;
    scales["logit"] = 1 << kLogitBits;
    m.attr("MOST_KNOWN_DECKS") = kMostKnownLists;  // of a class
    m.attr("NETWORK_SCALES") = scales;
    m.attr("NETWORK_HIDDEN") = kNetworkHidden;
    m.attr("NETWORK_BLOCK") = kRowBlock;
    m.attr("WIDEST_NETWORK") = kWidestNetwork;
    m.attr("MOST_DENSE") = kMostDense;
    m.attr("MOST_NETWORK_BIAS") = kMostBias;
    m.attr("MOST_SHARED") = kMostShared;
}

}  // namespace deckatlas::bindings
