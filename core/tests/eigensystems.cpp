// Tests eigensystems of random matrices under sanitizers: each is orthonormal, ascending, and makes the matrix again.
//
// Usage: eigensystems MATRICES
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "check.hpp"
#include "common/eigen.hpp"
#include "common/random.hpp"

namespace deckatlas {
namespace {

// The sum of products of `rank` vectors with themselves; of low rank, it has many eigenvalues of zero.
SquareMatrix random_matrix(std::size_t size, int rank, Rng& rng) {
    SquareMatrix matrix(size);
    std::vector<double> vector(size);
    for (int k = 0; k < rank; ++k) {
        for (double& number : vector) number = static_cast<double>(rng.below(2001)) / 1000 - 1;
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) matrix.row(i)[j] += vector[i] * vector[j];
        }
    }
    return matrix;
}

void check(const SquareMatrix& matrix) {
    const std::size_t n = matrix.size();
    const Eigensystem found = eigensystem(matrix);
    CHECK(found.converged);
    const double scale = std::abs(found.values.front()) + std::abs(found.values.back());
    const double tolerance = 1e-13 * static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) {
        CHECK(i == 0 || found.values[i - 1] <= found.values[i]);
        for (std::size_t j = 0; j < n; ++j) {
            double product = 0;
            double made = 0;
            for (std::size_t k = 0; k < n; ++k) {
                product += found.vectors.row(i)[k] * found.vectors.row(j)[k];
                made += found.values[k] * found.vectors.row(k)[i] * found.vectors.row(k)[j];
            }
            CHECK(std::abs(product - (i == j ? 1 : 0)) <= tolerance);
            CHECK(std::abs(made - matrix.row(i)[j]) <= tolerance * scale);
        }
    }
}

}  // namespace
}  // namespace deckatlas

int main(int count, char** words) {
    using namespace deckatlas;
    const int matrices = count > 1 ? std::atoi(words[1]) : 100;
    Rng rng(1);
    for (int number = 0; number < matrices; ++number) {
        const std::size_t size = 1 + rng.below(40);
        check(random_matrix(size, static_cast<int>(rng.below(45)), rng));
    }
    std::printf("%d eigensystems\n", matrices);
}
