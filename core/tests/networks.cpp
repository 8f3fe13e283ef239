// Small networks give the same bits one position at a time and side by side, with portable and with vector kernels,
// without allocating; what is no number stays none.
//
// Usage: networks CASES
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "check.hpp"
#include "common/network.hpp"
#include "common/random.hpp"

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace deckatlas::tests {
namespace {

// Of any size: tanh is steep near zero and flat far from it.
double number(Rng& rng) { return (2 * rng.unit() - 1) * std::pow(10.0, static_cast<int>(rng.below(6)) - 3); }

std::vector<DenseLayer> random_layers(Rng& rng) {
    std::vector<DenseLayer> layers(1 + rng.below(4));
    std::size_t inputs = 1 + rng.below(20);
    for (DenseLayer& layer : layers) {
        layer.inputs = inputs;
        layer.outputs = 1 + rng.below(rng.below(8) == 0 ? 100 : 10);  // some too wide for positions side by side
        for (std::size_t i = 0; i < layer.inputs * layer.outputs; ++i) layer.weights.push_back(number(rng));
        for (std::size_t i = 0; i < layer.outputs; ++i) layer.biases.push_back(number(rng));
        inputs = layer.outputs;
    }
    return layers;
}

void check_network(Rng& rng) {
    const std::vector<DenseLayer> layers = random_layers(rng);
    const auto between = static_cast<Activation>(rng.below(3));
    const auto last = static_cast<Activation>(rng.below(3));
    const Network portable(layers, between, last, network_kernels(true));
    const Network fast(layers, between, last);
    std::vector<double> inputs(portable.inputs() * kLanes);
    for (double& input : inputs) input = rng.below(4) == 0 ? 0.0 : number(rng);
    std::vector<double> side_by_side(portable.outputs() * kLanes), again(side_by_side), alone(portable.outputs());
    const std::size_t before = allocations;
    portable.evaluate_lanes(inputs.data(), side_by_side.data());
    fast.evaluate_lanes(inputs.data(), again.data());
    CHECK(allocations == before);
    CHECK(std::memcmp(side_by_side.data(), again.data(), again.size() * sizeof(double)) == 0);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        std::vector<double> position;
        for (std::size_t i = 0; i < portable.inputs(); ++i) position.push_back(inputs[i * kLanes + lane]);
        for (const Network* const network : {&portable, &fast}) {
            network->evaluate(position.data(), alone.data());
            for (std::size_t k = 0; k < alone.size(); ++k)
                CHECK(std::memcmp(&alone[k], &side_by_side[k * kLanes + lane], sizeof(double)) == 0);
        }
    }
}

void check_tanh(Rng& rng) {
    std::vector<double> values{0.0, -0.0, 20.0, -20.0, 1e300, -std::numeric_limits<double>::infinity(), 5e-324};
    for (std::size_t i = rng.below(9); i > 0; --i) values.push_back(number(rng));
    for (const bool portable : {true, false}) {
        std::vector<double> found = values;
        network_kernels(portable).tanh(found.data(), found.size());
        for (std::size_t i = 0; i < values.size(); ++i) CHECK(std::abs(found[i] - std::tanh(values[i])) < 1e-15);
        const double nothing = std::numeric_limits<double>::quiet_NaN();
        double none[] = {nothing, std::copysign(nothing, -1.0)};
        network_kernels(portable).tanh(none, 2);
        CHECK(std::isnan(none[0]) && std::isnan(none[1]));
    }
}

}  // namespace
}  // namespace deckatlas::tests

int main(int count, char** arguments) {
    if (count != 2) return EXIT_FAILURE;
    const int cases = std::atoi(arguments[1]);
    deckatlas::Rng rng{1};
    for (int i = 0; i < cases; ++i) {
        deckatlas::tests::check_network(rng);
        deckatlas::tests::check_tanh(rng);
    }
    std::printf("%d networks, %s\n", cases,
                deckatlas::has_vector_network_kernels() ? "with vector kernels" : "without vector kernels");
}
