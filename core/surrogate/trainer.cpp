// Training: batches, gradients and steps of Adam.
#include "surrogate/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace deckatlas::surrogate {

namespace {

constexpr std::size_t kRowsAtOnce = 64;  // of predictions
constexpr double kKeepFirst = 0.9, kKeepSecond = 0.999;

double power(double base, std::int64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base) {
        if (exponent & 1) result *= base;
    }
    return result;
}

}  // namespace

// The inputs of a batch, as lists of what is not zero where that is faster. Both ways give the same bits.
class Trainer::Inputs {
public:
    Inputs(const float* data, std::size_t rows, std::size_t width) : data_(data), width_(width) {
        const auto zeros = static_cast<std::size_t>(std::count(data, data + rows * width, 0.0f));
        is_sparse_ = zeros >= rows * width / 2;
        if (!is_sparse_) return;
        entries_.reserve(rows * width - zeros);
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t start = entries_.size();
            for (std::size_t k = 0; k < width; ++k) {
                const float value = data[row * width + k];
                if (value != 0) entries_.push_back({static_cast<std::uint32_t>(k), value});
            }
            rows_.push_back({entries_.data() + start, entries_.size() - start});
        }
    }

    // Makes a batch of these rows the current one.
    void choose(const std::uint32_t* order, std::size_t rows) {
        if (is_sparse_) {
            chosen_.resize(rows);
            for (std::size_t i = 0; i < rows; ++i) chosen_[i] = rows_[order[i]];
        } else {
            gathered_.resize(rows * width_);
            for (std::size_t i = 0; i < rows; ++i)
                std::copy_n(data_ + order[i] * width_, width_, gathered_.data() + i * width_);
        }
    }

    bool is_sparse() const { return is_sparse_; }
    std::size_t width() const { return width_; }
    const SparseRow* sparse() const { return chosen_.data(); }
    const float* dense() const { return gathered_.data(); }

private:
    const float* data_;
    std::size_t width_;
    bool is_sparse_ = false;
    std::vector<Entry> entries_;
    std::vector<SparseRow> rows_, chosen_;
    std::vector<float> gathered_;
};

Trainer::Trainer(const std::vector<std::size_t>& sizes, std::uint64_t seed, bool portable)
    : kernels_(&kernels(portable)), places_(places_of(sizes)) {
    Rng rng{seed};
    std::vector<float> numbers;
    for (const LayerPlace& place : places_) {
        const double limit = std::sqrt(3.0 / static_cast<double>(place.inputs));
        for (std::size_t i = 0; i < (place.inputs + 1) * place.outputs; ++i)
            numbers.push_back(static_cast<float>((2 * rng.unit() - 1) * limit));
    }
    values_ = to_blocks(places_, numbers.data());
    first_.resize(values_.size());
    second_.resize(values_.size());
    gradients_.resize(values_.size());
}

Trainer::Trainer(const std::vector<std::size_t>& sizes, const TrainerState& state, bool portable)
    : kernels_(&kernels(portable)),
      places_(places_of(sizes)),
      steps_(state.steps),
      values_(to_blocks(places_, state.parameters.data())),
      gradients_(values_.size()),
      first_(to_blocks(places_, state.first.data())),
      second_(to_blocks(places_, state.second.data())) {}

TrainerState Trainer::state() const {
    return {steps_, to_plain(places_, values_), to_plain(places_, first_), to_plain(places_, second_)};
}

std::vector<double> Trainer::fit(const Samples& samples, const FitOptions& options, const std::function<bool()>& poll) {
    Inputs inputs(samples.inputs, samples.rows, this->inputs());
    reserve(std::min(options.batch_size, samples.rows));
    const std::size_t batches = (samples.rows + options.batch_size - 1) / options.batch_size;
    const auto steps = static_cast<double>(batches * options.epochs);
    std::vector<std::uint32_t> order(samples.rows);
    std::iota(order.begin(), order.end(), 0u);
    Rng rng{options.seed};
    std::vector<double> losses;
    double done = 0;
    for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
        double loss = 0;
        for (std::size_t start = 0; start < samples.rows; start += options.batch_size) {
            const std::size_t rows = std::min(options.batch_size, samples.rows - start);
            inputs.choose(order.data() + start, rows);
            forward(inputs, rows);
            loss += start_backward(samples, order.data() + start, rows);
            backward(inputs, rows);
            step(options.rate + (options.final_rate - options.rate) * (done / steps), options.weight_decay);
            done += 1;
            if (!poll()) return losses;
        }
        losses.push_back(loss / static_cast<double>(samples.rows));
    }
    return losses;
}

double Trainer::loss_and_gradients(const Samples& samples, std::vector<float>& gradients) {
    Inputs inputs(samples.inputs, samples.rows, this->inputs());
    reserve(samples.rows);
    std::vector<std::uint32_t> order(samples.rows);
    std::iota(order.begin(), order.end(), 0u);
    inputs.choose(order.data(), samples.rows);
    forward(inputs, samples.rows);
    const double loss = start_backward(samples, order.data(), samples.rows);
    backward(inputs, samples.rows);
    gradients = to_plain(places_, gradients_);
    return loss / static_cast<double>(samples.rows);
}

void Trainer::predict(const float* inputs, std::size_t rows, float* predictions) {
    reserve(std::min(rows, kRowsAtOnce));
    const std::size_t stride = row_stride(places_.back().panels());
    std::vector<std::uint32_t> order(kRowsAtOnce);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t start = 0; start < rows; start += kRowsAtOnce) {
        const std::size_t count = std::min(kRowsAtOnce, rows - start);
        Inputs some(inputs + start * this->inputs(), count, this->inputs());
        some.choose(order.data(), count);
        forward(some, count);
        for (std::size_t row = 0; row < count; ++row) {
            const float* const values = outputs_.back()[row * stride].values;
            predictions = std::copy_n(values, targets(), predictions);
        }
    }
}

// Makes room for a batch of so many rows.
void Trainer::reserve(std::size_t rows) {
    outputs_.resize(places_.size());
    slopes_.resize(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const std::size_t blocks = rows * row_stride(places_[i].panels());
        if (outputs_[i].size() < blocks) outputs_[i].resize(blocks);
        if (slopes_[i].size() < blocks) slopes_[i].resize(blocks);
    }
}

void Trainer::forward(const Inputs& inputs, std::size_t rows) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const LayerPlace& place = places_[i];
        const bool activate = i + 1 < places_.size();
        if (i == 0 && inputs.is_sparse()) {
            kernels_->multiply_sparse({.sparse = inputs.sparse(),
                                       .rows = rows,
                                       .inputs = place.inputs,
                                       .panels = place.panels(),
                                       .b = values_.data() + place.at,
                                       .biases = values_.data() + place.biases_at(),
                                       .activate = activate,
                                       .out = outputs_[i].data(),
                                       .out_row = row_stride(place.panels())});
            continue;
        }
        const float* const a = i == 0 ? inputs.dense() : plain(outputs_[i - 1]);
        const std::size_t a_row = i == 0 ? inputs.width() : row_stride(places_[i - 1].panels()) * kWidth;
        kernels_->multiply(layer_product(place, values_.data(), a, a_row, rows, activate, outputs_[i].data()));
    }
}

// The loss's slope along the outputs of the last layer; returns the loss summed over rows.
double Trainer::start_backward(const Samples& samples, const std::uint32_t* order, std::size_t rows) {
    const LayerPlace& place = places_.back();
    const std::size_t stride = row_stride(place.panels());
    double loss = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const float* const targets = samples.targets + order[row] * place.outputs;
        const float weight = samples.weights[order[row]];
        const float factor = 2 * weight / static_cast<float>(rows);
        for (std::size_t k = 0; k < place.outputs; ++k) {
            const std::size_t block = row * stride + k / kWidth;
            const float error = outputs_.back()[block].values[k % kWidth] - targets[k];
            loss += static_cast<double>(error) * static_cast<double>(error) * static_cast<double>(weight);
            slopes_.back()[block].values[k % kWidth] = error * factor;
        }
    }
    return loss;
}

void Trainer::backward(const Inputs& inputs, std::size_t rows) {
    for (std::size_t i = places_.size(); i-- > 0;) {
        const LayerPlace& place = places_[i];
        const std::size_t panels = place.panels(), stride = row_stride(panels);
        const Block* const slopes = slopes_[i].data();
        Block* const weights = gradients_.data() + place.at;
        Block* const biases = gradients_.data() + place.biases_at();
        std::fill_n(biases, panels, Block{});
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t panel = 0; panel < panels; ++panel) {
                for (std::size_t k = 0; k < kWidth; ++k)
                    biases[panel].values[k] += slopes[row * stride + panel].values[k];
            }
        }
        if (i == 0 && inputs.is_sparse()) {
            std::fill_n(weights, panels * place.inputs, Block{});
            kernels_->sparse_gradient({.sparse = inputs.sparse(),
                                       .rows = rows,
                                       .inputs = place.inputs,
                                       .panels = panels,
                                       .d = slopes,
                                       .d_row = stride,
                                       .out = weights});
            continue;
        }
        // Summed over the rows of the batch: inputs take the place of rows.
        const float* const a = i == 0 ? inputs.dense() : plain(outputs_[i - 1]);
        const std::size_t a_row = i == 0 ? inputs.width() : row_stride(places_[i - 1].panels()) * kWidth;
        kernels_->multiply({.rows = place.inputs,
                            .steps = rows,
                            .panels = panels,
                            .a = a,
                            .a_row = 1,
                            .a_step = a_row,
                            .b = slopes,
                            .b_panel = 1,
                            .b_step = stride,
                            .biases = nullptr,
                            .activate = false,
                            .out = weights,
                            .out_row = 1,
                            .out_panel = place.inputs});
        if (i > 0) pass_back(i, rows);
    }
}

// The loss's slope along the outputs of the layer before.
void Trainer::pass_back(std::size_t layer, std::size_t rows) {
    const LayerPlace& place = places_[layer];
    const std::size_t panels = panels_of(place.inputs);
    turned_.assign(panels * place.outputs, Block{});
    for (std::size_t input = 0; input < place.inputs; ++input) {
        for (std::size_t k = 0; k < place.outputs; ++k)
            turned_[input / kWidth * place.outputs + k].values[input % kWidth] =
                values_[place.at + k / kWidth * place.inputs + input].values[k % kWidth];
    }
    const std::size_t stride = row_stride(panels);
    kernels_->multiply({.rows = rows,
                        .steps = place.outputs,
                        .panels = panels,
                        .a = plain(slopes_[layer]),
                        .a_row = row_stride(place.panels()) * kWidth,
                        .a_step = 1,
                        .b = turned_.data(),
                        .b_panel = place.outputs,
                        .b_step = 1,
                        .biases = nullptr,
                        .activate = false,
                        .out = slopes_[layer - 1].data(),
                        .out_row = stride,
                        .out_panel = 1});
    kernels_->elu_slope(outputs_[layer - 1].data(), slopes_[layer - 1].data(), rows * stride);
}

void Trainer::step(double rate, double weight_decay) {
    ++steps_;
    const double first = 1 - power(kKeepFirst, steps_), second = 1 - power(kKeepSecond, steps_);
    const AdamStep step{static_cast<float>(rate / first), static_cast<float>(1 / std::sqrt(second)),
                        static_cast<float>(1 - rate * weight_decay)};
    kernels_->adam(step, values_.size() * kWidth, plain(gradients_), plain(first_), plain(second_), plain(values_));
}

}  // namespace deckatlas::surrogate
