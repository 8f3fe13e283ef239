"""Searches written as scripts: a generator that yields what it asks for, is sent the wins, and yields its generations.

A script reads from top to bottom like the algorithm it is; `Script` makes a search of it that can be asked and told.
"""

from collections.abc import Callable, Generator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.search.protocol import Ask, Course, Generation, Genomes, Indexes, Seeds

Wins = npt.NDArray[np.integer[Any]]
MOST_SEEDS = 20_000_000
Step = Ask | Generation
Steps = Generator[Step, Wins, None]


class Script:
    """A search that a script carries out.

    Attributes:
        games: How many games the script will ask for in all.
        initial: The generation that the script begins with, before it asks for anything.
    """

    def __init__(self, steps: Steps, *, games: int) -> None:
        self.games = games
        self._steps = steps
        self._ask: Ask | None = None
        self.initial = self._advance(steps.__next__)

    def ask(self) -> Ask | None:
        """What to play next, or None when the search is over."""
        return self._ask

    def tell(self, wins: Wins) -> Generation | None:
        """Takes the wins of the first player in each matchup of the ask; returns the generation that is now complete.

        Raises:
            SearchError: If nothing was asked for, or something of another size.
        """
        if self._ask is None:
            raise SearchError("the search is over and asks for nothing")
        if wins.shape != self._ask.first.shape:
            raise SearchError(f"{len(self._ask.first)} matchups were asked for, not {wins.shape}")
        return self._advance(partial(self._steps.send, wins))

    def _advance(self, resume: Callable[[], Step]) -> Generation | None:
        generation = self._ask = None
        try:
            step = resume()
            while isinstance(step, Generation):
                generation = step
                step = next(self._steps)
            self._ask = step
        except StopIteration:
            pass
        return generation


def generator_of(seed: int) -> np.random.Generator:
    """Where a search draws everything random from."""
    return np.random.Generator(np.random.PCG64(seed))


def draw_seeds(rng: np.random.Generator, count: int) -> Seeds:
    """Seeds of drafts or of games.

    Raises:
        SearchError: If there are too many to be held at once; only a budget can ask for so many.
    """
    if count > MOST_SEEDS:
        raise SearchError(
            f"a budget for {count:,} drafts or games at once is too large: at most {MOST_SEEDS:,}", "budget"
        )
    return rng.integers(0, 2**64, count, dtype=np.uint64)


def ask_over(
    rng: np.random.Generator, drafts: Seeds, games: int, *, genomes: Genomes, first: Indexes, second: Indexes
) -> Ask:
    """Matchups that all play so many games on each of some drafts.

    The seeds of the games are new for this ask, and the same for all its matchups: everybody meets the same shuffles.
    """
    seeds = draw_seeds(rng, games * len(drafts))
    course = Course(np.repeat(drafts, games), seeds)
    numbers = first.astype(np.int32), second.astype(np.int32), np.zeros(len(first), dtype=np.int32)
    return Ask(genomes, (course,), *numbers)


def games_won(ask: Ask, wins: Wins) -> npt.NDArray[np.int64]:
    """How many games each genome won in all its matchups, with other genomes or with opponents."""
    lost = np.array([len(course) for course in ask.courses])[ask.course] - wins
    won = np.zeros(len(ask.genomes), dtype=np.int64)
    for entrants, of_seat in ((ask.first, wins), (ask.second, lost)):
        np.add.at(won, entrants[entrants >= 0], of_seat[entrants >= 0])
    return won


def ranked(number: int, genomes: Genomes, scores: npt.NDArray[np.float64], facts: dict[str, float]) -> Generation:
    """A generation, its best first; those with equal scores stay in order."""
    order = np.argsort(-scores, kind="stable")
    return Generation(number, genomes[order], scores[order], facts)
