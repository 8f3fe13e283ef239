// Bindings of numeric functions with the same bits on every machine, and checks on what they are given.
#include "common/numeric.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "common/eigen.hpp"
#include "common/linear.hpp"
#include "common/triangle.hpp"
#include "errors.hpp"
#include "without_gil.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ChangingMatrix = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Array = nb::ndarray<nb::numpy, double>;

constexpr std::size_t kMostRows = 4096;  // some minutes: the time grows with the third power

void check_lengths(std::size_t expected, std::size_t given) {
    if (expected != given)
        throw SearchError("the shapes of the arrays do not fit: " + std::to_string(expected) + " and " +
                          std::to_string(given));
}

// The symmetric matrix that has the numbers on and below the diagonal of this one.
SquareMatrix symmetric_of(const Matrix& given) {
    const std::size_t n = given.shape(0);
    if (n != given.shape(1) || n == 0 || n > kMostRows)
        throw SearchError("an eigensystem needs a square matrix of 1 to " + std::to_string(kMostRows) +
                          " rows, not of shape (" + std::to_string(n) + ", " + std::to_string(given.shape(1)) + ")");
    SquareMatrix matrix(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const double number = given.data()[i * n + j];
            if (!std::isfinite(number)) throw SearchError("an eigensystem needs a matrix of finite numbers");
            matrix.row(i)[j] = matrix.row(j)[i] = number;
        }
    }
    return matrix;
}

Array array_of(std::vector<double> numbers, std::initializer_list<std::size_t> shape) {
    auto kept = std::make_unique<std::vector<double>>(std::move(numbers));
    double* const data = kept->data();
    const nb::capsule owner(kept.release(),
                            [](void* pointer) noexcept { delete static_cast<std::vector<double>*>(pointer); });
    return {data, shape, owner};
}

std::pair<Array, Array> eigensystem_of(const Matrix& given) {
    SquareMatrix matrix = symmetric_of(given);
    const std::size_t n = matrix.size();
    Eigensystem found = [&] {
        const WithoutGil without_gil;
        return eigensystem(std::move(matrix));
    }();
    if (!found.converged) throw SearchError("the eigenvalues of this matrix do not converge");
    std::vector<double> rows(found.vectors.row(0), found.vectors.row(0) + n * n);
    return {array_of(std::move(found.values), {n}), array_of(std::move(rows), {n, n})};
}

Array combined_rows(const Vector& weights, const Matrix& rows) {
    check_lengths(rows.shape(0), weights.shape(0));
    std::vector<double> sums(rows.shape(1));
    combine_rows(weights.data(), rows.data(), rows.shape(0), rows.shape(1), sums.data());
    return array_of(std::move(sums), {rows.shape(1)});
}

Array row_products(const Matrix& rows, const Vector& vector) {
    check_lengths(rows.shape(1), vector.shape(0));
    std::vector<double> sums(rows.shape(0));
    multiply_rows(rows.data(), vector.data(), rows.shape(0), rows.shape(1), sums.data());
    return array_of(std::move(sums), {rows.shape(0)});
}

void add_products(const ChangingMatrix& matrix, const Vector& weights, const Matrix& rows) {
    check_lengths(rows.shape(0), weights.shape(0));
    check_lengths(matrix.shape(0), rows.shape(1));
    check_lengths(matrix.shape(1), rows.shape(1));
    add_outer_products(matrix.data(), weights.data(), rows.data(), rows.shape(0), rows.shape(1));
}

Array triangle_of(const Matrix& given) {
    const std::size_t n = given.shape(0);
    check_lengths(n, given.shape(1));
    if (n > kMostRows) throw SearchError("a triangle has at most " + std::to_string(kMostRows) + " rows");
    std::vector<double> numbers = copy_of(given);
    const bool made = [&] {
        const WithoutGil without_gil;
        return make_triangle(numbers.data(), n);
    }();
    if (!made) throw SearchError("a triangle needs a matrix that is positive definite");
    return array_of(std::move(numbers), {n, n});
}

Array solved(const Matrix& triangle, const Matrix& rows, bool transposed) {
    const std::size_t n = triangle.shape(0);
    check_lengths(n, triangle.shape(1));
    check_lengths(n, rows.shape(1));
    const std::vector<double> numbers = copy_of(triangle);
    std::vector<double> solutions = copy_of(rows);
    {
        const WithoutGil without_gil;
        for (std::size_t row = 0; row < rows.shape(0); ++row)
            (transposed ? solve_transposed : solve_triangle)(numbers.data(), n, solutions.data() + row * n);
    }
    return array_of(std::move(solutions), {rows.shape(0), n});
}

double checked_log(double x) {
    if (!(x > 0) || !std::isfinite(x)) throw SearchError("a logarithm needs a finite number above zero");
    return log_exact(x);
}

}  // namespace

void bind_numeric(nb::module_& module) {
    module.def("eigensystem", &eigensystem_of, "matrix"_a,
               "The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, one per row. Only the numbers "
               "on and below the diagonal are read. The largest component of an eigenvector is positive.");
    module.def("combined_rows", &combined_rows, "weights"_a, "rows"_a, "The sum of all rows, each times its weight.");
    module.def("row_products", &row_products, "rows"_a, "vector"_a, "The inner product of each row and a vector.");
    module.def("add_outer_products", &add_products, "matrix"_a.noconvert(), "weights"_a, "rows"_a,
               "Adds each row's product with itself, times the row's weight, to a square matrix, on and below its "
               "diagonal.");
    module.def("triangle", &triangle_of, "matrix"_a,
               "The upper triangle U of a symmetric positive definite matrix U^T U. Only the numbers on and above the "
               "diagonal are read.");
    module.def("solve_triangle", &solved, "triangle"_a, "rows"_a, nb::kw_only(), "transposed"_a = false,
               "For each row b, the solution of U x = b, or of U^T x = b if transposed, with an upper triangle U.");
    module.def("exp", &exp_exact, "x"_a, "e to the power of x; 0 below -708, and the largest power above 709.");
    module.def("log", &checked_log, "x"_a, "The natural logarithm of a finite number above zero.");
}

}  // namespace deckatlas::bindings
