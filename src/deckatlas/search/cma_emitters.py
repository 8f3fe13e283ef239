"""Emitters that adapt normal distributions over real vectors: CMA-ME with several of them, and CMA-ES with one.

Each distribution makes generations of a fixed number of draws. It goes on drawing while results are missing, up to a
limit. What comes after its generation is complete still enters the map, but the distribution learns nothing from it.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from deckatlas.search.archive import Archive
from deckatlas.search.batches import NONE
from deckatlas.search.cma import Cma
from deckatlas.search.emitters import Knowledge, Proposal, rng_of
from deckatlas.search.evaluation import Floats
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
        objective = float(archive.objectives[number])
        rivals = np.flatnonzero(archive.individual_cells[:number] == cell)
        if not len(rivals):
            return 1, objective
        return 0, objective - float(archive.objectives[rivals].max())

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

    def distribution(self, mean: Floats) -> Cma:
        """A new distribution around a mean."""
        return Cma(mean, self.sigma, population=self.population, published=self.published)


class _Line:
    """One distribution after another, and its generation so far.

    Attributes:
        released: The number of draws in all.
        generation: The number of generations that are complete.
    """

    def __init__(self, plan: CmaPlan, index: int) -> None:
        self._plan = plan
        self._index = index
        self._cma = plan.distribution(plan.bounds.centre)
        self._origin = NONE
        self.released = 0
        self.generation = 0
        self._begin_generation()

    def _begin_generation(self) -> None:
        self._drawn = self._told = 0
        self._ranked: list[tuple[Rank, int]] = []

    @property
    def is_blocked(self) -> bool:
        """Whether it has drawn so much that it waits for results."""
        return self._drawn >= self._plan.overflow * self._plan.population

    def draw(self, rng: np.random.Generator) -> tuple[Floats, int]:
        """A vector, and the number of the solution that the distribution started from."""
        self.released += 1
        self._drawn += 1
        return self._plan.bounds.clip(self._cma.ask(rng)), self._origin

    def tell(self, number: int, knowledge: Knowledge) -> None:
        """Takes the result of a draw of the present generation; the last one completes the generation."""
        self._told += 1
        rank = self._plan.selection.rank(number, knowledge.archive)
        if rank is not None:
            self._ranked.append((rank, number))
        if self._told == self._plan.population:
            self._complete(knowledge)

    def _complete(self, knowledge: Knowledge) -> None:
        ranked = sorted(self._ranked, key=lambda each: each[0], reverse=True)  # stable: of equals, the earlier
        parents = self._plan.selection.parents(ranked)
        if parents:
            self._cma.tell(np.ascontiguousarray(knowledge.log.solutions[parents], dtype=np.float64))
        if not parents or self._cma.is_spent:
            self._start_again(knowledge)
        self.generation += 1
        self._begin_generation()

    def _start_again(self, knowledge: Knowledge) -> None:
        key = (self._index, self.generation)
        rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(self._plan.seed, spawn_key=key)))
        start = self._plan.selection.start(knowledge, rng)
        mean, self._origin = (self._plan.bounds.centre, NONE) if start is None else start
        self._cma = self._plan.distribution(mean)


class CmaEmitter:
    """Several distributions over one map; the next draw is of the one that has drawn least and does not wait."""

    def __init__(self, plan: CmaPlan) -> None:
        self._plan = plan
        self._begin()

    def _begin(self) -> None:
        self._lines = [_Line(self._plan, index) for index in range(self._plan.emitters)]
        self._under_way: deque[tuple[_Line, int]] = deque()  # for each task without a result, its generation

    def is_ready(self, number: int, knowledge: Knowledge) -> bool:
        """Whether a distribution does not wait, and the window has room."""
        has_room = number - knowledge.log.evaluations < self._plan.window
        return has_room and any(not line.is_blocked for line in self._lines)

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A draw."""
        line = min((line for line in self._lines if not line.is_blocked), key=lambda each: each.released)
        vector, origin = line.draw(rng_of(self._plan.seed, number))
        self._under_way.append((line, line.generation))
        return Proposal(vector.astype(knowledge.space.dtype), origin)

    def tell(self, number: int, knowledge: Knowledge) -> None:
        """Lets the distribution learn from the draw, unless its generation was complete without it."""
        line, generation = self._under_way.popleft()
        if line.generation == generation:
            line.tell(number, knowledge)

    def resume_at(self, history: History) -> tuple[int, int]:
        """At the beginning: learning again from the whole log takes little time."""
        return 0, 0

    def restore(self, history: History, knowledge: Knowledge) -> None:
        """Starts from the beginning: the whole log is repeated."""
        self._begin()

    def solutions(self, evaluations: int) -> int:
        """Each evaluation is of another solution."""
        return evaluations
