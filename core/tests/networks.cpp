// Networks side by side: the same bits as one at a time, for any width, without allocating, and with numbers that are
// none.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
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

namespace deckatlas {
namespace {

Network network_of(const std::vector<std::size_t>& sizes, Activation between, Rng& rng) {
    const auto number = [&rng] { return (static_cast<double>(rng.below(2001)) - 1000) / 500; };
    std::vector<DenseLayer> layers;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        DenseLayer layer{sizes[i], sizes[i + 1], std::vector<double>(sizes[i] * sizes[i + 1]),
                         std::vector<double>(sizes[i + 1])};
        for (double& weight : layer.weights) weight = number();
        for (double& bias : layer.biases) bias = number();
        layers.push_back(std::move(layer));
    }
    return {std::move(layers), between, Activation::tanh};
}

void check_lanes(const std::vector<std::size_t>& sizes, Activation between, Rng& rng) {
    const Network network = network_of(sizes, between, rng);
    std::vector<double> inputs(sizes.front() * kLanes);
    for (double& input : inputs) input = static_cast<double>(rng.below(30));
    std::vector<double> outputs(sizes.back() * kLanes);
    std::vector<double> from(sizes.front());
    std::vector<double> to(sizes.back());
    const std::size_t before = allocations;
    network.evaluate_lanes(inputs.data(), outputs.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = inputs[i * kLanes + lane];
        network.evaluate(from.data(), to.data());
        for (std::size_t k = 0; k < to.size(); ++k) CHECK(outputs[k * kLanes + lane] == to[k]);
    }
    CHECK(allocations == before);
}

void check_tanh_without_a_number() {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(tanh_pipelined(nothing)));
    CHECK(std::isnan(tanh_pipelined(std::copysign(nothing, -1.0))));
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double large : {20.0, 21.0, 1e300, infinity}) {
        CHECK(tanh_pipelined(large) == 1.0);
        CHECK(tanh_pipelined(-large) == -1.0);
    }
    CHECK(tanh_pipelined(0.0) == 0.0);
}

}  // namespace
}  // namespace deckatlas

int main() {
    using deckatlas::Activation;
    deckatlas::Rng rng{7};
    for (const std::size_t width : {1, 4, 63, 64, 65, 300}) {
        for (const Activation between : {Activation::elu, Activation::tanh}) {
            deckatlas::check_lanes({15, width, 4, 1}, between, rng);
            deckatlas::check_lanes({15, width}, between, rng);
        }
    }
    deckatlas::check_tanh_without_a_number();
    std::puts("networks: all checks hold");
}
