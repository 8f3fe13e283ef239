// Dense layers as the kernels read them: in panels of outputs, padded with zeros.
#pragma once

#include <cstddef>
#include <vector>

#include "surrogate/kernels.hpp"

namespace deckatlas::surrogate {

// The place of a layer's numbers within an array of blocks: for each panel a block for each input, then the biases.
struct LayerPlace {
    std::size_t inputs, outputs, at;

    std::size_t panels() const { return panels_of(outputs); }
    std::size_t biases_at() const { return at + panels() * inputs; }
    std::size_t end() const { return biases_at() + panels(); }
};

// The places of layers one after the other; `sizes` has the inputs, then the outputs of each layer.
inline std::vector<LayerPlace> places_of(const std::vector<std::size_t>& sizes) {
    std::vector<LayerPlace> places;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
        places.push_back({sizes[i], sizes[i + 1], places.empty() ? 0 : places.back().end()});
    return places;
}

// How many numbers the layers have without padding.
inline std::size_t numbers_of(const std::vector<LayerPlace>& places) {
    std::size_t count = 0;
    for (const LayerPlace& place : places) count += (place.inputs + 1) * place.outputs;
    return count;
}

// Calls use(padded number) for every number in plain order: layer by layer, the weights input by input, then the
// biases.
template <class Blocks, class Use>
void in_plain_order(const std::vector<LayerPlace>& places, Blocks& blocks, Use&& use) {
    for (const LayerPlace& place : places) {
        for (std::size_t input = 0; input <= place.inputs; ++input) {
            const bool is_bias = input == place.inputs;
            for (std::size_t k = 0; k < place.outputs; ++k) {
                const std::size_t panel = k / kWidth;
                const std::size_t block = is_bias ? place.biases_at() + panel : place.at + panel * place.inputs + input;
                use(blocks[block].values[k % kWidth]);
            }
        }
    }
}

inline std::vector<Block> to_blocks(const std::vector<LayerPlace>& places, const float* numbers) {
    std::vector<Block> blocks(places.back().end());
    in_plain_order(places, blocks, [&](float& number) { number = *numbers++; });
    return blocks;
}

inline std::vector<float> to_plain(const std::vector<LayerPlace>& places, const std::vector<Block>& blocks) {
    std::vector<float> numbers;
    numbers.reserve(numbers_of(places));
    in_plain_order(places, blocks, [&](float number) { numbers.push_back(number); });
    return numbers;
}

inline const float* plain(const std::vector<Block>& blocks) { return reinterpret_cast<const float*>(blocks.data()); }
inline float* plain(std::vector<Block>& blocks) { return reinterpret_cast<float*>(blocks.data()); }

// The distance between rows of activations, in blocks: odd, so that the same place of all rows fits in the cache.
constexpr std::size_t row_stride(std::size_t panels) { return panels | 1; }

// A layer applied to rows: `a` with `a_row` numbers from row to row, `out` with row_stride blocks.
inline Product layer_product(const LayerPlace& place, const Block* blocks, const float* a, std::size_t a_row,
                             std::size_t rows, bool activate, Block* out) {
    return {.rows = rows,
            .steps = place.inputs,
            .panels = place.panels(),
            .a = a,
            .a_row = a_row,
            .a_step = 1,
            .b = blocks + place.at,
            .b_panel = place.inputs,
            .b_step = 1,
            .biases = blocks + place.biases_at(),
            .activate = activate,
            .out = out,
            .out_row = row_stride(place.panels()),
            .out_panel = 1};
}

}  // namespace deckatlas::surrogate
