// Bindings of frozen surrogates, with every check on their layers and on what they predict.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "surrogate.hpp"
#include "surrogate/model.hpp"

using namespace nanobind::literals;

namespace deckatlas::bindings {
namespace {

using surrogate::MemberNumbers;
using surrogate::Model;
using surrogate::Predictor;
using FloatArray = nb::ndarray<nb::numpy, float>;
using DoubleMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Layers = std::vector<std::pair<FloatMatrix, FloatVector>>;

constexpr std::size_t kRowsAtOnce = 60;
constexpr std::size_t kMostMembers = 64;
constexpr std::size_t kMostCards = 255;  // of a deck

MemberNumbers member_of(const Layers& layers) {
    if (layers.empty() || layers.size() > kMostLayers)
        throw ModelError("a network has 1 to " + std::to_string(kMostLayers) + " layers");
    MemberNumbers member;
    for (const auto& [weights, biases] : layers) {
        const std::size_t inputs = weights.shape(0), outputs = weights.shape(1);
        const bool fits = member.sizes.empty() || member.sizes.back() == inputs;
        if (!fits || inputs < 1 || outputs < 1 || biases.size() != outputs)
            throw ModelError("the sizes of a network's layers do not fit each other");
        if (std::max(inputs, outputs) > kWidestLayer)
            throw ModelError("a layer has at most " + std::to_string(kWidestLayer) + " numbers");
        if (member.sizes.empty()) member.sizes.push_back(inputs);
        member.sizes.push_back(outputs);
        member.numbers.insert(member.numbers.end(), weights.data(), weights.data() + weights.size());
        member.numbers.insert(member.numbers.end(), biases.data(), biases.data() + biases.size());
    }
    check_finite(member.numbers, "weights and biases");
    return member;
}

void make_model(Model* self, const std::vector<Layers>& members, std::size_t most_cards) {
    if (members.empty() || members.size() > kMostMembers)
        throw ModelError("a model has 1 to " + std::to_string(kMostMembers) + " networks");
    if (most_cards < 1 || most_cards > kMostCards)
        throw ModelError("a deck has 1 to " + std::to_string(kMostCards) + " cards, not " + std::to_string(most_cards));
    std::vector<MemberNumbers> numbers;
    for (const Layers& layers : members) {
        numbers.push_back(member_of(layers));
        if (numbers.back().sizes.front() != numbers.front().sizes.front() ||
            numbers.back().sizes.back() != numbers.front().sizes.back())
            throw ModelError("all networks of a model must have the same inputs and targets");
    }
    new (self) Model(numbers, most_cards);
}

// Predicts in portions: set(predictor, first row, rows) prepares each.
template <class Set>
FloatArray predict_rows(const Model& model, std::size_t rows, bool portable, Set&& set) {
    std::vector<float> predictions(rows * model.targets());
    {
        const WithoutGil without_gil;
        Predictor predictor(model, kRowsAtOnce, portable);
        for (std::size_t first = 0; first < rows; first += kRowsAtOnce) {
            const std::size_t count = std::min(kRowsAtOnce, rows - first);
            set(predictor, first, count);
            predictor.predict(count, predictions.data() + first * model.targets());
        }
    }
    return array_of(std::move(predictions), rows, model.targets());
}

FloatArray predict(const Model& model, const CountMatrix& counts, bool portable) {
    check_width("cards", counts.shape(1), model.inputs());
    const std::size_t cards = model.inputs();
    const std::vector<std::uint8_t> copies = copy_of(counts);
    for (std::size_t row = 0; row < counts.shape(0); ++row) {
        std::size_t size = 0;
        for (std::size_t card = 0; card < cards; ++card) size += copies[row * cards + card];
        if (size > model.most_cards())
            throw ModelError("this model is for decks of at most " + std::to_string(model.most_cards()) +
                             " cards, not " + std::to_string(size));
    }
    std::vector<std::uint16_t> deck;
    std::vector<surrogate::WholeBlock> sums(model.sum_blocks());
    return predict_rows(model, counts.shape(0), portable,
                        [&](Predictor& predictor, std::size_t first, std::size_t count) {
                            for (std::size_t row = 0; row < count; ++row) {
                                const std::uint8_t* const each = copies.data() + (first + row) * cards;
                                deck.clear();
                                for (std::size_t card = 0; card < cards; ++card)
                                    deck.insert(deck.end(), each[card], static_cast<std::uint16_t>(card));
                                predictor.set_deck(row, model.empty_sums(), {}, deck, sums.data());
                            }
                        });
}

FloatArray predict_vectors(const Model& model, const DoubleMatrix& vectors, bool portable) {
    check_width("inputs", vectors.shape(1), model.inputs());
    const std::vector<double> given = copy_of(vectors);
    check_finite(given, "vectors");
    if (std::ranges::any_of(given, [](double x) { return std::abs(x) > std::numeric_limits<float>::max(); }))
        throw ModelError("vectors must have numbers of single precision");
    const std::size_t width = model.inputs();
    std::vector<float> numbers(given.size());
    std::ranges::transform(given, numbers.begin(), [](double x) { return static_cast<float>(x); });
    return predict_rows(model, vectors.shape(0), portable,
                        [&](Predictor& predictor, std::size_t first, std::size_t count) {
                            predictor.set_vectors(numbers.data() + first * width, count);
                        });
}

// Sums over the inputs in order, as in training.
FloatArray product(const FloatMatrix& a, const FloatMatrix& b) {
    if (a.shape(1) != b.shape(0)) throw ModelError("the sizes of these matrices do not fit each other");
    const std::size_t rows = a.shape(0), steps = b.shape(0), columns = b.shape(1);
    const std::vector<float> factors = copy_of(a), others = copy_of(b);
    std::vector<float> sums(rows * columns);
    {
        const WithoutGil without_gil;
        for (std::size_t row = 0; row < rows; ++row) {
            float* const to = sums.data() + row * columns;
            for (std::size_t step = 0; step < steps; ++step) {
                const float factor = factors[row * steps + step];
                const float* const from = others.data() + step * columns;
                if (factor == 0) continue;
                for (std::size_t k = 0; k < columns; ++k) to[k] += factor * from[k];
            }
        }
    }
    return array_of(std::move(sums), rows, columns);
}

}  // namespace

void bind_surrogate_model(nb::module_& module) {
    nb::class_<Model>(module, "Model", "A trained surrogate, frozen: one network, or the mean of several.")
        .def(
            "__init__", &make_model, "members"_a, nb::kw_only(), "most_cards"_a,
            "Each network is a list of layers: a matrix of weights with one row per input, and a vector of biases. ELU "
            "is between layers. Decks have at most `most_cards` cards.")
        .def_prop_ro("inputs", &Model::inputs)
        .def_prop_ro("targets", &Model::targets)
        .def_prop_ro("most_cards", &Model::most_cards)
        .def("predict", &predict, "counts"_a, nb::kw_only(), "portable"_a = false,
             "The targets of decks, given the count of each card. The first layer is calculated in whole numbers, so "
             "that the order of cards does not matter.")
        .def("predict_vectors", &predict_vectors, "vectors"_a, nb::kw_only(), "portable"_a = false,
             "The targets of real vectors.");
    module.def("product", &product, "a"_a, "b"_a,
               "The product of two matrices, summed in order, so that it is the same on every machine.");
    module.def("has_vector_path", &surrogate::has_vector_kernels,
               "Whether this machine has a faster path than the portable one.");
}

}  // namespace deckatlas::bindings
