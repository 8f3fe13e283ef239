"""Boxes, quantiles, correlations and lines are those that one finds by hand, and intervals cover the truth."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.stats.samples import (
    box_of,
    fisher_interval,
    kendall,
    least_squares,
    pearson,
    ranks,
    shares_above,
    spearman,
    weighted_quantiles,
)


def test_a_box_has_the_ends_the_quartiles_and_the_median() -> None:
    # Sorted 30, 32, 36, 40, 44: the median is the third, the quartiles the second and the fourth.
    assert box_of([44, 30, 36, 32, 40]).to_json() == {
        "lowest": 30,
        "lower_quartile": 32,
        "median": 36,
        "upper_quartile": 40,
        "highest": 44,
    }
    # Of ten values quartiles lie at 2.25 and 6.75 steps from the lowest: 12 + 0.25 * 1 and 16 + 0.75 * 1.
    ten = box_of([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    assert (ten.lower, ten.median, ten.upper, ten.n) == (12.25, 14.5, 16.75, 10)


def test_quantiles_are_the_least_values_up_to_which_there_is_as_much() -> None:
    values, share = np.array([3.0, 1.0, 2.0]), np.array([0.2, 0.5, 0.3])
    assert weighted_quantiles(values, share, (0.0, 0.4, 0.6, 0.95, 1.0)) == [1, 1, 2, 3, 3]


def test_shares_above_a_mark_are_strict_and_over_the_given_total() -> None:
    found = shares_above([3.0, -1.0, 3.0, 7.5], [-30.0, -1.0, 2.9, 3.0, 7.5, 30.0], total=10)
    assert found.tolist() == [0.4, 0.3, 0.3, 0.1, 0.0, 0.0]
    assert shares_above([], [0.0], total=5).tolist() == [0.0]


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=30), st.integers(0, 20))
def test_shares_above_marks_are_those_that_one_counts(values: list[int], others: int) -> None:
    total = len(values) + others
    found = shares_above(values, range(-6, 7), total=total)
    assert found.tolist() == [sum(value > mark for value in values) / total for mark in range(-6, 7)]


def test_values_that_are_no_part_of_the_total_and_nan_are_refused() -> None:
    for values, total in (([1.0, 2.0], 1), ([], 0), ([math.nan], 3)):
        with pytest.raises(ValueError, match=r"at least the number of values|must be a number, not nan"):
            shares_above(values, [0.0], total=total)


def test_equal_values_share_a_rank() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 9.0])).tolist() == [2.5, 1, 2.5, 4]


def test_correlations_of_hand_worked_columns() -> None:
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 10.0])
    assert pearson(x, y) == pytest.approx(13 / math.sqrt(5 * 50))
    assert spearman(x, y) == pytest.approx(1 - 6 * 2 / (4 * 15))  # two neighbours changed places
    assert pearson(x, -2 * x + 1) == pytest.approx(-1)


def test_kendalls_correlation_counts_pairs_in_the_same_order_and_allows_for_ties() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert kendall(x, np.array([1.0, 3.0, 2.0, 10.0])) == pytest.approx((5 - 1) / 6)
    assert kendall(x, -x) == pytest.approx(-1)
    # One tie: five pairs have an order in both, four of them the same one.
    assert kendall(x, np.array([2.0, 1.0, 1.0, 3.0])) == pytest.approx((3 - 2) / math.sqrt(6 * 5))


def test_a_constant_column_has_no_correlation() -> None:
    constant = np.full(3, 2.0)
    assert kendall(constant, np.arange(3.0)) == 0
    assert pearson(constant, np.arange(3.0)) == 0
    assert least_squares(constant, np.arange(3.0)) == (0, 1)


def test_the_line_of_least_squares_of_hand_worked_columns() -> None:
    line = least_squares(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 10.0]))
    assert (line.slope, line.at_zero) == pytest.approx((13 / 5, 4 - 13 / 5 * 2.5))


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=20), st.integers(0, 9))
def test_no_other_line_is_nearer_to_the_points(points: list[tuple[int, int]], seed: int) -> None:
    x, y = np.array(points, dtype=np.float64).T
    slope, at_zero = least_squares(x, y)
    aside = np.random.default_rng(seed).normal(0, 0.1, 2)

    def squares(steep: float, level: float) -> float:
        return float(((y - steep * x - level) ** 2).sum())

    assert squares(slope, at_zero) <= squares(slope + aside[0], at_zero + aside[1]) + 1e-9


def test_fishers_interval_is_of_equal_width_on_his_scale() -> None:
    found = fisher_interval(0.6, 103)
    assert math.atanh(found.low) == pytest.approx(math.atanh(0.6) - 0.196, abs=1e-4)
    assert found.high == pytest.approx(math.tanh(math.atanh(0.6) + 0.196), abs=1e-4)


@pytest.mark.parametrize(("correlation", "n"), [(0.5, 3), (1.0, 100), (-1.0, 100)])
def test_a_correlation_of_few_pairs_or_of_a_line_has_no_interval(correlation: float, n: int) -> None:
    found = fisher_interval(correlation, n)
    assert (found.value, found.n, found.has_ends) == (correlation, n, False)


@pytest.mark.parametrize("truth", [0.0, -0.6])
def test_fishers_interval_covers_the_truth_in_95_of_100_samples(truth: float) -> None:
    rng, trials = np.random.default_rng(1), 4000
    x, noise = rng.normal(size=(2, trials, 40))
    y = truth * x + math.sqrt(1 - truth**2) * noise
    found = [fisher_interval(pearson(a, b), 40) for a, b in zip(x, y, strict=True)]
    covered = np.mean([each.low <= truth <= each.high for each in found])
    assert covered == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / trials))
