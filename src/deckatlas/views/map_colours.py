"""What the colours of a map can show: the objective, the win rate, games, age, or the copies of a card."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Floats
from deckatlas.shapes import nearest, show
from deckatlas.views.columns import axis_name
from deckatlas.views.scale import Scale

OBJECTIVE = "objective"
COLOURS = (OBJECTIVE, WIN_RATE, "games", "age")


@dataclass(frozen=True, eq=False)
class Colouring:
    """A number of every solution of a map.

    Attributes:
        values: The numbers, by the number of the solution.
        label: What they are, for a colour bar.
    """

    values: Floats
    label: str


def colouring_of(view: RunView, colour: str) -> Colouring:
    """The numbers that a colour shows.

    Args:
        view: The map.
        colour: One of `COLOURS`, or the id or the name of a card.

    Raises:
        RunError: If there is no such colour, or the map has no such numbers.
    """
    if colour == OBJECTIVE:
        return Colouring(view.archive.objectives, searched(view.objective))
    if colour == WIN_RATE:
        if WIN_RATE not in view.log.columns:
            raise RunError(f"{view.name} does not measure win rates")
        return Colouring(view.log.column(WIN_RATE), searched(WIN_RATE))
    if colour == "games":
        return Colouring(view.log.games.astype(np.float64), "games")
    if colour == "age":
        return Colouring((view.log.first_evaluations + 1).astype(np.float64), "evaluation in which it was found")
    return copies_of(view, colour)


def copies_of(view: RunView, card: str) -> Colouring:
    """How many copies of a card, given by its id or name, every solution has.

    Raises:
        RunError: If solutions are no decks, or there is no such card.
    """
    place = _card(view, card)
    copies = view.log.solutions[:, place].astype(np.float64)
    return Colouring(copies, f"copies of {view.description.genes[place].name}")


def scale_of(views: Sequence[RunView], colour: str) -> Scale:
    """The colours of all elites of these maps, from the least to the greatest number."""
    return Scale.over(np.concatenate([colouring_of(view, colour).values[view.archive.elites] for view in views]))


def searched(objective: str) -> str:
    """What a colour bar says of an objective: it is that of the games of the search."""
    return f"{axis_name(objective)}\nin the search"


def _card(view: RunView, wanted: str) -> int:
    """The place of a card among the genes."""
    if not view.description.layout.deck_size:
        raise RunError(f"{view.name} has no decks: its colours are {', '.join(COLOURS)}, not {show(wanted)}")
    genes = view.description.genes
    for places in ({gene.id: at for at, gene in enumerate(genes)}, {gene.name: at for at, gene in enumerate(genes)}):
        if wanted in places:
            return places[wanted]
    known = [*COLOURS, *(gene.name for gene in genes)]
    raise RunError(f"a map has no colour {show(wanted)}, and its pool has no such card: {nearest(wanted, known)}")
