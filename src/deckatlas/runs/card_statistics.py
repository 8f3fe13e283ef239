"""The cards of a map: how many elites have each, how these do, and what happened to it in their fresh games."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.inclusion import cards_of_elites
from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate

_COUNTED = ("games", "drawn", "played")


@dataclass(frozen=True)
class CardStatistics:
    """A card among the elites of a map. The elites of a map are no sample, so nothing here has an interval.

    Attributes:
        card: Its id.
        name: Its name.
        elites: How many elites have it.
        inclusion: Their share of all elites.
        win_rate: The mean win rate of these elites, if the run measures it.
        others: The mean win rate of the other elites.
        drawn: In how many of their fresh games it was drawn, if these were counted.
        played: In how many of their fresh games it was played, if these were counted.
        cells: The cells of these elites on the map.
    """

    card: str
    name: str
    elites: int
    inclusion: Estimate
    win_rate: Estimate | None
    others: Estimate | None
    drawn: Estimate | None
    played: Estimate | None
    cells: tuple[tuple[int, ...], ...]


def card_statistics(view: RunView) -> list[CardStatistics]:
    """All cards of the pool; those in most elites first.

    Raises:
        RunError: If the run is not a map of decks.
    """
    has = cards_of_elites(view)
    cells = np.stack(np.unravel_index(view.archive.elite_cells, view.archive.cells.shape), axis=1)
    rates = view.log.column(WIN_RATE)[view.archive.elites] if WIN_RATE in view.log.columns else None
    events = _events(view)
    found = []
    for place, gene in enumerate(view.description.genes):
        with_it = has[:, place]
        counted = events.get(gene.id, Counter())
        found.append(
            CardStatistics(
                card=gene.id,
                name=gene.name,
                elites=int(with_it.sum()),
                inclusion=_share(int(with_it.sum()), len(has)),
                win_rate=None if rates is None else _mean(rates[with_it]),
                others=None if rates is None else _mean(rates[~with_it]),
                drawn=_share(counted["drawn"], counted["games"]) if counted else None,
                played=_share(counted["played"], counted["games"]) if counted else None,
                cells=tuple(tuple(cell) for cell in cells[with_it].tolist()),
            )
        )
    return sorted(found, key=lambda each: (-each.elites, each.name))


def _share(count: int, of: int) -> Estimate:
    return Estimate(count / of if of else np.nan, np.nan, np.nan, of, is_share=True)


def _mean(rates: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Estimate | None:
    return Estimate(float(rates.mean()), np.nan, np.nan, len(rates), is_share=True) if len(rates) else None


def _events(view: RunView) -> dict[str, Counter[str]]:
    """How often each card was drawn and played in the fresh games of all elites that have it."""
    found: dict[str, Counter[str]] = {}
    for number in view.archive.elites.tolist():
        for row in view.cards_in_games(number):
            if all(row.get(name) is not None for name in _COUNTED):
                found.setdefault(row["card"], Counter()).update({name: int(row[name]) for name in _COUNTED})
    return found
