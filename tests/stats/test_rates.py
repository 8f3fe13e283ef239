"""Intervals on rates: known values, what must hold of every interval, and how often they cover the truth."""

from collections.abc import Callable
from math import sqrt

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.stats.distributions import Z95
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.rates import differs, independent_rate, paired_rate

Games = npt.NDArray[np.bool_]

pair_lists = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=60)


def of_pairs(outcomes: list[float] | npt.NDArray[np.float64]) -> Estimate:
    return paired_rate(np.array(outcomes), wins=2 * sum(outcomes), games=2 * len(outcomes))


def width(rate: Estimate) -> float:
    return rate.high - rate.low


# ---- games that are independent --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (1, 1, 0.2065, 1.0),
        (50, 100, 0.4038, 0.5962),
        (81, 263, 0.2553, 0.3662),  # this row and the next three as published by Newcombe in 1998
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_independent_games_have_wilsons_interval(wins: int, games: int, low: float, high: float) -> None:
    rate = independent_rate(wins, games)
    assert (rate.value, rate.n) == (wins / games, games)
    assert rate.low == pytest.approx(low, abs=6e-5)
    assert rate.high == pytest.approx(high, abs=6e-5)


@given(data=st.data(), games=st.integers(1, 10**9))
def test_an_end_of_the_interval_is_a_rate_that_the_wins_just_do_not_contradict(data: st.DataObject, games: int) -> None:
    rate = independent_rate(data.draw(st.integers(0, games)), games)
    for end in (rate.low, rate.high):
        assert abs(rate.value - end) == pytest.approx(Z95 * sqrt(end * (1 - end) / games), rel=1e-6, abs=1e-9)


# ---- pairs -----------------------------------------------------------------------------------------------------------


@given(wins=st.integers(0, 200), losses=st.integers(0, 200))
def test_pairs_that_never_split_count_as_one_game_each(wins: int, losses: int) -> None:
    if wins + losses == 0:
        return
    paired = of_pairs([1.0] * wins + [0.0] * losses)
    single = independent_rate(wins, wins + losses)
    assert (paired.value, paired.n) == (single.value, 2 * single.n)
    assert paired.low == pytest.approx(single.low, abs=1e-9)
    assert paired.high == pytest.approx(single.high, abs=1e-9)


def test_pairs_that_split_as_chance_has_it_count_as_two_games_each() -> None:
    paired = of_pairs([0.0] * 250 + [0.5] * 500 + [1.0] * 250)
    assert width(paired) == pytest.approx(width(independent_rate(1000, 2000)), rel=0.01)


@pytest.mark.parametrize("splits", [0, 100, 250, 400])
def test_the_more_pairs_split_the_narrower_the_interval(splits: int) -> None:
    def with_splits(n: int) -> Estimate:
        return of_pairs([0.0] * (250 - n // 2) + [0.5] * n + [1.0] * (250 - n // 2))

    assert 0 < width(with_splits(splits + 100)) < 0.95 * width(with_splits(splits))


@given(outcomes=pair_lists)
def test_an_interval_holds_its_rate_and_more_than_that(outcomes: list[float]) -> None:
    rate = of_pairs(outcomes)
    assert 0 <= rate.low <= rate.value <= rate.high <= 1
    assert width(rate) > 0.4 / len(outcomes)


@given(outcomes=pair_lists)
def test_mirrored_outcomes_have_the_mirrored_interval(outcomes: list[float]) -> None:
    rate, mirrored = of_pairs(outcomes), of_pairs([1 - outcome for outcome in outcomes])
    assert mirrored.value == pytest.approx(1 - rate.value)
    assert mirrored.low == pytest.approx(1 - rate.high)
    assert mirrored.high == pytest.approx(1 - rate.low)


def test_a_last_game_without_a_partner_counts_in_the_rate_as_one_game() -> None:
    rate = paired_rate(np.array([0.5, 0.5, 1.0]), wins=3, games=5)
    assert (rate.value, rate.n) == (0.6, 5)
    assert rate.low < 0.6 < rate.high


# ---- published rates -------------------------------------------------------------------------------------------------


def test_a_published_rate_differs_only_beyond_what_both_samples_allow() -> None:
    ours = independent_rate(2100, 5000)  # 42 %, about 1.4 to either side
    assert not differs(ours, 42.0, games=5000)
    assert not differs(ours, 43.7, games=5000), "outside of our interval, but theirs is as wide"
    assert differs(ours, 44.2, games=5000)
    assert differs(ours, 39.8, games=5000)


# ---- coverage --------------------------------------------------------------------------------------------------------

MATCHES, PAIRS = 2000, 1000


def seeds_that_favour_one(p: float, rng: np.random.Generator) -> Games:
    """Both games of a seed have its own chance, often near 0 or 1: good draws for one entrant or the other."""
    chance = rng.beta(0.5 * p, 0.5 * (1 - p), (MATCHES, PAIRS, 1))
    return rng.random((MATCHES, PAIRS, 2)) < chance


def seeds_that_favour_a_seat(p: float, rng: np.random.Generator) -> Games:
    """The seat that a seed favours wins more: the games of a pair tend to go one each way."""
    edge = 0.8 * (1 - p) * rng.choice([-1.0, 1.0], (MATCHES, PAIRS, 1))
    chance: npt.NDArray[np.float64] = p + edge * np.array([1.0, -1.0])
    return rng.random((MATCHES, PAIRS, 2)) < chance


def independent_games(p: float, rng: np.random.Generator) -> Games:
    return rng.random((MATCHES, PAIRS, 2)) < p


@pytest.mark.parametrize("games_of", [seeds_that_favour_one, seeds_that_favour_a_seat, independent_games])
@pytest.mark.parametrize("p", [0.5, 0.9, 0.99])
def test_the_interval_covers_the_truth_in_95_of_100_matches(
    p: float, games_of: Callable[[float, np.random.Generator], Games]
) -> None:
    outcomes = games_of(p, np.random.default_rng(1)).mean(axis=2)
    rates = [of_pairs(match) for match in outcomes]
    covered = sum(rate.low <= p <= rate.high for rate in rates) / MATCHES
    assert covered == pytest.approx(0.95, abs=4 * sqrt(0.95 * 0.05 / MATCHES))


def test_a_rate_prints_itself_in_percent_with_interval_and_n() -> None:
    assert str(independent_rate(800, 1000)) == "80.00 % [77.41, 82.36] (n = 1,000)"
