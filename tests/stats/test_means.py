"""Means and what is made of them, against cases worked by hand, and how often intervals cover the truth."""

import math

import numpy as np
import pytest

from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import (
    VariancePart,
    average,
    bootstrap_interval,
    crossed_interval,
    difference,
    mean_interval,
    sum_interval,
)


def test_the_interval_of_a_mean_is_students() -> None:
    found = mean_interval([1, 2, 3, 4])
    half = 3.182446305284263 * math.sqrt(5 / 3) / 2  # the variance is 5 / 3, of the mean of four a quarter of it
    assert (found.value, found.low, found.high) == pytest.approx((2.5, 2.5 - half, 2.5 + half))
    assert found.ends() == "[0.45, 4.55]"


def test_one_value_has_no_interval() -> None:
    found = mean_interval([7])
    assert (found.value, found.n, found.has_ends, found.ends()) == (7, 1, False, "")


def test_equal_values_have_an_interval_of_no_width() -> None:
    found = mean_interval([3, 3, 3])
    assert (found.low, found.high) == (3, 3)


def test_values_that_agree_are_as_uncertain_as_two_steps_among_them() -> None:
    found = mean_interval([0.0, 0.0, 0.0], step=0.05)
    # The squares of a step up and one down, over 2 degrees of freedom and 3 values; t is 4.303.
    half = 4.3027 * math.sqrt(2 * 0.05**2 / 2 / 3)
    assert (found.value, found.low, found.high) == pytest.approx((0, -half, half), rel=1e-4)
    assert mean_interval([1.0], step=0.05).has_ends is False
    spread = [1.0, 3.0, 8.0]
    assert mean_interval(spread, step=0.05).high == pytest.approx(mean_interval(spread).high, rel=1e-3)


def test_crossed_factors_add_the_variances_of_their_means() -> None:
    values = np.array([[40.0, 44.0, 48.0], [50.0, 54.0, 58.0]])
    # Rows have the means 44 and 54: variance 50, of the mean 25. Columns 45, 49, 53: variance 16, of the mean 16 / 3.
    variance = 25 + 16 / 3
    freedom = variance**2 / (25**2 / 1 + (16 / 3) ** 2 / 2)
    half = student_quantile(freedom) * math.sqrt(variance)
    found = crossed_interval(values)
    assert (found.value, found.low, found.high) == pytest.approx((49, 49 - half, 49 + half))
    assert 1 < freedom < 2


def test_a_factor_of_one_level_adds_nothing() -> None:
    values = np.array([[48.0, 50.0, 52.0]])
    assert crossed_interval(values[:, :, None]) == mean_interval(values[0])
    assert mean_interval(values[0]).n == 3


def test_parts_of_a_variance_are_added() -> None:
    found = sum_interval(10, [VariancePart(3.0, 10**6), VariancePart(1.0, 10**6)], n=30)
    assert (found.low, found.high) == pytest.approx((10 - 2 * 1.95996, 10 + 2 * 1.95996), abs=1e-4)
    assert found.n == 30


def test_distances_to_the_ends_of_independent_estimates_add_up_by_their_squares() -> None:
    one, other = Estimate(5.0, 2.0, 9.0, 10), Estimate(1.0, 0.0, 4.0, 7)
    gap = difference(one, other)  # down: 3 and 3, up: 4 and 1
    assert gap.cells("gap") == pytest.approx({"gap": 4.0, "gap_low": 4 - 18**0.5, "gap_high": 4 + 17**0.5})
    assert gap.n == 17
    both = average([one, other])  # down: 3 and 1, up: 4 and 3
    assert both.cells("both") == pytest.approx({"both": 3.0, "both_low": 3 - 10**0.5 / 2, "both_high": 3 + 5 / 2})


def test_what_is_made_of_an_estimate_without_an_interval_has_none() -> None:
    one, other = Estimate(5.0, 2.0, 9.0, 10), Estimate.without_ends(1.0, 7)
    for made, value in ((difference(one, other), 4.0), (difference(other, one), -4.0), (average([one, other]), 3.0)):
        assert (made.value, made.n, made.has_ends) == (value, 17, False)


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
    assert (found.value, found.n, found.has_ends) == (3, 1, False)


# ---- coverage --------------------------------------------------------------------------------------------------------

TRIALS = 4000
WITHIN_LUCK = 4 * math.sqrt(0.95 * 0.05 / TRIALS)


@pytest.mark.parametrize("count", [2, 3, 5, 30])
def test_the_interval_of_a_mean_covers_the_truth_in_95_of_100_samples(count: int) -> None:
    samples = np.random.default_rng(count).normal(3.0, 2.0, (TRIALS, count))
    found = [mean_interval(sample) for sample in samples]
    assert np.mean([each.low <= 3.0 <= each.high for each in found]) == pytest.approx(0.95, abs=WITHIN_LUCK)


def test_a_crossed_interval_covers_the_truth_in_at_least_95_of_100_samples() -> None:
    rng = np.random.default_rng(1)
    rows, columns = rng.normal(0, 3, (TRIALS, 6, 1)), rng.normal(0, 2, (TRIALS, 1, 5))
    values = 50 + rows + columns + rng.normal(0, 1, (TRIALS, 6, 5))
    covered = np.mean([each.low <= 50 <= each.high for each in map(crossed_interval, values)])
    assert 0.95 - WITHIN_LUCK <= covered <= 0.98


def test_a_difference_of_means_covers_the_truth_in_95_of_100_pairs() -> None:
    rng = np.random.default_rng(2)
    one, other = rng.normal(5, 1, (TRIALS, 40)), rng.normal(3, 4, (TRIALS, 60))
    gaps = [difference(mean_interval(a), mean_interval(b)) for a, b in zip(one, other, strict=True)]
    assert np.mean([gap.low <= 2 <= gap.high for gap in gaps]) == pytest.approx(0.95, abs=WITHIN_LUCK)


def test_the_bootstrap_covers_the_truth_about_as_often() -> None:
    rng = np.random.default_rng(3)
    trials = 300
    samples = rng.normal(1.0, 1.0, (trials, 50))
    covered = 0
    for sample in samples:
        found = bootstrap_interval(lambda drawn, of=sample: float(of[drawn].mean()), 50, rng, samples=300)  # type: ignore[misc]
        covered += found.low <= 1.0 <= found.high
    assert covered / trials == pytest.approx(0.94, abs=4 * math.sqrt(0.94 * 0.06 / trials))  # a little too short
