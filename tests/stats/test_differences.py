"""Means of paired differences: known intervals, weights, few seeds, and how often all of a family hold the truth."""

from math import comb, sqrt

import numpy as np
import pytest

from deckatlas.stats.averages import Strata
from deckatlas.stats.differences import (
    paired_differences,
    standard_error,
    stratified_difference,
    weighted_difference,
)
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


# Of many candidates


def test_a_difference_is_that_of_the_same_games() -> None:
    strata = Strata(np.zeros(4, int), np.arange(4))
    found = paired_differences(strata, np.array([[1, 1, 0, 1]]), np.array([[1, 0, 0, 1], [1, 1, 1, 1]]), comparisons=2)
    assert found.value.tolist() == [0.25, -0.25]
    assert found.n.tolist() == [4, 4]
    # One difference of four is 1: the variance of the mean is 3/4 / 3 / 4, and half a unit of either sign adds 1/16.
    error = np.sqrt(1 / 16 + 1 / 16)
    assert found.error == pytest.approx([error, error])
    strata = Strata(np.zeros(40, int), np.arange(40))  # ten times the same
    ours, theirs = np.tile([[1, 1, 0, 1]], 10), np.tile([[1, 0, 0, 1], [1, 1, 1, 1]], 10)
    found = paired_differences(strata, ours, theirs, comparisons=2)
    half = student_quantile(39, 1 - 0.025 / 2) * np.sqrt(7.5 / 39 / 40 + 1 / 1600)
    assert found.high - found.value == pytest.approx(np.full(2, half))
    assert found.value - found.low == pytest.approx(np.full(2, half))


def test_no_share_differs_by_more_than_all_games() -> None:
    strata = Strata(np.zeros(4, int), np.arange(4))
    found = paired_differences(strata, np.array([[1, 1, 0, 1]]), np.array([[1, 0, 0, 1]]), comparisons=2)
    assert (found.low.tolist(), found.high.tolist()) == ([-1], [1])
    unknown = paired_differences(
        Strata(np.zeros(1, int), np.zeros(1, int)), np.ones((1, 1)), np.zeros((1, 1)), comparisons=1
    )
    assert np.isnan(unknown.low[0])


def test_equal_games_are_no_proof_of_equality() -> None:
    strata = Strata(np.zeros(40, int), np.arange(40) // 2)
    won = np.ones((1, 40))
    found = paired_differences(strata, won, won, comparisons=1)
    assert found.value.tolist() == [0]
    assert found.low[0] < -0.05 < 0.05 < found.high[0]


def test_more_comparisons_make_wider_intervals() -> None:
    rng = np.random.default_rng(1)
    strata = Strata(np.zeros(100, int), np.arange(100))
    ours, theirs = rng.integers(0, 2, (1, 100)), rng.integers(0, 2, (1, 100))
    one, many = (paired_differences(strata, ours, theirs, comparisons=n) for n in (1, 20))
    assert many.low[0] < one.low[0] < one.high[0] < many.high[0]


def test_all_intervals_of_a_family_without_differences_hold_zero_in_95_of_100_cases() -> None:
    rng = np.random.default_rng(2)
    families, cards, games = 400, 15, 200
    strata = Strata(np.arange(games) // 2 % 4, np.arange(games) // 2)
    false = 0
    for _ in range(families):
        ours = rng.random((1, games)) < 0.6
        same = rng.random((cards, games)) < 0.5  # half of the games do not depend on the card
        theirs = np.where(same, ours, rng.random((cards, games)) < 0.6)
        found = paired_differences(strata, ours, theirs, comparisons=cards)
        false += bool(((found.low > 0) | (found.high < 0)).any())
    assert false <= 0.05 * families + 2 * np.sqrt(0.05 * 0.95 * families)
