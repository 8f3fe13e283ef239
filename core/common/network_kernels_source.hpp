// The source of the kernels of networks, compiled once for each kind of machine (network_kernels_portable.cpp,
// network_kernels_avx2.cpp), with DECKATLAS_VECTOR numbers in a vector.
//
// Each lane of a vector is another position, and its operations are the same as for a position alone, in the same
// order. No template or inline function of another header may be used here: the linker would keep one copy of it for
// the whole program, perhaps the one compiled for a newer machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/inlining.hpp"
#include "common/network_kernels.hpp"

namespace {

#if defined(__GNUC__)
constexpr std::size_t kVector = DECKATLAS_VECTOR;
using Vector [[gnu::vector_size(sizeof(double) * kVector)]] = double;
using Wholes [[gnu::vector_size(sizeof(double) * kVector)]] = std::int64_t;
using Bits [[gnu::vector_size(sizeof(double) * kVector)]] = std::uint64_t;
#else
// One at a time, for compilers without vector types.
constexpr std::size_t kVector = 1;
using Vector = double;
using Wholes = std::int64_t;
using Bits = std::uint64_t;
#endif
constexpr std::size_t kVectors = deckatlas::kLanes / kVector;  // for one number of each position
static_assert(kVectors * kVector == deckatlas::kLanes);

template <class To, class From>
DECKATLAS_INLINE To bits_as(const From& from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

// Without a branch. With y = |2 x| = n ln 2 + r, tanh |x| = 1 - 2 / (2^n e^r + 1).
DECKATLAS_INLINE Vector tanh_of(Vector x) {
    constexpr std::int64_t kFlat = 0x4034000000000000;  // the bits of 20: beyond it, the result is one to the last bit
    constexpr std::int64_t kInfinity = 0x7FF0000000000000;
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    const Bits sign = x < 0.0 ? Bits{} + kSign : Bits{};
    const Wholes size = bits_as<Wholes>(bits_as<Bits>(x) ^ sign);
    // What is no number stays none, whatever its sign, which depends on the processor.
    const Vector y = 2.0 * bits_as<Vector>((size > kFlat) & (size <= kInfinity) ? Wholes{} + kFlat : size);
    // Adding such a large number rounds, and leaves n in the lowest bits. The first part of ln 2 has few bits, so that
    // n times it is exact.
    constexpr double kRound = 0x1.8p52;
    constexpr double kLog2E = 1.4426950408889634;
    constexpr double kLn2High = 0x1.62e42fee00000p-1;
    constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
    const Vector rounded = y * kLog2E + kRound;
    const Vector n = rounded - kRound;
    const Vector r = (y - n * kLn2High) - n * kLn2Low;
    const Bits power = (bits_as<Bits>(rounded) + std::uint64_t{1023}) << 52;
    // One over the factorials, two terms at a time.
    const Vector r2 = r * r;
    const Vector r4 = r2 * r2;
    const Vector r8 = r4 * r4;
    const Vector low = ((1.0 + r) + (1.0 / 2 + 1.0 / 6 * r) * r2) +
                       ((1.0 / 24 + 1.0 / 120 * r) + (1.0 / 720 + 1.0 / 5040 * r) * r2) * r4;
    const Vector high = ((1.0 / 40320 + 1.0 / 362880 * r) + (1.0 / 3628800 + 1.0 / 39916800 * r) * r2) +
                        (1.0 / 479001600 + 1.0 / 6227020800 * r) * r4;
    const Vector value = 1.0 - 2.0 / ((low + high * r8) * bits_as<Vector>(power) + 1.0);
    return bits_as<Vector>(bits_as<Bits>(value) ^ sign);
}

void tanh_all(double* values, std::size_t count) {
    std::size_t i = 0;
    for (; i + kVector <= count; i += kVector) {
        Vector some;
        std::memcpy(&some, values + i, sizeof some);
        some = tanh_of(some);
        std::memcpy(values + i, &some, sizeof some);
    }
    if (i == count) return;
    Vector rest{};
    std::memcpy(&rest, values + i, (count - i) * sizeof(double));
    rest = tanh_of(rest);
    std::memcpy(values + i, &rest, (count - i) * sizeof(double));
}

void sum_up_lanes(const double* weights, const double* biases, std::size_t inputs, std::size_t outputs,
                  const double* from, double* to) {
    for (std::size_t k = 0; k < outputs; ++k) {
        Vector sums[kVectors] = {};
        for (std::size_t input = 0; input < inputs; ++input) {
            Vector values[kVectors];
            std::memcpy(values, from + input * deckatlas::kLanes, sizeof values);
            const double weight = weights[input * outputs + k];
            for (std::size_t i = 0; i < kVectors; ++i) sums[i] += values[i] * weight;
        }
        for (Vector& sum : sums) sum += biases[k];
        std::memcpy(to + k * deckatlas::kLanes, sums, sizeof sums);
    }
}

constexpr deckatlas::NetworkKernels kKernels{.sum_up_lanes = sum_up_lanes, .tanh = tanh_all};

}  // namespace
