// Bindings of the trainer of sparse models, with every check on its data.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <tuple>

#include "learning/sparse_trainer.hpp"
#include "surrogate.hpp"

using namespace nanobind::literals;

namespace deckatlas::bindings {
namespace {

using learning::FeatureAttributes;
using learning::SparseFitOptions;
using learning::SparseLimits;
using learning::SparseSamples;
using learning::SparseShape;
using learning::SparseState;
using learning::SparseTrainer;
using FloatArray = nb::ndarray<nb::numpy, float>;
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// Starts, attributes and values, as AttributeTable has them, and the bases of variants.
using AttributeArrays = std::tuple<Vector<std::int64_t>, Vector<std::uint16_t>, FloatVector, Vector<std::uint16_t>>;
using StateArrays = std::tuple<std::int64_t, FloatArray, FloatArray, FloatArray>;

constexpr std::int64_t kMostSteps = std::int64_t{1} << 40;
constexpr std::size_t kMostNumbered = 65'536;  // features or attributes
constexpr std::size_t kMostEntries = 0xFFFF'FFFF;
constexpr std::size_t kMostSamples = 1'000'000'000;
constexpr std::size_t kMostStacks = 16;

void check_between(const char* what, std::size_t value, std::size_t least, std::size_t most) {
    if (value < least || value > most)
        throw ModelError(std::string(what) + " must be from " + std::to_string(least) + " to " + std::to_string(most) +
                         ", not " + std::to_string(value));
}

SparseShape checked_shape(const AttributeArrays& arrays, std::size_t features, std::size_t attributes,
                          std::size_t hidden, const std::vector<std::size_t>& layers, std::size_t stacks) {
    const std::size_t variants = std::get<3>(arrays).size();
    check_between("the number of features", features, 1, kMostNumbered);
    check_between("the number of features and variants", features + variants, 1, kMostNumbered);
    check_between("the number of attributes", attributes, 0, kMostNumbered);
    check_between("the number of hidden values", hidden, surrogate::kWidth, kWidestLayer);
    if (hidden % surrogate::kWidth != 0)
        throw ModelError("the number of hidden values must be a multiple of " + std::to_string(surrogate::kWidth));
    check_between("the number of layers", layers.size(), 0, kMostLayers);
    for (const std::size_t size : layers) check_between("the size of a layer", size, 1, kWidestLayer);
    check_between("the number of stacks", stacks, 1, kMostStacks);
    return {features, variants, attributes, hidden, layers, stacks};
}

// Checks that starts rise from zero to the number of entries.
void check_starts(const char* what, const std::vector<std::int64_t>& starts, std::size_t rows, std::size_t entries) {
    bool fits = starts.size() == rows + 1 && starts[0] == 0 && starts[rows] == static_cast<std::int64_t>(entries);
    for (std::size_t i = 0; fits && i < rows; ++i) fits = starts[i] <= starts[i + 1];
    if (!fits)
        throw ModelError(std::string(what) + " must rise from 0 to the number of entries, with one more than rows");
}

template <class Number>
void check_numbers(const char* what, const std::vector<Number>& numbers, std::size_t count) {
    for (const Number number : numbers) {
        if (number >= count)
            throw ModelError("there is no " + std::string(what) + " " + std::to_string(number) + ": there are " +
                             std::to_string(count));
    }
}

FeatureAttributes checked_attributes(const SparseShape& shape, const AttributeArrays& arrays) {
    const auto starts = copy_of(std::get<0>(arrays));
    auto attributes = copy_of(std::get<1>(arrays));
    auto values = copy_of(std::get<2>(arrays));
    auto bases = copy_of(std::get<3>(arrays));
    check_between("the number of attributes of all features", attributes.size(), 0, kMostEntries);
    check_starts("starts of attributes", starts, shape.rows(), attributes.size());
    if (values.size() != attributes.size()) throw ModelError("every attribute of a feature needs a value");
    check_numbers("attribute", attributes, shape.attributes);
    check_finite(values, "values of attributes");
    check_numbers("feature", bases, shape.features);
    return {{starts.begin(), starts.end()}, std::move(attributes), std::move(values), std::move(bases)};
}

SparseLimits checked_limits(double rows, double dense) {
    constexpr double kMost = 1e6;
    if (!(rows > 0 && rows <= kMost) || !(dense > 0 && dense <= kMost))
        throw ModelError("limits of weights must be above 0 and at most a million");
    return {static_cast<float>(rows), static_cast<float>(dense)};
}

// Samples with the numbers themselves.
struct OwnSamples {
    std::vector<std::int64_t> offsets;
    std::vector<std::uint16_t> features;
    std::vector<std::uint8_t> stacks;
    std::vector<float> targets;  // empty, like weights, where only inputs matter
    std::vector<float> weights;

    SparseSamples view() const {
        return {stacks.size(), offsets.data(), features.data(), stacks.data(), targets.data(), weights.data()};
    }
};

// The samples of the arguments that all calls share: offsets, features and stacks.
OwnSamples checked_inputs(const SparseTrainer& trainer, const Vector<std::int64_t>& offsets,
                          const Vector<std::uint16_t>& features, const Vector<std::uint8_t>& stacks) {
    if (stacks.size() == 0) throw ModelError("there are no samples");
    if (stacks.size() > kMostSamples)
        throw ModelError("there are at most " + std::to_string(kMostSamples) + " samples");
    OwnSamples samples{copy_of(offsets), copy_of(features), copy_of(stacks), {}, {}};
    check_starts("offsets of samples", samples.offsets, samples.stacks.size(), samples.features.size());
    check_numbers("feature", samples.features, trainer.shape().rows());
    check_numbers("stack", samples.stacks, trainer.shape().stacks);
    return samples;
}

OwnSamples checked_samples(const SparseTrainer& trainer, const Vector<std::int64_t>& offsets,
                           const Vector<std::uint16_t>& features, const Vector<std::uint8_t>& stacks,
                           const FloatVector& targets, const FloatVector& weights) {
    OwnSamples samples = checked_inputs(trainer, offsets, features, stacks);
    if (targets.size() != samples.stacks.size() || weights.size() != samples.stacks.size())
        throw ModelError("every sample needs a target and a weight");
    samples.targets = copy_of(targets);
    samples.weights = copy_of(weights);
    check_finite(samples.targets, "targets");
    check_finite(samples.weights, "weights");
    for (const float target : samples.targets) {
        if (!(target >= 0 && target <= 1)) throw ModelError("targets must be from 0 to 1");
    }
    for (const float weight : samples.weights) {
        if (weight < 0) throw ModelError("weights of samples must not be negative");
    }
    return samples;
}

// Marks a trainer as in use, since it serves one calculation at a time. Made and destroyed with the GIL held.
class InUse {
public:
    explicit InUse(const SparseTrainer& trainer) : trainer_(&trainer) {
        if (!all().insert(trainer_).second) throw ModelError("another thread is using this trainer");
    }
    ~InUse() { all().erase(trainer_); }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    static std::set<const SparseTrainer*>& all() {
        static std::set<const SparseTrainer*> trainers;
        return trainers;
    }
    const SparseTrainer* trainer_;
};

template <class Calculation>
auto without_gil(int threads, const Calculation& calculation) {
    const WithoutGil released;
    try {
        return calculation();
    } catch (const std::system_error&) {
        throw ModelError("the system does not give " + std::to_string(threads) + " threads");
    }
}

double fit(SparseTrainer& trainer, const Vector<std::int64_t>& offsets, const Vector<std::uint16_t>& features,
           const Vector<std::uint8_t>& stacks, const FloatVector& targets, const FloatVector& weights,
           std::size_t batch_size, double rate, double final_rate, double weight_decay, std::uint64_t seed, int threads,
           std::optional<ProgressFunction> progress) {
    const OwnSamples samples = checked_samples(trainer, offsets, features, stacks, targets, weights);
    check_between("the batch size", batch_size, 1, 1'000'000);
    if (!(rate > 0 && rate <= 10) || !(final_rate >= 0 && final_rate <= 10))
        throw ModelError("a learning rate is above 0 and at most 10");
    if (!(weight_decay >= 0 && weight_decay * std::max(rate, final_rate) <= 1))
        throw ModelError("the weight decay is not negative, and at most 1 over the learning rate");
    check_threads(threads);
    const InUse in_use(trainer);
    PacedWatch watch(std::move(progress));
    std::int64_t batches = 0;
    const double loss = without_gil(threads, [&] {
        return trainer.fit(samples.view(), {batch_size, rate, final_rate, weight_decay, seed, threads},
                           [&] { return watch(++batches); });
    });
    watch.rethrow();
    if (!std::isfinite(loss)) throw ModelError("training diverged: the loss is no longer a finite number");
    return loss;
}

std::tuple<double, FloatArray> loss_and_gradients(SparseTrainer& trainer, const Vector<std::int64_t>& offsets,
                                                  const Vector<std::uint16_t>& features,
                                                  const Vector<std::uint8_t>& stacks, const FloatVector& targets,
                                                  const FloatVector& weights, int threads) {
    const OwnSamples samples = checked_samples(trainer, offsets, features, stacks, targets, weights);
    check_threads(threads);
    const InUse in_use(trainer);
    std::vector<float> gradients;
    const double loss =
        without_gil(threads, [&] { return trainer.loss_and_gradients(samples.view(), threads, gradients); });
    const std::size_t count = gradients.size();
    return {loss, array_of(std::move(gradients), count)};
}

FloatArray predict(const SparseTrainer& trainer, const Vector<std::int64_t>& offsets,
                   const Vector<std::uint16_t>& features, const Vector<std::uint8_t>& stacks, int threads) {
    const OwnSamples samples = checked_inputs(trainer, offsets, features, stacks);
    check_threads(threads);
    const InUse in_use(trainer);
    const std::size_t count = samples.stacks.size();
    std::vector<float> logits(count);
    without_gil(threads, [&] { trainer.predict(samples.view(), threads, logits.data()); });
    return array_of(std::move(logits), count);
}

StateArrays state_of(const SparseTrainer& trainer) {
    const InUse in_use(trainer);
    SparseState state = trainer.state();
    const std::size_t count = state.parameters.size();
    return {state.steps, array_of(std::move(state.parameters), count), array_of(std::move(state.first), count),
            array_of(std::move(state.second), count)};
}

SparseTrainer restored(const AttributeArrays& attributes, std::size_t features, std::size_t attribute_count,
                       std::size_t hidden, const std::vector<std::size_t>& layers, std::size_t stacks, double row_limit,
                       double dense_limit, std::int64_t steps, const FloatVector& parameters, const FloatVector& first,
                       const FloatVector& second, bool portable) {
    const SparseShape shape = checked_shape(attributes, features, attribute_count, hidden, layers, stacks);
    if (steps < 0 || steps > kMostSteps)
        throw ModelError("the number of steps must be from 0 to " + std::to_string(kMostSteps));
    const auto numbers = [&](const FloatVector& array) {
        if (array.size() != shape.parameters())
            throw ModelError("such a model has " + std::to_string(shape.parameters()) + " parameters, not " +
                             std::to_string(array.size()));
        std::vector<float> copied = copy_of(array);
        check_finite(copied, "parameters and moments");
        return copied;
    };
    const SparseState state{steps, numbers(parameters), numbers(first), numbers(second)};
    for (const float moment : state.second) {
        if (moment < 0) throw ModelError("second moments must not be negative");
    }
    return SparseTrainer(shape, checked_attributes(shape, attributes), checked_limits(row_limit, dense_limit), state,
                         portable);
}

}  // namespace

void bind_learning_trainer(nb::module_& module) {
    nb::class_<SparseTrainer>(module, "SparseTrainer",
                              "Trains a rating of samples with a few of many features, by Adam.")
        .def(
            "__init__",
            [](SparseTrainer* self, const AttributeArrays& attributes, std::size_t features,
               std::size_t attribute_count, std::size_t hidden, const std::vector<std::size_t>& layers,
               std::size_t stacks, double row_limit, double dense_limit, std::uint64_t seed, bool portable) {
                const SparseShape shape = checked_shape(attributes, features, attribute_count, hidden, layers, stacks);
                new (self) SparseTrainer(shape, checked_attributes(shape, attributes),
                                         checked_limits(row_limit, dense_limit), seed, portable);
            },
            "attributes"_a, nb::kw_only(), "features"_a, "attribute_count"_a, "hidden"_a, "layers"_a, "stacks"_a,
            "row_limit"_a, "dense_limit"_a, "seed"_a, "portable"_a = false,
            "A new model. `attributes` has, for each feature, where its entries start, then the attribute and the "
            "value "
            "of each entry. `layers` has the outputs of the dense layers before the last one. Rows of features stay "
            "within `row_limit` of zero, their own parts within twice that, dense weights within `dense_limit`. "
            "`portable` selects the path for any "
            "machine, which gives the same bytes.")
        .def_prop_ro("parameters", [](const SparseTrainer& trainer) { return trainer.shape().parameters(); })
        .def("fit", &fit, "offsets"_a, "features"_a, "stacks"_a, "targets"_a, "weights"_a, nb::kw_only(),
             "batch_size"_a, "rate"_a, "final_rate"_a, "weight_decay"_a = 0.0, "seed"_a, "threads"_a = 1,
             "progress"_a = nb::none(),
             "Trains on all samples once, in an order drawn from the seed, and returns the loss: the negative "
             "logarithm of the chance given to what happened times the sample's weight, averaged over samples. The "
             "rate moves on a straight line to its final value. Weight decay concerns features' own rows and weights. "
             "The result does not depend on the number of threads. `progress` is called about ten times a second with "
             "the number of batches done; an exception in it ends training, and leaves a model that is trained in "
             "part.")
        .def("loss_and_gradients", &loss_and_gradients, "offsets"_a, "features"_a, "stacks"_a, "targets"_a, "weights"_a,
             nb::kw_only(), "threads"_a = 1,
             "The loss over all samples as one batch, and its gradients in the order of the parameters.")
        .def("predict", &predict, "offsets"_a, "features"_a, "stacks"_a, nb::kw_only(), "threads"_a = 1,
             "The logit of each sample's chance.")
        .def("state", &state_of,
             "Steps so far, parameters, first and second moments. Parameters are in this order: features' own rows, "
             "shared rows, the bias of the hidden values, features' own weights, shared weights, then each stack's "
             "layers: the weights input by input, then the biases.")
        .def_static("restored", &restored, "attributes"_a, nb::kw_only(), "features"_a, "attribute_count"_a, "hidden"_a,
                    "layers"_a, "stacks"_a, "row_limit"_a, "dense_limit"_a, "steps"_a, "parameters"_a, "first"_a,
                    "second"_a, "portable"_a = false, "A trainer that continues from a state.");
}

}  // namespace deckatlas::bindings
