// Systems of linear equations with a symmetric positive definite matrix, with the same bits on every machine.
//
// The matrix is U^T U with an upper triangle U (Cholesky). As in eigensystems, what runs in vector lanes are
// independent numbers, never the terms of one sum.
#pragma once

#include <cmath>
#include <cstddef>

namespace deckatlas {

// Makes U of a matrix of n rows, of which only the numbers on and above the diagonal are read; those below become zero.
// Returns false if the matrix is not positive definite.
inline bool make_triangle(double* matrix, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
        double* const row = matrix + k * n;
        for (std::size_t j = 0; j < k; ++j) row[j] = 0;
        if (!(row[k] > 0) || !std::isfinite(row[k])) return false;
        const double root = std::sqrt(row[k]);
        for (std::size_t j = k; j < n; ++j) row[j] /= root;
        for (std::size_t i = k + 1; i < n; ++i) {
            double* const other = matrix + i * n;
            const double factor = row[i];
            if (factor == 0) continue;
            for (std::size_t j = i; j < n; ++j) other[j] -= factor * row[j];
        }
    }
    return true;
}

// Solves U x = b in place.
inline void solve_triangle(const double* triangle, std::size_t n, double* b) {
    for (std::size_t i = n; i-- > 0;) {
        const double* const row = triangle + i * n;
        double sum = b[i];
        for (std::size_t j = i + 1; j < n; ++j) sum -= row[j] * b[j];
        b[i] = sum / row[i];
    }
}

// Solves U^T x = b in place.
inline void solve_transposed(const double* triangle, std::size_t n, double* b) {
    for (std::size_t i = 0; i < n; ++i) {
        const double* const row = triangle + i * n;
        b[i] /= row[i];
        const double x = b[i];
        for (std::size_t j = i + 1; j < n; ++j) b[j] -= x * row[j];
    }
}

}  // namespace deckatlas
