"""The statistics of reports, against cases worked by hand and tables of the textbooks."""

import math

import numpy as np
import pytest

from deckatlas.stats.inference import (
    Interval,
    Part,
    average,
    bootstrap_interval,
    crossed_interval,
    difference,
    mean_interval,
    pearson,
    ranks,
    slope,
    spearman,
    sum_interval,
    t_quantile,
)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (4, 2.776), (9, 2.262), (11, 2.201), (17, 2.110), (25, 2.060), (1e9, 1.960)]
)
def test_points_of_students_distribution_are_those_of_the_tables(freedom: float, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=0.002)


def test_the_interval_of_a_mean_is_students() -> None:
    found = mean_interval([1, 2, 3, 4])
    half = 3.182 * math.sqrt(5 / 3) / 2  # the variance is 5 / 3, of the mean of four a quarter of it
    assert (found.value, found.low, found.high) == pytest.approx((2.5, 2.5 - half, 2.5 + half))
    assert found.ends() == "[0.45, 4.55]"


def test_one_value_has_no_interval() -> None:
    found = mean_interval([7])
    assert (found.value, found.low, found.high, found.ends()) == (7, None, None, "")


def test_equal_values_have_an_interval_of_no_width() -> None:
    found = mean_interval([3, 3, 3])
    assert (found.low, found.high) == (3, 3)


def test_crossed_factors_add_the_variances_of_their_means() -> None:
    values = np.array([[40.0, 44.0, 48.0], [50.0, 54.0, 58.0]])
    # Rows have the means 44 and 54: variance 50, of the mean 25. Columns 45, 49, 53: variance 16, of the mean 16 / 3.
    variance = 25 + 16 / 3
    freedom = variance**2 / (25**2 / 1 + (16 / 3) ** 2 / 2)
    half = t_quantile(freedom) * math.sqrt(variance)
    found = crossed_interval(values)
    assert (found.value, found.low, found.high) == pytest.approx((49, 49 - half, 49 + half))
    assert 1 < freedom < 2


def test_a_factor_of_one_level_adds_nothing() -> None:
    values = np.array([[48.0, 50.0, 52.0]])
    assert crossed_interval(values[:, :, None]) == mean_interval(values[0])


def test_parts_of_a_variance_are_added() -> None:
    found = sum_interval(10, [Part(3.0, 10**6), Part(1.0, 10**6)])
    assert (found.low, found.high) == pytest.approx((10 - 2 * 1.96, 10 + 2 * 1.96), abs=1e-3)


def test_distances_to_the_ends_of_independent_estimates_add_up_by_their_squares() -> None:
    one, other = Interval(5.0, 2.0, 9.0), Interval(1.0, 0.0, 4.0)
    gap = difference(one, other)  # down: 3 and 3, up: 4 and 1
    assert gap.cells("gap") == pytest.approx({"gap": 4.0, "gap_low": 4 - 18**0.5, "gap_high": 4 + 17**0.5})
    both = average([one, other])  # down: 3 and 1, up: 4 and 3
    assert both.cells("both") == pytest.approx({"both": 3.0, "both_low": 3 - 10**0.5 / 2, "both_high": 3 + 5 / 2})


def test_what_is_made_of_an_estimate_without_an_interval_has_none() -> None:
    one, other = Interval(5.0, 2.0, 9.0), Interval(1.0, None, None)
    assert difference(one, other) == Interval(4.0, None, None)
    assert average([one, other]) == Interval(3.0, None, None)


def test_equal_values_share_a_rank() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 9.0])).tolist() == [2.5, 1, 2.5, 4]


def test_correlations_of_hand_worked_columns() -> None:
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 10.0])
    assert pearson(x, y) == pytest.approx(13 / math.sqrt(5 * 50))
    assert spearman(x, y) == pytest.approx(1 - 6 * 2 / (4 * 15))  # two neighbours changed places
    assert slope(x, y) == pytest.approx((13 / 5, 4 - 13 / 5 * 2.5))
    assert pearson(x, -2 * x + 1) == pytest.approx(-1)


def test_a_constant_column_has_no_correlation() -> None:
    constant = np.full(3, 2.0)
    assert pearson(constant, np.arange(3.0)) == 0
    assert slope(constant, np.arange(3.0)) == (0, 1)


def test_the_bootstrap_draws_whole_clusters() -> None:
    values = np.array([0.0, 1.0])
    seen: set[float] = set()

    def mean(drawn: np.ndarray[tuple[int], np.dtype[np.intp]]) -> float:
        assert len(drawn) == 2
        seen.add(float(values[drawn].mean()))
        return float(values[drawn].mean())

    found = bootstrap_interval(mean, 2, np.random.default_rng(1), samples=200)
    assert (found.value, found.low, found.high) == (0.5, 0, 1)
    assert seen == {0, 0.5, 1}


def test_one_cluster_gives_no_interval() -> None:
    found = bootstrap_interval(lambda drawn: 3.0, 1, np.random.default_rng(1))
    assert (found.value, found.low, found.high) == (3, None, None)
