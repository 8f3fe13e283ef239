// Eigenvalues and eigenvectors of a symmetric matrix, with the same bits on every machine.
//
// Householder reflections make the matrix tridiagonal; QL steps with implicit shifts make it diagonal. Only additions,
// multiplications, divisions and square roots are used, in a fixed order: what runs in vector lanes are independent
// numbers, never the terms of one sum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace deckatlas {

// A square matrix, row by row.
class SquareMatrix {
public:
    explicit SquareMatrix(std::size_t size) : size_(size), numbers_(size * size) {}

    std::size_t size() const { return size_; }
    double* row(std::size_t i) { return numbers_.data() + i * size_; }
    const double* row(std::size_t i) const { return numbers_.data() + i * size_; }

private:
    std::size_t size_;
    std::vector<double> numbers_;
};

struct Eigensystem {
    std::vector<double> values;  // ascending
    SquareMatrix vectors;        // row k belongs to value k; its component of the largest size is positive
    bool converged = true;       // false only if a matrix needs far more steps than any known one does
};

namespace eigen_details {

// A symmetric matrix as Q T Q^T: T has `diagonal` and, below it, `beside`; the rows of `basis` are the columns of Q.
struct Tridiagonal {
    std::vector<double> diagonal;
    std::vector<double> beside;  // beside[i] stands between i and i + 1; the last is zero
    SquareMatrix basis;
};

inline double dot(const double* a, const double* b, std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += a[i] * b[i];
    return sum;
}

// Reflects rows and columns after k, so that of column k only the number just below the diagonal is left. Writes the
// vector of the reflection and returns its factor: the reflection is I - factor * vector * vector^T.
inline double reflect(SquareMatrix& a, std::size_t k, std::vector<double>& vector, std::vector<double>& change,
                      double& beside) {
    const std::size_t n = a.size();
    const std::size_t first = k + 1;
    // By symmetry, column k is row k.
    std::copy(a.row(k) + first, a.row(k) + n, vector.begin() + static_cast<std::ptrdiff_t>(first));
    beside = vector[first];
    // The matrix is scaled to about one: what is this small is nothing, and its inverse would overflow.
    constexpr double kNothing = 0x1p-1000;
    if (dot(vector.data(), vector.data(), first + 1, n) < kNothing) return 0;
    const double length = std::sqrt(dot(vector.data(), vector.data(), first, n));
    beside = vector[first] > 0 ? -length : length;  // the other sign, so that nothing cancels
    vector[first] -= beside;
    const double factor = 2 / dot(vector.data(), vector.data(), first, n);

    double* const w = change.data();
    const double* const v = vector.data();
    std::fill(w + first, w + n, 0.0);
    for (std::size_t i = first; i < n; ++i) {
        const double* const row = a.row(i);
        for (std::size_t j = first; j < n; ++j) w[j] += v[i] * row[j];
    }
    for (std::size_t j = first; j < n; ++j) w[j] *= factor;
    const double half = factor * dot(w, v, first, n) / 2;
    for (std::size_t j = first; j < n; ++j) w[j] -= half * v[j];
    for (std::size_t i = first; i < n; ++i) {
        double* const row = a.row(i);
        for (std::size_t j = first; j < n; ++j) row[j] -= v[i] * w[j] + w[i] * v[j];
    }
    return factor;
}

inline Tridiagonal tridiagonal(SquareMatrix a) {
    const std::size_t n = a.size();
    Tridiagonal made{std::vector<double>(n), std::vector<double>(n), SquareMatrix(n)};
    SquareMatrix reflections(n);  // row k is the vector of reflection k
    std::vector<double> factors(n);
    std::vector<double> vector(n);
    std::vector<double> change(n);
    for (std::size_t k = 0; k + 1 < n; ++k) {
        factors[k] = reflect(a, k, vector, change, made.beside[k]);
        std::copy(vector.begin(), vector.end(), reflections.row(k));
    }
    for (std::size_t i = 0; i < n; ++i) made.diagonal[i] = a.row(i)[i];

    // Q is the product of all reflections. From the last to the first, each touches only what lies after it.
    SquareMatrix q(n);
    for (std::size_t i = 0; i < n; ++i) q.row(i)[i] = 1;
    std::vector<double>& sums = change;
    for (std::size_t k = n - 1; k-- > 0;) {
        if (factors[k] == 0) continue;
        const double* const v = reflections.row(k);
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t i = k + 1; i < n; ++i) {
            for (std::size_t j = k + 1; j < n; ++j) sums[j] += v[i] * q.row(i)[j];
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            const double scale = factors[k] * v[i];
            for (std::size_t j = k + 1; j < n; ++j) q.row(i)[j] -= scale * sums[j];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) made.basis.row(j)[i] = q.row(i)[j];
    }
    return made;
}

inline void rotate(double* lower, double* upper, std::size_t n, double cosine, double sine) {
    for (std::size_t k = 0; k < n; ++k) {
        const double below = lower[k];
        const double above = upper[k];
        lower[k] = cosine * below - sine * above;
        upper[k] = sine * below + cosine * above;
    }
}

// The end of the block that begins at `first`: the first row whose number beside it is negligible.
inline std::size_t block_end(const Tridiagonal& t, std::size_t first) {
    constexpr double kSmallest = 0x1p-500;  // of a matrix whose largest number is about one; its square is not zero
    const std::size_t n = t.diagonal.size();
    std::size_t end = first;
    for (; end + 1 < n; ++end) {
        const double around = std::abs(t.diagonal[end]) + std::abs(t.diagonal[end + 1]);
        const double size = std::abs(t.beside[end]);
        if (size <= kSmallest || size <= std::numeric_limits<double>::epsilon() * around) break;
    }
    return end;
}

// One QL step on rows first ... end: a rotation that begins the step with Wilkinson's shift at the end of the block,
// and rotations that chase the number it puts outside the three diagonals up to the first row.
inline void ql_step(Tridiagonal& t, std::size_t first, std::size_t end) {
    std::vector<double>& d = t.diagonal;
    std::vector<double>& e = t.beside;
    const double slope = (d[first + 1] - d[first]) / (2 * e[first]);
    const double root = std::sqrt(slope * slope + 1);
    const double shift = d[first] - e[first] / (slope < 0 ? slope - root : slope + root);
    double cosine = 1;
    double sine = 1;
    double moved = 0;  // what the last rotation took from the diagonal
    double across = d[end] - shift;
    for (std::size_t i = end; i-- > first;) {
        const double outside = sine * e[i];
        const double inside = cosine * e[i];
        const double length = std::sqrt(outside * outside + across * across);
        e[i + 1] = length;
        if (length == 0) {  // the block falls apart here
            d[i + 1] -= moved;
            e[end] = 0;
            return;
        }
        sine = outside / length;
        cosine = across / length;
        const double above = d[i + 1] - moved;
        const double turn = (d[i] - above) * sine + 2 * cosine * inside;
        moved = sine * turn;
        d[i + 1] = above + moved;
        across = cosine * turn - inside;
        rotate(t.basis.row(i), t.basis.row(i + 1), d.size(), cosine, sine);
    }
    d[first] -= moved;
    e[first] = across;
    e[end] = 0;
}

// Makes T diagonal. Returns whether it did within the number of steps allowed.
inline bool diagonalise(Tridiagonal& t) {
    constexpr int kMostSteps = 100;  // two or three are usual
    for (std::size_t first = 0; first < t.diagonal.size(); ++first) {
        int steps = 0;
        for (std::size_t end = block_end(t, first); end != first; end = block_end(t, first)) {
            if (++steps > kMostSteps) return false;
            ql_step(t, first, end);
        }
    }
    return true;
}

// Copies a vector with the sign that makes its component of the largest size positive; of equals, the first decides.
inline void copy_with_sign(const double* from, double* to, std::size_t n) {
    const double* const largest =
        std::max_element(from, from + n, [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double sign = *largest < 0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < n; ++i) to[i] = sign * from[i];
}

}  // namespace eigen_details

// The eigensystem of a symmetric matrix of at least one row, whose numbers are finite.
inline Eigensystem eigensystem(SquareMatrix matrix) {
    const std::size_t n = matrix.size();
    // By a power of two, which is exact: then squares neither overflow nor vanish.
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(matrix.row(i)[j]));
    }
    int exponent = 0;
    std::frexp(largest, &exponent);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) matrix.row(i)[j] = std::ldexp(matrix.row(i)[j], -exponent);
    }
    eigen_details::Tridiagonal t = eigen_details::tridiagonal(std::move(matrix));
    const bool converged = eigen_details::diagonalise(t);

    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return t.diagonal[a] < t.diagonal[b]; });
    Eigensystem found{std::vector<double>(n), SquareMatrix(n), converged};
    for (std::size_t k = 0; k < n; ++k) {
        found.values[k] = std::ldexp(t.diagonal[order[k]], exponent);
        eigen_details::copy_with_sign(t.basis.row(order[k]), found.vectors.row(k), n);
    }
    return found;
}

}  // namespace deckatlas
