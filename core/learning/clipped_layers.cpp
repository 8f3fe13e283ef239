// Values and gradients of dense layers with clipped values.
#include "learning/clipped_layers.hpp"

#include <algorithm>

namespace deckatlas::learning {

using surrogate::kWidth;
using surrogate::LayerPlace;
using surrogate::panels_of;
using surrogate::row_stride;

ClippedLayers::ClippedLayers(const std::vector<std::size_t>& sizes, bool portable)
    : kernels_(&surrogate::kernels(portable)), rows_(&row_kernels(portable)), places_(surrogate::places_of(sizes)) {}

void ClippedLayers::forward(const Block* weights, SampleRange range, LayerMemory& memory) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const LayerPlace& place = places_[i];
        const std::size_t in = row_stride(panels_of(place.inputs)), out = row_stride(place.panels());
        const Block* const inputs = memory.values[i].data() + range.first * in;
        Block* const outputs = memory.values[i + 1].data() + range.first * out;
        kernels_->multiply(
            surrogate::layer_product(place, weights, inputs->values, in * kWidth, range.count, false, outputs));
        if (i + 1 < places_.size()) rows_->clip(outputs, range.count * out);
    }
}

void ClippedLayers::backward(const std::vector<std::vector<Block>>& turned, SampleRange range, LayerMemory& memory,
                             Block* gradients) const {
    for (std::size_t i = places_.size(); i-- > 0;) {
        const LayerPlace& place = places_[i];
        const std::size_t panels = place.panels();
        const std::size_t in = row_stride(panels_of(place.inputs)), out = row_stride(panels);
        const Block* const inputs = memory.values[i].data() + range.first * in;
        const Block* const slopes = memory.slopes[i + 1].data() + range.first * out;
        Block* const biases = gradients + place.biases_at();
        std::fill_n(biases, panels, Block{});
        for (std::size_t row = 0; row < range.count; ++row) {
            for (std::size_t panel = 0; panel < panels; ++panel) {
                for (std::size_t k = 0; k < kWidth; ++k) biases[panel].values[k] += slopes[row * out + panel].values[k];
            }
        }
        // Summed over samples: inputs take the place of rows.
        kernels_->multiply({.rows = place.inputs,
                            .steps = range.count,
                            .panels = panels,
                            .a = inputs->values,
                            .a_row = 1,
                            .a_step = in * kWidth,
                            .b = slopes,
                            .b_panel = 1,
                            .b_step = out,
                            .biases = nullptr,
                            .activate = false,
                            .out = gradients + place.at,
                            .out_row = 1,
                            .out_panel = place.inputs});
        Block* const passed = memory.slopes[i].data() + range.first * in;
        kernels_->multiply({.rows = range.count,
                            .steps = place.outputs,
                            .panels = panels_of(place.inputs),
                            .a = slopes->values,
                            .a_row = out * kWidth,
                            .a_step = 1,
                            .b = turned[i].data(),
                            .b_panel = place.outputs,
                            .b_step = 1,
                            .biases = nullptr,
                            .activate = false,
                            .out = passed,
                            .out_row = in,
                            .out_panel = 1});
        rows_->clip_slope(inputs, passed, range.count * in);
    }
}

std::vector<std::vector<Block>> ClippedLayers::turn(const Block* weights) const {
    std::vector<std::vector<Block>> turned;
    for (const LayerPlace& place : places_) {
        std::vector<Block>& layer = turned.emplace_back(panels_of(place.inputs) * place.outputs);
        for (std::size_t input = 0; input < place.inputs; ++input) {
            for (std::size_t k = 0; k < place.outputs; ++k)
                layer[input / kWidth * place.outputs + k].values[input % kWidth] =
                    weights[place.at + k / kWidth * place.inputs + input].values[k % kWidth];
        }
    }
    return turned;
}

}  // namespace deckatlas::learning
