"""The log of a search whose evaluations have one participant: the combined results of each solution.

Solutions are numbered in the order of their first evaluation. Evaluations are only ever added. Everything else
(archives, curves, corrected maps) is computed from the log, and can be computed again.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.search.evaluation import Column, Floats, Ints, Solution, measured, merged
from deckatlas.search.history import History
from deckatlas.shapes import nearest, show

_FIRST_ROOM = 1024


class SolutionForm(Protocol):
    """The part of a space that a log needs: the form of solutions, and the names of their columns."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of a solution's numbers."""
        ...

    @property
    def length(self) -> int:
        """How many numbers a solution has."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that are known without playing."""
        ...


class Log:
    """All evaluations so far.

    Attributes:
        space: What the solutions are.
        every_column: All columns that evaluations give.
        measured: Those that evaluations measure; the others are multiples of these.
        names: The names of all columns that evaluations give, including multiples of measured ones.
    """

    def __init__(self, space: SolutionForm, columns: Sequence[Column]) -> None:
        self.space = space
        self.every_column = tuple(columns)
        self.measured = measured(columns)
        self.names = tuple(column.name for column in columns)
        self._columns = {column.name: column for column in columns}
        self._place = {column.name: place for place, column in enumerate(self.measured)}
        self._found: dict[str, tuple[int, float | None]] = {}  # place and multiple of columns; None: it is their own
        self._evaluations = 0
        self._count = 0
        self._again: dict[int, list[tuple[Floats, Floats, Floats]]] = {}
        self._borrowed: set[str] = set()  # arrays of a history, which are copied before they change
        count = len(self.measured)
        self._arrays: dict[str, npt.NDArray[Any]] = {
            "genes": np.empty((_FIRST_ROOM, space.length), dtype=space.dtype),
            "parent": np.empty(_FIRST_ROOM, dtype=np.int64),
            "first": np.empty(_FIRST_ROOM, dtype=np.int64),
            "games": np.empty(_FIRST_ROOM, dtype=np.int64),
            "own": np.empty((_FIRST_ROOM, len(space.columns))),
            "total": np.empty((_FIRST_ROOM, count)),
            "weight": np.empty((_FIRST_ROOM, count)),
            "error": np.empty((_FIRST_ROOM, count)),
        }

    @classmethod
    def from_history(cls, space: SolutionForm, columns: Sequence[Column], history: History, own: Floats) -> "Log":
        """The log with all these evaluations, the same as if they had been added one by one.

        Args:
            space: What the solutions are.
            columns: What the evaluator measures.
            history: The evaluations.
            own: The solutions' own columns, which are known without playing: one row per solution.
        """
        log = cls(space, columns)
        first = history.first_of
        every = len(history) == len(history.parents)
        log._arrays = {
            "genes": history.genes,
            "parent": history.parents,
            "first": first,
            "games": history.games[first],
            "own": own,
            "total": history.total if every else history.total[first],
            "weight": history.weight if every else history.weight[first],
            "error": history.error if every else history.error[first],
        }
        log._borrowed = {"total", "weight", "error"} if every else set()
        log._count, log._evaluations = len(history.parents), len(history)
        for number in np.flatnonzero(~history.is_first):
            log._add_again(
                int(history.solution[number]),
                int(history.games[number]),
                (history.total[number], history.weight[number], history.error[number]),
            )
        return log

    def __len__(self) -> int:
        """How many solutions there are."""
        return self._count

    @property
    def evaluations(self) -> int:
        """How many evaluations there are."""
        return self._evaluations

    @property
    def solutions(self) -> npt.NDArray[Any]:
        """The solutions, one per row."""
        return self._arrays["genes"][: self._count]

    @property
    def parents(self) -> Ints:
        """For each solution, the number of the one that it was varied from, or -1."""
        return self._arrays["parent"][: self._count]

    @property
    def first_evaluations(self) -> Ints:
        """For each solution, the number of its first evaluation; ascending."""
        return self._arrays["first"][: self._count]

    @property
    def games(self) -> Ints:
        """For each solution, the number of games it has played."""
        return self._arrays["games"][: self._count]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns: first those that evaluations give, then those of the solutions themselves."""
        return (*self.names, *self.space.columns)

    def add(
        self,
        solution: int,
        parent: int,
        genes: Solution,
        games: int,
        outcome: tuple[Floats, Floats, Floats],
        *,
        own: Floats | None,
    ) -> None:
        """Adds an evaluation of the next new solution, or another one of a known solution.

        Args:
            solution: Its number.
            parent: The number of the solution that it was varied from, or -1.
            genes: The solution.
            games: The number of games.
            outcome: Total, weight and error of each measured column.
            own: The solution's own columns; None if the solution is known.
        """
        number = self._evaluations
        if solution > self._count:
            raise ValueError(f"the next new solution is {self._count}, not {solution}")
        if (own is None) != (solution < self._count):
            raise ValueError("a new solution has its own columns, and a known one already had them")
        self._evaluations += 1
        if own is None:
            self._add_again(solution, games, outcome)
            return
        if self._count == len(self._arrays["parent"]):
            self._grow()
        arrays, at = self._arrays, self._count
        arrays["genes"][at] = genes
        arrays["parent"][at] = parent
        arrays["first"][at] = number
        arrays["own"][at] = own
        self._set(at, games, outcome)
        self._count += 1

    def column(self, name: str, number: int | None = None) -> Any:
        """The values of a column, for all solutions or for one."""
        chosen = slice(self._count) if number is None else number
        column = self._columns.get(name)
        if column is None:
            return self._arrays["own"][chosen, self.space.columns.index(name)]
        if column.of:
            return self.column(column.of, number) * column.scale
        place = self._place[name]
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._arrays["total"][chosen, place] / self._arrays["weight"][chosen, place]

    def error(self, name: str) -> Floats:
        """The standard error of a column for all solutions; zero for columns that are known without playing."""
        column = self._columns.get(name)
        if column is None:
            return np.zeros(self._count)
        if column.of:
            return self.error(column.of) * column.scale
        return np.asarray(self._arrays["error"][: self._count, self._place[name]])

    def place_of(self, name: str) -> tuple[int, float]:
        """The index of a column among the measured ones, and its multiplier."""
        column = self._columns[name]
        return (self._place[column.of], column.scale) if column.of else (self._place[name], 1.0)

    def matrix(self, names: Sequence[str]) -> Floats:
        """Several columns beside each other."""
        return np.stack([self.column(name) for name in names], axis=-1)

    def values(self, names: Sequence[str], number: int) -> list[float]:
        """Several columns of one solution."""
        return [self._value(name, number) for name in names]

    def _value(self, name: str, number: int) -> float:
        """A column of one solution, without an array for it: a search needs this after every evaluation."""
        found = self._found.get(name)
        if found is None:
            is_own = name not in self._columns
            found = (self.space.columns.index(name), None) if is_own else self.place_of(name)
            self._found[name] = found
        place, scale = found
        if scale is None:
            return float(self._arrays["own"].item(number, place))
        total, weight = self._arrays["total"].item(number, place), self._arrays["weight"].item(number, place)
        return float(total / weight * scale if weight else self.column(name, number))

    def _add_again(self, solution: int, games: int, outcome: tuple[Floats, Floats, Floats]) -> None:
        # Always merged from all evaluations: step by step, errors would be rounded differently after a resume.
        known = self._again.setdefault(solution, [self._outcome(solution)])
        known.append(outcome)
        for name in self._borrowed:
            self._arrays[name] = self._arrays[name].copy()
        self._borrowed = set()
        self._set(solution, int(self._arrays["games"][solution]) + games, merged(known))

    def _outcome(self, solution: int) -> tuple[Floats, Floats, Floats]:
        return (
            self._arrays["total"][solution].copy(),
            self._arrays["weight"][solution].copy(),
            self._arrays["error"][solution].copy(),
        )

    def _set(self, solution: int, games: int, outcome: tuple[Floats, Floats, Floats]) -> None:
        self._arrays["games"][solution] = games
        arrays = self._arrays
        arrays["total"][solution], arrays["weight"][solution], arrays["error"][solution] = outcome

    def _grow(self) -> None:
        room = max(_FIRST_ROOM, 2 * self._count)
        for name, array in self._arrays.items():
            grown = np.empty((room, *array.shape[1:]), dtype=array.dtype)
            grown[: self._count] = array[: self._count]
            self._arrays[name] = grown
        self._borrowed = set()


def check_columns(names: Sequence[str], known: Sequence[str], key: str) -> None:
    """Checks that all these columns are known.

    Raises:
        SearchError: If one is unknown; the message has the nearest name.
    """
    for name in names:
        if name not in known:
            raise SearchError(f"there is no column {show(name)}: {nearest(name, known)}", key)
