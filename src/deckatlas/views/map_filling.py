"""How a map was filled: each solution that was the best of its cell when it was found, along any two columns.

Cells are those that the map has now, and solutions have the numbers that are known now, as in growth curves. From the
order of these solutions, a page draws the map at any moment of its run.
"""

from dataclasses import dataclass

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.search.cells import NOWHERE
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.search.log import check_columns
from deckatlas.views.map_grid import LINE, Axis, axis_of


@dataclass(frozen=True, eq=False)
class Plane:
    """The cells of a map along two columns.

    Attributes:
        view: The map whose cells these are: the run's own, or one over other columns.
        x: The column from left to right.
        y: The column from bottom to top; `LINE` if there is only one.
        places: The places of both among the measures of `view`.
    """

    view: RunView
    x: Axis
    y: Axis
    places: tuple[int, ...]

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return [axis.name for axis in (self.x, self.y) if axis.name]

    def cells_of(self, numbers: Ints) -> Ints:
        """The cells of the plane, x * len(y) + y, from cells of the map; `NOWHERE` stays."""
        known = np.maximum(numbers, 0)
        indices = self.view.archive.cells.indices(known)[:, list(self.places)]
        found = indices[:, 0] if len(self.places) == 1 else indices[:, 0] * len(self.y) + indices[:, 1]
        return np.where(numbers == NOWHERE, NOWHERE, found)

    @property
    def cells(self) -> Ints:
        """The cell of every solution, or `NOWHERE`."""
        return self.cells_of(self.view.archive.individual_cells)


def plane_of(view: RunView, x: str = "", y: str = "") -> Plane:
    """The cells of a map along two columns.

    Two measures of the map show its own cells; where it has more measures, a cell represents all cells that differ only
    in those. Other columns give the map of the same evaluations over these columns.

    Args:
        view: The map.
        x: The column from left to right; the first measure by default.
        y: The column from bottom to top; the next measure by default, and none if the map has only one.

    Raises:
        RunError: If the run has no archive, there is no elite yet, or both columns are the same.
        SearchError: If a column is unknown.
    """
    names = _names(view, x, y)
    check_columns(names, view.log.columns, "columns")
    is_own = {*names} <= {*view.measures} and (len(names) > 1 or len(view.measures) == 1)
    shown = view if is_own and len({*names}) == len(names) else view.by(names)
    if not len(shown.archive):
        raise RunError("the map has no elite yet")
    places = tuple(shown.measures.index(name) for name in names)
    axes = [axis_of(shown.archive, place, name) for place, name in zip(places, names, strict=True)]
    return Plane(shown, axes[0], axes[1] if len(axes) > 1 else LINE, places)


def _names(view: RunView, x: str, y: str) -> tuple[str, ...]:
    if not view.has_archive:
        raise RunError(f"{view.name} has no archive, and so no map")
    first = x or next((name for name in view.measures if name != y), view.measures[0])
    second = y or next((name for name in view.measures if name != first), "")
    return (first, second) if second and (y or len(view.measures) > 1) else (first,)


def elites_at(view: RunView, evaluations: int) -> Ints:
    """The elites of a map after so many evaluations, in its final cells, by their numbers."""
    cells = view.archive.individual_cells
    numbers = improvements(cells, view.log.column(view.objective))
    known = numbers[view.log.first_evaluations[numbers] < evaluations]
    return np.array(sorted(dict(zip(cells[known].tolist(), known.tolist(), strict=True)).values()), np.int64)


def improvements(cells: Ints, objectives: Floats) -> Ints:
    """The solutions that were the best of their cell so far, in the order of their numbers.

    The last one of a cell is its elite. Among equals the earliest stays.
    """
    best: dict[int, float] = {}
    found = []
    for number, (cell, objective) in enumerate(zip(cells.tolist(), objectives.tolist(), strict=True)):
        if cell != NOWHERE and (cell not in best or objective > best[cell]):
            best[cell] = objective
            found.append(number)
    return np.array(found, np.int64)
