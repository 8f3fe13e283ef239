"""What is left of a map when its elites play fresh games: an archive of noisy evaluations keeps the lucky."""

from dataclasses import dataclass

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.archive_statistics import ArchiveStatistics, Scoring, statistics, summary
from deckatlas.search.cells import NOWHERE, Cells, best_of_cells
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.stats.samples import least_squares


@dataclass(frozen=True, eq=False)
class Recheck:
    """A map before and after its elites played fresh games, which alone count afterwards.

    The corrected map has the cells of the old one, and of each cell the best of the former elites that are in it now.
    Where several are, the best of them is again a little lucky. An elite whose fresh numbers are not finite is lost.

    Attributes:
        before: The map in numbers.
        after: The corrected map in numbers.
        cells: The cells of the corrected map that have an elite, ascending.
        elites: Those elites' numbers.
        stayed: How many former elites are elites of the corrected map.
        same_cell: How many are in the cell they were in, elites of it or not.
        lost: How many have no fresh numbers.
        distance: How far former elites are from their old cells, on average: steps along the measures, in cells.
        distance_moved: The same over those alone that are in another cell.
        optimism: By how much the objectives of former elites were larger than on fresh games, on average.
        slope: How much of a difference between two former elites is found again, by least squares: 1 if all was merit,
            0 if all was luck.
        champion: What the best of the map has on fresh games.
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
    """Holds a map against fresh evaluations of its elites.

    Args:
        archive: The map.
        objectives: The objective of each elite on fresh games, in the order of `archive.elites`.
        measures: The measures of each on fresh games, a row each.
        scoring: What an elite adds to the QD score.

    Raises:
        SearchError: If there is not one row for each elite.
    """
    if objectives.shape != (len(archive),) or measures.shape != (len(archive), len(archive.boundaries)):
        raise SearchError(
            f"{len(archive)} elites of {len(archive.boundaries)} measures cannot be held against fresh numbers of "
            f"shapes {objectives.shape} and {measures.shape}"
        )
    placed = np.isfinite(objectives) & np.isfinite(measures).all(axis=1)
    now = np.where(placed, archive.cells.numbers(measures), NOWHERE)
    cells, winners = best_of_cells(now, objectives)
    steps = _steps(archive.cells, archive.elite_cells[placed], now[placed])
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


def _steps(cells: Cells, before: Ints, now: Ints) -> Ints:
    """How many steps from cell to cell lie between two, along all measures together."""
    steps: Ints = np.abs(cells.indices(now) - cells.indices(before)).sum(axis=1)
    return steps


def _mean(values: Floats | Ints) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _slope(old: Floats, fresh: Floats) -> float:
    """The slope of the line through (old, fresh) by least squares; not a number if the old do not differ."""
    return least_squares(old, fresh).slope if len(old) and np.ptp(old) > 0 else float("nan")
