// Bindings of the features of Hearthstone's positions.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "hearthstone/card_attributes.hpp"
#include "hearthstone/position_features.hpp"
#include "hearthstone_state.hpp"
#include "surrogate.hpp"

using namespace nanobind::literals;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

constexpr const char* kKindNames[] = {"flags", "numbers", "grid", "classes", "pairings", "cards"};

// The features of an edition, and its card set.
struct EditionFeatures {
    explicit EditionFeatures(std::shared_ptr<const CardSet> edition) : cards(std::move(edition)), features(*cards) {}

    std::shared_ptr<const CardSet> cards;
    PositionFeatures features;
};

struct ZoneOfFeatures {
    std::string name;
    std::string kind;
    int first;
    int size;
};

std::vector<ZoneOfFeatures> zones_of(const EditionFeatures& self) {
    std::vector<ZoneOfFeatures> zones;
    for (std::size_t i = 0; i < kFeatureZones; ++i) {
        const auto zone = static_cast<FeatureZone>(i);
        zones.push_back({kZoneShapes[i].name, kKindNames[static_cast<int>(kZoneShapes[i].kind)],
                         self.features.first_of(zone), self.features.size_of(zone)});
    }
    return zones;
}

std::string name_of(const EditionFeatures& self, std::int64_t feature) {
    if (feature < 0 || feature >= static_cast<std::int64_t>(self.features.count()))
        throw StateError("there is no feature " + std::to_string(feature) + " among " +
                         std::to_string(self.features.count()));
    return self.features.name_of(static_cast<Feature>(feature));
}

nb::ndarray<nb::numpy, std::uint16_t> list_features(const EditionFeatures& self, const HearthstoneState& state,
                                                    int player, Moment moment) {
    if (state.cards != self.cards) throw StateError("this state has another edition");
    check_viewer(state.value, player);
    FeatureList listed;
    self.features.list(state.value, player, moment, listed);
    return array_of(std::vector<Feature>(listed.begin(), listed.end()), listed.size());
}

nb::ndarray<nb::numpy, std::int8_t> card_matrix(const CardSet& cards) {
    return array_of(card_attributes(cards), cards.cards.size(), card_attribute_names().size());
}

std::tuple<nb::ndarray<nb::numpy, std::int64_t>, nb::ndarray<nb::numpy, std::int32_t>,
           nb::ndarray<nb::numpy, std::int8_t>>
attribute_matrix(const EditionFeatures& self) {
    FeatureAttributes matrix = feature_attributes(self.features);
    const std::size_t rows = matrix.offsets.size(), entries = matrix.columns.size();
    return {array_of(std::move(matrix.offsets), rows), array_of(std::move(matrix.columns), entries),
            array_of(std::move(matrix.values), entries)};
}

}  // namespace

void bind_hearthstone_features(nb::module_& m) {
    nb::enum_<Moment>(m, "Moment", "Who moves next in a position: the enemy, or the player who sees it.")
        .value("turn_ended", Moment::turn_ended)
        .value("turn_begins", Moment::turn_begins);
    nb::class_<ZoneOfFeatures>(m, "FeatureZone", "A zone of features, such as the own hand.")
        .def_ro("name", &ZoneOfFeatures::name)
        .def_ro("kind", &ZoneOfFeatures::kind, "Its entries: flags, numbers, grid, classes, pairings or cards.")
        .def_ro("first", &ZoneOfFeatures::first, "Its first feature.")
        .def_ro("size", &ZoneOfFeatures::size, "The number of its features.");
    nb::class_<EditionFeatures>(m, "PositionFeatures", "The features of positions of an edition.")
        .def(nb::init<std::shared_ptr<const CardSet>>(), "cards"_a)
        .def_prop_ro("count", [](const EditionFeatures& self) { return self.features.count(); })
        .def_prop_ro_static(
            "capacity", [](nb::handle) { return kMostFeatures; }, "The most features of a position.")
        .def_prop_ro("zones", &zones_of, "All zones, in the order of their features.")
        .def("name_of", &name_of, "feature"_a, "A feature in words: its zone, and a card's title or a number.")
        .def("list", &list_features, "state"_a, "player"_a, "moment"_a,
             "The features of a position as a player sees it. A position in the middle of a turn is seen as if the "
             "turn ended now and the next had begun.")
        .def("attributes", &attribute_matrix,
             "What every feature is, as a sparse matrix with a row per feature: offsets of rows, columns and values. "
             "FEATURE_ATTRIBUTES names the columns, which are the same in every edition.");
    m.def("card_attributes", &card_matrix, "cards"_a,
          "What every card is: one row per number of a card, with the columns that CARD_ATTRIBUTES names.");
    m.attr("CARD_ATTRIBUTES") = nb::tuple(nb::cast(card_attribute_names()));
    m.attr("FEATURE_ATTRIBUTES") = nb::tuple(nb::cast(feature_attribute_names()));
}

}  // namespace deckatlas::bindings
