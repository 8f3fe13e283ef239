"""The decks of a map's elites with their places, straight from its log, for tests."""

import numpy as np

from deckatlas.runs.inclusion import PlacedDecks
from deckatlas.runs.view import RunView


def placed(view: RunView, *columns: str) -> PlacedDecks:
    genes, elites = view.description.genes, view.archive.elites
    places = {name: np.asarray(view.log.column(name)[elites], np.float64) for name in columns}
    return PlacedDecks(
        tuple(gene.id for gene in genes), tuple(gene.name for gene in genes), view.log.solutions[elites], places
    )
