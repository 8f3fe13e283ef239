"""The search for a map: tasks are asked for and told in order, and everything else is made of the log.

    while not search.is_over:
        while (task := search.ask()) is not None:
            ...                                   # begin to evaluate it
        search.tell(outcome)                      # of the earliest task that has not been told

A search that was broken off is made of its log, and asks on from there.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import AnyArchive
from deckatlas.search.emitters import Emitter, Knowledge, Task
from deckatlas.search.evaluation import Outcome, Space
from deckatlas.search.log import NONE, Entries, Entry, Log, check_columns

CHECKED = 100  # stored evaluations that a resumed search is asked for once more


@dataclass(frozen=True)
class MapPlan:
    """What a map is to become.

    Attributes:
        space: What is searched.
        columns: What the evaluator measures.
        objective: The column that elites are best in.
        archive: How measures become cells.
        emitter: Who says what to evaluate.
        evaluations: How many evaluations there are to be.

    Raises:
        SearchError: If a column is unknown.
    """

    space: Space
    columns: tuple[str, ...]
    objective: str
    archive: AnyArchive
    emitter: Emitter
    evaluations: int

    def __post_init__(self) -> None:
        known = (*self.columns, *self.space.columns)
        check_columns([self.objective], known, "objective")
        check_columns(self.archive.measures, known, "archive.measures")

    def archive_of(self, log: Log) -> Archive:
        """The archive that a log gives."""
        return Archive.from_log(
            self.archive,
            log.column(self.objective),
            log.matrix(self.archive.measures),
            planned=self.emitter.solutions(self.evaluations),
        )


class MapSearch:
    """A search under way.

    Attributes:
        plan: What it is to become.
        log: What was told so far.
        archive: The elites so far.
    """

    def __init__(self, plan: MapPlan, entries: Entries | None = None) -> None:
        """A search from its beginning, or after some evaluations, as if it had been told them all.

        Raises:
            SearchError: If these evaluations are not those that the search would have asked for.
        """
        self.plan = plan
        self._waiting: deque[Task] = deque()
        stored = 0 if entries is None else len(entries)
        self._asked = max(0, stored - CHECKED)
        told = plan.emitter.needs(self._asked)
        self.log = Log(plan.space, plan.columns)
        if entries is not None:
            self.log = Log.from_entries(plan.space, plan.columns, entries.first(told))
            self._waiting.extend(_stored_task(entries, number) for number in range(told, self._asked))
        self.archive = plan.archive_of(self.log)
        for number in range(told, stored):
            assert entries is not None
            self._ask_again(entries)
            self.tell(entries.entry(number).outcome)

    @property
    def is_over(self) -> bool:
        """Whether all evaluations were told."""
        return self.log.evaluations == self.plan.evaluations

    def ask(self) -> Task | None:
        """The next task, or None where one must be told before, or there is none."""
        number = self._asked
        if number == self.plan.evaluations or self.plan.emitter.needs(number) > self.log.evaluations:
            return None
        pending = {task.again for task in self._waiting if task.again != NONE}
        task = self.plan.emitter.emit(number, Knowledge(self.log, self.archive, pending))
        self._waiting.append(task)
        self._asked += 1
        return task

    def waiting(self) -> list[Task]:
        """Tasks that were asked for and not told, in order."""
        return list(self._waiting)

    def tell(self, outcome: Outcome) -> Entry:
        """Takes the outcome of the earliest task that was not told; returns what is to be stored."""
        task = self._waiting.popleft()
        is_new = task.again == NONE
        number = len(self.log) if is_new else task.again
        entry = Entry(number, task.parent, task.genes if is_new else None, outcome)
        self.log.add(entry)
        objective = float(self.log.column(self.plan.objective, number))
        measures = self.log.matrix(self.plan.archive.measures, number)
        if is_new:
            self.archive.add(objective, measures)
        else:
            self.archive.update(number, objective, measures)
        return entry

    def _ask_again(self, entries: Entries) -> None:
        """Asks for tasks whose outcomes are stored, and beyond; the stored ones must be the same."""
        while (task := self.ask()) is not None:
            number = self._asked - 1
            if number < len(entries) and not _same(task, _stored_task(entries, number)):
                raise SearchError(f"evaluation {number} differs")


def _stored_task(entries: Entries, number: int) -> Task:
    """The task that an evaluation was asked for by."""
    solution = int(entries.solution[number])
    again = NONE if entries.is_first[number] else solution
    return Task(entries.genes[solution], int(entries.parent[solution]), again)


def _same(task: Task, stored: Task) -> bool:
    return (task.parent, task.again) == (stored.parent, stored.again) and np.array_equal(task.genes, stored.genes)
