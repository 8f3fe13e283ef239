"""The search for a map: evaluations are asked for and told in order, and everything else is made of the log."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import AnyArchive
from deckatlas.search.batches import NONE, Batch, Stream
from deckatlas.search.emitters import Emitter, Knowledge, Proposal
from deckatlas.search.evaluation import Column, Outcomes, Space
from deckatlas.search.history import History
from deckatlas.search.log import Log, check_columns
from deckatlas.search.protocol import Generation
from deckatlas.search.seeds import seed_of

CHECKED = 100  # stored evaluations that a resumed search is asked for once more

_COURSE = np.zeros(1, np.int32)
_PARTICIPANT = np.zeros((1, 1), np.int32)


@dataclass(frozen=True)
class MapPlan:
    """What a map is to become.

    Attributes:
        space: What is searched.
        columns: What the evaluator measures.
        objective: The column that elites are best in.
        archive: How measures become cells.
        emitter: What to evaluate next.
        evaluations: How many evaluations there are to be.
        games: The games of an evaluation.
        seed: The seed of the run.
        fresh: Whether each evaluation plays games of its own; otherwise all solutions play the same.

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
        """How many solutions are planned at least: an archive grows by these."""
        return self.emitter.solutions(self.evaluations)

    def archive_of(self, log: Log) -> Archive:
        """The archive that a log gives."""
        return Archive.from_log(
            self.archive, log.column(self.objective), log.matrix(self.archive.measures), planned=self.solutions
        )

    def stream(self, number: int, first_game: int) -> Stream:
        """The games of evaluation `number`, of a solution that has played so many before."""
        if self.fresh:
            return Stream(seed_of(self.seed, "games", number), 0, self.games)
        return Stream(seed_of(self.seed, "games"), first_game, self.games)


class MapSearch:
    """A search for a map.

    Attributes:
        plan: What the map is to become.
        log: What was told so far.
        archive: The elites so far.
        games: How many games it will ask for in all.
        initial: None: nothing is known before the first game.
    """

    def __init__(self, plan: MapPlan) -> None:
        self.plan = plan
        self.games = plan.evaluations * plan.games
        self.initial: Generation | None = None
        self._waiting: deque[Proposal] = deque()
        self._left: deque[Batch] = deque()  # what was asked for before the search was resumed, and is not told
        self._asked = 0
        self._new_asked = 0  # solutions among the evaluations asked for
        self.log: Log = Log(plan.space, plan.columns)
        self.archive: Archive = plan.archive_of(self.log)

    @property
    def is_over(self) -> bool:
        """Whether all evaluations were told."""
        return self.log.evaluations == self.plan.evaluations

    def ask(self) -> Batch | None:
        """The next evaluation, or None where one must be told before, or there is none."""
        if self._left:
            return self._left.popleft()
        number = self._asked
        if number == self.plan.evaluations or self.plan.emitter.needs(number) > self.log.evaluations:
            return None
        pending = {task.again for task in self._waiting if task.again != NONE}
        knowledge = Knowledge(self.plan.space, self.log, self.archive, pending)
        proposal = self.plan.emitter.emit(number, knowledge)
        self._waiting.append(proposal)
        self._asked += 1
        solution = proposal.again
        if solution == NONE:
            solution = self._new_asked
            self._new_asked += 1
        return self._batch(number, proposal, solution)

    def tell(self, outcomes: Outcomes) -> None:
        """Takes the outcome of the earliest evaluation that was not told."""
        proposal = self._waiting.popleft()
        is_new = proposal.again == NONE
        number = len(self.log) if is_new else proposal.again
        outcome = outcomes.total[0], outcomes.weight[0], outcomes.error[0]
        self.log.add(number, proposal.parent, proposal.genes, int(outcomes.games[0]), outcome)
        objective = float(self.log.column(self.plan.objective, number))
        measures = self.log.matrix(self.plan.archive.measures, number)
        if is_new:
            self.archive.add(objective, measures)
        else:
            self.archive.update(number, objective, measures)

    def resume(self, history: History) -> Batch | None:
        """Tells the search everything that is stored; the last evaluations are asked for again and compared.

        Returns:
            What the last stored evaluation was asked for by.

        Raises:
            SearchError: If the search would have asked for something else.
        """
        stored = len(history)
        self._asked = max(0, stored - CHECKED)
        told = self.plan.emitter.needs(self._asked)
        self.log = Log.from_history(self.plan.space, self.plan.columns, history.first(told))
        self.archive = self.plan.archive_of(self.log)
        self._waiting = deque(_stored(history, number) for number in range(told, self._asked))
        self._new_asked = int(history.is_first[: self._asked].sum())
        for number in range(told, stored):
            self._ask_again(history)
            self.tell(history.outcomes(slice(number, number + 1)))
        self._left = deque(self._untold())
        if not stored:
            return None
        last = stored - 1
        return self._batch(last, _stored(history, last), int(history.solution[last]))

    def _ask_again(self, history: History) -> None:
        """Asks for evaluations that are stored, and beyond; the stored ones must be the same."""
        while self.ask() is not None:
            number = self._asked - 1
            if number < len(history) and not _same(self._waiting[-1], _stored(history, number)):
                raise SearchError(f"evaluation {number} differs")

    def _untold(self) -> Iterator[Batch]:
        """What was asked for and not told, in order, as it was asked for."""
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
        )


def _stored(history: History, number: int) -> Proposal:
    """The proposal that an evaluation was asked for by."""
    solution = int(history.solution[number])
    again = NONE if history.is_first[number] else solution
    parent, first_game = int(history.parents[solution]), int(history.first_game[number])
    return Proposal(history.genes[solution], parent, again, first_game)


def _same(proposal: Proposal, stored: Proposal) -> bool:
    """Whether two proposals ask for the same; first games are left out, since fresh seeds have none."""
    told, kept = ((each.parent, each.again) for each in (proposal, stored))
    return told == kept and np.array_equal(proposal.genes, stored.genes)
