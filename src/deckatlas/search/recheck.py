"""A map after its elites have played fresh games: an archive of noisy evaluations keeps lucky solutions."""

from dataclasses import dataclass

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.archive_statistics import ArchiveStatistics, Scoring, statistics, summary
from deckatlas.search.cells import NOWHERE, best_of_cells
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.stats.samples import least_squares


@dataclass(frozen=True, eq=False)
class Recheck:
    """A map before and after its elites played fresh games; only the fresh games count afterwards.

    The corrected map has the same cells as the old one. The elite of each cell is the best of the former elites that
    are now in it; if there are several, the best is again a little lucky. An elite whose fresh numbers are not finite
    is lost.

    Attributes:
        before: The statistics of the map.
        after: The statistics of the corrected map.
        cells: The cells of the corrected map that have an elite, ascending.
        elites: The numbers of these elites.
        stayed: The number of former elites that are elites of the corrected map.
        same_cell: The number of former elites that are still in their cell, as its elite or not.
        lost: The number of former elites without fresh numbers.
        distance: The mean distance of former elites from their old cells: steps along the measures, in cells.
        distance_moved: The same, only over those that are in another cell.
        optimism: The mean excess of the former elites' objectives over those of fresh games.
        slope: The share of a difference between two former elites that fresh games confirm, by least squares: 1 if all
            was merit, 0 if all was luck.
        champion: The objective of the map's best elite on fresh games.
    """

    before: ArchiveStatistics
    after: ArchiveStatistics
    cells: Ints
    elites: Ints
    stayed: int
    same_cell: int
    lost: int
    distance: float
    distance_moved: float
    optimism: float
    slope: float
    champion: float


def recheck(
    archive: Archive,
    objectives: Floats,
    measures: Floats,
    *,
    scoring: Scoring = Scoring(),  # noqa: B008 - it cannot change
) -> Recheck:
    """Compares a map with fresh evaluations of its elites.

    Args:
        archive: The map.
        objectives: The objective of each elite on fresh games, in the order of `archive.elites`.
        measures: The measures of each on fresh games, one row each.
        scoring: How much an elite adds to the QD score.

    Raises:
        SearchError: If there is not one row for each elite.
    """
    if objectives.shape != (len(archive),) or measures.shape != (len(archive), len(archive.boundaries)):
        raise SearchError(
            f"{len(archive)} elites of {len(archive.boundaries)} measures cannot be compared with fresh numbers of "
            f"shapes {objectives.shape} and {measures.shape}"
        )
    placed = np.isfinite(objectives) & np.isfinite(measures).all(axis=1)
    now = np.where(placed, archive.cells.numbers(measures), NOWHERE)
    cells, winners = best_of_cells(now, objectives)
    steps = archive.cells.steps(archive.elite_cells[placed], now[placed])
    old, fresh = archive.objectives[archive.elites], objectives
    gone = (old - fresh)[placed]
    return Recheck(
        before=statistics(archive, scoring),
        after=summary(fresh[winners], archive.cells, solutions=len(archive), scoring=scoring),
        cells=cells,
        elites=archive.elites[winners],
        stayed=len(winners),
        same_cell=int((now == archive.elite_cells).sum()),
        lost=int((~placed).sum()),
        distance=_mean(steps),
        distance_moved=_mean(steps[steps > 0]),
        optimism=_mean(gone),
        slope=_slope(old[placed], fresh[placed]),
        champion=float(fresh[np.argmax(old)]) if len(archive) else float("nan"),
    )


def _mean(values: Floats | Ints) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _slope(old: Floats, fresh: Floats) -> float:
    """The slope of the line through (old, fresh) by least squares; NaN if the old values do not differ."""
    return least_squares(old, fresh).slope if len(old) and np.ptp(old) > 0 else float("nan")
