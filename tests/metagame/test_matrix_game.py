"""Equilibria: nobody gains against them, known games have their known mixes, and ties are shared evenly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from deckatlas.metagame.matrix_game import EXACT, Equilibrium, Floats, solve_game, symmetric_mix

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], dtype=np.float64)

# Win rates are whole numbers over a number of games; small numbers give ties.
entries = st.one_of(st.integers(-1000, 1000).map(lambda wins: wins / 1000), st.integers(-2, 2).map(float))
shapes = st.tuples(st.integers(1, 7), st.integers(1, 7))


def what_best_responses_win(payoff: Floats, found: Equilibrium) -> tuple[float, float]:
    return float((payoff @ found.columns).max()), float((found.rows @ payoff).min())


def skew(upper: Floats) -> Floats:
    return np.asarray(np.triu(upper, 1) - np.triu(upper, 1).T)


@settings(deadline=None, max_examples=150)
@given(shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=entries)))
def test_no_response_is_better_than_the_equilibrium(payoff: Floats) -> None:
    found = solve_game(payoff)
    most, least = what_best_responses_win(payoff, found)
    assert most <= found.value + EXACT
    assert least >= found.value - EXACT
    for mix in (found.rows, found.columns):
        assert (mix >= 0).all()
        assert mix.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("size", [2, 15, 40, 101])
def test_large_games_are_solved_exactly(size: int) -> None:
    gains = skew(np.random.default_rng(size).uniform(-0.5, 0.5, (size, size)))
    mix, is_unique = symmetric_mix(gains)
    assert is_unique
    assert (gains @ mix).max() <= EXACT
    assert np.count_nonzero(mix) % 2 == 1  # the support of a generic symmetric game is odd


def test_rock_paper_scissors_is_played_evenly() -> None:
    found = solve_game(ROCK_PAPER_SCISSORS)
    assert found.value == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(found.rows, 1 / 3, atol=1e-12)
    mix, is_unique = symmetric_mix(ROCK_PAPER_SCISSORS)
    np.testing.assert_allclose(mix, 1 / 3, atol=1e-12)
    assert is_unique


def test_the_mix_of_weighted_rock_paper_scissors_is_that_of_the_edges_between_the_others() -> None:
    gains = skew(np.array([[0, -0.1, 0.3], [0, 0, -0.2], [0, 0, 0]]))
    np.testing.assert_allclose(symmetric_mix(gains)[0], np.array([0.2, 0.3, 0.1]) / 0.6, atol=1e-12)


def test_a_dominated_deck_is_not_played() -> None:
    gains = np.zeros((4, 4))
    gains[:3, :3] = ROCK_PAPER_SCISSORS
    gains[:3, 3], gains[3, :3] = 0.2, -0.2
    np.testing.assert_allclose(symmetric_mix(gains)[0], [1 / 3, 1 / 3, 1 / 3, 0], atol=1e-12)


def test_the_value_of_a_diagonal_game_is_the_reciprocal_of_the_sum_of_reciprocals() -> None:
    stakes = np.array([1.0, 2.0, 4.0])
    found = solve_game(np.diag(stakes))
    assert found.value == pytest.approx(1 / (1 / stakes).sum(), abs=1e-12)
    np.testing.assert_allclose(found.columns, found.value / stakes, atol=1e-12)


def test_one_that_beats_all_is_played_alone() -> None:
    gains = skew(np.array([[0, 0.1, 0.1], [0, 0, 0.4], [0, 0, 0]]))
    mix, is_unique = symmetric_mix(gains)
    assert mix.tolist() == [1, 0, 0]
    assert is_unique


def test_two_that_are_alike_share_their_part() -> None:
    twice = [0, 1, 2, 2]
    mix, is_unique = symmetric_mix(ROCK_PAPER_SCISSORS[np.ix_(twice, twice)])
    np.testing.assert_allclose(mix, [1 / 3, 1 / 3, 1 / 6, 1 / 6], atol=1e-9)
    assert not is_unique


def test_a_game_in_which_nothing_matters_is_played_evenly() -> None:
    mix, is_unique = symmetric_mix(np.zeros((5, 5)))
    np.testing.assert_allclose(mix, 0.2, atol=1e-9)
    assert not is_unique


@settings(deadline=None, max_examples=100)
@given(
    st.integers(2, 6).flatmap(
        lambda n: st.tuples(
            arrays(np.float64, (n, n), elements=st.integers(-2, 2).map(float)), st.permutations(range(n))
        )
    )
)
def test_the_mix_does_not_depend_on_the_order_of_the_decks(given: tuple[Floats, list[int]]) -> None:
    upper, order = given
    gains = skew(upper)
    mix, is_unique = symmetric_mix(gains)
    assert (gains @ mix).max() <= EXACT
    moved, is_unique_there = symmetric_mix(gains[np.ix_(order, order)])
    np.testing.assert_allclose(moved, mix[order], atol=1e-8)
    assert is_unique == is_unique_there


def test_a_matrix_that_is_no_game_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        solve_game([[np.nan]])
    with pytest.raises(ValueError, match="the column loses what the row wins"):
        symmetric_mix(np.ones((2, 2)))


@pytest.mark.parametrize("seed", range(5))
def test_values_are_those_of_another_solver(seed: int) -> None:
    linprog = pytest.importorskip("scipy.optimize").linprog
    payoff = np.random.default_rng(seed).uniform(-1, 1, (6, 9))
    # The row player maximises v under payoff.T @ x >= v.
    limits = np.hstack([-payoff.T, np.ones((9, 1))])
    theirs = linprog([0] * 6 + [-1], limits, np.zeros(9), [[1] * 6 + [0]], [1], bounds=[(0, None)] * 6 + [(None, None)])
    assert solve_game(payoff).value == pytest.approx(-theirs.fun, abs=1e-9)
