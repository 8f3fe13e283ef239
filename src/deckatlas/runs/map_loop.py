"""Carrying out a map: tasks are evaluated side by side, told in order, and stored about once a second.

What the search asks for depends on what it was told and never on how fast that was, so that the number of threads, a
kill and a resume make no difference to the log.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from threading import Event

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.play.limits import MAX_GAMES, MAX_THREADS, available_threads, positive
from deckatlas.runs.map_config import MapConfig, Trial
from deckatlas.runs.map_store import MapWriter
from deckatlas.runs.sameness import check_same, other_version
from deckatlas.runs.writer import open_to_write
from deckatlas.search.archive_statistics import ArchiveStatistics, statistics
from deckatlas.search.emitters import Task
from deckatlas.search.evaluation import Outcome
from deckatlas.search.log import Entry
from deckatlas.search.map_search import MapSearch

_STORE_SECONDS = 1.0
_LOOK_SECONDS = 0.25
_TOLD_TOGETHER = 8  # evaluations at most: waking up for each alone takes longer than telling it


@dataclass(frozen=True)
class MapStanding:
    """How far a map is.

    Attributes:
        planned: All evaluations that there will be.
        evaluations: Evaluations made.
        games: Games played.
        stored: Games that an earlier process had played.
        all_games: All games that will be played.
        objective: What elites are best in.
        map: The archive in numbers.
        finished: Whether the search is over.
        rechecked: Elites that were evaluated once more, and how many there are; absent before that begins.
    """

    planned: int
    evaluations: int
    games: int
    stored: int
    all_games: int
    objective: str
    map: ArchiveStatistics
    finished: bool = False
    rechecked: tuple[int, int] | None = None


Watch = Callable[[MapStanding], object]


def execute_map(
    config: MapConfig,
    path: Path,
    *,
    threads: int | None = None,
    recheck: int | None = None,
    watch: Watch | None = None,
    advice: str = "choose another file",
) -> MapStanding:
    """Carries out a map, or what is left of it.

    Args:
        config: The map.
        path: Its store; if the file is there, its run is resumed.
        threads: How many threads play; the result does not depend on it.
        recheck: If given, elites of the finished map are evaluated once more, over so many games of fresh seeds.
        watch: Hears how the map stands, several times a second; without one nothing is worked out for it.
        advice: What to do where the store holds another run, or another process writes it.

    Raises:
        RunError: If the store cannot be used, holds another run, or cannot be written any more. What it holds then
            can be resumed.
    """
    count = available_threads() if threads is None else positive("threads", threads, MAX_THREADS)
    recheck = None if recheck is None else positive("recheck", recheck, MAX_GAMES)
    trial = config.trial()
    with open_to_write(path, MapWriter, advice=advice) as store:
        if store.is_new():
            store.begin(config.to_json(), trial.cards, trial.plan.columns)
        check_same(store, config.to_json(), trial.cards, advice)
        if store.columns() != trial.plan.columns:
            raise other_version(store, "evaluations measure something else")
        search = _resumed(store, trial)
        _, stored = store.counts()
        runner = _Runner(store, search, trial, stored, watch, threads=count)
        with _workers(count) as submit:
            if not search.is_over:
                runner.play_on(submit)
            if store.run().finished is None:
                store.finish()
            if recheck is not None:
                runner.recheck(submit, recheck)
        return runner.standing(finished=True)


def _resumed(store: MapWriter, trial: Trial) -> MapSearch:
    """The search after all that is stored; the last evaluation is made again, to be sure that it ends as it did."""
    entries = store.entries(trial.plan.space)
    try:
        search = MapSearch(trial.plan, entries)
    except SearchError as error:
        raise other_version(store, str(error)) from None
    if len(entries):
        last = len(entries) - 1
        solution = int(entries.solution[last])
        before = int(entries.games[:last][entries.solution[:last] == solution].sum())
        again = trial.evaluate(Task(entries.genes[solution], first_game=before), last, lambda: False)
        if not np.array_equal([again.value, again.error, again.weight], entries.outcome[last], equal_nan=True):
            raise other_version(store, f"the games of evaluation {last} end otherwise now")
    return search


Submit = Callable[[Callable[[Callable[[], bool]], Outcome]], "Future[Outcome]"]


@contextmanager
def _workers(threads: int) -> Iterator[Submit]:
    """Threads that evaluate; when the block is left in a hurry, they stop within a moment."""
    stop = Event()
    pool = ThreadPoolExecutor(threads)
    try:
        yield lambda job: pool.submit(job, stop.is_set)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


class _Runner:
    """Feeds the workers, tells the search in order, and stores what was told."""

    def __init__(
        self, store: MapWriter, search: MapSearch, trial: Trial, stored: int, watch: Watch | None, *, threads: int
    ) -> None:
        self._store = store
        self._search = search
        self._trial = trial
        self._games = self._stored = stored
        self._watch = watch
        self._threads = threads
        self._fresh: list[tuple[int, Entry]] = []  # with the numbers of their evaluations
        self._best: float | None = None
        self._saved_at = self._looked_at = time.monotonic()
        self._rechecked: tuple[int, int] | None = None

    def standing(self, *, finished: bool = False) -> MapStanding:
        evaluations = self._search.log.evaluations
        return MapStanding(
            planned=self._search.plan.evaluations,
            evaluations=evaluations,
            games=self._games,
            stored=self._stored,
            all_games=self._search.plan.evaluations * self._trial.games,
            objective=self._search.plan.objective,
            map=statistics(self._search.archive, self._trial.scoring),
            finished=finished,
            rechecked=self._rechecked,
        )

    def play_on(self, submit: Submit) -> None:
        """Evaluates all that is left of the search."""
        number = self._search.log.evaluations
        waiting = deque(submit(self._job(task, number + at)) for at, task in enumerate(self._search.waiting()))

        def ask() -> None:  # after each that was told: what a task is depends on all that was told before it
            while (task := self._search.ask()) is not None:
                waiting.append(submit(self._job(task, number + len(waiting))))

        try:
            ask()
            while not self._search.is_over:
                together = max(1, min(_TOLD_TOGETHER, len(waiting) - 2 * self._threads))  # while others are played
                self._result(waiting[together - 1])
                for _ in range(together):
                    outcome = self._result(waiting.popleft())
                    self._fresh.append((number, self._search.tell(outcome)))
                    self._games += outcome.games
                    number += 1
                    ask()
                self._save(when_due=True)
            self._save()
        finally:  # an interrupt may come anywhere, even while the search is told something
            self._store_fresh()

    def recheck(self, submit: Submit, games: int) -> None:
        """Evaluates each elite over fresh games, those that are not stored yet."""
        elites = [int(number) for number in self._search.archive.elites]
        done = self._store.rechecks(games)
        left = [number for number in elites if number not in done]
        earlier = games * (len(elites) - len(left))
        self._games += earlier
        self._stored += earlier
        waiting = deque((number, submit(self._recheck_job(number, games))) for number in left)
        for at, (number, future) in enumerate(waiting, start=len(elites) - len(left)):
            self._rechecked = at, len(elites)
            outcome = self._result(future)
            self._store.add_recheck(number, outcome)
            self._games += outcome.games
        self._rechecked = len(elites), len(elites)

    def _job(self, task: Task, number: int) -> Callable[[Callable[[], bool]], Outcome]:
        return lambda stop: self._trial.evaluate(task, number, stop)

    def _recheck_job(self, number: int, games: int) -> Callable[[Callable[[], bool]], Outcome]:
        genes = self._search.log.solutions[number].copy()
        return lambda stop: self._trial.recheck(genes, number, games, stop)

    def _result(self, future: "Future[Outcome]") -> Outcome:
        while True:
            try:
                return future.result(timeout=_LOOK_SECONDS)
            except NotYet:
                self._save(when_due=True)

    def _save(self, *, when_due: bool = False) -> None:
        """Stores what was told since, about once a second where that will do; tells how the map stands."""
        now = time.monotonic()
        if self._watch is not None and now - self._looked_at > _LOOK_SECONDS:
            self._looked_at = now
            self._watch(self.standing())
        if when_due and now - self._saved_at < _STORE_SECONDS:
            return
        self._saved_at = now
        best = statistics(self._search.archive).best
        self._best = None if isnan(best) else best
        self._store_fresh()

    def _store_fresh(self) -> None:
        """Stores what was told since and is not stored yet, by the store's own word."""
        stored = self._store.next_number()
        fresh = [entry for number, entry in self._fresh if number >= stored]
        if fresh:
            self._store.add(stored, fresh, best=self._best)
        self._fresh = []
