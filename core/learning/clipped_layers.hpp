// Dense layers whose values are clipped to [0, 1] between them, with a single output: values and gradients of a few
// samples at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "learning/row_kernels.hpp"
#include "surrogate/layers.hpp"

namespace deckatlas::learning {

// The values of a few samples in all layers, and the loss's slopes along them. Element 0 holds the inputs of the first
// layer; each has surrogate::row_stride blocks for a sample.
struct LayerMemory {
    LayerMemory(const std::vector<std::size_t>& sizes, std::size_t samples) {
        for (const std::size_t size : sizes) {
            const std::size_t blocks = samples * surrogate::row_stride(surrogate::panels_of(size));
            values.emplace_back(blocks);
            slopes.emplace_back(blocks);
        }
    }
    std::vector<std::vector<Block>> values, slopes;
};

// A range of the samples in a LayerMemory.
struct SampleRange {
    std::size_t first, count;
};

class ClippedLayers {
public:
    // `sizes` has the number of inputs, then the outputs of each layer; the last one is 1.
    ClippedLayers(const std::vector<std::size_t>& sizes, bool portable);

    const std::vector<surrogate::LayerPlace>& places() const { return places_; }
    std::size_t blocks() const { return places_.back().end(); }

    // The values of all layers from their inputs.
    void forward(const Block* weights, SampleRange range, LayerMemory& memory) const;

    // Replaces `gradients`, and calculates the slopes of all layers and of their inputs from the slope of the output.
    // `turned` has the weights with inputs and outputs exchanged.
    void backward(const std::vector<std::vector<Block>>& turned, SampleRange range, LayerMemory& memory,
                  Block* gradients) const;

    // The weights of each layer with inputs and outputs exchanged.
    std::vector<std::vector<Block>> turn(const Block* weights) const;

private:
    const surrogate::Kernels* kernels_;
    const RowKernels* rows_;
    std::vector<surrogate::LayerPlace> places_;
};

}  // namespace deckatlas::learning
