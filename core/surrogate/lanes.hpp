// Vectors of a few floats or whole numbers, for kernels. Each file that includes this one sets DECKATLAS_LANES to their
// size first. Everything here is private to that file, since each file is compiled for another machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

#if defined(__GNUC__)
constexpr std::size_t kLanes = DECKATLAS_LANES;
using Lanes [[gnu::vector_size(sizeof(float) * kLanes)]] = float;
using Wholes [[gnu::vector_size(sizeof(float) * kLanes)]] = std::int32_t;
using Bits [[gnu::vector_size(sizeof(float) * kLanes)]] = std::uint32_t;

#define DECKATLAS_LANE [[gnu::always_inline]] inline
// In front of short loops over arrays that belong into registers.
#define DECKATLAS_UNROLL _Pragma("GCC unroll 16")

DECKATLAS_LANE Lanes to_floats(Wholes values) { return __builtin_convertvector(values, Lanes); }
DECKATLAS_LANE Lanes from_bits(Bits bits) { return reinterpret_cast<Lanes>(bits); }
DECKATLAS_LANE Bits to_bits(Lanes values) { return reinterpret_cast<Bits>(values); }
// The lanes where a is below b.
DECKATLAS_LANE Wholes below(Lanes a, Lanes b) { return a < b; }
#else
// One at a time, for compilers without vector types.
constexpr std::size_t kLanes = 1;
using Lanes = float;
using Wholes = std::int32_t;
using Bits = std::uint32_t;

#define DECKATLAS_LANE static inline
#define DECKATLAS_UNROLL

DECKATLAS_LANE Lanes to_floats(Wholes value) { return static_cast<float>(value); }
DECKATLAS_LANE Lanes from_bits(Bits bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
DECKATLAS_LANE Bits to_bits(Lanes value) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}
DECKATLAS_LANE bool below(Lanes a, Lanes b) { return a < b; }
#endif

// Minus zero leaves every number as it is, a negative zero too, so that compilers drop the subtraction.
DECKATLAS_LANE Lanes broadcast(float value) { return value - Lanes{}; }
template <class Mask>
DECKATLAS_LANE Lanes select(Mask mask, Lanes yes, Lanes no) {
    return mask ? yes : no;
}

template <class Vector, class Number>
DECKATLAS_LANE Vector load(const Number* from) {
    Vector values;
    std::memcpy(&values, from, sizeof values);
    return values;
}
template <class Vector, class Number>
DECKATLAS_LANE void store(Vector values, Number* to) {
    std::memcpy(to, &values, sizeof values);
}

}  // namespace
