"""The cards of a map: how many elites have each, how these do, and what happened to it in their fresh games."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.inclusion import cards_of_elites
from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate

_COUNTED = ("games", "drawn", "played")
_WON = {event: f"win_rate_{event}" for event in ("drawn", "played")}


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
        win_drawn: How often they won the fresh games in which it was drawn, if there are any.
        win_played: How often they won the fresh games in which it was played, if there are any.
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
    win_drawn: Estimate | None
    win_played: Estimate | None
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
        counted = events.get(gene.id)
        found.append(
            CardStatistics(
                card=gene.id,
                name=gene.name,
                elites=int(with_it.sum()),
                inclusion=_share(int(with_it.sum()), len(has)),
                win_rate=None if rates is None else _mean(rates[with_it]),
                others=None if rates is None else _mean(rates[~with_it]),
                drawn=None if counted is None else _share(counted["drawn"], int(counted["games"])),
                played=None if counted is None else _share(counted["played"], int(counted["games"])),
                win_drawn=None if counted is None else _won(counted, "drawn"),
                win_played=None if counted is None else _won(counted, "played"),
                cells=tuple(tuple(cell) for cell in cells[with_it].tolist()),
            )
        )
    return sorted(found, key=lambda each: (-each.elites, each.name))


def _share(count: float, of: int) -> Estimate:
    return Estimate(count / of if of else np.nan, np.nan, np.nan, of, is_share=True)


def _won(counted: Mapping[str, float], event: str) -> Estimate | None:
    games, won = int(counted[event]), counted[_WON[event]]
    return _share(won, games) if games and not np.isnan(won) else None


def _mean(rates: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Estimate | None:
    return Estimate(float(rates.mean()), np.nan, np.nan, len(rates), is_share=True) if len(rates) else None


def _events(view: RunView) -> dict[str, dict[str, float]]:
    """Of the fresh games of all elites with a card: in how many it was drawn and played, and how many of those won."""
    found: dict[str, dict[str, float]] = {}
    for number in view.archive.elites.tolist():
        for row in view.cards_in_games(number):
            if all(row.get(name) is not None for name in _COUNTED):
                counted = found.setdefault(row["card"], dict.fromkeys((*_COUNTED, *_WON.values()), 0))
                for name in _COUNTED:
                    counted[name] += int(row[name])
                for event, rate in _WON.items():
                    if int(row[event]):  # a rate that is not known makes the sum unknown
                        counted[rate] += (np.nan if row.get(rate) is None else row[rate]) * int(row[event])
    return found
