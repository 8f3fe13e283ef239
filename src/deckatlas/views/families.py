"""Families of solutions: what a solution was varied from, what was varied from it, and what changed each time."""

from dataclasses import dataclass

import numpy as np

from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate
from deckatlas.views.card_changes import card_changes

MOST_PARENTS = 8
MOST_CHILDREN = 24


@dataclass(frozen=True)
class Relative:
    """A relative of a solution.

    Attributes:
        number: Its number in the log.
        objective: Its objective.
        changes: How the younger of the two differs from the older: "+2 Fireball".
    """

    number: int
    objective: Estimate
    changes: tuple[str, ...]


def parents_of(view: RunView, number: int, *, most: int = MOST_PARENTS) -> list[Relative]:
    """The parent of a solution, its parent, and so on; the nearest first.

    Raises:
        RunError: If there is no such solution.
    """
    view.check_solution(number)
    found: list[Relative] = []
    child, parent = number, int(view.log.parents[number])
    while 0 <= parent < child and len(found) < most:
        found.append(Relative(parent, view.rated(view.objective, parent), _changes(view, parent, child)))
        child, parent = parent, int(view.log.parents[parent])
    return found


def children_of(view: RunView, number: int, *, most: int = MOST_CHILDREN) -> tuple[list[Relative], int]:
    """The best solutions that were varied from this one, and how many there are.

    Raises:
        RunError: If there is no such solution.
    """
    view.check_solution(number)
    children = np.flatnonzero(view.log.parents == number)
    best = children[np.argsort(-view.log.column(view.objective)[children], kind="stable")][:most].tolist()
    found = [Relative(child, view.rated(view.objective, child), _changes(view, number, child)) for child in best]
    return found, len(children)


def _changes(view: RunView, older: int, younger: int) -> tuple[str, ...]:
    """The cards that changed; of solutions that are not decks, how many numbers did."""
    if view.description.layout.deck_size:
        return card_changes(view, older, younger)
    changed = int((view.log.solutions[older] != view.log.solutions[younger]).sum())
    return (f"{changed} of {len(view.description.genes)} numbers",)
