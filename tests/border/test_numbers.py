"""Every number from Python has bounds: infinities, numbers that are none, and numbers too large for the core."""

import time
from typing import Any

import numpy as np
import pytest

from deckatlas._core import hearthstone as hs
from deckatlas._core import learning, locm, surrogate
from deckatlas.errors import AgentError, DeckatlasError, MatchError, ModelError
from deckatlas.games.locm.cards import official_table
from fuzz.calls import call_names, new_call


def battle() -> locm.State:
    deck = np.arange(1, 31, dtype=np.int32)
    state = locm.State.from_decks(official_table(), np.stack([deck, deck]), 1)
    while state.turn < 12:
        state.apply(state.legal_actions()[-1])
    return state


@pytest.mark.parametrize("make", [locm.onelane_agent, locm.dfs_agent, locm.rg_agent])
def test_time_without_an_end_is_no_time_limit(make: Any) -> None:
    state = battle()
    free = make(3000).choose(state, locm.Rng(1, 0))
    for seconds in (float("inf"), 1e300, 1e18, 2e6):
        assert make(3000).choose(state, locm.Rng(1, 0), seconds) == free


def test_a_time_that_is_up_ends_a_search_at_once() -> None:
    state = battle()
    for seconds in (0.0, -1.0, -1e300, -float("inf"), 1e-300):
        start = time.monotonic()
        assert state.is_legal(locm.mcts_agent(1_000_000_000, 1.0).choose(state, locm.Rng(1, 0), seconds))
        assert time.monotonic() - start < 10


def test_a_time_that_is_no_number_is_refused() -> None:
    with pytest.raises(AgentError, match="the seconds for a turn are not a number"):
        locm.dfs_agent(10).choose(battle(), locm.Rng(1, 0), float("nan"))


@pytest.mark.parametrize("copies", [0, -1, 2**31 - 1])
def test_copies_to_time_have_bounds(copies: int) -> None:
    with pytest.raises(MatchError, match="copies must be between 1 and 100000000"):
        locm.copy_nanoseconds(battle(), copies)


def test_retries_of_a_noted_game_have_bounds() -> None:
    note = new_call(call_names().index("note_game"))
    for retries in (-1, hs.MOST_RETRIES + 1, 2**31 - 1):
        with pytest.raises(MatchError, match="retries must be from 0 to 10"):
            hs.note_game(*note.arguments, **{**note.options, "retries": retries})


@pytest.mark.parametrize("limit", [float("inf"), 1e300, float("nan"), 0.0])
def test_limits_of_weights_have_bounds(limit: float) -> None:
    arrays = (np.zeros(2, np.int64), np.zeros(0, np.uint16), np.zeros(0, np.float32), np.zeros(0, np.uint16))
    options: dict[str, Any] = {"features": 1, "attribute_count": 0, "hidden": 16, "layers": [], "stacks": 1, "seed": 1}
    with pytest.raises(ModelError, match="limits of weights must be above 0 and at most a million"):
        learning.SparseTrainer(arrays, **options, row_limit=limit, dense_limit=1.0)


@pytest.mark.parametrize("most", [-1, -(2**63)])
def test_limits_of_decks_have_bounds(most: int) -> None:
    layers = [(np.ones((2, 1), np.float32), np.zeros(1, np.float32))]
    model = surrogate.Model([layers], most_cards=2)
    with pytest.raises(ModelError, match="a limit must not be negative"):
        surrogate.inner_map(
            *(model, np.full(2, 2, np.int64), 2),
            objective=0,
            measures=[0],
            boundaries=[np.array([0.0, 1.0])],
            side="left",
            seed=1,
            predictions=2,
            initial=0,
            batch=1,
            starts=np.ones((1, 2), np.uint8),
            limits=[(np.ones(2, np.int64), most)],
        )


def test_numbers_too_large_for_the_core_are_refused_by_name() -> None:
    for wrong in (2**64, -(2**63) - 1, 1e300, float("nan")):
        with pytest.raises(DeckatlasError):
            locm.game_seed(wrong, 0, True)  # type: ignore[arg-type]
