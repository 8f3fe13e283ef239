// Functions of real numbers with the same bits on every machine: the standard library's may differ in the last bit.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace deckatlas {

// e to the power of x, to within a few units in the last place; 0 far below, and finite at the upper end of the range.
constexpr double exp_exact(double x) {
    constexpr double kLowest = -708.0;
    constexpr double kHighest = 709.0;
    if (!(x > kLowest)) return 0.0;
    if (x > kHighest) x = kHighest;
    // x = n ln 2 + r with |r| <= ln 2 / 2; the first part of ln 2 has few bits, so that n times it is exact.
    constexpr double kLog2E = 1.4426950408889634;
    constexpr double kLn2High = 0x1.62e42fee00000p-1;
    constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
    const double scaled = x * kLog2E;
    const auto n = static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
    const double r = (x - static_cast<double>(n) * kLn2High) - static_cast<double>(n) * kLn2Low;
    constexpr int kTerms = 13;  // r to the 14th over 14 factorial is below 1e-17
    double sum = 1.0;
    for (int k = kTerms; k > 0; --k) sum = 1.0 + sum * r / k;
    return sum * std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

// The natural logarithm of a positive, finite number, to within a few units in the last place.
constexpr double log_exact(double x) {
    constexpr double kLn2High = 0x1.62e42fee00000p-1;
    constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
    int n = 0;
    if (x < 0x1p-1022) {  // such numbers have fewer bits
        x *= 0x1p54;
        n = -54;
    }
    // x = 2^n m with m between sqrt(1/2) and sqrt(2); then log m = 2 atanh((m - 1) / (m + 1)).
    const auto bits = std::bit_cast<std::uint64_t>(x);
    n += static_cast<int>(bits >> 52) - 1023;
    double m = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
    if (m > 1.4142135623730951) {
        m /= 2;
        ++n;
    }
    const double s = (m - 1) / (m + 1);
    const double s2 = s * s;
    constexpr int kLast = 23;  // s is below 0.172, so that its 25th power is below 1e-19
    double sum = 0;
    for (int k = kLast; k > 1; k -= 2) sum = (sum + 1.0 / k) * s2;
    const double log_m = 2 * s + 2 * s * sum;
    return static_cast<double>(n) * kLn2High + (static_cast<double>(n) * kLn2Low + log_m);
}

// The hyperbolic tangent, to within 1e-15.
constexpr double tanh_exact(double x) {
    const double size = x < 0 ? -x : x;
    const double value = 1.0 - 2.0 / (exp_exact(2.0 * size) + 1.0);
    return x < 0 ? -value : value;
}

}  // namespace deckatlas
