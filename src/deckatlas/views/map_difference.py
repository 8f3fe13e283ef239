"""One map minus another, cell by cell: the best solution of each in the same ranges of measures."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.search.cells import NOWHERE, best_of_cells
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.search.log import check_columns
from deckatlas.stats.distributions import normal_quantile
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import difference
from deckatlas.views.columns import bounds_of
from deckatlas.views.map_filling import Plane

_LEVEL = 0.05


@dataclass(frozen=True)
class CellDifference:
    """A cell in which both maps have a solution.

    Attributes:
        cell: The cell of the plane.
        number: The best solution of the first map there.
        other: The best solution of the other map there.
        difference: The first objective minus the other. All intervals of a map hold at once in 95 % of cases, so they
            are wider the more cells there are.
    """

    cell: int
    number: int
    other: int
    difference: Estimate

    @property
    def is_beyond_noise(self) -> bool:
        """Whether the interval excludes zero."""
        return self.difference.low > 0 or self.difference.high < 0


def check_comparable(view: RunView, other: RunView) -> None:
    """Refuses two maps that have no cells in common.

    Raises:
        RunError: If the other run has no archive, searches something else, or has another objective.
        SearchError: If the other run has not measured what the first one's cells are made of.
    """
    if not other.has_archive:
        raise RunError(f"{other.name} has no archive, and so no map")
    if other.description.kind != view.description.kind:
        raise RunError(f"{view.name} and {other.name} search different things, so their maps cannot be compared")
    if other.objective != view.objective:
        raise RunError(
            f"{view.name} maximises {view.objective}, but {other.name} {other.objective}, "
            "so their maps cannot be compared"
        )
    check_columns(view.measures, other.log.columns, "columns")


def map_difference(plane: Plane, other: RunView) -> list[CellDifference]:
    """A map minus another, in the cells of the first.

    Solutions of the other map are put into the cells that their measures belong to, so maps whose boundaries differ
    can be compared too.

    Args:
        plane: The first map along two columns.
        other: The other map.

    Raises:
        RunError: If the other run has no archive, searches something else, or has another objective.
        SearchError: If the other run has not measured the columns of the plane.
    """
    view = plane.view
    check_comparable(view, other)
    own = dict(_best(plane.cells, view.log.column(view.objective)))
    theirs = dict(_best(_placed(plane, other), other.log.column(other.objective)))
    both = sorted(own.keys() & theirs.keys())
    least, most = bounds_of(view.objective)
    wider = normal_quantile(1 - _LEVEL / 2 / max(1, len(both))) / normal_quantile(1 - _LEVEL / 2)
    return [
        CellDifference(
            cell,
            own[cell],
            theirs[cell],
            _widened(
                difference(view.rated(view.objective, own[cell]), other.rated(other.objective, theirs[cell])), wider
            ).within(least - most, most - least),
        )
        for cell in both
    ]


def _placed(plane: Plane, other: RunView) -> Ints:
    """The cells of the plane that the solutions of another run belong to."""
    measures = other.log.matrix(plane.view.measures)
    is_known = np.isfinite(measures).all(axis=1) & np.isfinite(other.log.column(other.objective))
    numbers = plane.view.archive.cells.numbers(np.where(np.isfinite(measures), measures, 0.0))
    return plane.cells_of(np.where(is_known, numbers, NOWHERE))


def _best(cells: Ints, objectives: Floats) -> Iterator[tuple[int, int]]:
    found, numbers = best_of_cells(cells, objectives)
    return zip(found.tolist(), numbers.tolist(), strict=True)


def _widened(found: Estimate, factor: float) -> Estimate:
    down, up = factor * (found.value - found.low), factor * (found.high - found.value)
    return replace(found, low=found.value - down, high=found.value + up)
