"""Averages stratified by opponent: values and intervals worked out by hand, and how often intervals hold the truth."""

import numpy as np
import pytest

from deckatlas.stats.averages import Strata, rates, rates_by_stratum, ratios, ratios_by_stratum
from deckatlas.stats.rates import independent_rate

ONES = np.ones((1, 8))


def singles(strata: list[int]) -> Strata:
    return Strata(np.array(strata), np.arange(len(strata)))


def test_what_opponents_differ_in_adds_nothing_to_the_interval() -> None:
    strata = singles([0, 1] * 4)
    apart = np.array([[-20, 20, -20, 20, -20, 20, -20, 20]])
    assert ratios(strata, apart, ONES).error.tolist() == [0]
    assert ratios(strata.whole, apart, ONES).error[0] > 5


def test_the_error_of_a_mean_is_that_of_its_strata() -> None:
    x = np.array([[1.0, 5, 2, 9, 3, 7, 6, 3]])
    found = ratios(singles([0, 0, 0, 1, 1, 1, 1, 1]), x, ONES)
    variance = (3 * np.var(x[0, :3], ddof=1) + 5 * np.var(x[0, 3:], ddof=1)) / 8**2
    assert found.value == pytest.approx([4.5])
    assert found.error == pytest.approx([np.sqrt(variance)])
    assert found.high - found.value == pytest.approx(2.4469118511449692 * np.sqrt(variance), rel=1e-12)  # six degrees


def test_a_stratum_alone_has_the_usual_interval_of_a_mean() -> None:
    x = np.array([[1.0, 5, 2, 9, 3, 7, 6, 3]])
    found = ratios_by_stratum(singles([0, 0, 0, 1, 1, 1, 1, 1]), x, ONES)
    assert found.value == pytest.approx(np.array([[8 / 3, 28 / 5]]))
    assert found.error[0, 1] == pytest.approx(np.std(x[0, 3:], ddof=1) / np.sqrt(5))


def test_a_pair_counts_as_one_outcome() -> None:
    strata = Strata(np.zeros(8, int), np.repeat(np.arange(4), 2))
    opposite = np.array([[3.0, -3, 5, -5, 1, -1, 2, -2]])  # what a pair gives together is always the same
    alike = np.array([[3.0, 3, 5, 5, 1, 1, 2, 2]])
    assert ratios(strata, opposite, ONES).error.tolist() == [0]
    assert ratios(strata, alike, ONES).error == pytest.approx([np.std([3, 5, 1, 2], ddof=1) / 2])


def test_a_last_game_without_a_partner_counts_as_one_game() -> None:
    strata = Strata(np.zeros(5, int), np.array([0, 0, 1, 1, 2]))
    found = ratios(strata, np.array([[4.0, 4, 4, 4, 4]]), np.ones((1, 5)))
    assert (found.value[0], found.error[0]) == (4, 0)


def test_the_order_of_games_does_not_matter() -> None:
    rng = np.random.default_rng(1)
    stratum, unit = rng.integers(0, 3, 40), rng.integers(0, 6, 40)
    x, turns, order = rng.normal(size=(2, 40)), rng.integers(5, 9, (2, 40)), rng.permutation(40)
    one = ratios(Strata(stratum, unit), x, turns)
    other = ratios(Strata(stratum[order], unit[order]), x[:, order], turns[:, order])
    assert one.error == pytest.approx(other.error)
    assert one.value == pytest.approx(other.value)


def test_a_rate_that_is_the_same_everywhere_is_known_as_well_as_wilsons() -> None:
    won = np.random.default_rng(2).random((1, 6000)) < 0.3
    found = rates(singles([0] * 6000), won)
    expected = independent_rate(int(won.sum()), 6000)
    assert (found.low[0], found.high[0]) == pytest.approx((expected.low, expected.high), abs=2e-4)


def test_a_rate_of_nothing_or_all_has_an_interval_within_0_and_1() -> None:
    found = rates_by_stratum(singles([0] * 4 + [1] * 4), np.array([[0, 0, 0, 0, 1, 1, 1, 1]]))
    assert found.value.tolist() == [[0, 1]]
    assert found.low[0, 0] == 0
    assert found.high[0, 1] == 1
    assert 0.3 < found.high[0, 0] < 0.8


def test_too_few_games_have_no_error() -> None:
    found = ratios_by_stratum(singles([0, 1, 1]), np.array([[1.0, 2, 3]]), np.ones((1, 3)))
    assert np.isnan(found.error[0, 0])
    assert not found[0, 0].has_ends
    assert found[0, 1].has_ends
    assert np.isfinite(found.error[0, 1])


@pytest.mark.parametrize("games", [24, 200])
@pytest.mark.parametrize("paired", [False, True])
def test_intervals_hold_the_truth_in_95_of_100_evaluations(games: int, paired: bool) -> None:
    rng = np.random.default_rng(games + paired)
    decks, opponents = 4000, 6
    opponent, meeting = np.arange(games) % opponents, np.arange(games) // opponents
    unit = meeting // 2 if paired else meeting
    chances = np.array([0.1, 0.5, 0.9, 0.3, 0.7, 0.5])
    of_seed = rng.random((decks, opponents, games))[:, opponent, unit]  # what games of a seed have in common
    luck = np.where(rng.random((decks, games)) < (0.5 if paired else 0), of_seed, rng.random((decks, games)))
    strata = Strata(opponent, unit)
    won = rates(strata, luck < chances[opponent])
    turns = rng.integers(4, 12, (decks, games))
    cards = 3 * turns + 10 * chances[opponent] + rng.integers(0, 9, (decks, games))
    a_turn = ratios(strata, cards, turns)
    truth = (3 * 7.5 + 10 * chances[opponent].mean() + 4) / 7.5
    chance = chances[opponent].mean()
    assert np.mean((won.low <= chance) & (chance <= won.high)) == pytest.approx(0.95, abs=0.02)
    assert np.mean((a_turn.low <= truth) & (truth <= a_turn.high)) == pytest.approx(0.95, abs=0.012)
