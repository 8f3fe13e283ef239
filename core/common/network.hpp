// A small neural network: dense layers, an activation between them, and one after the last.
//
// Numbers are in double precision, summed in the order of the inputs with the bias last, so that a network gives the
// same bits everywhere: for one position at a time and for several side by side, in the lanes of vectors.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/network_kernels.hpp"
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
    Network(std::vector<DenseLayer> layers, Activation between, Activation last,
            const NetworkKernels& kernels = network_kernels())
        : layers_(std::move(layers)), between_(between), last_(last), kernels_(&kernels) {
        assert(!layers_.empty());
        for (const DenseLayer& layer : layers_) widest_ = layer.outputs > widest_ ? layer.outputs : widest_;
    }

    std::size_t inputs() const { return layers_.front().inputs; }
    std::size_t outputs() const { return layers_.back().outputs; }

    // Writes the outputs for as many inputs as the network has. Both lie `apart` numbers from each other.
    void evaluate(const double* inputs, double* outputs, std::size_t apart = 1) const {
        double values[2][kWidest];
        const double* from = inputs;
        std::size_t from_apart = apart;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            double* const to = values[i % 2];
            sum_up(layers_[i], from, from_apart, to);
            activate(i + 1 == layers_.size() ? last_ : between_, to, layers_[i].outputs);
            from = to;
            from_apart = 1;
        }
        for (std::size_t k = 0; k < this->outputs(); ++k) outputs[k * apart] = from[k];
    }

    // The same for several positions: `inputs` has kLanes numbers for each input, and `outputs` for each output.
    void evaluate_lanes(const double* inputs, double* outputs) const {
        if (widest_ > kWidestInLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) evaluate(inputs + lane, outputs + lane, kLanes);
            return;
        }
        double values[2][kWidestInLanes * kLanes];
        const double* from = inputs;
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const bool is_last = i + 1 == layers_.size();
            double* const to = is_last ? outputs : values[i % 2];
            const DenseLayer& layer = layers_[i];
            kernels_->sum_up_lanes(layer.weights.data(), layer.biases.data(), layer.inputs, layer.outputs, from, to);
            activate(is_last ? last_ : between_, to, layer.outputs * kLanes);
            from = to;
        }
    }

private:
    static constexpr std::size_t kWidestInLanes = 64;  // so that the values of a layer fit into the fastest memory

    static void sum_up(const DenseLayer& layer, const double* from, std::size_t apart, double* to) {
        constexpr std::size_t kMany = 16;  // neurons in front of which it pays to leave out inputs that are zero
        const std::size_t outputs = layer.outputs;
        const double* weights = layer.weights.data();
        for (std::size_t k = 0; k < outputs; ++k) to[k] = 0;
        for (std::size_t input = 0; input < layer.inputs; ++input, weights += outputs) {
            const double value = from[input * apart];
            if (outputs > kMany && value == 0) continue;
            for (std::size_t k = 0; k < outputs; ++k) to[k] += value * weights[k];
        }
        for (std::size_t k = 0; k < outputs; ++k) to[k] += layer.biases[k];
    }

    void activate(Activation activation, double* values, std::size_t count) const {
        switch (activation) {
            case Activation::none: break;
            case Activation::elu:
                for (std::size_t k = 0; k < count; ++k) values[k] = elu(values[k]);
                break;
            case Activation::tanh: kernels_->tanh(values, count); break;
        }
    }

    static double elu(double value) { return value < 0 ? exp_exact(value) - 1.0 : value; }

    std::vector<DenseLayer> layers_;
    Activation between_;
    Activation last_;
    std::size_t widest_ = 0;
    const NetworkKernels* kernels_;
};

}  // namespace deckatlas
