"""Emitters that adapt normal distributions over real vectors: CMA-ME with several of them, and CMA-ES with one.

Each distribution makes generations of a fixed number of draws. It goes on drawing while results are missing, up to a
limit. What comes after its generation is complete still enters the map, but the distribution learns nothing from it.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from deckatlas.search.archive import Archive
from deckatlas.search.batches import NONE
from deckatlas.search.cma import Cma
from deckatlas.search.emitters import CHECKED, Knowledge, Proposal
from deckatlas.search.evaluation import Floats
from deckatlas.search.generators import rng_of
from deckatlas.search.history import History
from deckatlas.search.vectors import Bounds

Rank = tuple[int, float]  # the larger, the better


class Selection(Protocol):
    """Which draws of a generation become parents, and where a distribution starts again."""

    def rank(self, number: int, archive: Archive) -> Rank | None:
        """The rank of the archive's last individual; None: it is no parent."""
        ...

    def parents(self, ranked: Sequence[tuple[Rank, int]]) -> list[int]:
        """The numbers of the parents, from the ranks and numbers of a generation, best first; none: start again."""
        ...

    def start(self, knowledge: Knowledge, rng: np.random.Generator) -> tuple[Floats, int] | None:
        """The mean to start again from, and the number of its solution or -1; None: the first mean."""
        ...


@dataclass(frozen=True)
class ByImprovement:
    """Improvement emitters of CMA-ME: parents are the draws that entered the map, those in new cells first."""

    def rank(self, number: int, archive: Archive) -> Rank | None:
        """By objective in a new cell, after these by how much better the draw is than the cell's elite before."""
        cell = int(archive.individual_cells[number])
        if archive.elite_of(cell) != number:
            return None
        objective, rival = float(archive.objectives[number]), archive.last_rival
        if rival is None:
            return 1, objective
        return 0, objective - float(archive.objectives[rival])

    def parents(self, ranked: Sequence[tuple[Rank, int]]) -> list[int]:
        """All of them."""
        return [number for _, number in ranked]

    def start(self, knowledge: Knowledge, rng: np.random.Generator) -> tuple[Floats, int] | None:
        """A random elite."""
        elites = knowledge.archive.elites
        if not len(elites):
            return None
        number = int(elites[rng.integers(len(elites))])
        return knowledge.log.solutions[number].astype(np.float64), number


@dataclass(frozen=True)
class ByObjective:
    """CMA-ES: parents are the best of a generation, wherever they are on the map.

    Attributes:
        most: The number of parents.
    """

    most: int

    def rank(self, number: int, archive: Archive) -> Rank | None:
        """By objective."""
        objective = float(archive.objectives[number])
        return (0, objective) if np.isfinite(objective) else None

    def parents(self, ranked: Sequence[tuple[Rank, int]]) -> list[int]:
        """The best; none if they are all equally good, since then the ranks mean nothing."""
        best = ranked[: self.most]
        if len(best) > 1 and best[0][0] == best[-1][0]:
            return []
        return [number for _, number in best]

    def start(self, knowledge: Knowledge, rng: np.random.Generator) -> tuple[Floats, int] | None:
        """A random vector."""
        return knowledge.space.random(rng).astype(np.float64), NONE


@dataclass(frozen=True)
class CmaPlan:
    """What the distributions of a search share.

    Attributes:
        seed: The seed of everything random.
        bounds: Draws outside are moved to the nearest vector within.
        selection: Which draws become parents.
        emitters: The number of distributions.
        population: The number of draws in a generation.
        overflow: A distribution waits for results once it has drawn this many populations in a generation.
        sigma: The step size at a start.
        window: How many evaluations can run at once.
        published: Whether distributions adapt as in the program of the DSA-ME paper.
        first_mean: The mean of the first distributions; None for the middle of the bounds.
    """

    seed: int
    bounds: Bounds
    selection: Selection
    emitters: int
    population: int
    overflow: float
    sigma: float
    window: int
    published: bool = False
    first_mean: Floats | None = None

    def distribution(self, mean: Floats | None) -> Cma:
        """A new distribution around a mean; None for the first mean."""
        if mean is None:
            mean = self.bounds.centre if self.first_mean is None else self.first_mean
        return Cma(mean, self.sigma, population=self.population, published=self.published)


class _Turns:
    """Which distribution draws next, and which results belong to its present generation: a matter of counting alone.

    Attributes:
        asked: The number of draws in all.
        told: The number of results in all.
        generations: For each distribution, how many generations are complete.
    """

    def __init__(self, plan: CmaPlan) -> None:
        self._plan = plan
        self.asked = self.told = 0
        self.generations = [0] * plan.emitters
        self._released = [0] * plan.emitters  # draws in all
        self._drawn = [0] * plan.emitters  # draws of the present generation
        self._counted = [0] * plan.emitters  # results of the present generation
        self._under_way: deque[tuple[int, int]] = deque()  # the distribution and generation of draws without result

    def next(self) -> int | None:
        """The distribution that has drawn least of those that do not wait for results; None if the window is full."""
        if self.asked - self.told >= self._plan.window:
            return None
        most = self._plan.overflow * self._plan.population
        free = [index for index, drawn in enumerate(self._drawn) if drawn < most]
        return min(free, key=self._released.__getitem__, default=None)

    def draw(self, index: int) -> None:
        """Counts a draw of a distribution."""
        self.asked += 1
        self._released[index] += 1
        self._drawn[index] += 1
        self._under_way.append((index, self.generations[index]))

    def tell(self) -> tuple[int | None, bool]:
        """Counts the next result.

        Returns:
            The distribution that learns from it, None if its generation was complete without it; and whether the
            generation is complete with it.
        """
        self.told += 1
        index, generation = self._under_way.popleft()
        if generation != self.generations[index]:
            return None, False
        self._counted[index] += 1
        is_complete = self._counted[index] == self._plan.population
        if is_complete:
            self.generations[index] += 1
            self._drawn[index] = self._counted[index] = 0
        return index, is_complete


class _Line:
    """One distribution after another, and the ranks of its generation so far."""

    def __init__(self, plan: CmaPlan, index: int) -> None:
        self._plan = plan
        self._index = index
        self._cma = plan.distribution(None)
        self._origin = NONE
        self._ranked: list[tuple[Rank, int]] = []

    def draw(self, rng: np.random.Generator) -> tuple[Floats, int]:
        """A vector, and the number of the solution that the distribution started from."""
        return self._plan.bounds.clip(self._cma.ask(rng)), self._origin

    def tell(self, number: int, knowledge: Knowledge) -> None:
        """Takes the result of a draw of the present generation."""
        rank = self._plan.selection.rank(number, knowledge.archive)
        if rank is not None:
            self._ranked.append((rank, number))

    def complete(self, generation: int, knowledge: Knowledge) -> None:
        """Learns from a generation, given its number, or starts again."""
        ranked = sorted(self._ranked, key=lambda each: each[0], reverse=True)  # stable: of equals, the earlier
        parents = self._plan.selection.parents(ranked)
        if parents:
            self._cma.tell(np.ascontiguousarray(knowledge.log.solutions[parents], dtype=np.float64))
        if not parents or self._cma.is_spent:
            self._start_again(generation, knowledge)
        self._ranked = []

    def _start_again(self, generation: int, knowledge: Knowledge) -> None:
        key = (self._index, generation)
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(self._plan.seed, spawn_key=key)))
        start = self._plan.selection.start(knowledge, rng)
        mean, self._origin = (None, NONE) if start is None else start
        self._cma = self._plan.distribution(mean)


class CmaEmitter:
    """Several distributions over one map; the next draw is of the one that has drawn least and does not wait."""

    def __init__(self, plan: CmaPlan) -> None:
        self._plan = plan
        self._begin()

    def _begin(self) -> None:
        self._lines = [_Line(self._plan, index) for index in range(self._plan.emitters)]
        self._turns = _Turns(self._plan)

    def is_ready(self, number: int, knowledge: Knowledge) -> bool:
        """Whether a distribution does not wait, and the window has room."""
        return self._turns.next() is not None

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A draw."""
        index = self._turns.next()
        assert index is not None
        self._turns.draw(index)
        vector, origin = self._lines[index].draw(rng_of(self._plan.seed, number))
        return Proposal(vector.astype(knowledge.space.dtype), origin)

    def tell(self, number: int, knowledge: Knowledge) -> None:
        """Lets the distribution learn from the draw, unless its generation was complete without it."""
        index, is_complete = self._turns.tell()
        if index is None:
            return
        self._lines[index].tell(number, knowledge)
        if is_complete:
            self._lines[index].complete(self._turns.generations[index] - 1, knowledge)

    def resume_at(self, history: History) -> tuple[int, int]:
        """Near the end: distributions learn again from the whole log, but only the last draws are drawn again."""
        turns, most = _Turns(self._plan), max(0, len(history) - CHECKED)
        found = (0, 0)
        while True:
            _draw_ahead(turns)
            if turns.asked > most:
                return found
            found = turns.told, turns.asked
            turns.tell()

    def restore(self, history: History, knowledge: Knowledge) -> None:
        """Lets the distributions learn again, result by result, as they did when the draws were asked for."""
        self._begin()
        if not knowledge.log.evaluations:
            return
        for number, archive in enumerate(knowledge.archive.replay()):
            _draw_ahead(self._turns)
            self.tell(number, replace(knowledge, archive=archive))
        _draw_ahead(self._turns)

    def solutions(self, evaluations: int) -> int:
        """Each evaluation is of another solution."""
        return evaluations


def _draw_ahead(turns: _Turns) -> None:
    """Counts all draws that are possible before the next result."""
    while (index := turns.next()) is not None:
        turns.draw(index)
