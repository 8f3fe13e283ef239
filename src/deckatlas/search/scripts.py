"""Searches written as scripts: generators that yield batches, receive the wins, and yield generations.

A script reads from top to bottom like its algorithm; `Script` turns it into a search with `ask` and `tell`.
"""

import json
import math
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.batches import NONE, Batch, Course, Ints, Seeds, chained_hash, matchups
from deckatlas.search.evaluation import Outcomes
from deckatlas.search.history import History
from deckatlas.search.log import Log
from deckatlas.search.protocol import Generation, Genomes, Indexes, Scores

Wins = npt.NDArray[np.integer[Any]]
MOST_SEEDS = 20_000_000
ScriptStep = Batch | Generation
Steps = Generator[ScriptStep, Wins, None]
OutcomeSteps = Generator[ScriptStep, Outcomes, None]


class Script:
    """A search that runs a script: one by matchups receives wins, one by evaluations whole outcomes.

    Attributes:
        games: The number of games that the script will ask for in all.
        initial: The generation that the script yields before its first batch.
        archive: None: a script keeps populations.
        log: None: a script remembers what it needs.
    """

    def __init__(self, steps: Steps | OutcomeSteps, *, games: int) -> None:
        self.games = games
        self.archive: Archive | None = None
        self.log: Log | None = None
        self._steps: Generator[ScriptStep, Any, None] = steps
        self._pending: Batch | None = None
        self._handed_out = False
        self._numbers: dict[bytes, int] = {}
        self.initial = self._advance(steps.__next__)

    @property
    def is_over(self) -> bool:
        """Whether the script has ended."""
        return self._pending is None

    def ask(self) -> Batch | None:
        """What to play next; None while a batch has no outcomes yet, and when the search is over."""
        if self._handed_out:
            return None
        self._handed_out = True
        return self._pending

    def tell(self, outcomes: Outcomes) -> Generation | None:
        """Takes the wins of the first player in each matchup; returns the generation that is now complete.

        Raises:
            SearchError: If the search is over, or the number of matchups differs.
        """
        return self.tell_wins(outcomes.total[:, 0].astype(np.int64))

    def tell_wins(self, wins: Wins) -> Generation | None:
        """The same, from the wins alone."""
        if self._pending is None:
            raise SearchError("the search is over and asks for nothing")
        if wins.shape != (len(self._pending),):
            raise SearchError(f"the search asked for {len(self._pending)} matchups, not for wins of shape {wins.shape}")
        return self._send(wins)

    def resume(self, history: History) -> Batch | None:
        """Tells the script all stored outcomes, and compares its batches and generations with the stored ones.

        Returns:
            The last stored batch.

        Raises:
            SearchError: If the script would have asked for something else.
        """
        asked, reached = dict(history.asked), dict(history.generations)
        chain = b""
        batch: Batch | None = None
        if (reached.get(0) is None) != (self.initial is None):
            raise SearchError("the initial generation differs")
        if self.initial is not None and generation_hash(self.initial) != reached[0]:
            raise SearchError("the initial generation differs")
        for number, rows in enumerate(history.batches):
            batch = self.ask()
            if batch is None or len(batch) != rows.stop - rows.start:
                raise SearchError(f"batch {number} differs")
            chain = chained_hash(chain, batch)
            if asked.get(rows.stop, chain) != chain:
                raise SearchError(f"batch {number}, or one before it, differs")
            generation = self.tell(history.outcomes(rows))
            found = None if generation is None else generation_hash(generation)
            if found != reached.get(rows.stop):
                raise SearchError(f"the generation after batch {number} differs")
        return batch

    def _send(self, results: Wins | Outcomes) -> Generation | None:
        return self._advance(partial(self._steps.send, results))

    def _advance(self, resume: Callable[[], ScriptStep]) -> Generation | None:
        generation = self._pending = None
        self._handed_out = False
        try:
            step = resume()
            while isinstance(step, Generation):
                generation = replace(step, solutions=self._number(step.genomes))
                step = next(self._steps)
            numbers = self._number(step.genes)
            self._pending = replace(step, solutions=numbers, parents=np.full(len(numbers), NONE))
        except StopIteration:
            pass
        return generation

    def _number(self, genomes: Genomes) -> Ints:
        """The numbers of genomes in the log: the same genes have the same number."""
        found = [self._numbers.setdefault(genome.tobytes(), len(self._numbers)) for genome in genomes]
        return np.array(found, dtype=np.int64)


class EvaluationScript(Script):
    """A script whose batches are evaluations of one participant; it receives all outcomes of a batch."""

    def tell(self, outcomes: Outcomes) -> Generation | None:
        """Takes the outcomes of each evaluation; returns the generation that is now complete.

        Raises:
            SearchError: If the search is over, or the number of evaluations differs.
        """
        if self._pending is None:
            raise SearchError("the search is over and asks for nothing")
        if len(outcomes) != len(self._pending):
            raise SearchError(f"the search asked for {len(self._pending)} evaluations, not for {len(outcomes)}")
        return self._send(outcomes)


def generation_hash(generation: Generation) -> bytes:
    """A hash of a generation: its number, facts, genomes and scores."""
    return population_hash(generation.number, facts_json(generation.facts), generation.genomes, generation.scores)


def population_hash(number: int, facts: str, genomes: Genomes, scores: Scores) -> bytes:
    """The same hash, from stored values."""
    digest = sha256(f"{number} {facts} {genomes.shape}".encode())
    digest.update(genomes.astype("<f8").tobytes() + scores.astype("<f8").tobytes())
    return digest.digest()


def facts_json(facts: Mapping[str, float]) -> str:
    """The facts of a generation as they are stored; numbers that are not finite become null."""
    finite = {name: float(value) if math.isfinite(value) else None for name, value in facts.items()}
    return json.dumps(finite, sort_keys=True, separators=(",", ":"))


def generator_of(seed: int) -> np.random.Generator:
    """The random generator of a search."""
    return np.random.Generator(np.random.PCG64(seed))


def draw_seeds(rng: np.random.Generator, count: int) -> Seeds:
    """Seeds of drafts or of games.

    Raises:
        SearchError: If there are too many to keep in memory; only a very large budget asks for so many.
    """
    if count > MOST_SEEDS:
        raise SearchError(
            f"a budget for {count:,} drafts or games at once is too large: at most {MOST_SEEDS:,}", "budget"
        )
    return rng.integers(0, 2**64, count, dtype=np.uint64)


def ask_over(
    rng: np.random.Generator, drafts: Seeds, games: int, *, genomes: Genomes, first: Indexes, second: Indexes
) -> Batch:
    """Makes a batch of matchups that all play `games` games on each draft.

    The seeds of the games are new for this batch, and the same for all its matchups: everyone plays the same shuffles.
    """
    seeds = draw_seeds(rng, games * len(drafts))
    course = Course(np.repeat(drafts, games), seeds)
    numbers = first.astype(np.int32), second.astype(np.int32), np.zeros(len(first), dtype=np.int32)
    return matchups(genomes, (course,), *numbers)


def games_won(ask: Batch, wins: Wins) -> npt.NDArray[np.int64]:
    """The number of games that each genome won in all its matchups, against other genomes or opponents."""
    lost = ask.lengths - wins
    won = np.zeros(len(ask.genes), dtype=np.int64)
    for entrants, of_seat in ((ask.first, wins), (ask.second, lost)):
        np.add.at(won, entrants[entrants >= 0], of_seat[entrants >= 0])
    return won


def ranked(number: int, genomes: Genomes, scores: npt.NDArray[np.float64], facts: dict[str, float]) -> Generation:
    """A generation, sorted best first; equal scores keep their order."""
    order = np.argsort(-scores, kind="stable")
    return Generation(number, genomes[order], scores[order], facts)
