"""Jobs of a cluster: tasks that wait for their outcomes, and bundles of evaluations that take about a second.

A scheduler passes some hundred tasks per second, whatever is in them. So several small tasks travel together in one
bundle, and a large one is divided among several. No evaluation is divided.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from deckatlas.runs.pending import Pending
from deckatlas.search.batches import Batch, Ints
from deckatlas.search.evaluation import Outcomes


class Job:
    """A task that waits for outcomes.

    Attributes:
        batch: Its evaluations.
        pending: Gets the outcomes.
        games_left: The number of games that are in no bundle.
    """

    __slots__ = ("_complete", "_ends", "_parts", "_sent", "batch", "games_left", "pending")

    def __init__(self, batch: Batch, pending: Pending, complete: Callable[[Outcomes], Outcomes] | None = None) -> None:
        """Takes the evaluations, what gets the outcomes, and what makes those of the task from the batch's, if any."""
        self.batch = batch
        self.pending = pending
        self.games_left = batch.games
        self._complete = complete
        self._sent = 0  # the number of evaluations that are in a bundle
        self._ends: Ints | None = None  # for each evaluation, the number of games up to its end
        self._parts: dict[int, Outcomes] = {}  # the outcomes so far, by the number of the first evaluation

    @property
    def next_games(self) -> int:
        """The number of games of the next evaluation."""
        return self.games_left if len(self.batch.participants) == 1 else int(self.batch.lengths[self._sent])

    def take(self, most: float) -> "Part":
        """The next evaluations, of about so many games in all; at least one."""
        start, all_of_them = self._sent, len(self.batch.participants)
        if all_of_them == 1:  # most jobs are one evaluation, and need no array for it
            self._sent, self.games_left = 1, 0
            return Part(self, start, 1)
        if self._ends is None:
            self._ends = np.cumsum(self.batch.lengths)
        last = self.batch.games - self.games_left + int(most)  # whole, as games are: a sum must not be rounded up
        self._sent = max(start + 1, int(np.searchsorted(self._ends, last, side="right")))
        self.games_left = self.batch.games - int(self._ends[self._sent - 1])
        return Part(self, start, self._sent)

    def add(self, start: int, outcomes: Outcomes) -> None:
        """Adds the outcomes of a part; the last one completes the task."""
        if len(outcomes.games) < len(self.batch.participants):
            self._parts[start] = outcomes
            if sum(map(len, self._parts.values())) < len(self.batch):
                return
            outcomes = Outcomes.joined([self._parts[at] for at in sorted(self._parts)])
        self.pending.set(outcomes if self._complete is None else self._complete(outcomes))


class Part(NamedTuple):
    """Consecutive evaluations of a job."""

    job: Job
    start: int
    stop: int

    @property
    def batch(self) -> Batch:
        """The evaluations alone, as they travel."""
        batch = self.job.batch
        return batch if len(batch.participants) == 1 else batch.rows(slice(self.start, self.stop)).compact()


@dataclass(eq=False)
class Bundle:
    """Evaluations that travel together.

    Attributes:
        parts: The evaluations.
        games: The number of their games.
        message: What is sent.
        sent: When it was sent the last time.
        times: How often it was sent.
        futures: What the scheduler knows of it, by key.
    """

    parts: list[Part]
    games: int
    message: bytes = b""
    sent: float = 0.0
    times: int = 0
    failures: int = 0
    futures: dict[str, Any] = field(default_factory=dict)


class JobQueue:
    """Jobs with evaluations that are in no bundle yet, in order."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self.games = 0

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs)

    def add(self, job: Job) -> None:
        """Adds a job at the end."""
        self._jobs.append(job)
        self.games += job.games_left

    def take(self, most: float) -> Bundle:
        """The next evaluations, of about so many games in all; at least one."""
        parts: list[Part] = []
        games = 0
        while self._jobs and (not parts or games + self._jobs[0].next_games <= most):
            job = self._jobs[0]
            before = job.games_left
            parts.append(job.take(most - games))
            games += before - job.games_left
            if not job.games_left:
                self._jobs.popleft()
        self.games -= games
        return Bundle(parts, games)
