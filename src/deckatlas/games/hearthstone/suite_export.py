"""The best decks of runs as the opponents of a suite."""

import json
from collections.abc import Sequence

from deckatlas.errors import RunError
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.runs.elites import Elite
from deckatlas.runs.view import RunView

KIND = "hearthstone-deck"


def best_opponents(views: Sequence[RunView]) -> tuple[OpponentTable, ...]:
    """The best deck of each run with the pilot that the run used.

    Raises:
        RunError: If a run has no archive of Hearthstone decks, or no elite.
    """
    return tuple(opponent for _, opponent in map(_best_opponent, views))


def suite_toml(views: Sequence[RunView]) -> str:
    """The best deck of each run with its pilot, as the content of a suite file.

    Raises:
        RunError: If a run has no archive of Hearthstone decks, or no elite.
    """
    lines = ["# The best deck of each of these maps, with the pilot of the map.", ""]
    for view in views:
        best, opponent = _best_opponent(view)
        lines += [
            f"# {view.name}: {view.objective} {(best.rechecked or best.objective).value:.2f}",
            "[[opponent]]",
            f"deck = {json.dumps(opponent.deck)}",
            f"pilot = {json.dumps(opponent.pilot)}",
            "",
        ]
    return "\n".join(lines)


def _best_opponent(view: RunView) -> tuple[Elite, OpponentTable]:
    if view.description.kind != KIND or not view.has_archive:
        raise RunError(f"{view.path} is not a map of Hearthstone decks: a suite needs such maps")
    if (best := view.best()) is None:
        raise RunError(f"{view.path} has no elite yet")
    return best, OpponentTable(deck=view.code(best), pilot=str(view.config["evaluation"]["pilot"]))
