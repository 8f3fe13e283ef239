// Hearthstone: what cards and other entries of features are, as small whole numbers, so that a network has a sensible
// row for a card it has never seen. The columns are the same in every edition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hearthstone/position_features.hpp"

namespace deckatlas::hearthstone {

// The columns of `card_attributes`.
std::vector<std::string> card_attribute_names();

// One row per card of the edition, row by row. The unknown card has zeros.
std::vector<std::int8_t> card_attributes(const CardSet& cards);

// The attributes of all features as one sparse matrix. Every zone has columns of its own: those of cards, of numbers,
// of stats, of classes, or none.
struct FeatureAttributes {
    std::vector<std::int64_t> offsets;  // of each feature's entries, and the end
    std::vector<std::int32_t> columns;
    std::vector<std::int8_t> values;
};

FeatureAttributes feature_attributes(const PositionFeatures& features);

// All columns of this matrix, by zone and attribute.
std::vector<std::string> feature_attribute_names();

}  // namespace deckatlas::hearthstone
