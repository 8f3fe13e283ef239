"""Averages over some of the games: worked out by hand, and how often their intervals hold the truth."""

import numpy as np
import pytest

from deckatlas.stats.averages import Strata, rates
from deckatlas.stats.conditional import means_among, rates_among


def singles(games: int, opponents: int = 1) -> Strata:
    return Strata(np.arange(games) % opponents, np.arange(games))


def test_only_the_chosen_games_count() -> None:
    won = np.array([[1, 1, 0, 0, 1, 0, 1, 1]], bool)
    among = np.array([[1, 0, 1, 0, 1, 1, 0, 1]], bool)
    found = rates_among(singles(8), won, among)
    assert (found.value[0], found.n[0]) == (3 / 5, 5)
    turns = np.array([[2, 9, 4, 9, 6, 8, 9, 5]])
    mean = means_among(singles(8), turns, among)
    assert (mean.value[0], mean.n[0]) == (5, 5)


def test_the_error_of_a_mean_over_chosen_games_is_that_of_a_ratio() -> None:
    turns, among = np.array([[2.0, 9, 4, 9]]), np.array([[1, 0, 1, 0]], bool)
    found = means_among(singles(4), turns, among)
    assert found.value.tolist() == [3]
    # The residuals -1, 0, 1, 0 have an unbiased sum of squares of 2 * 4 / 3, and two games are chosen.
    assert found.error == pytest.approx([np.sqrt(2 * 4 / 3) / 2])


def test_without_a_chosen_game_nothing_is_known_and_with_one_no_interval_of_a_mean() -> None:
    values, none, one = np.array([[3, 4, 5]]), np.zeros((1, 3), bool), np.array([[0, 1, 0]], bool)
    assert np.isnan(rates_among(singles(3), values > 3, none).value[0])
    assert np.isnan(means_among(singles(3), values, none).value[0])
    assert means_among(singles(3), values, one).value[0] == 4
    assert not means_among(singles(3), values, one)[0].has_ends
    assert 0 <= rates_among(singles(3), values > 3, one).low[0] < 1


def test_where_all_games_are_chosen_the_rate_is_that_of_all_games() -> None:
    won = np.random.default_rng(1).random((3, 60)) < 0.7
    strata = Strata(np.arange(60) % 3, np.arange(60) // 2)
    ours, usual = rates_among(strata, won, np.ones_like(won)), rates(strata, won)
    assert ours.value == pytest.approx(usual.value)
    assert ours.low == pytest.approx(usual.low, abs=0.02)
    assert ours.high == pytest.approx(usual.high, abs=0.02)


def test_games_that_are_all_won_leave_room_below() -> None:
    every = np.ones((1, 20), bool)
    found = rates_among(singles(20), every, every)
    assert found.high[0] == 1
    assert 0.75 < found.low[0] < 0.95


@pytest.mark.parametrize("truth", [0.5, 0.85])
def test_95_of_100_intervals_hold_the_truth_when_pairs_share_their_luck(truth: float) -> None:
    rng = np.random.default_rng(3)
    trials, games = 2000, 200
    strata = Strata(np.repeat(np.arange(2), 100), np.arange(games) // 2)
    luck = np.repeat(rng.random((trials, games // 2)), 2, axis=1)
    shared = rng.random((trials, games)) < 0.5
    won = np.where(shared, luck, rng.random((trials, games))) < truth
    among = rng.random((trials, games)) < 0.6
    found = rates_among(strata, won, among)
    holds = (found.low <= truth) & (truth <= found.high)
    assert 0.935 < holds.mean() < 0.985
