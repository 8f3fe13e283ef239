"""The log of a map: all evaluations in the order in which they were told, and what is known of each solution by them.

A solution is numbered by when it was first told. Evaluations are only ever added; everything else (archives, curves,
corrected maps) is made of the log, and can be made of it again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.search.evaluation import Floats, Ints, Outcome, Solution, Space
from deckatlas.shapes import nearest, show

NONE = -1
_FIRST_ROOM = 1024


@dataclass(frozen=True)
class Entry:
    """One evaluation of the log.

    Attributes:
        solution: The solution's number.
        parent: The number of the solution that it was varied from, or -1.
        genes: The solution, if this is its first evaluation.
        outcome: What came of it.
    """

    solution: int
    parent: int
    genes: Solution | None
    outcome: Outcome


@dataclass(frozen=True)
class Entries:
    """Many evaluations as arrays.

    Attributes:
        solution: For each evaluation, the number of the solution.
        games: For each evaluation, its games.
        outcome: For each evaluation value, error and weight of each column.
        parent: For each solution, the number of the one that it was varied from, or -1.
        genes: The solutions.
    """

    solution: Ints
    games: Ints
    outcome: Floats
    parent: Ints
    genes: npt.NDArray[Any]

    def __len__(self) -> int:
        return len(self.solution)

    def first(self, count: int) -> "Entries":
        """The first so many evaluations."""
        solutions = int(self.solution[:count].max(initial=NONE)) + 1
        return Entries(
            self.solution[:count],
            self.games[:count],
            self.outcome[:count],
            self.parent[:solutions],
            self.genes[:solutions],
        )

    def entry(self, number: int) -> Entry:
        """One evaluation."""
        solution = int(self.solution[number])
        return Entry(
            solution,
            int(self.parent[solution]),
            self.genes[solution] if self.is_first[number] else None,
            Outcome(int(self.games[number]), *self.outcome[number]),
        )

    @cached_property
    def first_of(self) -> Ints:
        """For each solution, the number of its first evaluation."""
        first = np.full(len(self.parent), NONE, dtype=np.int64)
        first[self.solution[::-1]] = np.arange(len(self))[::-1]
        return first

    @cached_property
    def is_first(self) -> npt.NDArray[np.bool_]:
        """For each evaluation, whether it is the first of its solution."""
        marks = np.zeros(len(self), dtype=np.bool_)
        marks[self.first_of] = True
        return marks


class Log:
    """All evaluations so far.

    Attributes:
        space: What the solutions are.
        columns: What is measured by playing them.
    """

    def __init__(self, space: Space, columns: tuple[str, ...]) -> None:
        self.space = space
        self.columns = columns
        self._evaluations = 0
        self._count = 0
        self._again: dict[int, list[Outcome]] = {}
        self._arrays: dict[str, npt.NDArray[Any]] = {
            "genes": np.empty((_FIRST_ROOM, space.length), dtype=space.dtype),
            "parent": np.empty(_FIRST_ROOM, dtype=np.int64),
            "first": np.empty(_FIRST_ROOM, dtype=np.int64),
            "games": np.empty(_FIRST_ROOM, dtype=np.int64),
            "own": np.empty((_FIRST_ROOM, len(space.columns))),
            "outcome": np.empty((_FIRST_ROOM, 3, len(columns))),
        }

    @classmethod
    def from_entries(cls, space: Space, columns: tuple[str, ...], entries: Entries) -> "Log":
        """The log with all these evaluations, the same as if they had been added one by one.

        Large arrays are not copied as long as they need not change.
        """
        log = cls(space, columns)
        count = len(entries.parent)
        first = entries.first_of
        log._arrays = {
            "genes": entries.genes,
            "parent": entries.parent,
            "first": first,
            "games": entries.games[first],
            "own": space.measures(entries.genes),
            "outcome": entries.outcome if len(entries) == count else entries.outcome[first],
        }
        log._count, log._evaluations = count, len(entries)
        for number in np.flatnonzero(~entries.is_first):
            log._add_again(int(entries.solution[number]), Outcome(int(entries.games[number]), *entries.outcome[number]))
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
        """The solutions, a row each."""
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
        """For each solution, the games that it played."""
        return self._arrays["games"][: self._count]

    def add(self, entry: Entry) -> None:
        """Adds an evaluation: of the next new solution, or once more of one that is there."""
        number = self._evaluations
        self._evaluations += 1
        if entry.genes is None:
            return self._add_again(entry.solution, entry.outcome)
        if entry.solution != self._count:
            raise ValueError(f"the next new solution is {self._count}, not {entry.solution}")
        if self._count == len(self._arrays["parent"]):
            self._grow()
        own = self.space.measures(entry.genes[np.newaxis])[0]
        rows = {"genes": entry.genes, "parent": entry.parent, "first": number, "own": own}
        for name, value in rows.items():
            self._arrays[name][self._count] = value
        self._set_outcome(self._count, entry.outcome)
        self._count += 1
        return None

    def column(self, name: str, number: int | None = None) -> Any:
        """What is known of all solutions, or of one, by the name of a column."""
        chosen = slice(self._count) if number is None else number
        if name in self.columns:
            return self._arrays["outcome"][chosen, 0, self.columns.index(name)]
        return self._arrays["own"][chosen, self.space.columns.index(name)]

    def error(self, name: str) -> Floats:
        """The standard error of a column for all solutions: zero for what is known of a solution without a game."""
        if name in self.columns:
            return np.asarray(self._arrays["outcome"][: self._count, 1, self.columns.index(name)])
        return np.zeros(self._count)

    def matrix(self, names: Sequence[str], number: int | None = None) -> Floats:
        """Several columns beside each other."""
        return np.stack([self.column(name, number) for name in names], axis=-1)

    def _add_again(self, solution: int, outcome: Outcome) -> None:
        # Merged from all evaluations each time: in steps, sums would be rounded otherwise after a resume.
        known = self._again.setdefault(solution, [self._outcome(solution)])
        known.append(outcome)
        if not self._arrays["outcome"].flags.owndata:  # it is that of the entries
            self._arrays["outcome"] = self._arrays["outcome"].copy()
        self._set_outcome(solution, Outcome.merged(known))

    def _outcome(self, solution: int) -> Outcome:
        value, error, weight = self._arrays["outcome"][solution].copy()
        return Outcome(int(self._arrays["games"][solution]), value, error, weight)

    def _set_outcome(self, solution: int, outcome: Outcome) -> None:
        self._arrays["games"][solution] = outcome.games
        self._arrays["outcome"][solution] = outcome.value, outcome.error, outcome.weight

    def _grow(self) -> None:
        room = max(_FIRST_ROOM, 2 * self._count)
        for name, array in self._arrays.items():
            grown = np.empty((room, *array.shape[1:]), dtype=array.dtype)
            grown[: self._count] = array[: self._count]
            self._arrays[name] = grown


def check_columns(names: Sequence[str], known: Sequence[str], key: str) -> None:
    """Makes sure that all these columns are known.

    Raises:
        SearchError: If one is not; the message has the nearest name.
    """
    for name in names:
        if name not in known:
            raise SearchError(f"there is no column {show(name)}: {nearest(name, known)}", key)
