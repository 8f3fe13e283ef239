// A small neural network: dense layers, an activation between them, and one after the last.
//
// Numbers are in double precision, summed in the order of the inputs with the bias last, so that a network gives the
// same bits everywhere.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/numeric.hpp"

namespace deckatlas {

enum class Activation : std::uint8_t { none, elu, tanh };

// outputs = inputs times weights plus biases; the weights lie input by input.
struct DenseLayer {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    std::vector<double> weights;
    std::vector<double> biases;
};

class Network {
public:
    static constexpr std::size_t kWidest = 4096;  // neurons of a layer

    // The layers must fit each other.
    Network(std::vector<DenseLayer> layers, Activation between, Activation last)
        : layers_(std::move(layers)), between_(between), last_(last) {
        assert(!layers_.empty());
    }

    std::size_t inputs() const { return layers_.front().inputs; }
    std::size_t outputs() const { return layers_.back().outputs; }

    // Writes the outputs for as many inputs as the network has.
    void evaluate(const double* inputs, double* outputs) const {
        double values[2][kWidest];
        const double* from = inputs;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const bool is_last = i + 1 == layers_.size();
            double* const to = is_last ? outputs : values[i % 2];
            sum_up(layers_[i], from, to);
            finish(layers_[i], is_last ? last_ : between_, to);
            from = to;
        }
    }

private:
    static void sum_up(const DenseLayer& layer, const double* from, double* to) {
        constexpr std::size_t kMany = 16;  // neurons in front of which it pays to leave out inputs that are zero
        const std::size_t outputs = layer.outputs;
        const double* weights = layer.weights.data();
        for (std::size_t k = 0; k < outputs; ++k) to[k] = 0;
        for (std::size_t input = 0; input < layer.inputs; ++input, weights += outputs) {
            if (outputs > kMany && from[input] == 0) continue;
            for (std::size_t k = 0; k < outputs; ++k) to[k] += from[input] * weights[k];
        }
    }

    // Adds the biases and activates.
    static void finish(const DenseLayer& layer, Activation activation, double* to) {
        const std::size_t outputs = layer.outputs;
        const double* const biases = layer.biases.data();
        switch (activation) {
            case Activation::none:
                for (std::size_t k = 0; k < outputs; ++k) to[k] += biases[k];
                break;
            case Activation::elu:
                for (std::size_t k = 0; k < outputs; ++k) to[k] = elu(to[k] + biases[k]);
                break;
            case Activation::tanh:
                for (std::size_t k = 0; k < outputs; ++k) to[k] = tanh_pipelined(to[k] + biases[k]);
                break;
        }
    }

    static double elu(double value) { return value < 0 ? exp_exact(value) - 1.0 : value; }

    std::vector<DenseLayer> layers_;
    Activation between_;
    Activation last_;
};

}  // namespace deckatlas
