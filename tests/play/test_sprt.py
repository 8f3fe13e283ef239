"""The sequential test: its likelihood ratio against a plain search, its error rates, and matches that it ends."""

from collections.abc import Sequence
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas import locm
from deckatlas.errors import MatchError
from deckatlas.play.sprt import GAMES_PER_LOOK, Sprt, elo_to_rate

PAIRS_PER_LOOK = GAMES_PER_LOOK // 2

counts = st.integers(0, 10_000)


def plainly_best(weights: Sequence[float], mean: float) -> float:
    """The highest log likelihood of outcomes 0, ½ and 1 with that mean, by a search over how often 1 comes."""

    def likelihood(won: float) -> float:
        split = 2 * (mean - won)
        return sum(w * log(p) for w, p in zip(weights, (1 - split - won, split, won), strict=True))

    low, high = max(0.0, 2 * mean - 1), mean
    for _ in range(100):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if likelihood(left) < likelihood(right) else (low, right)
    return likelihood((low + high) / 2)


# ---- the likelihood ratio --------------------------------------------------------------------------------------------


@given(lost=counts, split=counts, won=counts, elo0=st.integers(-300, 300), lead=st.integers(1, 300))
def test_the_likelihood_ratio_is_that_of_the_best_distributions_with_the_two_means(
    lost: int, split: int, won: int, elo0: int, lead: int
) -> None:
    weights = [lost + 0.5, split + 0.5, won + 0.5]
    expected = plainly_best(weights, elo_to_rate(elo0 + lead)) - plainly_best(weights, elo_to_rate(elo0))
    found = Sprt(elo0, elo0 + lead).look([lost, split, won]).llr
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


@given(lost=counts, split=counts, won=counts)
def test_the_mirrored_question_has_the_opposite_answer(lost: int, split: int, won: int) -> None:
    forward = Sprt(-3, 12).look([lost, split, won])
    backward = Sprt(-12, 3).look([won, split, lost])
    assert backward.llr == pytest.approx(-forward.llr, rel=1e-6, abs=1e-6)


def test_bounds_are_walds() -> None:
    test = Sprt(alpha=0.1, beta=0.02)
    assert (test.lower, test.upper) == pytest.approx((log(0.02 / 0.9), log(0.98 / 0.1)))


def test_a_lead_between_the_two_stays_undecided_and_clear_ones_do_not() -> None:
    test = Sprt(elo0=0, elo1=40)
    assert test.look([100, 200, 122]).accepted is None
    assert test.look([100, 200, 300]).accepted == "H1"
    assert test.look([300, 200, 100]).accepted == "H0"
    assert test.look([0, 0, 0]).accepted is None


# ---- error rates -----------------------------------------------------------------------------------------------------


def share_of_h1(test: Sprt, elo: float, splits: float, rng: np.random.Generator, runs: int = 1000) -> float:
    """How often H1 is accepted when the lead is `elo` and so many pairs split."""
    won = elo_to_rate(elo) - splits / 2
    accepted = []
    for _ in range(runs):
        pairs = np.zeros(3, np.int64)
        decision = None
        while decision is None:
            pairs += rng.multinomial(PAIRS_PER_LOOK, [1 - splits - won, splits, won])
            decision = test.look(pairs.tolist()).accepted
        accepted.append(decision == "H1")
    return float(np.mean(accepted))


@pytest.mark.parametrize("splits", [0.1, 0.5, 0.8])  # independent games of equals split half of their pairs
@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.1, 0.02)])
def test_error_rates_are_at_most_those_asked_for(alpha: float, beta: float, splits: float) -> None:
    test = Sprt(elo0=0, elo1=25, alpha=alpha, beta=beta)
    rng = np.random.default_rng(1)
    noise = 3 / np.sqrt(1000)
    wrong_h1 = share_of_h1(test, test.elo0, splits, rng)
    wrong_h0 = 1 - share_of_h1(test, test.elo1, splits, rng)
    assert wrong_h1 <= alpha + noise * np.sqrt(alpha * (1 - alpha))
    assert wrong_h0 <= beta + noise * np.sqrt(beta * (1 - beta))
    assert wrong_h1 + wrong_h0 >= 0.1 * (alpha + beta)  # and games are not wasted on far smaller ones


# ---- matches ---------------------------------------------------------------------------------------------------------


def test_a_match_ends_with_the_look_that_decides_it() -> None:
    test = Sprt(elo0=0, elo1=10)
    result = locm.play("icebox/greedy", "random/greedy", games=100_000, seed=1, sprt=test, threads=1)
    assert result.sprt is not None
    assert result.sprt.accepted == "H1"
    assert 0 < result.games < 100_000
    assert result.games % GAMES_PER_LOOK == 0
    pairs = [int(np.sum(result.pair_outcomes == outcome)) for outcome in (0, 0.5, 1)]
    assert result.sprt == test.look(pairs)
    for looks in range(1, result.games // GAMES_PER_LOOK):
        before = result.pair_outcomes[: looks * PAIRS_PER_LOOK]
        assert test.look([int(np.sum(before == outcome)) for outcome in (0, 0.5, 1)]).accepted is None


def test_its_games_are_the_first_of_the_whole_match_on_any_number_of_threads() -> None:
    whole = locm.play("closetai/greedy", "icebox/greedy", games=6000, seed=4, threads=1)
    for threads in (1, 3):
        ended = locm.play("closetai/greedy", "icebox/greedy", games=6000, seed=4, threads=threads, sprt=Sprt(elo1=40))
        assert ended.games < 6000
        for name, column in ended.columns.items():
            assert np.array_equal(column, whole[name][: ended.games]), name


def test_a_match_that_is_not_decided_plays_all_its_games_and_says_so() -> None:
    result = locm.play("icebox/greedy", "closetai/greedy", games=201, seed=1, sprt=Sprt(0, 1), threads=1)
    assert result.games == 201
    assert result.sprt is not None
    assert sum(result.sprt.pairs) == 100  # the last game has no partner
    assert result.sprt.accepted is None
    assert "sequential test: undecided (LLR" in str(result)


def test_an_entrant_against_itself_is_soon_found_to_be_no_better() -> None:
    result = locm.play("random/greedy", "random/greedy", games=10_000, sprt=Sprt(), threads=1)
    assert result.sprt is not None
    assert result.sprt.accepted == "H0"
    assert result.games <= 4 * GAMES_PER_LOOK


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"elo0": 10, "elo1": 10}, "elo0 must be below elo1"),
        ({"elo1": float("nan")}, "elo0 must be below elo1"),
        ({"alpha": 0.0}, "alpha must be between 0 and 0.5, not 0.0"),
        ({"beta": 0.7}, "beta must be between 0 and 0.5, not 0.7"),
    ],
)
def test_a_test_that_cannot_be_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(MatchError, match=message):
        Sprt(**options)


def test_without_swapped_seats_there_are_no_pairs_to_test() -> None:
    with pytest.raises(MatchError, match="needs swapped seats"):
        locm.play("random", "random", games=10, swap_seats=False, sprt=Sprt())
