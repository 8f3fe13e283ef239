// The arithmetic of sparse models, which exists twice: for any machine, and for x86 with AVX2.
//
// Both versions are compiled from `row_kernels_source.hpp` and give the same bytes: every number is summed in a fixed
// order, vector lanes hold different outputs, and nothing is fused. Dense layers and steps of Adam are calculated by
// the kernels of surrogates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "surrogate/kernels.hpp"

namespace deckatlas::learning {

using surrogate::Block;

// The features of a sample.
struct FeatureSpan {
    const std::uint16_t* features;
    std::size_t count;
};

// The attributes of all features: those of feature f are the entries from starts[f] to starts[f + 1].
struct AttributeTable {
    const std::uint32_t* starts;
    const std::uint16_t* attributes;
    const float* values;
};

// All functions handle one panel of a table of rows, which has a block for each feature.
struct RowKernels {
    // For each sample: out = bias, plus the rows of its features.
    void (*gather)(const Block* rows, const Block& bias, const FeatureSpan* samples, std::size_t count, Block* out,
                   std::size_t out_stride);
    // For each sample: adds its slope to the rows of its features.
    void (*scatter)(const Block* slopes, const FeatureSpan* samples, std::size_t count, Block* rows);
    // rows = own + attributes times shared, within the limit. With `fit_own`, `own` changes where a sum exceeds the
    // limit, so that it does not, as far as twice the limit allows.
    void (*combine)(const AttributeTable& table, const Block* shared, std::size_t features, float limit, bool fit_own,
                    Block* own, Block* rows);
    // shared += attributes, transposed, times rows.
    void (*distribute)(const AttributeTable& table, const Block* rows, std::size_t features, Block* shared);
    // Clips values to [0, 1].
    void (*clip)(Block* values, std::size_t blocks);
    // Clears the slopes of values that were clipped.
    void (*clip_slope)(const Block* clipped, Block* slopes, std::size_t blocks);
    // Clips values to [-limit, limit].
    void (*bound)(float limit, float* values, std::size_t count);
};

// The fastest kernels of this machine, or those for any machine.
const RowKernels& row_kernels(bool portable);

}  // namespace deckatlas::learning
