"""Emitters: what to evaluate next, as a function of what is known, of the seed and of a running number alone.

An emitter says for each task how many evaluations must have been told before it; it is asked for the task when exactly
so many have been. So tasks can be evaluated at the same time, on any number of threads, and still be the same; and a
run that was broken off is resumed by looking at its log, not by living through it again.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from deckatlas.search.archive import Archive
from deckatlas.search.batches import NONE
from deckatlas.search.doubt import doubtful
from deckatlas.search.evaluation import Solution, Space
from deckatlas.search.log import Log


@dataclass(frozen=True)
class Proposal:
    """One evaluation that an emitter proposes.

    Attributes:
        genes: The solution.
        parent: The number of the solution that it was varied from, or -1.
        again: Its number, if it was evaluated before; otherwise -1.
        first_game: How many games it has played before.
    """

    genes: Solution
    parent: int = NONE
    again: int = NONE
    first_game: int = 0


@dataclass(frozen=True)
class Knowledge:
    """What an emitter may look at: all evaluations told so far, the archive, and known solutions being played again."""

    space: Space
    log: Log
    archive: Archive
    pending: Collection[int]


class Emitter(Protocol):
    """Who says what to evaluate next."""

    def needs(self, number: int) -> int:
        """How many evaluations must have been told before task `number`; never fewer than for the task before it."""
        ...

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """Proposal `number`."""
        ...

    def solutions(self, evaluations: int) -> int:
        """How many solutions there are at least, with so many evaluations: an archive grows by these."""
        ...


def rng_of(seed: int, number: int) -> np.random.Generator:
    """The random source of one task; what others draw does not matter to it."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number,))))


@dataclass(frozen=True)
class RandomEmitter:
    """Solutions drawn at random.

    Attributes:
        seed: Where everything random comes from.
        window: How many evaluations can be under way.
    """

    seed: int
    window: int

    def needs(self, number: int) -> int:
        """All evaluations up to the window, though nothing is learned from them."""
        return max(0, number - self.window + 1)

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A random solution."""
        return Proposal(knowledge.space.random(rng_of(self.seed, number)))

    def solutions(self, evaluations: int) -> int:
        """Each evaluation is of another solution."""
        return evaluations


@dataclass(frozen=True)
class MapElitesEmitter:
    """Random solutions at first, then variations of elites, all of them equally likely to be a parent.

    Attributes:
        seed: Where everything random comes from.
        initial: How many random solutions there are.
        window: How many evaluations can be under way: a task knows all but those of the `window - 1` tasks before it.
        objective: The column that elites are best in.
        games: Games of an evaluation.
        most_games: The most games that a solution can be given where a cell's winner is in doubt; None: never more.
    """

    seed: int
    initial: int
    window: int
    objective: str
    games: int
    most_games: int | None = None

    def needs(self, number: int) -> int:
        """All evaluations up to the window."""
        return max(0, number - self.window + 1)

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A random solution, a variation of an elite, or more games where a winner is in doubt."""
        rng, log = rng_of(self.seed, number), knowledge.log
        elites = knowledge.archive.elites
        if number < self.initial or not len(elites):
            return Proposal(knowledge.space.random(rng))
        doubtful = self._doubtful(number, knowledge)
        if doubtful is not None:
            return Proposal(
                log.solutions[doubtful].copy(), int(log.parents[doubtful]), doubtful, int(log.games[doubtful])
            )
        parent = int(elites[rng.integers(len(elites))])
        return Proposal(knowledge.space.mutate(log.solutions[parent], rng), parent)

    def solutions(self, evaluations: int) -> int:
        """Every other evaluation may be of a solution that is known, after the first ones."""
        return evaluations if self.most_games is None else self.initial + (evaluations - self.initial) // 2

    def _doubtful(self, number: int, knowledge: Knowledge) -> int | None:
        """A solution that more games would tell most about; every other task at most, so that the search goes on."""
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
class PlusEmitter:
    """(μ+λ): of parents and offspring the best are the next parents. It does not look at measures.

    Attributes:
        seed: Where everything random comes from.
        parents: How many survive a generation (μ); as many random solutions are the first of them.
        offspring: How many variations make a generation (λ).
        objective: The column they are rated by.
        window: How many evaluations can be under way.
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
        """How many tasks there are before the generation of a task."""
        return self.parents + (number - self.parents) // self.offspring * self.offspring

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A random solution, or a variation of one of the best so far."""
        rng, log = rng_of(self.seed, number), knowledge.log
        if number < self.parents:
            return Proposal(knowledge.space.random(rng))
        # Who is among the best of all is among the best of every generation since: no population need be kept.
        earlier = log.column(self.objective)[: self._generation_of(number)]
        objective = np.nan_to_num(earlier, nan=-np.inf)
        best = np.argsort(-objective, kind="stable")[: self.parents]
        parent = int(best[rng.integers(len(best))])
        return Proposal(knowledge.space.mutate(log.solutions[parent], rng), parent)

    def solutions(self, evaluations: int) -> int:
        """Each evaluation is of another solution."""
        return evaluations
