"""The decks of a stored run: the elites of a map, or the last population of a search without one."""

import numpy as np

from deckatlas.errors import RunError
from deckatlas.games.hearthstone.suite_export import KIND
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Solution


def best_solutions(view: RunView, count: int) -> list[Solution]:
    """The best decks of a run as its space has them, the best first, each once.

    Raises:
        RunError: If it is not a run over Hearthstone decks.
    """
    if view.description.kind != KIND:
        raise RunError(f"{view.path} has no decks of Hearthstone")
    found = [each.solution for each in view.elites()] if view.has_archive else list(view.best_population[0])
    return list({np.asarray(each).tobytes(): each for each in found}.values())[:count]


def best_codes(view: RunView, count: int) -> list[str]:
    """The best decks of a run as codes, or as texts if a card has no number for codes.

    Raises:
        RunError: If it is not a run over Hearthstone decks.
    """
    return [view.code(each) for each in best_solutions(view, count)]
