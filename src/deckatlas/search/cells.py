"""How measures become cells: boundaries along each measure, and when they are recomputed during a search.

The cells depend only on the number of individuals so far and on their measures, so an archive built from a log is the
same as the archive that grew with it. The published binnings are those of the programs of two papers;
docs/decisions/0014-archives.md says how they differ.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor, prod
from typing import Literal, Protocol

import numpy as np

from deckatlas.search.evaluation import Floats, Ints

NOWHERE = -1  # the cell of an individual without numbers
Shape = tuple[int, ...]  # cells along each measure


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of an archive, numbered row by row: the last measure's index changes fastest.

    Attributes:
        boundaries: For each measure, its boundaries in order, both ends included: one more than cells. Values beyond
            the ends belong to the first or last cell.
        side: Whether a value on a boundary belongs to the cell on its right or on its left.
    """

    boundaries: tuple[Floats, ...]
    side: Literal["right", "left"]

    @cached_property
    def shape(self) -> Shape:
        """The number of cells along each measure."""
        return tuple(len(each) - 1 for each in self.boundaries)

    @property
    def count(self) -> int:
        """How many cells there are."""
        return prod(self.shape)

    @cached_property
    def reachable(self) -> int:
        """The number of cells with room between their boundaries, so that a measure can fall into them."""
        return prod(len(np.unique(each[1:-1])) + 1 for each in self.boundaries)

    @cached_property
    def _inner(self) -> list[list[float]]:
        return [each[1:-1].tolist() for each in self.boundaries]

    def number(self, measures: Sequence[float]) -> int:
        """The cell of one individual."""
        bisect = bisect_right if self.side == "right" else bisect_left
        number = 0
        for inner, value in zip(self._inner, measures, strict=True):
            number = number * (len(inner) + 1) + bisect(inner, value)
        return number

    def numbers(self, measures: Floats) -> Ints:
        """The cells of individuals, given one row of measures each."""
        numbers = np.zeros(len(measures), dtype=np.int64)
        for each, values in zip(self.boundaries, measures.T, strict=True):
            numbers *= len(each) - 1
            numbers += np.searchsorted(each[1:-1], values, side=self.side)
        return numbers

    def indices(self, numbers: Ints) -> Ints:
        """The index of each cell along each measure: one row per cell."""
        return np.stack(np.unravel_index(numbers, self.shape), axis=1).astype(np.int64)

    def steps(self, one: Ints, other: Ints) -> Ints:
        """The number of steps between cells, summed over all measures, for each pair."""
        steps: Ints = np.abs(self.indices(other) - self.indices(one)).sum(axis=1)
        return steps


def best_of_cells(cells: Ints, objectives: Floats) -> tuple[Ints, Ints]:
    """The occupied cells, ascending, and the best individual of each; among equals the earliest.

    Args:
        cells: The cell of each individual, or NOWHERE.
        objectives: The objective of each.
    """
    placed = np.flatnonzero(cells != NOWHERE)
    found, slots = np.unique(cells[placed], return_inverse=True)
    values = objectives[placed]
    best = np.full(len(found), -np.inf)
    np.maximum.at(best, slots, values)
    winning = np.flatnonzero(values == best[slots])[::-1]
    numbers = np.empty(len(found), dtype=np.int64)
    numbers[slots[winning]] = placed[winning]  # within a cell the last assignment wins: the earliest individual
    return found, numbers


class Growth(Protocol):
    """How the number of cells along each measure grows; it never shrinks."""

    @property
    def planned(self) -> int:
        """The number of planned evaluations."""
        ...

    def shape(self, told: int) -> Shape:
        """The number of cells along each measure after `told` individuals."""
        ...


@dataclass(frozen=True)
class EvenGrowth:
    """Every number of cells from the first to the last holds for an equal part of the planned evaluations."""

    first: Shape
    last: Shape
    planned: int

    def shape(self, told: int) -> Shape:
        """See the base class."""
        if told >= self.planned or self.first == self.last:
            return self.last
        before = max(told - 1, 0)
        return tuple(
            first + before * (last - first + 1) // self.planned
            for first, last in zip(self.first, self.last, strict=True)
        )


@dataclass(frozen=True)
class PublishedGrowth:
    """Growth as published: the last number of cells is reached with the last planned evaluation."""

    first: Shape
    last: Shape
    planned: int

    def shape(self, told: int) -> Shape:
        """See the base class."""
        done = min(told / self.planned, 1.0) + 1e-9
        return tuple(first + floor(done * (last - first)) for first, last in zip(self.first, self.last, strict=True))


class Binning(ABC):
    """The cells of an archive at any time of a search."""

    @property
    @abstractmethod
    def measures(self) -> int:
        """How many measures there are."""

    @abstractmethod
    def epoch(self, told: int) -> tuple[int, ...]:
        """A number that never decreases, and changes with the individual after which the cells are recomputed."""

    @abstractmethod
    def first_seen(self, told: int) -> int:
        """The first individual whose measures the cells made after `told` individuals depend on; `told` if on none."""

    @abstractmethod
    def cells(self, told: int, seen: Floats) -> Cells:
        """Makes the cells after `told` individuals.

        Args:
            told: The number of individuals so far.
            seen: The measures of the individuals from `first_seen` on, without those that have no numbers.
        """

    def made_at(self, told: int) -> int:
        """The number of individuals at which the current cells were made."""
        return bisect_left(range(told + 1), self.epoch(told), key=self.epoch)


@dataclass(frozen=True)
class GridBinning(Binning):
    """Cells of one size over fixed ranges.

    Attributes:
        ranges: The lowest and highest value of each measure; values outside belong to the border cells.
        growth: The number of cells over time.
        published: Whether cells are (high - low + 1) / n wide, as published. The cells before the last can then be
            unreachable, since values of `high` and above belong to the last.
    """

    ranges: tuple[tuple[float, float], ...]
    growth: Growth
    published: bool = False

    @property
    def measures(self) -> int:
        """See the base class."""
        return len(self.ranges)

    def epoch(self, told: int) -> tuple[int, ...]:
        """See the base class."""
        return self.growth.shape(told)

    def first_seen(self, told: int) -> int:
        """See the base class: the cells depend on no individual."""
        return told

    def cells(self, told: int, seen: Floats) -> Cells:
        """See the base class."""
        shape = self.growth.shape(told)
        return Cells(tuple(self._along(*each, n) for each, n in zip(self.ranges, shape, strict=True)), "right")

    def _along(self, low: float, high: float, count: int) -> Floats:
        width = high - low + 1 if self.published else high - low
        boundaries: Floats = np.minimum(low + np.arange(count + 1) * width / count, high)
        boundaries[-1] = high
        return boundaries


@dataclass(frozen=True)
class SlidingBinning(Binning):
    """Boundaries at the quantiles of the measures of the last individuals.

    They are recomputed after every `remap` individuals, whenever the number of cells grows, and, before the first
    `remap`, each time the number of individuals has doubled. A value on a boundary belongs to the cell above it. As
    published, they are recomputed at individuals 1, remap + 1, 2 remap + 1 and so on, and the number of cells grows
    only then; a value on a boundary belongs to the cell below it. The published program evaluated a few individuals
    more than planned, and the first of these brought the last number of cells. Here the last planned individual does.

    Attributes:
        growth: The number of cells over time.
        remap: The number of individuals between two updates of the boundaries.
        history: How many of the last individuals the boundaries are computed from; None for all.
        published: Whether the boundaries are as published.
    """

    growth: Growth
    remap: int
    history: int | None = None
    published: bool = False

    @property
    def measures(self) -> int:
        """See the base class."""
        return len(self.growth.shape(0))

    def epoch(self, told: int) -> tuple[int, ...]:
        """See the base class."""
        if self.published:
            return ((told - 1) // self.remap, int(told >= self.growth.planned))
        doubled = min(told, self.remap - 1).bit_length()
        return (*self.growth.shape(told), doubled, told // self.remap)

    def first_seen(self, told: int) -> int:
        """See the base class."""
        return 0 if self.history is None else max(told - self.history, 0)

    def cells(self, told: int, seen: Floats) -> Cells:
        """See the base class; before there are any measures, everything belongs to the first cell."""
        boundaries = tuple(_quantiles(values, n) for values, n in zip(seen.T, self.growth.shape(told), strict=True))
        return Cells(boundaries, "left" if self.published else "right")


def _quantiles(values: Floats, count: int) -> Floats:
    """The smallest value, the values that divide the others into parts of equal size, and the largest."""
    if len(values) == 0:
        return np.full(count + 1, np.inf)
    ordered = np.sort(values)
    marks = np.minimum(np.arange(count + 1) * len(values) // count, len(values) - 1)
    return ordered[marks]
