"""Paired comparisons of coins with known rates: how often they err, what they find, and what pairing gains."""

import numpy as np
import pytest

from deckatlas.errors import MatchError
from deckatlas.play.paired import BETTER, SEATS, UNDECIDED, WORSE, Comparison, compare_sides
from helpers.coin_games import coin_games

TRIES = 200
# A true rate of 5 % gives more of 200 once in two thousand tries; the seeds are fixed, so a test that passes stays so.
MOST_OF_200 = 21


def compared(*, games: int = 4 * 12 * 40, **coins: object) -> list[Comparison]:
    return [compare_sides(coin_games(seed=seed, **coins), games=games) for seed in range(TRIES)]  # type: ignore[arg-type]


@pytest.mark.parametrize("shared", [0.0, 0.97])
def test_equals_differ_in_at_most_five_of_a_hundred_comparisons(shared: float) -> None:
    wrong = sum(each.verdict != UNDECIDED for each in compared(shared=shared))
    assert wrong <= MOST_OF_200


def test_equals_in_all_but_not_against_each_opponent_differ_no_more_often() -> None:
    lead = np.array([0.25] * 3 + [-0.25 / 3] * 9)
    assert lead.sum() == pytest.approx(0)
    wrong = sum(each.verdict != UNDECIDED for each in compared(lead=lead, shared=0.5))
    assert wrong <= MOST_OF_200


def test_few_rounds_err_no_more_often() -> None:
    wrong = sum(each.verdict != UNDECIDED for each in compared(games=4 * 12 * 3, shared=0.8))
    assert wrong <= MOST_OF_200


def test_one_point_is_found_with_the_stated_power() -> None:
    found = compared(games=4 * 12 * 140, lead=0.01, shared=0.97)
    stated = float(np.mean([each.detectable for each in found]))
    assert 0.008 < stated < 0.0115  # so a point is close to what is found in 4 of 5 cases
    share = np.mean([each.verdict == BETTER for each in found])
    assert share > 0.72
    assert not any(each.verdict == WORSE for each in found)


@pytest.mark.parametrize("rounds", [2, 3, 10])
def test_no_stated_difference_is_smaller_than_half_of_the_interval(rounds: int) -> None:
    pairs = (coin_games(opponents=1, seed=seed) for seed in range(20))
    found = [compare_sides(each, games=4 * rounds, stops_early=False) for each in pairs]
    assert all(each.detectable > each.difference.half_width for each in found)


@pytest.mark.parametrize("lead", [0.02, 0.08])
def test_intervals_cover_the_truth_wherever_the_test_stops(lead: float) -> None:
    found = compared(lead=lead, shared=0.5)
    missed = sum(not each.difference.low <= lead <= each.difference.high for each in found)
    assert missed <= MOST_OF_200


def test_a_large_difference_needs_few_games_and_both_directions_are_told() -> None:
    ahead = compare_sides(coin_games(lead=0.25), games=20_000)
    behind = compare_sides(coin_games(lead=-0.25), games=20_000)
    assert (ahead.verdict, behind.verdict) == (BETTER, WORSE)
    assert ahead.games == ahead.looks[0] < 2_000
    assert ahead.sentence.startswith("Better: one wins 2")
    assert "points less" in behind.sentence


def test_pairing_makes_the_interval_narrower() -> None:
    paired, apart = (compare_sides(coin_games(shared=shared), games=9_600) for shared in (0.95, 0.0))
    assert paired.games == apart.games
    assert paired.difference.half_width < 0.3 * apart.difference.half_width


def test_a_comparison_says_what_it_is_made_of() -> None:
    lead = np.linspace(-0.2, 0.2, 12)
    found = compare_sides(coin_games(lead=lead, shared=0.9, weights=np.arange(1.0, 13.0)), games=9_600)
    by_opponent = found.parts["opponent"]
    assert [row.name for row in by_opponent] == [f"coin {number}" for number in range(12)]
    weights = np.arange(1, 13) / 78
    mean = sum(row.difference.value * weight for row, weight in zip(by_opponent, weights, strict=True))
    assert found.difference.value == pytest.approx(mean)
    assert found.difference.value == pytest.approx(np.mean([row.difference.value for row in found.parts["seat"]]))
    assert found.difference.value == pytest.approx(found.whole.rates[0] - found.whole.rates[1])
    assert sum(row.difference.n for row in by_opponent) == found.games
    assert [row.name for row in found.parts["seat"]] == list(SEATS)
    data = found.to_json()
    assert {"difference", "low", "high", "games", "verdict", "sentence", "by_opponent", "by_seat"} <= data.keys()


def test_one_opponent_that_is_always_won_is_no_certainty() -> None:
    sure = coin_games(opponents=1, lead=0.7)
    found = compare_sides(sure, games=4 * 200)
    assert found.verdict == BETTER
    assert found.difference.half_width > 0


def test_the_same_seed_gives_the_same_comparison() -> None:
    one, other = (compare_sides(coin_games(seed=5), games=4_000).to_json() for _ in range(2))
    assert one == other


def test_too_few_games_are_refused_in_one_line() -> None:
    with pytest.raises(MatchError, match="a comparison needs 96 games or more, not 95: two seeds for each opponent"):
        compare_sides(coin_games(), games=95)
    with pytest.raises(MatchError, match="games must be a whole number"):
        compare_sides(coin_games(), games=0)
