"""Paired differences: worked out by hand, and how often all intervals of a family hold the truth at once."""

import numpy as np
import pytest

from deckatlas.stats.averages import Strata
from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.simultaneous import paired_differences


def test_a_difference_is_that_of_the_same_games() -> None:
    strata = Strata(np.zeros(4, int), np.arange(4))
    found = paired_differences(strata, np.array([[1, 1, 0, 1]]), np.array([[1, 0, 0, 1], [1, 1, 1, 1]]), comparisons=2)
    assert found.value.tolist() == [0.25, -0.25]
    assert found.n.tolist() == [4, 4]
    # One difference of four is 1: the variance of the mean is 3/4 / 3 / 4, and half a unit of either sign adds 1/16.
    error = np.sqrt(1 / 16 + 1 / 16)
    assert found.error == pytest.approx([error, error])
    assert found.high - found.value == pytest.approx(np.full(2, student_quantile(3, 1 - 0.025 / 2) * error))


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
