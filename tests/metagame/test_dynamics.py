"""Replicator dynamics and cycles: known games move as theory says, and chance alone shows no cycle."""

from math import comb

import numpy as np
import pytest

from deckatlas.metagame.cycles import cycles_of, decided_pairs, sign_test
from deckatlas.metagame.matchups import Matchups
from deckatlas.metagame.matrix_game import symmetric_mix
from deckatlas.metagame.replicator import replicate
from helpers.metagames import CYCLE, drawn_matchups, rates_of

GAINS = rates_of(CYCLE) - 0.5


def test_shares_circle_around_the_equilibrium_of_a_cycle() -> None:
    mix, _ = symmetric_mix(GAINS)
    course = replicate(GAINS, np.array([0.4, 0.35, 0.25]), time=2000, steps=8000)
    kept = np.prod(course.shares**mix, axis=1)  # constant along the course of a game with zero sum
    assert kept == pytest.approx(kept[0], rel=1e-6)
    np.testing.assert_allclose(course.mean, mix, atol=0.02)
    assert course.shares.sum(axis=1) == pytest.approx(1)


def test_the_equilibrium_stays() -> None:
    mix, _ = symmetric_mix(GAINS)
    np.testing.assert_allclose(replicate(GAINS, mix).shares[-1], mix, atol=1e-9)


def test_a_dominated_deck_dies_out_and_an_absent_one_stays_absent() -> None:
    gains = rates_of((0.6, 0.7, 0.6)) - 0.5
    course = replicate(gains, np.array([0.01, 0.49, 0.5]))
    assert course.shares[-1] == pytest.approx([1, 0, 0], abs=1e-3)
    assert (replicate(gains, np.array([0.0, 0.5, 0.5])).shares[:, 0] == 0).all()


def test_shares_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="shares"):
        replicate(GAINS, np.array([1.0, -1.0, 1.0]))


@pytest.mark.parametrize(("ahead", "behind"), [(9, 1), (1, 9), (12, 5), (5, 5), (3, 2), (0, 0), (7, 0)])
def test_the_sign_test_is_exact(ahead: int, behind: int) -> None:
    outcomes = np.array([1.0] * ahead + [0.0] * behind + [0.5] * 4)
    n = ahead + behind
    tail = sum(comb(n, k) for k in range(min(ahead, behind) + 1)) / 2**n
    assert sign_test(outcomes) == pytest.approx(min(1.0, 2 * tail))


def test_a_cycle_beyond_chance_is_found_with_its_strength() -> None:
    matchups = drawn_matchups(rates_of(CYCLE), seeds=600, rng=np.random.default_rng(1))
    (cycle,) = cycles_of(matchups, decided_pairs(matchups))
    assert cycle.decks == (0, 2, 1)
    assert [each.value > 0.5 for each in cycle.rates] == [True] * 3
    assert cycle.strength == min(each.value for each in cycle.rates) - 0.5


def test_two_strong_edges_and_a_doubtful_one_are_no_cycle() -> None:
    sure = np.ones(50)
    matchups = Matchups(("a", "b", "c"), {(0, 1): sure, (1, 2): sure, (0, 2): np.array([0.0, 0.0, 1.0, 0.5])})
    decided = decided_pairs(matchups)
    assert set(decided) == {(0, 1), (1, 2)}
    assert cycles_of(matchups, decided) == []


def test_an_order_of_strength_has_no_cycle() -> None:
    matchups = drawn_matchups(rates_of((0.7, 0.8, 0.9, 0.7, 0.8, 0.7)), seeds=300, rng=np.random.default_rng(2))
    assert cycles_of(matchups, decided_pairs(matchups)) == []


def test_a_field_of_equals_rarely_shows_a_favourite() -> None:
    rng = np.random.default_rng(3)
    equal = rates_of([0.5] * 28)
    wrong = sum(bool(decided_pairs(drawn_matchups(equal, seeds=40, rng=rng))) for _ in range(200))
    assert wrong <= 19  # 5 % of 200, and three standard deviations
