// A small neural network: dense layers, one activation between them, none after the last.
//
// All sums are in double precision and in the order of the inputs, so that a network gives the same bits everywhere.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/numeric.hpp"

namespace deckatlas {

enum class Activation : std::uint8_t { elu, tanh };

// outputs = inputs times weights plus biases; the weights lie input by input.
struct DenseLayer {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    std::vector<double> weights;
    std::vector<double> biases;
};

class Network {
public:
    // The layers must fit each other.
    Network(std::vector<DenseLayer> layers, Activation activation)
        : layers_(std::move(layers)), activation_(activation) {
        assert(!layers_.empty());
    }

    std::size_t inputs() const { return layers_.front().inputs; }
    std::size_t outputs() const { return layers_.back().outputs; }

    // The outputs for as many inputs as the network has.
    std::vector<double> evaluate(std::vector<double> values) const {
        assert(values.size() == inputs());
        std::vector<double> next;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            if (i > 0) activate(values);
            apply(layers_[i], values, next);
            values.swap(next);
        }
        return values;
    }

private:
    static void apply(const DenseLayer& layer, const std::vector<double>& from, std::vector<double>& to) {
        to = layer.biases;
        const double* row = layer.weights.data();
        for (const double input : from) {
            if (input != 0) {  // most inputs are marks of what is not there
                for (std::size_t i = 0; i < layer.outputs; ++i) to[i] += input * row[i];
            }
            row += layer.outputs;
        }
    }

    void activate(std::vector<double>& values) const {
        for (double& value : values) {
            if (activation_ == Activation::tanh) {
                value = tanh_exact(value);
            } else if (value < 0) {
                value = exp_exact(value) - 1.0;
            }
        }
    }

    std::vector<DenseLayer> layers_;
    Activation activation_;
};

}  // namespace deckatlas
