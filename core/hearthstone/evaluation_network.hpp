// A small network that rates positions: dense layers, the hyperbolic tangent after each of them, one output.
//
// Numbers are in double precision, summed in the order of the inputs, so that they are the same everywhere.
#pragma once

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

#include "common/numeric.hpp"

namespace deckatlas::hearthstone {

class TanhNetwork {
public:
    static constexpr std::size_t kWidest = 256;  // neurons of a layer

    // `sizes` are those of the inputs and of each layer; `numbers` are the weights of all layers, those of one input
    // after those of another, and then the biases of all layers.
    TanhNetwork(std::vector<std::size_t> sizes, std::vector<double> numbers)
        : sizes_(std::move(sizes)), numbers_(std::move(numbers)) {
        assert(numbers_.size() == count_numbers(sizes_));
    }

    static std::size_t count_numbers(const std::vector<std::size_t>& sizes) {
        std::size_t count = 0;
        for (std::size_t i = 1; i < sizes.size(); ++i) count += (sizes[i - 1] + 1) * sizes[i];
        return count;
    }

    // The output for as many inputs as the network has.
    double evaluate(const double* inputs) const {
        double layers[2][kWidest];
        const double* from = inputs;
        const double* weights = numbers_.data();
        const double* biases = weights + count_weights();
        for (std::size_t i = 1; i < sizes_.size(); ++i) {
            double* to = layers[i % 2];
            for (std::size_t k = 0; k < sizes_[i]; ++k) to[k] = 0;
            for (std::size_t input = 0; input < sizes_[i - 1]; ++input) {
                for (std::size_t k = 0; k < sizes_[i]; ++k) to[k] += from[input] * weights[k];
                weights += sizes_[i];
            }
            for (std::size_t k = 0; k < sizes_[i]; ++k) to[k] = tanh_pipelined(to[k] + biases[k]);
            biases += sizes_[i];
            from = to;
        }
        return from[0];
    }

private:
    std::size_t count_weights() const {
        std::size_t count = 0;
        for (std::size_t i = 1; i < sizes_.size(); ++i) count += sizes_[i - 1] * sizes_[i];
        return count;
    }

    std::vector<std::size_t> sizes_;
    std::vector<double> numbers_;
};

}  // namespace deckatlas::hearthstone
