// The inner loops of a small neural network, for any machine and for those with AVX2, with the same bits from both.
#pragma once

#include <cstddef>

namespace deckatlas {

inline constexpr std::size_t kLanes = 4;  // positions that a network evaluates side by side

struct NetworkKernels {
    // For kLanes positions, with kLanes numbers for each input and output: sums over the inputs in their order, the
    // bias last. The weights lie input by input.
    void (*sum_up_lanes)(const double* weights, const double* biases, std::size_t inputs, std::size_t outputs,
                         const double* from, double* to);
    // Replaces numbers by their hyperbolic tangent, to within 1e-15.
    void (*tanh)(double* values, std::size_t count);
};

bool has_vector_network_kernels();

// The fastest ones for this machine, or the portable ones.
const NetworkKernels& network_kernels(bool portable = false);

}  // namespace deckatlas
