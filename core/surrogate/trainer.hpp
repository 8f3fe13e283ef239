// Trains dense layers with ELU between them and a linear output, by Adam.
//
// The order of all operations is fixed, so the same data and seeds give the same network on every machine. Without
// hidden layers it is a linear model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/random.hpp"
#include "surrogate/layers.hpp"

namespace deckatlas::surrogate {

// What a network learns from; rows lie one after the other, and all numbers are finite.
struct Samples {
    std::size_t rows = 0;
    const float* inputs = nullptr;
    const float* targets = nullptr;
    const float* weights = nullptr;  // one for each row
};

struct FitOptions {
    std::size_t epochs = 1;
    std::size_t batch_size = 64;
    double rate = 0.01;
    double final_rate = 0.01;  // the rate changes step by step, on a straight line
    double weight_decay = 0;   // decoupled from the gradient: a share of every number, times the rate
    std::uint64_t seed = 0;    // of the order of rows, drawn for each epoch
};

// Parameters and moments in plain order (see layers.hpp), and the number of steps so far.
struct TrainerState {
    std::int64_t steps = 0;
    std::vector<float> parameters, first, second;
};

class Trainer {
public:
    // Weights and biases are drawn uniformly within sqrt(3 / inputs) of zero, in plain order. `sizes` has the number
    // of inputs, then the outputs of each layer; none is zero.
    Trainer(const std::vector<std::size_t>& sizes, std::uint64_t seed, bool portable);
    // Continues from a state, whose arrays are as long as the parameters are.
    Trainer(const std::vector<std::size_t>& sizes, const TrainerState& state, bool portable);

    std::size_t inputs() const { return places_.front().inputs; }
    std::size_t targets() const { return places_.back().outputs; }
    std::size_t parameters() const { return numbers_of(places_); }
    TrainerState state() const;

    // Trains for some epochs and returns the loss of each: squared errors summed over targets, times the row's weight,
    // as an average over rows, each taken before its batch was learnt. Moments and steps go on from the last call.
    // `poll` is called between batches; if it returns false, training ends at once.
    std::vector<double> fit(const Samples& samples, const FitOptions& options, const std::function<bool()>& poll);

    // The loss over rows as one batch, and its gradients in plain order.
    double loss_and_gradients(const Samples& samples, std::vector<float>& gradients);

    // Writes a row of targets for each row of inputs.
    void predict(const float* inputs, std::size_t rows, float* predictions);

private:
    class Inputs;

    void reserve(std::size_t rows);
    void forward(const Inputs& inputs, std::size_t rows);
    double start_backward(const Samples& samples, const std::uint32_t* order, std::size_t rows);
    void backward(const Inputs& inputs, std::size_t rows);
    void pass_back(std::size_t layer, std::size_t rows);
    void step(double rate, double weight_decay);

    const Kernels* kernels_;
    std::vector<LayerPlace> places_;
    std::int64_t steps_ = 0;
    std::vector<Block> values_, gradients_, first_, second_;
    // Of the current batch: the values of each layer's outputs, and the loss's slope along them.
    std::vector<std::vector<Block>> outputs_, slopes_;
    std::vector<Block> turned_;  // a layer's weights with inputs and outputs exchanged
};

}  // namespace deckatlas::surrogate
