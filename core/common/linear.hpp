// Sums over rows of numbers, with the same bits on every machine: each sum is added up in the order of its terms.
//
// What runs in vector lanes are independent sums, never the terms of one.
#pragma once

#include <algorithm>
#include <cstddef>

namespace deckatlas {

// to = the sum of all rows, each times its weight.
inline void combine_rows(const double* weights, const double* rows, std::size_t count, std::size_t width, double* to) {
    std::fill(to, to + width, 0.0);
    // Four rows at a time, in the same order, so that sums stay in registers.
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4, rows += 4 * width) {
        const double a = weights[k];
        const double b = weights[k + 1];
        const double c = weights[k + 2];
        const double d = weights[k + 3];
        for (std::size_t j = 0; j < width; ++j) {
            to[j] = (((to[j] + a * rows[j]) + b * rows[width + j]) + c * rows[2 * width + j]) + d * rows[3 * width + j];
        }
    }
    for (; k < count; ++k, rows += width) {
        const double weight = weights[k];
        for (std::size_t j = 0; j < width; ++j) to[j] += weight * rows[j];
    }
}

// to[k] = the inner product of row k and a vector.
inline void multiply_rows(const double* rows, const double* vector, std::size_t count, std::size_t width, double* to) {
    for (std::size_t k = 0; k < count; ++k, rows += width) {
        double sum = 0;
        for (std::size_t j = 0; j < width; ++j) sum += rows[j] * vector[j];
        to[k] = sum;
    }
}

// Adds each row's product with itself, times the row's weight, to a square matrix, on and below its diagonal.
inline void add_outer_products(double* matrix, const double* weights, const double* rows, std::size_t count,
                               std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
        double* const to = matrix + i * width;
        for (std::size_t k = 0; k < count; ++k) {
            const double* const row = rows + k * width;
            const double scale = weights[k] * row[i];
            for (std::size_t j = 0; j <= i; ++j) to[j] += scale * row[j];
        }
    }
}

}  // namespace deckatlas
