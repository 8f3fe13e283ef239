"""The search for a map: it asks for evaluations in order, and derives everything else from the log."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import AnyArchive
from deckatlas.search.batches import NONE, Batch, Stream, seed_of
from deckatlas.search.emitters import Emitter, Knowledge, Proposal
from deckatlas.search.evaluation import Column, Floats, Outcomes, Space
from deckatlas.search.history import History
from deckatlas.search.log import Log, check_columns
from deckatlas.search.protocol import Generation

_COURSE = np.zeros(1, np.int32)
_PARTICIPANT = np.zeros((1, 1), np.int32)


@dataclass(frozen=True)
class MapPlan:
    """Everything that defines a map.

    Attributes:
        space: What is searched.
        columns: What the evaluator measures.
        objective: The column that elites maximise.
        archive: How measures become cells.
        emitter: What to evaluate next.
        evaluations: The number of planned evaluations.
        games: The games per evaluation.
        seed: The seed of the run.
        fresh: Whether each evaluation plays its own games; otherwise all solutions play the same games.

    Raises:
        SearchError: If a column is unknown.
    """

    space: Space
    columns: tuple[Column, ...]
    objective: str
    archive: AnyArchive
    emitter: Emitter
    evaluations: int
    games: int
    seed: int
    fresh: bool

    def __post_init__(self) -> None:
        known = (*(column.name for column in self.columns), *self.space.columns)
        check_columns([self.objective], known, "objective")
        check_columns(self.archive.measures, known, "archive.measures")

    @property
    def solutions(self) -> int:
        """The least number of planned solutions; the archive's resolution grows over these."""
        return self.emitter.solutions(self.evaluations)

    def archive_of(self, log: Log) -> Archive:
        """The archive of a log."""
        return Archive.from_log(
            self.archive, log.column(self.objective), log.matrix(self.archive.measures), planned=self.solutions
        )

    def stream(self, number: int, first_game: int) -> Stream:
        """The games of evaluation `number`, whose solution has already played `first_game` games."""
        return stream_of(self.seed, number, first_game, self.games, fresh=self.fresh)


def stream_of(seed: int, number: int, first_game: int, games: int, *, fresh: bool) -> Stream:
    """The games of an evaluation of a map: see `MapPlan`.

    Args:
        seed: The seed of the run.
        number: The number of the evaluation.
        first_game: How many games of a common seed its solution has already played.
        games: How many games it has.
        fresh: Whether it has a seed of its own.
    """
    return (
        Stream(seed_of(seed, "games", number), 0, games) if fresh else Stream(seed_of(seed, "games"), first_game, games)
    )


class MapSearch:
    """A search for a map.

    Attributes:
        plan: Everything that defines the map.
        log: All results so far.
        archive: The elites so far.
        games: The number of games that it will ask for in all.
        initial: None: there is no generation before the first game.
    """

    def __init__(self, plan: MapPlan) -> None:
        self.plan = plan
        self.games = plan.evaluations * plan.games
        self.initial: Generation | None = None
        self._waiting: deque[Proposal] = deque()
        self._own: deque[Floats] = deque()  # own columns of the first new solutions without a result
        self._left: deque[Batch] = deque()  # asked for before the search was resumed, and without results
        self._asked = 0
        self._new_asked = 0  # solutions among the evaluations asked for
        self.log: Log = Log(plan.space, plan.columns)
        self.archive: Archive = plan.archive_of(self.log)
        self._knowledge = Knowledge(plan.space, self.log, self.archive, self._waiting)

    @property
    def is_over(self) -> bool:
        """Whether all evaluations have results."""
        return self.log.evaluations == self.plan.evaluations

    def ask(self) -> Batch | None:
        """The next evaluation, or None if the search needs a result first or is over."""
        if self._left:
            return self._left.popleft()
        number = self._asked
        if number == self.plan.evaluations:
            return None
        knowledge = self._knowledge
        if not self.plan.emitter.is_ready(number, knowledge):
            return None
        proposal = self.plan.emitter.emit(number, knowledge)
        self._waiting.append(proposal)
        self._asked += 1
        solution = proposal.again
        if solution == NONE:
            solution = self._new_asked
            self._new_asked += 1
        return self._batch(number, proposal, solution)

    def tell(self, outcomes: Outcomes) -> None:
        """Takes the outcome of the earliest evaluation without one."""
        proposal = self._waiting.popleft()
        is_new = proposal.again == NONE
        number = len(self.log) if is_new else proposal.again
        outcome = outcomes.total[0], outcomes.weight[0], outcomes.error[0]
        own = self._own_columns(proposal) if is_new else None
        self.log.add(number, proposal.parent, proposal.genes, int(outcomes.games[0]), outcome, own=own)
        objective, *measures = self.log.values((self.plan.objective, *self.plan.archive.measures), number)
        if is_new:
            self.archive.add(objective, measures)
        else:
            self.archive.update(number, objective, measures)
        self.plan.emitter.tell(self.log.evaluations - 1, self._knowledge)

    def _own_columns(self, proposal: Proposal) -> Floats:
        """The columns of a new solution that are known without playing; computed for all that wait, at once."""
        if not self._own:
            new = [each.genes for each in (proposal, *self._waiting) if each.again == NONE]
            self._own.extend(self.plan.space.measures(np.array(new)))
        return self._own.popleft()

    def resume(self, history: History) -> Batch | None:
        """Tells the search all stored results; asks for some evaluations again, the last ones at least, and compares.

        Returns:
            The batch that asked for the last stored evaluation.

        Raises:
            SearchError: If the search would have asked for something else.
        """
        stored = len(history)
        told, self._asked = self.plan.emitter.resume_at(history)
        known, space = history.first(told), self.plan.space
        self.log = Log.from_history(space, self.plan.columns, known, space.measures(known.genes))
        self.archive = self.plan.archive_of(self.log)
        self._waiting = deque(_stored(history, number) for number in range(told, self._asked))
        self._new_asked = int(history.is_first[: self._asked].sum())
        self._knowledge = Knowledge(space, self.log, self.archive, self._waiting)
        self.plan.emitter.restore(history, self._knowledge)
        for number in range(told, stored):
            self._ask_again(history)
            self.tell(history.outcomes(slice(number, number + 1)))
        self._left = deque(self._untold())
        if not stored:
            return None
        last = stored - 1
        return self._batch(last, _stored(history, last), int(history.solution[last]))

    def _ask_again(self, history: History) -> None:
        """Asks for stored evaluations again, and for later ones; those that are stored must be the same."""
        while self.ask() is not None:
            number = self._asked - 1
            if number < len(history) and not _same(self._waiting[-1], _stored(history, number)):
                raise SearchError(f"evaluation {number} differs")

    def _untold(self) -> Iterator[Batch]:
        """The batches without results, in order, as they were asked for."""
        first = self._asked - len(self._waiting)
        new = self._new_asked - sum(proposal.again == NONE for proposal in self._waiting)
        for number, proposal in enumerate(self._waiting, start=first):
            solution = proposal.again
            if solution == NONE:
                solution, new = new, new + 1
            yield self._batch(number, proposal, solution)

    def _batch(self, number: int, proposal: Proposal, solution: int) -> Batch:
        return Batch(
            genes=proposal.genes[np.newaxis],
            participants=_PARTICIPANT,
            courses=(self.plan.stream(number, proposal.first_game),),
            course=_COURSE,
            solutions=np.array([solution]),
            parents=np.array([proposal.parent]),
            notes=(proposal.note,) if proposal.note else (),
        )


def _stored(history: History, number: int) -> Proposal:
    """The proposal behind a stored evaluation."""
    solution = int(history.solution[number])
    again = NONE if history.is_first[number] else solution
    parent, first_game = int(history.parents[solution]), int(history.first_game[number])
    return Proposal(history.genes[solution], parent, again, first_game, history.notes.get(number, ""))


def _same(proposal: Proposal, stored: Proposal) -> bool:
    """Whether two proposals are the same, apart from first games, which fresh seeds do not have."""
    told, kept = ((each.parent, each.again, each.note) for each in (proposal, stored))
    return told == kept and np.array_equal(proposal.genes, stored.genes)
