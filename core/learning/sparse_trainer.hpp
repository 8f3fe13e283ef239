// Trains a rating of sparse samples by Adam: the chance of something, from a few of many features.
//
// Each feature has a row of `hidden` numbers and a weight. The rows of a sample's features and a bias are summed,
// clipped to [0, 1] and rated by dense layers, of which there are several stacks: each sample names its own. The
// weights of the features are added to the stack's output, and the result is the logit of the chance.
//
// A feature's row is a part of its own, plus its attributes times rows that all features share. So features with
// attributes in common learn from each other, and a feature that never occurred has a sensible row. Variants of a
// feature have other attributes and the same part of its own.
//
// The order of all operations is fixed: the same samples and seeds give the same bytes on every machine and for every
// number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "learning/clipped_layers.hpp"
#include "learning/row_kernels.hpp"
#include "learning/sparse_numbers.hpp"

namespace deckatlas::learning {

// Samples one after the other; the features of sample i are those from offsets[i] to offsets[i + 1].
struct SparseSamples {
    std::size_t count = 0;
    const std::int64_t* offsets = nullptr;
    const std::uint16_t* features = nullptr;
    const std::uint8_t* stacks = nullptr;
    const float* targets = nullptr;  // chances, from 0 to 1
    const float* weights = nullptr;

    FeatureSpan of(std::size_t sample) const {
        return {features + offsets[sample], static_cast<std::size_t>(offsets[sample + 1] - offsets[sample])};
    }
};

// The attributes of features and then of variants: see AttributeTable.
struct FeatureAttributes {
    std::vector<std::uint32_t> starts;
    std::vector<std::uint16_t> attributes;
    std::vector<float> values;
    std::vector<std::uint16_t> bases;  // of variants: the features whose own parts they have

    AttributeTable table(std::size_t first = 0) const {
        return {starts.data() + first, attributes.data(), values.data()};
    }
};

// How large numbers may become, so that whole numbers can represent them later.
struct SparseLimits {
    float rows;   // features' rows, each with its shared part; own parts may be twice as large
    float dense;  // weights and biases of dense layers
};

struct SparseFitOptions {
    std::size_t batch_size = 8192;
    double rate = 0.001;
    double final_rate = 0.001;  // the rate changes step by step, on a straight line
    double weight_decay = 0;    // of features' own parts: a share of every number, times the rate
    std::uint64_t seed = 0;     // of the order of samples
    int threads = 1;
};

// Numbers in plain order (see SparseNumbers), and the number of steps so far.
struct SparseState {
    std::int64_t steps = 0;
    std::vector<float> parameters, first, second;
};

class SparseTrainer {
public:
    // Hidden values are one half, and dense weights are drawn uniformly within sqrt(3 / inputs) of zero; everything
    // else is zero.
    SparseTrainer(const SparseShape& shape, FeatureAttributes attributes, const SparseLimits& limits,
                  std::uint64_t seed, bool portable);
    // Continues from a state, whose arrays are as long as the parameters are.
    SparseTrainer(const SparseShape& shape, FeatureAttributes attributes, const SparseLimits& limits,
                  const SparseState& state, bool portable);

    const SparseShape& shape() const { return shape_; }
    SparseState state() const;

    // Trains on all samples once, in batches. Returns the loss: the negative logarithm of the chance given to what
    // happened, times the sample's weight, as an average over samples, each taken before its batch was learnt. `poll`
    // is called between batches; if it returns false, training ends at once.
    double fit(const SparseSamples& samples, const SparseFitOptions& options, const std::function<bool()>& poll);

    // The loss over all samples as one batch, and its gradients in plain order.
    double loss_and_gradients(const SparseSamples& samples, int threads, std::vector<float>& gradients);

    // The logit of each sample's chance.
    void predict(const SparseSamples& samples, int threads, float* logits) const;

private:
    struct Chunk;
    struct Batch;

    void calculate(const Batch& batch, const Chunk& chunk, LayerMemory& memory) const;
    float logit(const FeatureSpan& span, const LayerMemory& memory, std::size_t row) const;
    double differentiate(const SparseSamples& samples, Batch& batch, int threads);
    void differentiate_chunk(const SparseSamples& samples, Batch& batch, std::size_t number, LayerMemory& memory) const;
    void differentiate_panel(const Batch& batch, std::size_t panel);
    void differentiate_weights(const Batch& batch);
    void differentiate_stacks(const Batch& batch);
    void step(double rate, double weight_decay, int threads);
    void combine_panel(std::size_t panel, bool fit_own);
    void combine_rest();

    SparseShape shape_;
    FeatureAttributes attributes_;
    SparseLimits limits_;
    const surrogate::Kernels* kernels_;
    const RowKernels* row_kernels_;
    ClippedLayers layers_;
    std::int64_t steps_ = 0;
    SparseNumbers values_, first_, second_, gradients_;
    // Made of the values: the whole rows and weights of features and variants, and the turned layers of each stack.
    std::vector<Block> rows_;
    std::vector<float> weights_;
    std::vector<Block> row_gradients_;
    std::vector<float> weight_gradients_;
    std::vector<std::vector<std::vector<Block>>> turned_;
};

}  // namespace deckatlas::learning
