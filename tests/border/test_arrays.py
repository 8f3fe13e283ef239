"""Arrays of the caller are copied before they are checked and used: other threads may change them meanwhile."""

from collections.abc import Callable
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

Arrays = dict[str, Any]


def _played_twice(arrays: Callable[[int], Arrays], play: Callable[[Arrays, Callable[[int], None] | None], Any]) -> Any:
    """What games give when their arrays are spoiled meanwhile, and when they are left alone.

    The first report of progress, which comes while games are being played, spoils them. A fast machine may end its
    games before any report, so it plays more of them.
    """
    for games in (400, 1_600, 6_400, 25_600):
        spoiled = arrays(games)
        reports: list[int] = []

        def spoil(done: int, spoiled: Arrays = spoiled, reports: list[int] = reports) -> None:
            for array in spoiled.values():
                array[...] = 120
            reports.append(done)

        found = play(spoiled, spoil)
        if reports and reports[0] < games:
            return found, play(arrays(games), None)
    raise AssertionError("the games were over before the arrays were changed")


def test_courses_are_played_as_they_were_when_called() -> None:
    table, agent = official_table(), locm.planner_agent(8, 4)
    drafts = [locm.random_draft()] * 2

    def arrays(games: int) -> Arrays:
        return {
            "first": np.array([0, 1], np.int32),
            "second": np.array([1, 0], np.int32),
            "course": np.array([0, 1], np.int32),
            "starts": np.array([0, games // 2, games], np.int64),
            "draft_seeds": np.arange(games, dtype=np.uint64),
            "game_seeds": np.arange(games, dtype=np.uint64),
        }

    def play(given: Arrays, progress: Callable[[int], None] | None) -> Any:
        return locm.play_courses(table, drafts, [agent, agent], **given, format="referee", threads=2, progress=progress)

    found, expected = _played_twice(arrays, play)
    assert np.array_equal(found.outcome, expected.outcome)
    assert np.array_equal(found.wins, expected.wins)


def test_evaluations_are_played_as_they_were_when_called() -> None:
    cards, pilot = edition().card_set, hs.search_agent(3, 4)

    def arrays(games: int) -> Arrays:
        return {
            "decks": deck_rows(("Starter Mage", "Starter Hunter"), edition()),
            "opponent": np.zeros(games, np.int32),
            "seat": np.zeros(games, np.uint8),
            "seed": np.arange(games, dtype=np.uint64),
        }

    def evaluate(given: Arrays, progress: Callable[[int], None] | None) -> Any:
        decks = given["decks"]
        games = {name: given[name] for name in ("opponent", "seat", "seed")}
        return hs.evaluate_decks(
            *(cards, pilot, decks, [pilot], decks[1:]),
            **games,
            mulligan=hs.Mulligan.cheap,
            threads=2,
            progress=progress,
        )

    found, expected = _played_twice(arrays, evaluate)
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
            except DeckatlasError as error:
                ended.append(bool(str(error)))
    assert ended == [True] * 3  # whatever the arrays were, it answers or says why not
