"""The decks that join a rebalancing: the best that studies found, as many of each edition."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from deckatlas.balancing.found_decks import MOST_FOUND, best_found

SHARES = np.array([0.5, 0.5])


def half(decks: dict[str, float]) -> Any:
    """Two known decks, and found Mages that win so often against both."""
    rates = np.full((2 + len(decks), 2 + len(decks)), 0.5)
    for row, rate in enumerate(decks.values(), start=2):
        rates[row, :2] = rate
    found_map = SimpleNamespace(best=tuple(decks))
    key = ("mage", "fast")
    return SimpleNamespace(
        shares=SHARES, maps={key: found_map}, found=(key,) * len(decks), matchups=SimpleNamespace(rates=rates)
    )


def study(*trials: tuple[dict[str, float], dict[str, float]]) -> Any:
    return SimpleNamespace(trials=[SimpleNamespace(halves=(half(base), half(patched))) for base, patched in trials])


def test_the_decks_that_won_most_in_their_edition_join() -> None:
    before = {f"before {number}": 0.5 + number / 100 for number in range(6)}
    after = {f"after {number}": 0.4 + number / 100 for number in range(6)}
    found = best_found([study((before, after))], kinds=["mage"], room=40)
    assert list(found) == ["mage"]
    assert found["mage"] == tuple(f"{side} {number}" for side in ("before", "after") for number in (5, 4, 3, 2))
    assert len(found["mage"]) == 2 * MOST_FOUND


def test_a_deck_that_several_trials_and_studies_found_joins_once() -> None:
    one = study(({"same": 0.6}, {"same": 0.55}), ({"same": 0.7, "other": 0.5}, {"new": 0.5}))
    found = best_found([one, study(({"same": 0.65}, {"new": 0.6}))], kinds=["mage"], room=40)
    assert found == {"mage": ("same", "other", "new")}


def test_fewer_decks_join_where_there_is_little_room() -> None:
    before = {f"before {number}": 0.5 + number / 100 for number in range(6)}
    after = {f"after {number}": 0.4 + number / 100 for number in range(6)}
    found = best_found([study((before, after))], kinds=["mage", "priest"], room=9)
    assert found == {"mage": ("before 5", "before 4", "after 5", "after 4")}
    assert best_found([study((before, after))], kinds=["mage"], room=1) == {}


def test_decks_that_no_target_is_about_do_not_join() -> None:
    assert best_found([study(({"deck": 0.5}, {"deck": 0.5}))], kinds=["priest"], room=40) == {}
    assert best_found([study()], kinds=["mage"], room=40) == {}
