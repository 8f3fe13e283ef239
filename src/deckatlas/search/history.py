"""The history of a search: all evaluations, as arrays. A store returns it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.search.batches import NONE, Ints
from deckatlas.search.evaluation import Floats, Outcomes


@dataclass(frozen=True)
class History:
    """All evaluations in the order in which the search was told them.

    Attributes:
        genes: The solutions, one per row; a solution's number is its row.
        parents: For each solution, the number of the one that it was varied from, or -1.
        participants: For each evaluation, its participants: numbers of solutions, or -1 - k for opponent k.
        first_game: For each evaluation, the number of games of its seed before it.
        games: For each evaluation, its games.
        batch: For each evaluation, the number of its batch.
        total: For each evaluation and measured column, the sum over games or turns.
        weight: What the sums are divided by.
        error: Standard errors of the averages.
        asked: For each write to the store, the number of evaluations and a chained hash of all batches until then.
        generations: For each generation, the number of evaluations after which it was complete, and its hash.
        notes: The notes of those evaluations that have one.
    """

    genes: npt.NDArray[Any]
    parents: Ints
    participants: Ints
    first_game: Ints
    games: Ints
    batch: Ints
    total: Floats
    weight: Floats
    error: Floats
    asked: tuple[tuple[int, bytes], ...] = ()
    generations: tuple[tuple[int, bytes], ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.games)

    @property
    def solution(self) -> Ints:
        """For each evaluation, the number of its first participant."""
        return self.participants[:, 0]

    @property
    def value(self) -> Floats:
        """The averages."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.total / self.weight

    def first(self, count: int) -> "History":
        """The first `count` evaluations, each of one participant, and their solutions."""
        solutions = int(self.solution[:count].max(initial=NONE)) + 1
        return History(
            self.genes[:solutions],
            self.parents[:solutions],
            self.participants[:count],
            self.first_game[:count],
            self.games[:count],
            self.batch[:count],
            self.total[:count],
            self.weight[:count],
            self.error[:count],
            notes={number: note for number, note in self.notes.items() if number < count},
        )

    def outcomes(self, chosen: slice) -> Outcomes:
        """The outcomes of some evaluations, without single games."""
        return Outcomes(self.games[chosen], self.total[chosen], self.weight[chosen], self.error[chosen])

    @cached_property
    def batches(self) -> tuple[slice, ...]:
        """The evaluations of each batch."""
        if not len(self):
            return ()
        later = (np.flatnonzero(np.diff(self.batch)) + 1).tolist()
        return tuple(slice(start, end) for start, end in pairwise([0, *later, len(self)]))

    @cached_property
    def first_of(self) -> Ints:
        """For each solution, the number of its first evaluation."""
        first = np.full(len(self.parents), NONE, dtype=np.int64)
        first[self.solution[::-1]] = np.arange(len(self))[::-1]
        return first

    @cached_property
    def is_first(self) -> npt.NDArray[np.bool_]:
        """For each evaluation, whether it is the first of its solution."""
        marks = np.zeros(len(self), dtype=np.bool_)
        marks[self.first_of] = True
        return marks
