"""Arrays of the caller are copied before they are checked and used: other threads may change them meanwhile."""

import threading
from typing import Any

import numpy as np
import pytest

from deckatlas._core import hearthstone as hs
from deckatlas._core import locm
from deckatlas.errors import DeckatlasError
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.setup import deck_rows
from deckatlas.games.locm.cards import official_table
from fuzz.bindings import arrays_changing
from fuzz.calls import call_names, new_call


class _Spoiler:
    """Reports progress by spoiling arrays: the first report comes while games are being played."""

    def __init__(self, *arrays: Any) -> None:
        self._arrays = arrays
        self.called = threading.Event()

    def __call__(self, games: int) -> None:
        for array in self._arrays:
            array[...] = 120
        self.called.set()


def test_courses_are_played_as_they_were_when_called() -> None:
    games = 300
    seeds = np.arange(2 * games, dtype=np.uint64)
    numbers: dict[str, Any] = {
        name: np.array(each, np.int32) for name, each in {"first": [0, 1], "second": [1, 0]}.items()
    }
    numbers["course"] = np.array([0, 1], np.int32)
    starts = np.array([0, games, 2 * games], np.int64)
    table, agent = official_table(), locm.planner_agent(8, 4)
    drafts = [locm.random_draft()] * 2

    def play(spoiler: _Spoiler | None) -> Any:
        return locm.play_courses(
            *(table, drafts, [agent, agent]),
            **numbers,
            starts=starts,
            draft_seeds=seeds,
            game_seeds=seeds,
            format="referee",
            threads=2,
            progress=spoiler,
        )

    expected = play(None)
    spoiler = _Spoiler(seeds, starts, *numbers.values())
    found = play(spoiler)
    assert spoiler.called.is_set(), "the games were over before the arrays were changed: play more"
    assert np.array_equal(found.outcome, expected.outcome)
    assert np.array_equal(found.wins, expected.wins)


def test_evaluations_are_played_as_they_were_when_called() -> None:
    games, cards = 400, edition().card_set
    decks = deck_rows(("Starter Mage", "Starter Hunter"), edition())
    opponent, seat = np.zeros(games, np.int32), np.zeros(games, np.uint8)
    seed = np.arange(games, dtype=np.uint64)
    pilot = hs.search_agent(3, 4)

    def evaluate(spoiler: _Spoiler | None) -> Any:
        return hs.evaluate_decks(
            *(cards, pilot, decks, [hs.search_agent(3, 4)], decks[1:]),
            opponent=opponent,
            seat=seat,
            seed=seed,
            mulligan=hs.Mulligan.cheap,
            threads=2,
            progress=spoiler,
        )

    expected = evaluate(None)
    spoiler = _Spoiler(opponent, seat, seed, decks)
    found = evaluate(spoiler)
    assert spoiler.called.is_set(), "the games were over before the arrays were changed: play more"
    assert np.array_equal(found[0], expected[0])


@pytest.mark.parametrize("place", range(len(call_names())), ids=call_names())
def test_a_call_survives_arrays_that_change_under_it(place: int) -> None:
    call = new_call(place)
    ended = []
    for attempt in range(3):
        with arrays_changing([call.arguments, call.options], attempt):
            try:
                call.run()
                ended.append(True)
            except (DeckatlasError, TypeError) as error:
                ended.append(bool(str(error)))
    assert ended == [True] * 3  # whatever the arrays were, it answers or says why not
