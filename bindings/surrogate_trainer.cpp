// Bindings of the trainer of surrogates, with every check on its data.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "surrogate.hpp"
#include "surrogate/trainer.hpp"

using namespace nanobind::literals;

namespace deckatlas::bindings {
namespace {

using surrogate::FitOptions;
using surrogate::Samples;
using surrogate::Trainer;
using surrogate::TrainerState;
using FloatArray = nb::ndarray<nb::numpy, float>;
using StateArrays = std::tuple<std::int64_t, FloatArray, FloatArray, FloatArray>;

constexpr std::int64_t kMostSteps = std::int64_t{1} << 40;

void check_sizes(const std::vector<std::size_t>& sizes) {
    if (sizes.size() < 2 || sizes.size() > kMostLayers + 1)
        throw ModelError("a network has 1 to " + std::to_string(kMostLayers) + " layers");
    for (const std::size_t size : sizes) {
        if (size < 1 || size > kWidestLayer)
            throw ModelError("a layer has 1 to " + std::to_string(kWidestLayer) + " numbers, not " +
                             std::to_string(size));
    }
}

// Marks a trainer as in use, since its memory serves one calculation at a time. Made and destroyed with the GIL held.
class InUse {
public:
    explicit InUse(const Trainer& trainer) : trainer_(&trainer) {
        if (!all().insert(trainer_).second) throw ModelError("another thread is using this trainer");
    }
    ~InUse() { all().erase(trainer_); }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    static std::set<const Trainer*>& all() {
        static std::set<const Trainer*> trainers;
        return trainers;
    }
    const Trainer* trainer_;
};

// Rows to learn from, with the numbers themselves.
struct OwnSamples {
    std::vector<float> inputs;
    std::vector<float> targets;
    std::vector<float> weights;

    Samples view() const { return {weights.size(), inputs.data(), targets.data(), weights.data()}; }
};

OwnSamples samples_of(const Trainer& trainer, const FloatMatrix& inputs, const FloatMatrix& targets,
                      const FloatVector& weights) {
    const std::size_t rows = inputs.shape(0);
    if (rows == 0) throw ModelError("there is nothing to learn from: no rows");
    if (rows > kMostRows) throw ModelError("there are at most " + std::to_string(kMostRows) + " rows to learn from");
    check_width("inputs", inputs.shape(1), trainer.inputs());
    check_width("targets", targets.shape(1), trainer.targets());
    if (targets.shape(0) != rows || weights.shape(0) != rows)
        throw ModelError("inputs, targets and weights must have as many rows as each other");
    OwnSamples samples{copy_of(inputs), copy_of(targets), copy_of(weights)};
    check_finite(samples.inputs, "inputs");
    check_finite(samples.targets, "targets");
    check_finite(samples.weights, "weights");
    for (const float weight : samples.weights) {
        if (weight < 0) throw ModelError("weights of rows must not be negative");
    }
    return samples;
}

std::vector<double> fit(Trainer& trainer, const FloatMatrix& inputs, const FloatMatrix& targets,
                        const FloatVector& weights, std::size_t epochs, std::size_t batch_size, double rate,
                        double final_rate, double weight_decay, std::uint64_t seed,
                        std::optional<ProgressFunction> progress) {
    const OwnSamples samples = samples_of(trainer, inputs, targets, weights);
    if (epochs > 1'000'000) throw ModelError("there are at most a million epochs");
    if (batch_size < 1 || batch_size > 65'536) throw ModelError("a batch has 1 to 65536 rows");
    if (!(rate > 0 && rate <= 10) || !(final_rate >= 0 && final_rate <= 10))
        throw ModelError("a learning rate is above 0 and at most 10");
    if (!(weight_decay >= 0 && weight_decay * std::max(rate, final_rate) <= 1))
        throw ModelError("the weight decay is not negative, and at most 1 over the learning rate");
    const InUse in_use(trainer);
    PacedWatch watch(std::move(progress));
    std::vector<double> losses;
    {
        const WithoutGil without_gil;
        std::int64_t batches = 0;
        losses = trainer.fit(samples.view(), {epochs, batch_size, rate, final_rate, weight_decay, seed},
                             [&] { return watch(++batches); });
    }
    watch.rethrow();
    for (const double loss : losses) {
        if (!std::isfinite(loss)) throw ModelError("training diverged: the loss is no longer a finite number");
    }
    return losses;
}

std::tuple<double, FloatArray> loss_and_gradients(Trainer& trainer, const FloatMatrix& inputs,
                                                  const FloatMatrix& targets, const FloatVector& weights) {
    const InUse in_use(trainer);
    std::vector<float> gradients;
    const double loss = trainer.loss_and_gradients(samples_of(trainer, inputs, targets, weights).view(), gradients);
    const std::size_t count = gradients.size();
    return {loss, array_of(std::move(gradients), count)};
}

FloatArray predict(Trainer& trainer, const FloatMatrix& inputs) {
    check_width("inputs", inputs.shape(1), trainer.inputs());
    const std::vector<float> rows = copy_of(inputs);
    check_finite(rows, "inputs");
    const InUse in_use(trainer);
    std::vector<float> predictions(inputs.shape(0) * trainer.targets());
    {
        const WithoutGil without_gil;
        trainer.predict(rows.data(), inputs.shape(0), predictions.data());
    }
    return array_of(std::move(predictions), inputs.shape(0), trainer.targets());
}

StateArrays state_of(const Trainer& trainer) {
    const InUse in_use(trainer);
    TrainerState state = trainer.state();
    const std::size_t count = trainer.parameters();
    return {state.steps, array_of(std::move(state.parameters), count), array_of(std::move(state.first), count),
            array_of(std::move(state.second), count)};
}

Trainer restored(const std::vector<std::size_t>& sizes, std::int64_t steps, const FloatVector& parameters,
                 const FloatVector& first, const FloatVector& second, bool portable) {
    check_sizes(sizes);
    const std::size_t count = surrogate::numbers_of(surrogate::places_of(sizes));
    if (steps < 0 || steps > kMostSteps)
        throw ModelError("the number of steps must be from 0 to " + std::to_string(kMostSteps));
    const auto numbers = [&](const FloatVector& array) {
        if (array.size() != count)
            throw ModelError("such a network has " + std::to_string(count) + " parameters, not " +
                             std::to_string(array.size()));
        std::vector<float> copied = copy_of(array);
        check_finite(copied, "parameters and moments");
        return copied;
    };
    const TrainerState state{steps, numbers(parameters), numbers(first), numbers(second)};
    for (const float moment : state.second) {
        if (moment < 0) throw ModelError("second moments must not be negative");
    }
    return Trainer(sizes, state, portable);
}

}  // namespace

void bind_surrogate_trainer(nb::module_& module) {
    module.attr("WIDEST_LAYER") = kWidestLayer;
    nb::class_<Trainer>(module, "Trainer", "Trains dense layers with ELU between them and a linear output, by Adam.")
        .def(
            "__init__",
            [](Trainer* self, const std::vector<std::size_t>& sizes, std::uint64_t seed, bool portable) {
                check_sizes(sizes);
                new (self) Trainer(sizes, seed, portable);
            },
            "sizes"_a, "seed"_a, nb::kw_only(), "portable"_a = false,
            "A new network; `sizes` has the number of inputs, then of each layer's outputs. Weights and biases are "
            "drawn "
            "uniformly within sqrt(3 / inputs of the layer) of zero. `portable` selects the path for any machine, "
            "which "
            "gives the same bytes.")
        .def_prop_ro("inputs", &Trainer::inputs)
        .def_prop_ro("targets", &Trainer::targets)
        .def(
            "fit", &fit, "inputs"_a, "targets"_a, "weights"_a, nb::kw_only(), "epochs"_a, "batch_size"_a, "rate"_a,
            "final_rate"_a, "weight_decay"_a = 0.0, "seed"_a, "progress"_a = nb::none(),
            "Trains over all rows in batches, in a new order each epoch, and returns the loss of each epoch: squared "
            "errors summed over targets times the row's weight, averaged over rows. The rate moves on a straight line "
            "to its final value; weight decay is decoupled from the gradient. Moments and steps continue from the last "
            "call. `progress` is called about ten times a second with the number of batches done; an exception in it "
            "ends training, and leaves a network that is trained in part.")
        .def("loss_and_gradients", &loss_and_gradients, "inputs"_a, "targets"_a, "weights"_a,
             "The loss over all rows as one batch, and its gradients in the order of the parameters.")
        .def("predict", &predict, "inputs"_a, "The targets of rows.")
        .def("state", &state_of,
             "Steps so far, parameters, first and second moments. Parameters are in order of layers: the weights input "
             "by input, then the biases.")
        .def_static("restored", &restored, "sizes"_a, "steps"_a, "parameters"_a, "first"_a, "second"_a, nb::kw_only(),
                    "portable"_a = false, "A trainer that continues from a state.");
}

}  // namespace deckatlas::bindings
