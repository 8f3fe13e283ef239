"""The emitter of searches with a surrogate: a model of the results finds the solutions that are worth evaluating.

It works in rounds. Each round trains the model on the log, fills an archive with predictions (the inner loop), and
proposes elites of that archive. It may then let elites of the true archive play again, since luck made some of them. A
round starts when all results of the round before are in. The note of a candidate has its round and predictions; the
first candidate of a round also notes what the model learned.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Literal

import numpy as np
import numpy.typing as npt

from deckatlas.models.frozen import FrozenModel
from deckatlas.models.inner_loop import PredictedElites, Starts, inner_map
from deckatlas.models.surrogate import FitReport, Surrogate
from deckatlas.search.archive import Archive, BinningFactory
from deckatlas.search.batches import seed_of
from deckatlas.search.cells import Cells
from deckatlas.search.emitters import Knowledge, Proposal
from deckatlas.search.evaluation import Solution, Space
from deckatlas.search.generators import rng_of
from deckatlas.search.history import History
from deckatlas.search.log import Log
from deckatlas.search.rounds import candidate_note, is_known, round_facts, round_starts, training_data

Start = Literal["random", "evaluated", "stale", "renewed"]

# Unless the number is given: a map of few cells gives a round few candidates, so its inner loop must be short.
PREDICTIONS_PER_CELL = 1_000
MOST_PREDICTIONS = 1_000_000


@dataclass(frozen=True)
class SurrogatePlan:
    """What a search with a surrogate does.

    Attributes:
        seed: The seed of everything random.
        initial: The number of random solutions before the first round, known ones included.
        starts: Known solutions, which come first.
        evaluations: The number of planned evaluations.
        objective: The column that elites maximise.
        measures: The columns that span the archive.
        archive: How measures become cells.
        start: What an inner loop starts with: random solutions; these and all that were evaluated; or the elites of the
            inner loop before, with their old or with new predictions.
        repeats: Whether a solution that was evaluated before can be a candidate.
        most_candidates: The most candidates of a round, those with the largest expected gains; None for all elites.
        games: The games of an evaluation.
        most_games: Elites play again, once in a round, until they have played this many games; None: never.
        predictions: The predictions of each inner loop; None for a number that grows with the map.
        batch: The solutions that an inner loop predicts between two insertions.
        inner_initial: The random solutions at the start of an inner loop.
    """

    seed: int
    initial: int
    starts: tuple[Solution, ...]
    evaluations: int
    objective: str
    measures: tuple[str, ...]
    archive: BinningFactory
    start: Start
    repeats: bool
    most_candidates: int | None
    games: int
    most_games: int | None
    predictions: int | None
    batch: int
    inner_initial: int

    def predictions_for(self, cells: Cells) -> int:
        """The predictions of an inner loop over these cells: each gets enough, however many there are."""
        if self.predictions is not None:
            return self.predictions
        return max(self.inner_initial, min(PREDICTIONS_PER_CELL * prod(cells.shape), MOST_PREDICTIONS))

    def cells_of(self, log: Log) -> Cells:
        """The cells of the archive of a log."""
        objectives, measures = log.column(self.objective), log.matrix(self.measures)
        return Archive.from_log(self.archive, objectives, measures, planned=self.solutions(self.evaluations)).cells

    def solutions(self, evaluations: int) -> int:
        """The least number of solutions in this many evaluations."""
        return evaluations if self.most_games is None else self.initial


@dataclass
class SurrogateEmitter:
    """Random solutions at first, then rounds of candidates, each followed by more games of elites.

    Attributes:
        plan: What to do.
        learner: The model: one that learns in each round, or one that was trained before and stays as it is.
    """

    plan: SurrogatePlan
    learner: Surrogate | FrozenModel
    _round: int = 0  # rounds begun
    _end: int = 0  # the number of tasks before the next part of a round
    _confirms_next: bool = False  # whether that part lets elites play again
    _queue: deque[Proposal] = field(default_factory=deque)
    _kept: PredictedElites | None = None

    def __post_init__(self) -> None:
        """The random solutions come before the first round."""
        self._end = self.plan.initial

    def is_ready(self, number: int, knowledge: Knowledge) -> bool:
        """Whether the task belongs to the current part of a round, or all results are in and the next can start."""
        return number < self._end or knowledge.log.evaluations == number

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A random solution, a candidate of the current round, or an elite that plays again."""
        if number < len(self.plan.starts):
            return Proposal(self.plan.starts[number].copy())
        if number < self.plan.initial:
            return Proposal(knowledge.space.random(rng_of(self.plan.seed, number)))
        if number == self._end:
            if self._confirms_next:
                self._queue.extend(self._confirmations(knowledge))
            self._confirms_next = self.plan.most_games is not None and not self._queue
            if not self._queue:
                self._queue.extend(self._candidates(number, knowledge))
            self._end = number + len(self._queue)
        return self._queue.popleft()

    def tell(self, number: int, knowledge: Knowledge) -> None:
        """Nothing to remember: a round reads its data from the log."""

    def resume_at(self, history: History) -> tuple[int, int]:
        """The start of the last round."""
        last = max(round_starts(history.notes), default=0)
        return last, last

    def restore(self, history: History, knowledge: Knowledge) -> None:
        """Trains the model again for every round before, and runs inner loops again, if they build on each other."""
        told, space = knowledge.log.evaluations, knowledge.space
        builds_on = isinstance(self.learner, Surrogate) and self.learner.training.warm_start
        for start in round_starts(history.notes):
            if start == told:
                break
            if not builds_on and not self._inner_loops_build_on:
                self._round += 1
                continue
            known = history.first(start)
            earlier = Log.from_history(space, knowledge.log.every_column, known, space.measures(known.genes))
            self._learn(earlier)
            if self._inner_loops_build_on:
                self._explore(space, self.plan.cells_of(earlier), earlier)
        self._end = max(self._end, told)

    def final_model(self, history: History, knowledge: Knowledge) -> FrozenModel:
        """The model after a last training on the whole log, in a random order, as published; for a new emitter.

        Args:
            history: The log.
            knowledge: The same, as a log and an archive.
        """
        if isinstance(self.learner, FrozenModel):
            return self.learner
        self.restore(history, knowledge)
        self._round += 1
        data = training_data(knowledge.log, self.learner.targets)
        order = np.random.default_rng(self._seed("last training")).permutation(len(data))
        self.learner.fit(data.rows(order), self._seed("training"), progress=_hear_interrupts)
        return self.learner.frozen

    def solutions(self, evaluations: int) -> int:
        """Each evaluation counts as another solution, even of the same genes, unless elites play again."""
        return self.plan.solutions(evaluations)

    def _confirmations(self, knowledge: Knowledge) -> Iterator[Proposal]:
        """More games for elites that have not played enough."""
        log, most = knowledge.log, self.plan.most_games
        assert most is not None
        for number in knowledge.archive.elites.tolist():
            played = int(log.games[number])
            if played + self.plan.games <= most:
                yield Proposal(log.solutions[number].copy(), int(log.parents[number]), number, played)

    def _candidates(self, number: int, knowledge: Knowledge) -> Iterator[Proposal]:
        """The candidates of a new round; at least one."""
        if isinstance(self.learner, Surrogate) and not is_known(knowledge.log, self.learner.targets).any():
            yield Proposal(knowledge.space.random(rng_of(self.plan.seed, number)))
            return  # there is nothing to learn from yet, so this is no round
        report = self._learn(knowledge.log)
        found = self._explore(knowledge.space, knowledge.archive.cells, knowledge.log)
        chosen = self._chosen(found, knowledge, self.plan.evaluations - number)
        facts = round_facts(report, self.learner.targets, elites=len(found.cells), candidates=len(chosen))
        for place, row in enumerate(chosen.tolist()):
            predicted = dict(zip(self.learner.targets, found.predictions[row].tolist(), strict=True))
            note = candidate_note(self._round, predicted, None if place else facts)
            yield Proposal(found.genes[row], note=note)
        if not len(chosen):  # nothing new: a random solution gives the model something to learn
            note = candidate_note(self._round, {}, facts)
            yield Proposal(knowledge.space.random(rng_of(self.plan.seed, number)), note=note)

    def _learn(self, log: Log) -> FitReport | None:
        """Begins a round: trains the model on the log."""
        self._round += 1
        if isinstance(self.learner, FrozenModel):
            return None
        data = training_data(log, self.learner.targets)
        return self.learner.fit(data, self._seed("training"), progress=_hear_interrupts)

    @property
    def _inner_loops_build_on(self) -> bool:
        """Whether an inner loop starts with what the one before found."""
        return self.plan.start in ("stale", "renewed")

    def _explore(self, space: Space, cells: Cells, log: Log) -> PredictedElites:
        """The elites of an archive of predictions."""
        starts, initial, predictions = None, self.plan.inner_initial, self.plan.predictions_for(cells)
        if self.plan.start == "evaluated":
            starts = Starts(log.solutions)
            predictions += len(log)  # so that the loop makes as many of its own
        elif self._inner_loops_build_on and self._kept is not None:
            known = self._kept.predictions if self.plan.start == "stale" else None
            starts, initial = Starts(self._kept.genes, known), 0
        self._kept = inner_map(
            space,
            self.learner.frozen if isinstance(self.learner, Surrogate) else self.learner,
            objective=self.plan.objective,
            measures=self.plan.measures,
            cells=cells,
            predictions=predictions,
            initial=initial,
            batch=self.plan.batch,
            seed=self._seed("inner loop"),
            starts=starts,
            progress=_hear_interrupts,
        )
        return self._kept

    def _chosen(self, found: PredictedElites, knowledge: Knowledge, left: int) -> npt.NDArray[np.int64]:
        """The rows of the candidates among the elites, in the order of their cells."""
        rows = np.arange(len(found.cells))
        if not self.plan.repeats:
            known = {solution.tobytes() for solution in knowledge.log.solutions}
            rows = rows[[genes.tobytes() not in known for genes in found.genes]]
        if self.plan.most_candidates is not None:
            best = np.argsort(-_gains(found, knowledge.archive)[rows], kind="stable")
            rows = np.sort(rows[best[: min(self.plan.most_candidates, left)]])
        if len(rows) <= left:
            return rows
        rng = np.random.default_rng(self._seed("last round"))
        return np.sort(rng.permutation(rows)[:left])

    def _seed(self, purpose: str) -> int:
        return seed_of(self.plan.seed, purpose, self._round)


def _hear_interrupts(_: int) -> None:
    """Nothing: but Python looks for Ctrl-C before it calls a function."""


def _gains(found: PredictedElites, archive: Archive) -> npt.NDArray[np.float64]:
    """By how much the model expects each elite to improve the true archive.

    An elite of an empty cell gains more than any that improves a filled one. A gain may be negative: the holder of a
    cell may be lucky, and worse than the model expects of another solution.
    """
    objectives = archive.objectives[archive.elites]
    every = np.concatenate([objectives, found.objectives])
    if not len(every):
        return every
    lowest, highest = every.min(), every.max()
    gains: npt.NDArray[np.float64] = found.objectives - lowest + (highest - lowest) + 1
    places = np.searchsorted(archive.elite_cells, found.cells)
    is_held = np.isin(found.cells, archive.elite_cells)
    gains[is_held] = found.objectives[is_held] - objectives[places[is_held]]
    return gains
