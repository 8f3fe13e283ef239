// Bindings of small neural networks, with every check on their numbers.
#include "common/network.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "errors.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Layers = std::vector<std::pair<Matrix, Vector>>;

std::vector<double> finite(const double* data, std::size_t size) {
    std::vector<double> values(data, data + size);
    for (const double value : values) {
        if (!std::isfinite(value)) throw AgentError("a network's weights and biases must be finite");
    }
    return values;
}

Activation activation_of(std::string_view name) {
    if (name == "none") return Activation::none;
    if (name == "elu") return Activation::elu;
    if (name == "tanh") return Activation::tanh;
    throw AgentError("a network's activation must be 'none', 'elu' or 'tanh', not '" + std::string(name) + "'");
}

std::shared_ptr<Network> make_network(const Layers& layers, std::string_view activation, std::string_view last) {
    const Activation between = activation_of(activation);
    const Activation at_end = activation_of(last);
    if (layers.empty()) throw AgentError("a network needs at least one layer");
    std::vector<DenseLayer> made;
    for (const auto& [weights, biases] : layers) {
        DenseLayer layer{weights.shape(0), weights.shape(1), finite(weights.data(), weights.size()),
                         finite(biases.data(), biases.size())};
        const bool fits = made.empty() || made.back().outputs == layer.inputs;
        if (layer.outputs > Network::kWidest)
            throw AgentError("a network's layer has at most " + std::to_string(Network::kWidest) + " neurons");
        if (!fits || layer.inputs == 0 || layer.outputs == 0 || layer.biases.size() != layer.outputs)
            throw AgentError("the sizes of a network's layers do not fit each other");
        made.push_back(std::move(layer));
    }
    return std::make_shared<Network>(std::move(made), between, at_end);
}

std::vector<double> evaluate(const Network& network, const std::vector<double>& inputs) {
    if (inputs.size() != network.inputs())
        throw AgentError("this network has " + std::to_string(network.inputs()) + " inputs, not " +
                         std::to_string(inputs.size()));
    std::vector<double> outputs(network.outputs());
    network.evaluate(inputs.data(), outputs.data());
    return outputs;
}

}  // namespace

void bind_network(nb::module_& module) {
    nb::class_<Network>(module, "Network", "Dense layers with one activation between them and one after the last.")
        .def_prop_ro("inputs", &Network::inputs)
        .def_prop_ro("outputs", &Network::outputs)
        .def("evaluate", &evaluate, "inputs"_a, "The outputs of the last layer.");
    module.def("network", &make_network, "layers"_a, "activation"_a, "last"_a = "none",
               "A network of layers, each a matrix of weights with one row per input and a vector of biases. "
               "Activations, between layers and after the last, are 'none', 'elu' and 'tanh'.");
}

}  // namespace deckatlas::bindings
