"""A map as a table of cells along two of its measures, for figures, web pages and the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.search.archive import Archive
from deckatlas.search.cells import NOWHERE
from deckatlas.search.evaluation import Floats, Ints

NOBODY = -1


@dataclass(frozen=True)
class Axis:
    """A measure with its cells.

    Attributes:
        name: The measure; empty for the second axis of a map with only one measure.
        edges: The boundaries of the cells; the outer ones reach to the outermost individual.
        reachable: For each cell, whether a solution can be in it: not if both of its boundaries are the same.
    """

    name: str
    edges: Floats
    reachable: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        """The number of cells along it."""
        return len(self.reachable)

    def places(self, *, equal: bool) -> Floats:
        """The places where its boundaries are drawn: evenly spaced if all cells are of one size, or at their values."""
        return np.arange(len(self) + 1, dtype=np.float64) if equal else self.edges

    def some_boundaries(self, most: int) -> list[int]:
        """The numbers of at most `most` boundaries, spread evenly from the first to the last."""
        found: list[int] = np.unique(np.linspace(0, len(self), min(len(self) + 1, most)).round().astype(int)).tolist()
        return found


LINE = Axis("", np.array([0.0, 1.0]), np.ones(1, np.bool_))  # the second axis of a map with only one measure


@dataclass(frozen=True)
class Grid:
    """The cells of a map along two measures.

    If the map has more measures, a cell represents all cells that differ only in those, and shows the best of them.

    Attributes:
        x: The measure from left to right.
        y: The measure from bottom to top.
        elites: For each cell, by x and y, the number of the best elite, or -1.
        objectives: Their objectives; not a number (nan) where there is no elite.
    """

    x: Axis
    y: Axis
    elites: Ints
    objectives: Floats

    def of(self, values: Floats) -> "Grid":
        """The same cells with another number of their elites in place of objectives."""
        return replace(self, objectives=np.where(self.elites == NOBODY, np.nan, values[self.elites]))


def grids(archive: Archive, measures: Sequence[str], elites: Ints | None = None) -> list[Grid]:
    """The tables of a map: one for two measures, one with a single row for one measure, one per pair for more.

    Args:
        archive: The map.
        measures: The names of its measures.
        elites: Who is in its cells, by number; its elites by default.

    Raises:
        RunError: If the map has no elite yet.
    """
    if not len(archive):
        raise RunError("there is nothing to draw: the map has no elite yet")
    axes = [axis_of(archive, number, name) for number, name in enumerate(measures)]
    inside = archive.elites if elites is None else elites
    indices = archive.cells.indices(archive.individual_cells[inside])
    if len(axes) == 1:
        return [_grid(archive, inside, axes[0], LINE, indices[:, 0], np.zeros_like(indices[:, 0]))]
    return [
        _grid(archive, inside, axes[x], axes[y], indices[:, x], indices[:, y])
        for x, y in combinations(range(len(axes)), 2)
    ]


def axis_of(archive: Archive, number: int, name: str) -> Axis:
    """A measure of a map that has an elite, by its number and name."""
    boundaries = archive.boundaries[number]
    inner = np.concatenate([[-np.inf], boundaries[1:-1], [np.inf]])
    values = archive.measures[archive.individual_cells != NOWHERE, number]
    edges = np.where(np.isfinite(boundaries), boundaries, values.max())
    edges[0], edges[-1] = min(edges[0], values.min()), max(edges[-1], values.max())
    if edges[0] == edges[-1]:  # all have the same measure: give it some width
        edges[0], edges[-1] = edges[0] - 0.5, edges[-1] + 0.5
    return Axis(name, edges, np.diff(inner) > 0)


def _grid(archive: Archive, inside: Ints, x: Axis, y: Axis, columns: Ints, rows: Ints) -> Grid:
    elites = np.full((len(x), len(y)), NOBODY, np.int64)
    objectives = np.full((len(x), len(y)), np.nan)
    order = np.argsort(archive.objectives[inside], kind="stable")  # the best is assigned last, and stays
    elites[columns[order], rows[order]] = inside[order]
    objectives[columns[order], rows[order]] = archive.objectives[inside][order]
    return Grid(x, y, elites, objectives)
