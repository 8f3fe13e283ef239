"""The archive: a log of all individuals, and the best individual of every cell.

The archive is a function of its log. It does not matter whether individuals are added together or one by one, or
whether boundaries move or numbers are replaced meanwhile: an elite is always the best of its cell so far.
"""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.search.cells import NOWHERE, Binning, Cells, best_of_cells
from deckatlas.search.evaluation import Floats, Ints

FIRST_CAPACITY = 64

Kind = TypeVar("Kind", bound=np.generic)


class BinningFactory(Protocol):
    """Something that makes the binning of an archive: its options."""

    def make_binning(self, planned: int) -> Binning:
        """Makes the binning of a search with this number of planned evaluations."""
        ...


class Archive:
    """Individuals, numbered in order of arrival, and the elite of each cell.

    The elite of a cell has the largest objective; among equals it is the earliest. An individual whose objective or
    measures are not finite is kept, but belongs to no cell.
    """

    def __init__(self, options: BinningFactory, *, planned: int) -> None:
        """Makes an empty archive.

        Args:
            options: Its options.
            planned: The number of planned evaluations; the number of cells grows over these.

        Raises:
            SearchError: If nothing is planned.
        """
        if planned < 1:
            raise SearchError(f"an archive needs 1 planned evaluation or more, not {planned}")
        self._options = options
        self._binning = options.make_binning(planned)
        self._row_length = self._binning.measures
        self._planned = planned
        self._told = 0
        self._objectives: Floats = np.empty(FIRST_CAPACITY)
        self._measures: Floats = np.empty((FIRST_CAPACITY, self._binning.measures))
        self._cell: Ints = np.empty(FIRST_CAPACITY, dtype=np.int64)
        self._best: float | None = None
        self._rival: int | None = None
        self._knows_rival = False
        self._rebuild()

    @classmethod
    def from_log(
        cls, options: BinningFactory, objectives: npt.ArrayLike, measures: npt.ArrayLike, *, planned: int
    ) -> Self:
        """Makes the same archive as adding the individuals one by one.

        Args:
            options: Its options.
            objectives: The objective of each individual.
            measures: The measures, one row per individual.
            planned: The number of planned evaluations.

        Raises:
            SearchError: If the shapes do not match the archive's measures or each other.
        """
        archive = cls(options, planned=planned)
        archive._take(np.array(objectives, dtype=np.float64), np.array(measures, dtype=np.float64))
        return archive

    def _take(self, objectives: Floats, measures: Floats) -> None:
        expected = (*objectives.shape, self._binning.measures)
        if objectives.ndim != 1 or (len(objectives) > 0 and measures.shape != expected):
            raise SearchError(
                f"a log has one objective and {self._binning.measures} measures for each individual, "
                f"not arrays of shapes {objectives.shape} and {measures.shape}"
            )
        self._told = len(objectives)
        self._objectives, self._measures = objectives, measures.reshape(expected)
        self._cell = np.empty(self._told, dtype=np.int64)
        self._rebuild()

    # Contents

    @property
    def told(self) -> int:
        """How many individuals there are."""
        return self._told

    @property
    def planned(self) -> int:
        """The number of planned evaluations."""
        return self._planned

    @property
    def objectives(self) -> Floats:
        """The objective of every individual, read-only."""
        return _shown(self._objectives[: self._told])

    @property
    def measures(self) -> Floats:
        """The measures of every individual, one row each, read-only."""
        return _shown(self._measures[: self._told])

    @property
    def cells(self) -> Cells:
        """The current cells."""
        return self._cells

    @property
    def boundaries(self) -> tuple[Floats, ...]:
        """The boundaries of the cells along each measure, ends included."""
        return self._cells.boundaries

    @property
    def individual_cells(self) -> Ints:
        """The cell of every individual, or NOWHERE; read-only."""
        return _shown(self._cell[: self._told])

    @property
    def elites(self) -> Ints:
        """The elites' numbers, in the order of their cells."""
        return self._sorted()[1]

    @property
    def best(self) -> float:
        """The largest objective of an elite; NaN if there are no elites."""
        if self._best is None:
            elites = np.fromiter(self._elite.values(), dtype=np.int64, count=len(self._elite))
            self._best = float(self._objectives[elites].max()) if len(elites) else float("nan")
        return self._best

    @property
    def elite_cells(self) -> Ints:
        """The cells that have an elite, ascending."""
        return self._sorted()[0]

    def elite_of(self, cell: int) -> int | None:
        """The number of a cell's elite, or None."""
        return self._elite.get(cell)

    @property
    def last_rival(self) -> int | None:
        """The individual that was the best of the last one's cell before that was added; None if there was none."""
        if not self._knows_rival and self._told:
            last = self._told - 1
            self._rival = self._best_in(int(self._cell[last]), before=last)
            self._knows_rival = True
        return self._rival

    def __len__(self) -> int:
        """How many elites there are."""
        return len(self._elite)

    # Changes

    def add(self, objective: float, measures: Sequence[float] | Floats) -> None:
        """Adds an individual; its number is the count of individuals before it."""
        row = self._row(measures)
        number = self._told
        self._reserve(number + 1)
        self._objectives[number] = objective
        self._measures[number] = row
        self._told += 1
        if self._binning.epoch(self._told) != self._epoch:
            self._rebuild()
            return
        cell = self._name(objective, row)
        self._cell[number] = cell
        self._rival, self._knows_rival = self._elite.get(cell), True
        self._enter(number, cell)

    def replay(self) -> Iterator["Archive"]:
        """This archive as it was after each of its individuals, as long as none was updated: one that grows."""
        again = Archive(self._options, planned=self._planned)
        for objective, row in zip(self.objectives.tolist(), self.measures.tolist(), strict=True):
            again.add(objective, row)
            yield again

    def update(self, number: int, objective: float, measures: Sequence[float] | Floats) -> None:
        """Replaces the numbers of an individual, after more games.

        The archive becomes the same as if the individual had had these numbers from the beginning.
        """
        row = self._row(measures)
        number = self._checked(number)
        self._knows_rival = False
        seen = self._binning.first_seen(self._made_at) <= number < self._made_at
        old_row, old_cell = self._measures[number].tolist(), int(self._cell[number])
        self._objectives[number] = objective
        self._measures[number] = row
        counts = isfinite(objective) and all(map(isfinite, row))
        if seen and (old_row != row or counts != (old_cell != NOWHERE)):
            self._rebuild()  # the boundaries may move
            return
        cell = self._name(objective, row)
        self._cell[number] = cell
        if self._elite.get(old_cell) == number:
            self._elect(old_cell)
        self._enter(number, cell)

    # Internals

    def _row(self, measures: Sequence[float] | Floats) -> list[float]:
        row = [float(value) for value in measures]
        if len(row) != self._row_length:
            raise SearchError(f"an individual has {self._row_length} measures here, not {len(row)}")
        return row

    def _checked(self, number: int) -> int:
        if not 0 <= number < self._told:
            raise SearchError(f"there is no individual {number}: the archive has {self._told}")
        return number

    def _reserve(self, count: int) -> None:
        if count <= len(self._objectives):
            return
        more = max(FIRST_CAPACITY, 2 * count)
        self._objectives = _grown(self._objectives, more)
        self._measures = _grown(self._measures, more)
        self._cell = _grown(self._cell, more)

    def _name(self, objective: float, row: list[float]) -> int:
        """The cell of these numbers."""
        return self._cells.number(row) if isfinite(objective) and all(map(isfinite, row)) else NOWHERE

    def _rebuild(self) -> None:
        """Makes the current cells and all elites from the log."""
        objectives, measures = self.objectives, self.measures
        counts = np.isfinite(objectives) & np.isfinite(measures).all(axis=1)
        self._epoch = self._binning.epoch(self._told)
        self._made_at = self._binning.made_at(self._told)
        seen = slice(self._binning.first_seen(self._made_at), self._made_at)
        self._cells = self._binning.cells(self._made_at, measures[seen][counts[seen]])
        numbers = np.where(counts, self._cells.numbers(measures), NOWHERE)
        self._cell[: self._told] = numbers
        found, elites = best_of_cells(numbers, objectives)
        self._elite: dict[int, int] = dict(zip(found.tolist(), elites.tolist(), strict=True))
        self._order: tuple[Ints, Ints] | None = (_shown(found), _shown(elites))
        self._best = None
        self._knows_rival = False

    def _enter(self, number: int, cell: int) -> None:
        """Makes an individual the elite of a cell if it beats the current one."""
        if cell == NOWHERE:
            return
        holder = self._elite.get(cell)
        if holder is None or self._beats(number, holder):
            self._elite[cell] = number
            self._order = None
            if self._best is not None and not self._best >= self._objectives[number]:
                self._best = float(self._objectives[number])

    def _beats(self, number: int, holder: int) -> bool:
        mine, other = self._objectives[number], self._objectives[holder]
        return bool(mine > other or (mine == other and number < holder))

    def _elect(self, cell: int) -> None:
        """Finds the elite of a cell among all its individuals."""
        found = self._best_in(cell, before=self._told)
        self._order = None
        self._best = None
        if found is None:
            del self._elite[cell]
        else:
            self._elite[cell] = found

    def _best_in(self, cell: int, *, before: int) -> int | None:
        """The best individual of a cell among those before this number; None if there is none."""
        if cell == NOWHERE:
            return None
        members = np.flatnonzero(self._cell[:before] == cell)
        return int(members[np.argmax(self._objectives[members])]) if len(members) else None

    def _sorted(self) -> tuple[Ints, Ints]:
        if self._order is None:
            cells = np.fromiter(self._elite, dtype=np.int64, count=len(self._elite))
            elites = np.fromiter(self._elite.values(), dtype=np.int64, count=len(self._elite))
            order = np.argsort(cells)
            self._order = _shown(cells[order]), _shown(elites[order])
        return self._order


def _shown(values: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    view = values[:]
    view.flags.writeable = False
    return view


def _grown(values: npt.NDArray[Kind], count: int) -> npt.NDArray[Kind]:
    grown = np.empty((count, *values.shape[1:]), dtype=values.dtype)
    grown[: len(values)] = values
    return grown
