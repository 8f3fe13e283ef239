"""Jobs of a cluster: tasks that wait for their outcomes, and bundles of evaluations that take about a second.

A scheduler passes some hundred tasks per second, whatever is in them. So several small tasks travel together in one
bundle, and a large one is divided among several. No evaluation is divided.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from deckatlas.search.batches import Batch, Ints
from deckatlas.search.evaluation import Outcomes


@dataclass(eq=False)
class Job:
    """A task that waits for outcomes.

    Attributes:
        batch: Its evaluations.
        future: Gets the outcomes.
        complete: Makes the outcomes of the task from those of the batch.
        sent: The number of evaluations that are in a bundle.
        parts: The outcomes so far, each with the number of its first evaluation.
    """

    batch: Batch
    future: "Future[Outcomes]"
    complete: Callable[[Outcomes], Outcomes]
    sent: int = 0
    parts: dict[int, Outcomes] = field(default_factory=dict)

    @cached_property
    def ends(self) -> Ints:
        """For each evaluation, the number of games up to its end."""
        return np.cumsum(self.batch.lengths)

    @property
    def games_left(self) -> int:
        """The number of games that are in no bundle."""
        return self.batch.games - (int(self.ends[self.sent - 1]) if self.sent else 0)

    def take(self, most: float) -> "Part":
        """The next evaluations, of about so many games in all; at least one."""
        start, before = self.sent, self.batch.games - self.games_left
        self.sent = len(self.batch)
        if len(self.batch) > 1:
            self.sent = max(start + 1, int(np.searchsorted(self.ends, before + most, side="right")))
        return Part(self, start, self.sent)

    def add(self, start: int, outcomes: Outcomes) -> None:
        """Adds the outcomes of a part; the last one completes the task."""
        self.parts[start] = outcomes
        if sum(map(len, self.parts.values())) == len(self.batch) and not self.future.done():
            self.future.set_result(self.complete(Outcomes.joined([self.parts[at] for at in sorted(self.parts)])))


@dataclass(frozen=True, eq=False)
class Part:
    """Consecutive evaluations of a job."""

    job: Job
    start: int
    stop: int

    @property
    def batch(self) -> Batch:
        """The evaluations alone, as they travel."""
        batch = self.job.batch
        return batch if len(batch) == 1 else batch.rows(slice(self.start, self.stop)).compact()


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

    def add(self, job: Job) -> None:
        """Adds a job at the end."""
        self._jobs.append(job)
        self.games += job.games_left

    def take(self, most: float) -> Bundle:
        """The next evaluations, of about so many games in all; at least one."""
        parts: list[Part] = []
        games = 0
        while self._jobs and (not parts or games + self._next_games() <= most):
            job = self._jobs[0]
            before = job.games_left
            parts.append(job.take(most - games))
            games += before - job.games_left
            if job.sent == len(job.batch):
                self._jobs.popleft()
        self.games -= games
        return Bundle(parts, games)

    def _next_games(self) -> int:
        """The games of the next evaluation."""
        job = self._jobs[0]
        return int(job.batch.lengths[job.sent])
