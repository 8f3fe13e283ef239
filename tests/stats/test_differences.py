"""Means of paired differences: known intervals, weights, and why a handful of seeds decides nothing."""

from math import comb, sqrt

import numpy as np
import pytest

from deckatlas.stats.differences import standard_error, stratified_difference, weighted_difference
from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.sequential import planned_looks, spent_levels

STEP = 0.5


def changed(count: int, seeds: int = 2_000) -> Estimate:
    """One game of each of some seeds has changed, all in one direction; the interval is that of the last look."""
    differences = np.zeros((seeds, 1))
    differences[:count] = STEP
    level = spent_levels(planned_looks(seeds))[-1]
    return stratified_difference(differences, np.ones(1), step=STEP, level=level, games=4 * seeds)


def test_one_opponent_gives_students_interval() -> None:
    differences = np.array([[0.5], [0.0], [-0.5], [1.0], [0.0], [0.5]])
    found = stratified_difference(differences, np.ones(1), step=0.0, level=0.05, games=24)
    error = differences.std(ddof=1) / sqrt(6)
    assert found.value == pytest.approx(0.25)
    assert found.half_width == pytest.approx(student_quantile(5) * error)
    assert (found.n, found.is_share) == (24, True)
    same = weighted_difference(differences[:, 0], np.ones(6), step=0.0, level=0.05, games=24)
    assert same.low == pytest.approx(found.low)
    assert same.high == pytest.approx(found.high)


def test_variances_of_opponents_add_up_with_their_weights() -> None:
    rng = np.random.default_rng(1)
    differences, weights = rng.choice([-0.5, 0.0, 0.5], (50, 3)), np.array([0.5, 0.3, 0.2])
    parts = [weight**2 * column.var(ddof=1) / 50 for weight, column in zip(weights, differences.T, strict=True)]
    assert standard_error(differences, weights, step=0.0) == pytest.approx(sqrt(sum(parts)))


def test_a_handful_of_changed_seeds_does_not_decide() -> None:
    assert changed(5).low < 0
    assert changed(6).low > 0
    assert 2 * comb(5, 0) / 2**5 > 0.05 > 2 * comb(6, 0) / 2**6  # the sign test agrees


def test_equal_differences_are_not_certain() -> None:
    found = stratified_difference(np.ones((4, 1)), np.ones(1), step=STEP, level=0.05, games=16)
    assert found.low < 0.5
    nothing = stratified_difference(np.zeros((4, 2)), np.full(2, 0.5), step=STEP, level=0.05, games=32)
    assert nothing.low < 0 < nothing.high


def test_one_difference_has_no_interval() -> None:
    assert not weighted_difference(np.array([0.5]), np.ones(1), step=STEP, level=0.05, games=4).has_ends
