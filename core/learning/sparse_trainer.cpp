// Training of sparse models: batches, gradients and steps of Adam.
#include "learning/sparse_trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "common/numeric.hpp"
#include "common/parallel.hpp"
#include "common/random.hpp"

namespace deckatlas::learning {

namespace {

using surrogate::AdamStep;
using surrogate::kWidth;
using surrogate::plain;
using surrogate::row_stride;

constexpr std::size_t kChunk = 128;  // samples that are calculated together: their values fit in the cache
constexpr double kKeepFirst = 0.9, kKeepSecond = 0.999;
constexpr float kFirstHidden = 0.5f;  // in the middle of the range, where slopes are not zero

double power(double base, std::int64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base) {
        if (exponent & 1) result *= base;
    }
    return result;
}

// Calls work(worker, block) for all blocks; results must not depend on the worker.
template <class Work>
void in_parallel(std::size_t blocks, int threads, const Work& work) {
    const auto block_of = [&](int worker, std::int64_t block) { work(worker, static_cast<std::size_t>(block)); };
    const int workers = static_cast<int>(std::min<std::size_t>(blocks, static_cast<std::size_t>(threads)));
    if (workers <= 1) {
        for (std::size_t block = 0; block < blocks; ++block) work(0, block);
    } else {
        const auto go_on = [](std::int64_t) { return true; };
        run_blocks(static_cast<std::int64_t>(blocks), workers, std::chrono::milliseconds(100), block_of, go_on);
    }
}

struct Loss {
    double value;
    double slope;  // along the logit
};

// The negative logarithm of the chance given to what happened.
Loss logistic_loss(double logit, double target) {
    const double small = exp_exact(logit < 0 ? logit : -logit);
    const double chance = (logit < 0 ? small : 1.0) / (1.0 + small);
    return {(logit < 0 ? 0 : logit) - target * logit + log_exact(1.0 + small), chance - target};
}

SparseState first_state(const SparseShape& shape, std::uint64_t seed) {
    Rng rng{seed};
    SparseNumbers numbers(shape);
    for (Block& block : numbers.bias) std::fill_n(block.values, kWidth, kFirstHidden);
    const auto places = surrogate::places_of(shape.sizes());
    for (std::vector<Block>& stack : numbers.stacks) {
        std::vector<float> drawn;
        for (const surrogate::LayerPlace& place : places) {
            const double limit = std::sqrt(3.0 / static_cast<double>(place.inputs));
            for (std::size_t i = 0; i < place.inputs * place.outputs; ++i)
                drawn.push_back(static_cast<float>((2 * rng.unit() - 1) * limit));
            drawn.insert(drawn.end(), place.outputs, 0.0f);  // biases
        }
        stack = surrogate::to_blocks(places, drawn.data());
    }
    const std::vector<float> zeros(shape.parameters());
    return {0, to_plain(shape, numbers), zeros, zeros};
}

}  // namespace

// Samples of a batch that are calculated together, those of each stack one after the other.
struct SparseTrainer::Chunk {
    std::size_t first, count;
    std::vector<SampleRange> stacks;  // counted from the chunk's first sample
};

struct SparseTrainer::Batch {
    // Sorts the samples of each chunk by stack.
    Batch(const SparseShape& shape, const SparseSamples& samples, const std::uint32_t* order, std::size_t count)
        : numbers(order, order + count), slopes(shape.panels(), std::vector<Block>(count)), logit_slopes(count) {
        for (std::size_t first = 0; first < count; first += kChunk) {
            Chunk& chunk = chunks.emplace_back(Chunk{first, std::min(kChunk, count - first), {}});
            const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end = begin + static_cast<std::ptrdiff_t>(chunk.count);
            std::stable_sort(begin, end, [&](auto a, auto b) { return samples.stacks[a] < samples.stacks[b]; });
            for (std::size_t stack = 0, at = 0; stack < shape.stacks; ++stack) {
                const auto is_of = [&](auto number) { return samples.stacks[number] == stack; };
                const auto size = static_cast<std::size_t>(std::count_if(begin, end, is_of));
                chunk.stacks.push_back({at, size});
                at += size;
            }
        }
        for (const std::uint32_t number : numbers) spans.push_back(samples.of(number));
        stack_gradients.resize(chunks.size());
        losses.resize(chunks.size());
    }

    std::vector<std::uint32_t> numbers;  // of the samples
    std::vector<FeatureSpan> spans;
    std::vector<Chunk> chunks;
    // The loss's slopes along each sample's hidden values, panel by panel, and along its logit.
    std::vector<std::vector<Block>> slopes;
    std::vector<float> logit_slopes;
    // Of each chunk; gradients are those of each stack.
    std::vector<std::vector<std::vector<Block>>> stack_gradients;
    std::vector<double> losses;
};

SparseTrainer::SparseTrainer(const SparseShape& shape, FeatureAttributes attributes, const SparseLimits& limits,
                             std::uint64_t seed, bool portable)
    : SparseTrainer(shape, std::move(attributes), limits, first_state(shape, seed), portable) {}

SparseTrainer::SparseTrainer(const SparseShape& shape, FeatureAttributes attributes, const SparseLimits& limits,
                             const SparseState& state, bool portable)
    : shape_(shape),
      attributes_(std::move(attributes)),
      limits_(limits),
      kernels_(&surrogate::kernels(portable)),
      row_kernels_(&learning::row_kernels(portable)),
      layers_(shape.sizes(), portable),
      steps_(state.steps),
      values_(from_plain(shape, state.parameters)),
      first_(from_plain(shape, state.first)),
      second_(from_plain(shape, state.second)),
      gradients_(shape),
      rows_(shape.panels() * shape.rows()),
      weights_(shape.rows()),
      row_gradients_(rows_.size()),
      weight_gradients_(shape.rows()),
      turned_(shape.stacks) {
    // Own parts stay as they are: the step that made them has fitted them.
    for (std::size_t panel = 0; panel < shape_.panels(); ++panel) combine_panel(panel, false);
    combine_rest();
}

SparseState SparseTrainer::state() const {
    return {steps_, to_plain(shape_, values_), to_plain(shape_, first_), to_plain(shape_, second_)};
}

double SparseTrainer::fit(const SparseSamples& samples, const SparseFitOptions& options,
                          const std::function<bool()>& poll) {
    std::vector<std::uint32_t> order(samples.count);
    std::iota(order.begin(), order.end(), 0u);
    Rng rng{options.seed};
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
    const auto batches = static_cast<double>((samples.count + options.batch_size - 1) / options.batch_size);
    double loss = 0, done = 0;
    for (std::size_t start = 0; start < samples.count; start += options.batch_size, done += 1) {
        if (done > 0 && !poll()) break;
        const std::size_t count = std::min(options.batch_size, samples.count - start);
        Batch batch(shape_, samples, order.data() + start, count);
        loss += differentiate(samples, batch, options.threads);
        step(options.rate + (options.final_rate - options.rate) * (done / batches), options.weight_decay,
             options.threads);
    }
    return loss / static_cast<double>(samples.count);
}

double SparseTrainer::loss_and_gradients(const SparseSamples& samples, int threads, std::vector<float>& gradients) {
    std::vector<std::uint32_t> order(samples.count);
    std::iota(order.begin(), order.end(), 0u);
    Batch batch(shape_, samples, order.data(), samples.count);
    const double loss = differentiate(samples, batch, threads);
    gradients = to_plain(shape_, gradients_);
    return loss / static_cast<double>(samples.count);
}

void SparseTrainer::predict(const SparseSamples& samples, int threads, float* logits) const {
    std::vector<LayerMemory> memories(static_cast<std::size_t>(threads), LayerMemory(shape_.sizes(), kChunk));
    in_parallel((samples.count + kChunk - 1) / kChunk, threads, [&](int worker, std::size_t number) {
        LayerMemory& memory = memories[static_cast<std::size_t>(worker)];
        std::uint32_t order[kChunk];
        const std::size_t first = number * kChunk, count = std::min(kChunk, samples.count - first);
        std::iota(order, order + count, static_cast<std::uint32_t>(first));
        const Batch batch(shape_, samples, order, count);
        calculate(batch, batch.chunks.front(), memory);
        for (std::size_t row = 0; row < count; ++row) logits[batch.numbers[row]] = logit(batch.spans[row], memory, row);
    });
}

// The values of all layers for a chunk.
void SparseTrainer::calculate(const Batch& batch, const Chunk& chunk, LayerMemory& memory) const {
    const std::size_t stride = row_stride(shape_.panels());
    Block* const hidden = memory.values.front().data();
    for (std::size_t panel = 0; panel < shape_.panels(); ++panel)
        row_kernels_->gather(rows_.data() + panel * shape_.rows(), values_.bias[panel],
                             batch.spans.data() + chunk.first, chunk.count, hidden + panel, stride);
    row_kernels_->clip(hidden, chunk.count * stride);
    for (std::size_t stack = 0; stack < shape_.stacks; ++stack) {
        if (chunk.stacks[stack].count > 0) layers_.forward(values_.stacks[stack].data(), chunk.stacks[stack], memory);
    }
}

// The result for one sample of a calculated chunk.
float SparseTrainer::logit(const FeatureSpan& span, const LayerMemory& memory, std::size_t row) const {
    float sum = memory.values.back()[row].values[0];
    for (std::size_t i = 0; i < span.count; ++i) sum += weights_[span.features[i]];
    return sum;
}

// The losses of a chunk, their slopes, and the gradients of stacks.
void SparseTrainer::differentiate_chunk(const SparseSamples& samples, Batch& batch, std::size_t number,
                                        LayerMemory& memory) const {
    const Chunk& chunk = batch.chunks[number];
    calculate(batch, chunk, memory);
    const auto size = static_cast<float>(batch.numbers.size());
    for (std::size_t row = 0; row < chunk.count; ++row) {
        const std::size_t at = chunk.first + row, sample = batch.numbers[at];
        const Loss loss = logistic_loss(static_cast<double>(logit(batch.spans[at], memory, row)),
                                        static_cast<double>(samples.targets[sample]));
        const float weight = samples.weights[sample];
        batch.losses[number] += loss.value * static_cast<double>(weight);
        batch.logit_slopes[at] = static_cast<float>(loss.slope) * (weight / size);
        memory.slopes.back()[row].values[0] = batch.logit_slopes[at];
    }
    for (std::size_t stack = 0; stack < shape_.stacks; ++stack) {
        std::vector<Block>& gradients = batch.stack_gradients[number].emplace_back(layers_.blocks());
        if (chunk.stacks[stack].count > 0)
            layers_.backward(turned_[stack], chunk.stacks[stack], memory, gradients.data());
    }
    const std::size_t stride = row_stride(shape_.panels());
    for (std::size_t panel = 0; panel < shape_.panels(); ++panel) {
        for (std::size_t row = 0; row < chunk.count; ++row)
            batch.slopes[panel][chunk.first + row] = memory.slopes.front()[row * stride + panel];
    }
}

// All gradients of a batch; returns its losses, summed over samples.
double SparseTrainer::differentiate(const SparseSamples& samples, Batch& batch, int threads) {
    std::vector<LayerMemory> memories(static_cast<std::size_t>(threads), LayerMemory(shape_.sizes(), kChunk));
    in_parallel(batch.chunks.size(), threads, [&](int worker, std::size_t chunk) {
        differentiate_chunk(samples, batch, chunk, memories[static_cast<std::size_t>(worker)]);
    });
    // The last block is not a panel: weights and stacks.
    in_parallel(shape_.panels() + 1, threads, [&](int, std::size_t panel) {
        if (panel < shape_.panels()) {
            differentiate_panel(batch, panel);
        } else {
            differentiate_weights(batch);
            differentiate_stacks(batch);
        }
    });
    return std::accumulate(batch.losses.begin(), batch.losses.end(), 0.0);
}

void SparseTrainer::differentiate_panel(const Batch& batch, std::size_t panel) {
    const std::vector<Block>& slopes = batch.slopes[panel];
    Block* const rows = row_gradients_.data() + panel * shape_.rows();
    Block* const shared = gradients_.shared.data() + panel * shape_.attributes;
    Block* const own = gradients_.own.data() + panel * shape_.features;
    std::fill_n(rows, shape_.rows(), Block{});
    row_kernels_->scatter(slopes.data(), batch.spans.data(), batch.spans.size(), rows);
    std::fill_n(shared, shape_.attributes, Block{});
    row_kernels_->distribute(attributes_.table(), rows, shape_.rows(), shared);
    std::copy_n(rows, shape_.features, own);
    for (std::size_t variant = 0; variant < shape_.variants; ++variant) {
        Block& base = own[attributes_.bases[variant]];
        for (std::size_t k = 0; k < kWidth; ++k) base.values[k] += rows[shape_.features + variant].values[k];
    }
    Block& bias = gradients_.bias[panel] = {};
    for (const Block& slope : slopes) {
        for (std::size_t k = 0; k < kWidth; ++k) bias.values[k] += slope.values[k];
    }
}

void SparseTrainer::differentiate_weights(const Batch& batch) {
    std::vector<float>& weights = weight_gradients_;
    std::vector<float>& shared = gradients_.shared_weights;
    std::fill(weights.begin(), weights.end(), 0.0f);
    std::fill(shared.begin(), shared.end(), 0.0f);
    for (std::size_t i = 0; i < batch.spans.size(); ++i) {
        const FeatureSpan span = batch.spans[i];
        const float slope = batch.logit_slopes[i];
        for (std::size_t j = 0; j < span.count; ++j) weights[span.features[j]] += slope;
    }
    const AttributeTable table = attributes_.table();
    for (std::size_t row = 0; row < shape_.rows(); ++row) {
        for (std::size_t i = table.starts[row]; i < table.starts[row + 1]; ++i)
            shared[table.attributes[i]] += table.values[i] * weights[row];
    }
    std::copy_n(weights.begin(), shape_.features, gradients_.own_weights.begin());
    for (std::size_t variant = 0; variant < shape_.variants; ++variant)
        gradients_.own_weights[attributes_.bases[variant]] += weights[shape_.features + variant];
}

void SparseTrainer::differentiate_stacks(const Batch& batch) {
    for (std::size_t stack = 0; stack < shape_.stacks; ++stack) {
        std::vector<Block>& sums = gradients_.stacks[stack];
        std::fill(sums.begin(), sums.end(), Block{});
        for (const std::vector<std::vector<Block>>& of_chunk : batch.stack_gradients) {
            for (std::size_t i = 0; i < sums.size(); ++i) {
                for (std::size_t k = 0; k < kWidth; ++k) sums[i].values[k] += of_chunk[stack][i].values[k];
            }
        }
    }
}

void SparseTrainer::step(double rate, double weight_decay, int threads) {
    ++steps_;
    const auto corrected = static_cast<float>(rate / (1 - power(kKeepFirst, steps_)));
    const auto root_scale = static_cast<float>(1 / std::sqrt(1 - power(kKeepSecond, steps_)));
    const AdamStep decaying{corrected, root_scale, static_cast<float>(1 - rate * weight_decay)};
    const AdamStep others{corrected, root_scale, 1.0f};
    const auto move = [&](const AdamStep& how, std::vector<Block> SparseNumbers::* part, std::size_t at,
                          std::size_t count) {
        kernels_->adam(how, count * kWidth, plain(gradients_.*part) + at * kWidth, plain(first_.*part) + at * kWidth,
                       plain(second_.*part) + at * kWidth, plain(values_.*part) + at * kWidth);
    };
    in_parallel(shape_.panels(), threads, [&](int, std::size_t panel) {
        move(decaying, &SparseNumbers::own, panel * shape_.features, shape_.features);
        move(others, &SparseNumbers::shared, panel * shape_.attributes, shape_.attributes);
        move(others, &SparseNumbers::bias, panel, 1);
        combine_panel(panel, true);
    });
    kernels_->adam(decaying, shape_.features, gradients_.own_weights.data(), first_.own_weights.data(),
                   second_.own_weights.data(), values_.own_weights.data());
    kernels_->adam(others, shape_.attributes, gradients_.shared_weights.data(), first_.shared_weights.data(),
                   second_.shared_weights.data(), values_.shared_weights.data());
    for (std::size_t stack = 0; stack < shape_.stacks; ++stack) {
        kernels_->adam(others, layers_.blocks() * kWidth, plain(gradients_.stacks[stack]), plain(first_.stacks[stack]),
                       plain(second_.stacks[stack]), plain(values_.stacks[stack]));
        row_kernels_->bound(limits_.dense, plain(values_.stacks[stack]), layers_.blocks() * kWidth);
    }
    combine_rest();
}

void SparseTrainer::combine_panel(std::size_t panel, bool fit_own) {
    const Block* const shared = values_.shared.data() + panel * shape_.attributes;
    Block* const own = values_.own.data() + panel * shape_.features;
    Block* const rows = rows_.data() + panel * shape_.rows();
    row_kernels_->combine(attributes_.table(), shared, shape_.features, limits_.rows, fit_own, own, rows);
    std::vector<Block> bases;
    for (const std::uint16_t base : attributes_.bases) bases.push_back(own[base]);
    row_kernels_->combine(attributes_.table(shape_.features), shared, shape_.variants,
                          std::numeric_limits<float>::infinity(), false, bases.data(), rows + shape_.features);
}

void SparseTrainer::combine_rest() {
    const AttributeTable table = attributes_.table();
    for (std::size_t row = 0; row < shape_.rows(); ++row) {
        float sum = 0;
        for (std::size_t i = table.starts[row]; i < table.starts[row + 1]; ++i)
            sum += table.values[i] * values_.shared_weights[table.attributes[i]];
        const std::size_t own = row < shape_.features ? row : attributes_.bases[row - shape_.features];
        weights_[row] = values_.own_weights[own] + sum;
    }
    for (std::size_t stack = 0; stack < shape_.stacks; ++stack)
        turned_[stack] = layers_.turn(values_.stacks[stack].data());
}

}  // namespace deckatlas::learning
