"""A small map for tests: made once, in a second, and kept in memory."""

from functools import cache

from deckatlas.hearthstone import map_elites
from deckatlas.runs.view import RunView

MEASURES = ("deck_mana_sum", "num_turns")


@cache
def small_map(seed: int = 1, recheck: int | None = 8) -> RunView:
    """A map of Hunter decks: few of them, few games each, its elites played again."""
    return map_elites(
        "hunter",
        measures=MEASURES,
        resolution=(5, 4),
        evaluations=60,
        games=6,
        seed=seed,
        settings=["search.initial=20"],
        recheck=recheck,
    )
