// The source of the kernels of the network that rates positions, compiled once for each kind of machine
// (position_kernels_portable.cpp, position_kernels_avx2.cpp), with vectors of DECKATLAS_VECTOR_BYTES.
//
// No template or inline function of another header may be used here: the linker would keep one copy of it for the whole
// program, perhaps the one compiled for a newer machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/inlining.hpp"
#include "hearthstone/position_kernels.hpp"

namespace {

using namespace deckatlas::hearthstone;

#if defined(__GNUC__)
using Shorts [[gnu::vector_size(DECKATLAS_VECTOR_BYTES)]] = std::int16_t;
using Wholes [[gnu::vector_size(DECKATLAS_VECTOR_BYTES)]] = std::int32_t;
#define DECKATLAS_UNROLL _Pragma("GCC unroll 16")
#else
using Shorts = std::int16_t;  // one at a time, for compilers without vector types
#define DECKATLAS_UNROLL
#endif
constexpr std::size_t kShorts = sizeof(Shorts) / sizeof(std::int16_t);

template <class Vector, class Number>
DECKATLAS_INLINE Vector load(const Number* from) {
    Vector values;
    std::memcpy(&values, from, sizeof values);
    return values;
}

DECKATLAS_INLINE std::int16_t activation(std::int32_t sum) {
    constexpr std::int32_t kOne = 1 << kRowBits;
    const std::int32_t positive = sum < 0 ? 0 : sum;
    return static_cast<std::int16_t>(positive > kOne ? kOne : positive);
}

// Adds `Columns` numbers of each row; `numbers` starts at the first of them.
template <std::size_t Columns>
void add_columns(const std::int16_t* numbers, const FeatureRows& rows, const std::uint16_t* from,
                 const std::uint16_t* end, std::int32_t* sums) {
    constexpr std::size_t kVectors = Columns / kShorts;
    while (from != end) {
        const auto left = static_cast<std::size_t>(end - from);
        const std::uint16_t* const to = left > rows.at_once ? from + rows.at_once : end;
        Shorts part[kVectors] = {};
        for (; from != to; ++from) {
            const std::int16_t* const row = numbers + *from * rows.width;
            DECKATLAS_UNROLL
            for (std::size_t k = 0; k < kVectors; ++k)
                part[k] = static_cast<Shorts>(part[k] + load<Shorts>(row + k * kShorts));
        }
        std::int16_t values[Columns];
        std::memcpy(values, part, sizeof values);
        for (std::size_t k = 0; k < Columns; ++k) sums[k] += values[k];
    }
}

void add_rows(const FeatureRows& rows, const std::uint16_t* features, std::size_t count, std::int32_t* sums) {
    const std::uint16_t* const end = features + count;
    std::size_t column = 0;
    for (; column + 2 * kRowBlock <= rows.width; column += 2 * kRowBlock)
        add_columns<2 * kRowBlock>(rows.numbers + column, rows, features, end, sums + column);
    if (column < rows.width) add_columns<kRowBlock>(rows.numbers + column, rows, features, end, sums + column);
}

#if defined(__GNUC__)
// Products of numbers, added up in pairs of neighbours.
DECKATLAS_INLINE Wholes pair_products(Shorts a, Shorts b) {
#if DECKATLAS_VECTOR_BYTES == 32 && defined(__AVX2__)
    return reinterpret_cast<Wholes>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif DECKATLAS_VECTOR_BYTES == 16 && defined(__SSE2__)
    return reinterpret_cast<Wholes>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    Wholes sums = {};
    for (std::size_t k = 0; k < kShorts / 2; ++k) sums[k] = a[2 * k] * b[2 * k] + a[2 * k + 1] * b[2 * k + 1];
    return sums;
#endif
}
#endif

// A layer with kNetworkHidden outputs.
DECKATLAS_INLINE void apply_layer(const std::int16_t* inputs, std::size_t count, const std::int16_t* weights,
                                  const std::int32_t* biases, std::int16_t* outputs) {
    std::int32_t sums[kNetworkHidden];
#if defined(__GNUC__)
    constexpr std::size_t kWholes = kShorts / 2;
    constexpr std::size_t kVectors = kNetworkHidden / kWholes;
    Wholes parts[kVectors];
    DECKATLAS_UNROLL
    for (std::size_t k = 0; k < kVectors; ++k) parts[k] = load<Wholes>(biases + kWholes * k);
    for (std::size_t i = 0; i < count; i += 2, weights += 2 * kNetworkHidden) {
        const auto pair = load<std::int32_t>(inputs + i);
        const auto both = reinterpret_cast<Shorts>(Wholes{} + pair);
        DECKATLAS_UNROLL
        for (std::size_t k = 0; k < kVectors; ++k) parts[k] += pair_products(both, load<Shorts>(weights + kShorts * k));
    }
    std::memcpy(sums, parts, sizeof sums);
#else
    for (std::size_t k = 0; k < kNetworkHidden; ++k) sums[k] = biases[k];
    for (std::size_t i = 0; i < count; i += 2, weights += 2 * kNetworkHidden) {
        for (std::size_t k = 0; k < kNetworkHidden; ++k)
            sums[k] += inputs[i] * weights[2 * k] + inputs[i + 1] * weights[2 * k + 1];
    }
#endif
    constexpr std::int32_t kHalf = 1 << (kDenseBits - 1);
    for (std::size_t k = 0; k < kNetworkHidden; ++k) outputs[k] = activation((sums[k] + kHalf) >> kDenseBits);
}

std::int32_t apply_layers(const DenseLayers& layers, const std::int32_t* sums, std::size_t width) {
    alignas(64) std::int16_t inputs[kWidestNetwork];
    alignas(64) std::int16_t first[kNetworkHidden];
    alignas(64) std::int16_t second[kNetworkHidden];
    for (std::size_t k = 0; k < width; ++k) inputs[k] = activation(sums[k]);
    apply_layer(inputs, width, layers.first, layers.first_bias, first);
    apply_layer(first, kNetworkHidden, layers.second, layers.second_bias, second);
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < kNetworkHidden; ++k) sum += second[k] * layers.last[k];
    return sum;
}

constexpr PositionKernels kKernels{.add_rows = add_rows, .apply_layers = apply_layers};

}  // namespace
