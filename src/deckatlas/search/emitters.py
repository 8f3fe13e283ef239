"""Emitters: what to evaluate next, as a function of the results so far, the seed and the task's number.

After each result, an emitter is asked for tasks until it needs another result. So tasks can be evaluated at the same
time, on any number of threads, and stay the same. An emitter may keep state, as long as the log rebuilds it. Most
keep none: they only say how many results each task needs, and an interrupted run resumes without repeating the log.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from deckatlas.search.archive import Archive
from deckatlas.search.batches import NONE
from deckatlas.search.doubt import doubtful
from deckatlas.search.evaluation import Solution, Space
from deckatlas.search.generators import rng_of
from deckatlas.search.history import History
from deckatlas.search.log import Log
from deckatlas.search.variation import DeckVariation, Variation

AnyOfVariations = Variation | DeckVariation
CHECKED = 100  # the number of stored evaluations that a resumed search is asked for again, where few are enough


class Proposal(NamedTuple):
    """One evaluation that an emitter proposes.

    Attributes:
        genes: The solution.
        parent: The number of the solution that it was varied from, or -1.
        again: The solution's number, if it was evaluated before; otherwise -1.
        first_game: The number of games that it has already played.
        note: What the log keeps about the evaluation beside its results, such as a prediction: JSON, or nothing.
    """

    genes: Solution
    parent: int = NONE
    again: int = NONE
    first_game: int = 0
    note: str = ""


@dataclass(frozen=True)
class Knowledge:
    """What an emitter may use: the log, the archive, and the proposals that have no result yet."""

    space: Space
    log: Log
    archive: Archive
    waiting: Collection[Proposal]

    @property
    def pending(self) -> set[int]:
        """The numbers of solutions that are being evaluated again."""
        return {proposal.again for proposal in self.waiting if proposal.again != NONE}


class Emitter(Protocol):
    """Decides what to evaluate next."""

    def is_ready(self, number: int, knowledge: Knowledge) -> bool:
        """Whether task `number` can be emitted, or needs more results first."""
        ...

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """Proposal `number`."""
        ...

    def tell(self, number: int, knowledge: Knowledge) -> None:
        """Called once the result of task `number` is in the log and the archive."""
        ...

    def resume_at(self, history: History) -> tuple[int, int]:
        """From where a resumed search repeats the log.

        Returns:
            How many stored results the search takes as they are, and how many tasks it had emitted by then. All later
            tasks are emitted and compared again, one by one.
        """
        ...

    def restore(self, history: History, knowledge: Knowledge) -> None:
        """Rebuilds the state after the stored results that are taken as they are: those in `knowledge`."""
        ...

    def solutions(self, evaluations: int) -> int:
        """The least number of solutions in this many evaluations; the archive's resolution grows over these."""
        ...


class StatelessEmitter(ABC):
    """An emitter whose tasks depend on nothing but the log."""

    @abstractmethod
    def needs(self, number: int) -> int:
        """How many results task `number` needs; never fewer than the task before it."""

    @abstractmethod
    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """Proposal `number`."""

    def is_ready(self, number: int, knowledge: Knowledge) -> bool:
        """Whether there are as many results as the task needs."""
        return self.needs(number) <= knowledge.log.evaluations

    def tell(self, number: int, knowledge: Knowledge) -> None:  # noqa: B027 - most have nothing to do
        """Nothing to remember."""

    def resume_at(self, history: History) -> tuple[int, int]:
        """Near the end: only the last tasks are asked for again."""
        asked = max(0, len(history) - CHECKED)
        return self.needs(asked), asked

    def restore(self, history: History, knowledge: Knowledge) -> None:  # noqa: B027
        """Nothing to rebuild."""

    def solutions(self, evaluations: int) -> int:
        """Each evaluation is of another solution."""
        return evaluations


@dataclass(frozen=True)
class RandomEmitter(StatelessEmitter):
    """Solutions drawn at random.

    Attributes:
        seed: The seed of everything random.
        window: How many evaluations can run at once.
    """

    seed: int
    window: int

    def needs(self, number: int) -> int:
        """All evaluations up to the window, though nothing is learned from them."""
        return max(0, number - self.window + 1)

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A random solution."""
        return Proposal(knowledge.space.random(rng_of(self.seed, number)))


@dataclass(frozen=True)
class MapElitesEmitter(StatelessEmitter):
    """Random solutions at first, then variations of elites; all elites are equally likely to be a parent.

    Attributes:
        seed: The seed of everything random.
        initial: The number of random solutions.
        window: How many evaluations can run at once: a task knows all results but those of the `window - 1` tasks
            before it.
        objective: The column that elites maximise.
        games: Games per evaluation.
        most_games: The most games that a solution can get where a cell's winner is in doubt; None: no extra games.
        variation: How elites are varied; None: by the space's own mutation.
        starts: Known solutions, which come first and count as random ones.
    """

    seed: int
    initial: int
    window: int
    objective: str
    games: int
    most_games: int | None = None
    variation: AnyOfVariations | None = None
    starts: tuple[Solution, ...] = ()

    def needs(self, number: int) -> int:
        """All evaluations up to the window."""
        return max(0, number - self.window + 1)

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A random solution, a variation of an elite, or more games where a winner is in doubt."""
        rng, log = rng_of(self.seed, number), knowledge.log
        elites = knowledge.archive.elites
        if number < len(self.starts):
            return Proposal(self.starts[number].copy())
        if number < self.initial or not len(elites):
            return Proposal(knowledge.space.random(rng))
        doubtful = self._doubtful(number, knowledge)
        if doubtful is not None:
            return Proposal(
                log.solutions[doubtful].copy(), int(log.parents[doubtful]), doubtful, int(log.games[doubtful])
            )
        parent = int(elites[rng.integers(len(elites))])
        if self.variation is not None:
            return Proposal(self.variation.child(log.solutions, parent, elites, rng), parent)
        return Proposal(knowledge.space.mutate(log.solutions[parent], rng), parent)

    def solutions(self, evaluations: int) -> int:
        """After the initial ones, every second evaluation may be of a known solution."""
        return evaluations if self.most_games is None else self.initial + (evaluations - self.initial) // 2

    def _doubtful(self, number: int, knowledge: Knowledge) -> int | None:
        """The solution that most needs more games; only for every second task, so that the search still progresses."""
        if self.most_games is None or number % 2:
            return None
        log = knowledge.log
        games = log.games.copy()
        games[list(knowledge.pending)] = self.most_games
        return doubtful(
            knowledge.archive,
            errors=log.error(self.objective),
            games=games,
            most_games=self.most_games - self.games + 1,
        )


@dataclass(frozen=True)
class PlusEmitter(StatelessEmitter):
    """(μ+λ): the best of parents and offspring are the next parents. Measures play no role.

    Attributes:
        seed: The seed of everything random.
        parents: How many survive a generation (μ); the first of them are random solutions.
        offspring: How many variations make a generation (λ).
        objective: The column that rates them.
        window: How many evaluations can run at once.
    """

    seed: int
    parents: int
    offspring: int
    objective: str
    window: int

    def needs(self, number: int) -> int:
        """All earlier generations, and all evaluations up to the window."""
        in_window = max(0, number - self.window + 1)
        return in_window if number < self.parents else max(in_window, self._generation_of(number))

    def _generation_of(self, number: int) -> int:
        """The number of tasks before the generation of a task."""
        return self.parents + (number - self.parents) // self.offspring * self.offspring

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A random solution, or a variation of one of the best so far."""
        rng, log = rng_of(self.seed, number), knowledge.log
        if number < self.parents:
            return Proposal(knowledge.space.random(rng))
        # A solution among the best of all was among the best of every generation since: no population need be kept.
        earlier = log.column(self.objective)[: self._generation_of(number)]
        objective = np.nan_to_num(earlier, nan=-np.inf)
        best = np.argsort(-objective, kind="stable")[: self.parents]
        parent = int(best[rng.integers(len(best))])
        return Proposal(knowledge.space.mutate(log.solutions[parent], rng), parent)
