"""The emitter of searches with a surrogate: a model of the results finds the solutions that are worth evaluating.

It works in rounds. Each round trains the model on the log, fills an archive with predictions (the inner loop), and
proposes the elites of that archive. A round starts when all results of the round before are in. The note of a candidate
has its round and predictions; the first candidate of a round also notes what the model learned.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from deckatlas.models.frozen import FrozenModel
from deckatlas.models.inner_loop import PredictedElites, Starts, inner_map
from deckatlas.models.surrogate import FitReport, Surrogate
from deckatlas.search.archive import Archive, BinningFactory
from deckatlas.search.batches import seed_of
from deckatlas.search.cells import Cells
from deckatlas.search.emitters import Knowledge, Proposal, rng_of
from deckatlas.search.evaluation import Space
from deckatlas.search.history import History
from deckatlas.search.log import Log
from deckatlas.search.rounds import candidate_note, is_known, round_facts, round_starts, training_data

Start = Literal["random", "stale", "renewed"]


@dataclass(frozen=True)
class SurrogatePlan:
    """What a search with a surrogate does.

    Attributes:
        seed: The seed of everything random.
        initial: The number of random solutions before the first round.
        evaluations: The number of planned evaluations.
        objective: The column that elites maximise.
        measures: The columns that span the archive.
        archive: How measures become cells.
        start: What an inner loop starts with: random solutions, the elites of the inner loop before with their old
            predictions, or the same elites with new predictions.
        repeats: Whether a solution that was evaluated before can be a candidate.
        predictions: The predictions of each inner loop.
        batch: The solutions that an inner loop predicts between two insertions.
        inner_initial: The random solutions at the start of an inner loop.
    """

    seed: int
    initial: int
    evaluations: int
    objective: str
    measures: tuple[str, ...]
    archive: BinningFactory
    start: Start
    repeats: bool
    predictions: int
    batch: int
    inner_initial: int

    def cells_of(self, log: Log) -> Cells:
        """The cells of the archive of a log."""
        objectives, measures = log.column(self.objective), log.matrix(self.measures)
        return Archive.from_log(self.archive, objectives, measures, planned=self.evaluations).cells


@dataclass
class SurrogateEmitter:
    """Random solutions at first, then rounds of candidates.

    Attributes:
        plan: What to do.
        learner: The model: one that learns in each round, or one that was trained before and stays as it is.
    """

    plan: SurrogatePlan
    learner: Surrogate | FrozenModel
    _round: int = 0  # rounds begun
    _end: int = 0  # the number of tasks before the next round
    _queue: deque[Proposal] = field(default_factory=deque)
    _kept: PredictedElites | None = None

    def __post_init__(self) -> None:
        """The random solutions come before the first round."""
        self._end = self.plan.initial

    def is_ready(self, number: int, knowledge: Knowledge) -> bool:
        """Whether the task belongs to the current round, or all results are in and the next round can start."""
        return number < self._end or knowledge.log.evaluations == number

    def emit(self, number: int, knowledge: Knowledge) -> Proposal:
        """A random solution, or a candidate of the current round."""
        if number < self.plan.initial:
            return Proposal(knowledge.space.random(rng_of(self.plan.seed, number)))
        if number == self._end:
            self._start_round(number, knowledge)
        return self._queue.popleft()

    def tell(self, number: int, knowledge: Knowledge) -> None:
        """Nothing to remember: a round reads its data from the log."""

    def resume_at(self, history: History) -> tuple[int, int]:
        """The start of the last round."""
        last = max(round_starts(history.notes), default=0)
        return last, last

    def restore(self, history: History, knowledge: Knowledge) -> None:
        """Trains the model again for every round before; inner loops run again only if they build on each other."""
        told, space = knowledge.log.evaluations, knowledge.space
        for start in round_starts(history.notes):
            if start == told:
                break
            known = history.first(start)
            earlier = Log.from_history(space, knowledge.log.every_column, known, space.measures(known.genes))
            self._learn(earlier)
            if self.plan.start != "random":
                self._explore(space, self.plan.cells_of(earlier))
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
        """Each evaluation counts as another solution, even if a candidate was evaluated before."""
        return evaluations

    def _start_round(self, number: int, knowledge: Knowledge) -> None:
        if isinstance(self.learner, Surrogate) and not is_known(knowledge.log, self.learner.targets).any():
            self._queue.append(Proposal(knowledge.space.random(rng_of(self.plan.seed, number))))
            self._end = number + 1  # there is nothing to learn from yet, so this is no round
            return
        report = self._learn(knowledge.log)
        found = self._explore(knowledge.space, knowledge.archive.cells)
        chosen = self._chosen(found, knowledge.log, self.plan.evaluations - number)
        facts = round_facts(report, self.learner.targets, elites=len(found.cells), candidates=len(chosen))
        for place, row in enumerate(chosen.tolist()):
            predicted = dict(zip(self.learner.targets, found.predictions[row].tolist(), strict=True))
            note = candidate_note(self._round, predicted, None if place else facts)
            self._queue.append(Proposal(found.genes[row], note=note))
        if not self._queue:  # nothing new: a random solution gives the model something to learn
            note = candidate_note(self._round, {}, facts)
            self._queue.append(Proposal(knowledge.space.random(rng_of(self.plan.seed, number)), note=note))
        self._end = number + len(self._queue)

    def _learn(self, log: Log) -> FitReport | None:
        """Begins a round: trains the model on the log."""
        self._round += 1
        if isinstance(self.learner, FrozenModel):
            return None
        data = training_data(log, self.learner.targets)
        return self.learner.fit(data, self._seed("training"), progress=_hear_interrupts)

    def _explore(self, space: Space, cells: Cells) -> PredictedElites:
        """The elites of an archive of predictions."""
        starts, initial = None, self.plan.inner_initial
        if self.plan.start != "random" and self._kept is not None:
            known = self._kept.predictions if self.plan.start == "stale" else None
            starts, initial = Starts(self._kept.genes, known), 0
        self._kept = inner_map(
            space,
            self.learner.frozen if isinstance(self.learner, Surrogate) else self.learner,
            objective=self.plan.objective,
            measures=self.plan.measures,
            cells=cells,
            predictions=self.plan.predictions,
            initial=initial,
            batch=self.plan.batch,
            seed=self._seed("inner loop"),
            starts=starts,
            progress=_hear_interrupts,
        )
        return self._kept

    def _chosen(self, found: PredictedElites, log: Log, most: int) -> npt.NDArray[np.int64]:
        """The rows of the elites to evaluate: all of them, or as many as the plan has left, drawn at random."""
        rows = np.arange(len(found.cells))
        if not self.plan.repeats:
            known = {solution.tobytes() for solution in log.solutions}
            rows = np.array([row for row in rows if found.genes[row].tobytes() not in known], dtype=np.int64)
        if len(rows) <= most:
            return rows
        rng = np.random.default_rng(self._seed("last round"))
        return np.sort(rng.permutation(rows)[:most])

    def _seed(self, purpose: str) -> int:
        return seed_of(self.plan.seed, purpose, self._round)


def _hear_interrupts(_: int) -> None:
    """Nothing: but Python looks for Ctrl-C before it calls a function."""
