"""Numbers with the same bits everywhere: eigensystems, sums over rows, exponentials and logarithms."""

import hashlib
import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from deckatlas._core import numeric
from deckatlas.errors import SearchError
from deckatlas.search.evaluation import Floats

NUMBERS = st.floats(-1e3, 1e3) | st.sampled_from([0.0, 1.0, -1.0, 1e-12, 1e-300])
SQUARES = st.integers(1, 9).flatmap(lambda size: arrays(np.float64, (size, size), elements=NUMBERS))


def symmetric(matrix: Floats) -> Floats:
    """The matrix with its lower triangle mirrored."""
    lower = np.tril(matrix)
    return lower + np.tril(matrix, -1).T


def covariance(seed: int, size: int) -> Floats:
    rows = np.random.default_rng(seed).normal(size=(size, size)) * np.logspace(0, -3, size)
    return rows @ rows.T


def check(matrix: Floats) -> None:
    values, axes = numeric.eigensystem(matrix)
    size, scale = len(matrix), max(float(np.abs(symmetric(matrix)).max()), np.finfo(float).tiny)
    assert (np.diff(values) >= 0).all()
    np.testing.assert_allclose(axes @ axes.T, np.eye(size), atol=1e-13 * size)
    np.testing.assert_allclose((axes.T * (values / scale)) @ axes, symmetric(matrix) / scale, atol=1e-13 * size)
    np.testing.assert_allclose(values / scale, np.linalg.eigvalsh(symmetric(matrix)) / scale, atol=1e-13 * size)
    largest = np.abs(axes).argmax(axis=1)
    assert (axes[np.arange(size), largest] > 0).all()


@settings(max_examples=300, deadline=None)
@given(SQUARES)
def test_an_eigensystem_is_orthonormal_sorted_and_makes_the_matrix_again(matrix: Floats) -> None:
    check(matrix)


@pytest.mark.parametrize(
    "matrix",
    [
        np.zeros((4, 4)),
        np.eye(7),
        np.ones((6, 6)),
        np.diag([3.0, 1.0, 2.0, 1.0]),
        np.array([[0.0, 1.0], [1.0, 0.0]]),
        np.diag(np.ones(19), 1) + np.diag(np.ones(19), -1),
        1e300 * covariance(1, 12),
        1e-300 * covariance(1, 12),
        covariance(2, 109),
        np.diag([1e-14] * 5 + [1.0] * 5),
    ],
    ids=["zero", "identity", "ones", "diagonal", "swap", "chain", "huge", "tiny", "large", "narrow"],
)
def test_special_matrices_have_eigensystems(matrix: Floats) -> None:
    check(matrix)


def test_eigenvectors_are_those_of_numpy_but_for_the_sign() -> None:
    matrix = covariance(3, 40)
    _, axes = numeric.eigensystem(matrix)
    _, columns = np.linalg.eigh(matrix)
    np.testing.assert_allclose(np.abs((axes * columns.T).sum(axis=1)), 1, atol=1e-9)


def test_only_the_lower_triangle_is_read() -> None:
    matrix = covariance(4, 10)
    values, axes = numeric.eigensystem(matrix)
    below, same_axes = numeric.eigensystem(np.tril(matrix))
    assert np.array_equal(values, below)
    assert np.array_equal(axes, same_axes)


def test_an_eigensystem_has_these_bits_on_every_machine_and_in_every_thread() -> None:
    """The matrix is of small fractions, which every machine has exactly."""
    numbers = np.arange(60 * 60, dtype=np.int64).reshape(60, 60)
    matrix = symmetric((numbers * 7919 % 1009 - 504) / 512)

    def digest(_: int) -> str:
        values, axes = numeric.eigensystem(matrix)
        return hashlib.sha256(values.tobytes() + axes.tobytes()).hexdigest()[:16]

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(digest, range(8))) == {"06d1b8d18e26f440"}


def test_an_eigensystem_of_109_rows_takes_at_most_10_milliseconds() -> None:
    matrix = covariance(5, 109)
    times = []
    for _ in range(5):
        begin = time.thread_time()
        numeric.eigensystem(matrix)
        times.append(time.thread_time() - begin)
    assert min(times) < 0.010


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.zeros((2, 3)), "square"),
        (np.zeros((0, 0)), "square"),
        (np.full((2, 2), np.nan), "finite"),
        (np.full((2, 2), np.inf), "finite"),
    ],
)
def test_matrices_without_an_eigensystem_are_refused(matrix: Floats, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        numeric.eigensystem(matrix)


def test_rows_are_combined_multiplied_and_added_in_order() -> None:
    rng = np.random.default_rng(6)
    weights, rows, vector = rng.normal(size=5), rng.normal(size=(5, 7)), rng.normal(size=7)
    sums, products, outer = np.zeros(7), np.zeros(5), np.eye(7)
    for weight, row in zip(weights, rows, strict=True):
        sums = sums + weight * row
        outer = outer + np.tril(np.outer(weight * row, row))
    for place in range(7):
        products = products + rows[:, place] * vector[place]
    added = np.eye(7)
    numeric.add_outer_products(added, weights, rows)
    assert np.array_equal(numeric.combined_rows(weights, rows), sums)
    assert np.array_equal(numeric.row_products(rows, vector), products)
    assert np.array_equal(added, outer)


@pytest.mark.parametrize(
    "call",
    [
        lambda: numeric.combined_rows(np.zeros(2), np.zeros((3, 4))),
        lambda: numeric.row_products(np.zeros((3, 4)), np.zeros(3)),
        lambda: numeric.add_outer_products(np.zeros((4, 4)), np.zeros(2), np.zeros((3, 4))),
        lambda: numeric.add_outer_products(np.zeros((4, 3)), np.zeros(3), np.zeros((3, 4))),
        lambda: numeric.log(0.0),
        lambda: numeric.log(math.nan),
    ],
)
def test_shapes_and_numbers_that_do_not_fit_are_refused(call: Any) -> None:
    with pytest.raises(SearchError):
        call()


@given(st.floats(min_value=5e-324, max_value=1e308))
def test_logarithms_are_exact_to_a_few_units_in_the_last_place(x: float) -> None:
    assert numeric.log(x) == pytest.approx(math.log(x), rel=1e-15, abs=1e-17)


@given(st.floats(-700, 700))
def test_exponentials_are_exact_to_a_few_units_in_the_last_place(x: float) -> None:
    assert numeric.exp(x) == pytest.approx(math.exp(x), rel=2e-15)


@pytest.mark.parametrize("tiny", [1e-150, 1e-155, 1e-158, 1e-161, 1e-170, 5e-324])
def test_numbers_whose_squares_vanish_count_as_nothing(tiny: float) -> None:
    matrix = np.diag([1.0, 2.0, 3.0])
    matrix[2, 0] = matrix[0, 2] = tiny
    values, _ = numeric.eigensystem(matrix)
    assert np.allclose(values, [1.0, 2.0, 3.0])


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_triangles_make_their_matrix_and_solve_it(size: int, seed: int) -> None:
    matrix = covariance(seed, size) + np.eye(size)
    upper = numeric.triangle(matrix)
    assert np.array_equal(upper, np.triu(upper))
    np.testing.assert_allclose(upper.T @ upper, matrix, atol=1e-12 * size)
    rows = np.random.default_rng(seed).normal(size=(3, size))
    np.testing.assert_allclose(numeric.solve_triangle(upper, rows) @ upper.T, rows, atol=1e-10 * size)
    np.testing.assert_allclose(numeric.solve_triangle(upper, rows, transposed=True) @ upper, rows, atol=1e-10 * size)


def test_a_matrix_without_a_triangle_is_refused() -> None:
    with pytest.raises(SearchError, match="positive definite"):
        numeric.triangle(np.array([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(SearchError, match="positive definite"):
        numeric.triangle(np.array([[np.nan]]))
    with pytest.raises(SearchError, match="do not fit"):
        numeric.triangle(np.ones((2, 3)))
    with pytest.raises(SearchError, match="do not fit"):
        numeric.solve_triangle(np.eye(2), np.ones((1, 3)))
