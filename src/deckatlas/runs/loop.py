"""The loop of every run: ask, evaluate, tell, store. Resuming is the same loop, after telling the stored log.

Evaluations run in parallel, but the search receives their results in order. So its requests depend only on
the results, not on their timing: the number of threads, a kill and a resume make no difference to the log.
"""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.runs.elite_rows import EliteTable
from deckatlas.runs.executors import Executor, WorkerStanding, make_executor
from deckatlas.runs.pending import Pending, are_done
from deckatlas.runs.portion import Portion, Told, rows_of
from deckatlas.runs.rows import RecheckedSolution
from deckatlas.runs.run import MOST_KEPT_GAMES, Run, Runnable
from deckatlas.runs.run_file import content_of
from deckatlas.runs.sameness import check_same, other_version
from deckatlas.runs.tasks import Task
from deckatlas.runs.verification import check_store
from deckatlas.runs.view import view_of
from deckatlas.runs.writer import Writer, open_to_write
from deckatlas.search.archive_statistics import ArchiveStatistics, statistics
from deckatlas.search.batches import Batch, CardQuestion, Stream, chained_hash
from deckatlas.search.card_questions import CountsCards
from deckatlas.search.evaluation import Outcomes
from deckatlas.search.history import History
from deckatlas.search.protocol import Generation, Search
from deckatlas.stats.averages import Sample

_STORE_SECONDS = 1.0
_LOOK_SECONDS = 0.25
_ELITE_SECONDS = 15.0
_TOLD_TOGETHER = 8  # at most this many batches, if they are done: handing over the next ones wakes another thread
_GAMES_PLAYED_AGAIN = 100
_PARTS_PER_WORKER = 4  # parts of a large batch, if workers do not share one


@dataclass(frozen=True)
class Standing:
    """The progress of a run.

    Attributes:
        planned: All games that the search will ask for.
        stored: Games played by earlier processes.
        games: Games played, including those of incomplete evaluations.
        evaluations: Complete evaluations.
        generation: The last complete generation, if the search has generations.
        best: The best value so far: of the last generation's first individual, or of the best elite.
        objective: The column that elites maximise, if there is an archive.
        archive: The archive's statistics, if there is one.
        finished: Whether the search is over.
        rechecked: The number of elites that have played fresh games, and the number of all elites; None before.
        workers: The workers of a cluster that plays.
    """

    planned: int = 0
    stored: int = 0
    games: int = 0
    evaluations: int = 0
    generation: int | None = None
    best: float | None = None
    objective: str = ""
    archive: ArchiveStatistics | None = None
    finished: bool = False
    rechecked: tuple[int, int] | None = None
    workers: tuple[WorkerStanding, ...] = ()


Watch = Callable[[Standing], object]


def execute(
    config: Runnable,
    path: Path,
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    recheck: int | None = None,
    cards: Sequence[CardQuestion] = (),
    watch: Watch | None = None,
    advice: str = "choose another file",
) -> Standing:
    """Executes a run, or resumes it.

    Args:
        config: The run.
        path: Its store; if the file exists, its run is resumed.
        executor: What makes the evaluations; by default the cluster that plays (`deckatlas.on_cluster`), or threads of
            this process. It must have been made for the same configuration. The result does not depend on it.
        threads: The number of threads, if threads make the evaluations.
        recheck: If given, each elite of the finished archive plays this many games with fresh seeds.
        cards: What these games are asked about the cards of elites.
        watch: Called with the progress of the run, several times a second.
        advice: What the error message suggests if the store holds another run, or another process writes it.

    Raises:
        RunError: If the store cannot be used, holds another run, or can no longer be written. The stored part can
            then be resumed.
        SearchError: If the evaluations of this run do not count cards.
    """
    recheck = None if recheck is None else positive("recheck", recheck, MAX_GAMES)
    run = config.prepare()
    if cards and not isinstance(run.evaluator, CountsCards):
        raise SearchError(f"{run.name} cannot say what happens to cards: its evaluations do not count them")
    with ExitStack() as stack:
        used = stack.enter_context(make_executor(run, threads)) if executor is None else executor
        store = stack.enter_context(open_to_write(path, advice=advice))
        if store.is_new():
            store.begin(run.config, cards=run.cards, description=run.description, columns=run.evaluator.columns)
        check_same(store, run.config, run.cards, advice)
        if store.columns != run.evaluator.columns:
            raise other_version(store, "evaluations measure something else")
        if store.run().finished is not None and recheck is None and not run.replays_finished:
            return _finished(store, run)
        runner = _Runner(store, run, used, watch)
        runner.resume()
        runner.finish_search()
        if recheck is not None:
            runner.recheck(recheck, cards)
        return runner.standing(finished=True)


def _finished(store: Writer, run: Run) -> Standing:
    """The progress of a run that an earlier process has finished.

    Raises:
        RunError: If games are missing.
    """
    progress, view = store.progress(), view_of(store)
    with content_of(store.path):
        if progress.games != (planned := run.make_search().games):
            raise ValueError(f"it is finished after {progress.games} games, not after {planned}")
    return Standing(
        planned=progress.games,
        stored=progress.games,
        games=progress.games,
        evaluations=progress.evaluations,
        generation=progress.generation,
        best=progress.best,
        objective=view.objective,
        archive=view.statistics if view.has_archive else None,
        finished=True,
    )


@dataclass
class _Counts:
    """The part of a run's standing that every result changes."""

    stored: int = 0
    games: int = 0
    evaluations: int = 0
    generation: int | None = None
    best: float | None = None
    rechecked: tuple[int, int] | None = None


class _Runner:
    """Submits batches to the executor, tells the search the outcomes in order, and stores them."""

    def __init__(self, store: Writer, run: Run, executor: Executor, watch: Watch | None) -> None:
        self._store = store
        self._run = run
        self._config = run.hash
        self._executor = executor
        self._watch = watch
        self._search: Search = run.make_search()
        self._keep_games = self._search.games <= MOST_KEPT_GAMES
        self._elites = EliteTable(run.description, store.cells())
        self._waiting: deque[tuple[Batch, list[Pending]]] = deque()
        self._chain = b""
        self._games_asked = 0
        self._shown = 0  # the most games that were reported
        self._counts = _Counts()
        self._saved_at = self._looked_at = self._elites_at = time.monotonic()
        self._portion = Portion(0, 0)

    # Progress

    def standing(self, *, finished: bool = False) -> Standing:
        """The progress of the run."""
        archive = self._search.archive
        # A finished task is briefly counted nowhere, until the search takes its results. The number must not shrink.
        self._shown = max(self._shown, self._counts.games + self._executor.games_under_way())
        return Standing(
            **vars(self._counts) | {"games": self._shown},
            planned=self._search.games,
            objective=self._run.description.objective,
            workers=self._executor.standings,
            archive=None if archive is None else statistics(archive, self._run.description.scoring),
            finished=finished,
        )

    def _best(self, generation: Generation | None) -> float | None:
        """The best value so far: of the last generation's first individual, or of the best elite."""
        archive = self._search.archive
        if archive is None:
            return self._counts.best if generation is None else float(generation.scores[0])
        return None if isnan(archive.best) else archive.best

    # The search

    def resume(self) -> None:
        """Tells the search the stored log, and plays the last games again to check that nothing has changed.

        Raises:
            RunError: If the search would have asked for something else, or games now end differently.
        """
        store = self._store
        check_store(store)
        history = store.history()
        progress = store.progress()
        self._portion = Portion(len(history), len(history.batches))
        if not history.asked and self._search.initial is not None:
            self._portion.steps.append(
                Told(None, None, b"", self._search.initial, float(self._search.initial.scores[0]))
            )
            self._store_portion()
            history = store.history()
        try:
            last = self._search.resume(history)
        except SearchError as error:
            raise other_version(store, str(error)) from None
        if last is not None:
            self._play_again(history, last)
        self._chain = history.asked[-1][1] if history.asked else b""
        self._games_asked = progress.games
        self._counts = _Counts(
            stored=progress.games,
            games=progress.games,
            evaluations=progress.evaluations,
            generation=store.progress().generation,
            best=store.progress().best,
        )
        self._look()

    def _play_again(self, history: History, last: Batch) -> None:
        """Checks that games still end the same: otherwise the two parts of the run would not belong together."""
        stop = len(history)
        start = stop - len(last)
        few = max(1, int(np.searchsorted(np.cumsum(last.lengths), _GAMES_PLAYED_AGAIN, side="right")))
        again = self._executor.submit(Task(self._config, last.rows(slice(0, few)))).result()
        stored = history.outcomes(slice(start, start + few))
        for name in ("total", "weight", "error"):
            if not np.array_equal(getattr(again, name), getattr(stored, name), equal_nan=True):
                raise other_version(self._store, f"the games of evaluation {start} now end differently")

    def finish_search(self) -> None:
        """Makes all remaining evaluations of the search."""
        try:
            self._hand_over(self._ask())
            while not self._search.is_over:
                self._results(self._waiting[0][1])
                asked: list[Batch] = []
                for _ in range(_TOLD_TOGETHER):
                    self._tell()
                    asked += self._ask()  # after each: the next batch depends on all results so far
                    if not self._waiting or not are_done(self._waiting[0][1]):
                        break
                self._hand_over(asked)
                self._save(when_due=True)
        finally:  # an interrupt may come anywhere, even during `tell`
            self._store_portion()
            self._store_elites()
        if self._store.run().finished is None:
            self._store.finish()
        self._look()

    def _ask(self) -> Iterator[Batch]:
        """All batches that the search asks for before it needs another result."""
        while (batch := self._search.ask()) is not None:
            if self._games_asked + batch.games > self._search.games:
                raise RuntimeError(
                    f"the search asked for {batch.games} games after {self._games_asked} of {self._search.games}"
                )
            self._games_asked += batch.games
            yield batch

    def _hand_over(self, batches: Iterable[Batch]) -> None:
        count = 1 if self._executor.shares_tasks else _PARTS_PER_WORKER * self._executor.workers
        submit = self._executor.submit
        for batch in batches:
            parts = (batch,) if count == 1 else batch.parts(count)
            self._waiting.append((batch, [submit(Task(self._config, part)) for part in parts]))

    def _tell(self) -> None:
        batch, answers = self._waiting.popleft()
        outcomes = Outcomes.joined(self._results(answers))
        generation = self._search.tell(outcomes)
        self._chain = chained_hash(self._chain, batch)
        best = self._best(generation)
        self._portion.steps.append(Told(batch, outcomes, self._chain, generation, best))
        counts = self._counts
        counts.games += outcomes.all_games
        counts.evaluations += len(batch)
        counts.generation = counts.generation if generation is None else generation.number
        counts.best = best

    # Elites on fresh games

    def recheck(self, games: int, questions: Sequence[CardQuestion] = ()) -> None:
        """Evaluates each elite over fresh games, unless its results are stored already.

        Args:
            games: The games of each elite.
            questions: What is asked about its cards.
        """
        archive, log = self._search.archive, self._search.log
        if archive is None or log is None:
            raise SearchError(f"{self._run.name} has no archive: only the elites of an archive can be rechecked")
        elites = [int(number) for number in archive.elites]
        done, answered = self._store.rechecks(games), self._store.recheck_cards(games)
        left = {number: _left_to_ask(number in done, answered.get(number, {}), questions) for number in elites}
        finished = sum(not asked for asked in left.values())
        sample = self._run.evaluator.sample(first_game=0, games=games)
        earlier = games * finished
        counts = self._counts
        counts.games += earlier
        counts.stored += earlier
        waiting = []
        for number, asked in left.items():
            batch = self._run.recheck_batch(log.solutions[number].copy(), number, games)
            tasks = [(question, Task(self._config, replace(batch, question=question))) for question in asked]
            if tasks:
                waiting.append((number, [(question, self._executor.submit(task)) for question, task in tasks]))
        for at, (number, answers) in enumerate(waiting, start=finished):
            counts.rechecked = at, len(elites)
            for question, answer in answers:
                (outcomes,) = self._results([answer])
                if number not in done:
                    done[number] = RecheckedSolution(outcomes, sample)
                    self._store.add_recheck(number, done[number])
                if question is not None:
                    self._store.add_cards(number, games, question, outcomes.cards[0])
            counts.games += games
        counts.rechecked = len(elites), len(elites)

    # Waiting and storing

    def _results(self, answers: list[Pending]) -> list[Outcomes]:
        for answer in answers:
            while not answer.wait(_LOOK_SECONDS):
                self._save(when_due=True)
        return [answer.result() for answer in answers]

    def _look(self) -> None:
        if self._watch is not None:
            self._looked_at = time.monotonic()
            self._watch(self.standing())

    def _save(self, *, when_due: bool = False) -> None:
        """Reports the progress and stores the new results; with `when_due`, at most about once a second."""
        now = time.monotonic()
        if now - self._looked_at > _LOOK_SECONDS:
            self._look()
        if when_due and now - self._saved_at < _STORE_SECONDS:
            return
        self._saved_at = now
        self._store_portion()
        if now - self._elites_at > _ELITE_SECONDS:
            self._elites_at = now
            self._store_elites()

    def _store_portion(self) -> None:
        """Stores the results that are not stored yet."""
        portion = self._portion
        if portion.steps and not self._store.holds(portion):
            rows = rows_of(
                portion,
                known=self._store.solutions(),
                description=self._run.description,
                numbers=self._store.numbers,
                measures_of=self._run.measures_of,
                keep_games=self._keep_games,
            )
            self._store.add(portion, rows, samples=self._samples(portion))
        self._portion = Portion(portion.first + portion.evaluations, portion.first_batch + len(portion.batches))

    def _samples(self, portion: Portion) -> dict[tuple[int, int], Sample]:
        """The samples behind the averages of evaluations."""
        ranges = {
            (course.first, len(course))
            for batch, _ in portion.batches
            for course in batch.courses
            if isinstance(course, Stream)
        }
        sample = self._run.evaluator.sample
        return {(first, games): sample(first_game=first, games=games) for first, games in sorted(ranges)}

    def _store_elites(self) -> None:
        """Updates the table of elites, for readers without this package.

        An interrupt may have come between telling the search and recording it. Elites that are not stored as solutions
        must not enter the table.
        """
        archive, log = self._search.archive, self._search.log
        if archive is not None and log is not None and log.evaluations == self._store.progress().evaluations:
            self._store.set_elites(*self._elites.changes(archive, log))


def _left_to_ask(
    is_rechecked: bool, answered: Collection[str], questions: Sequence[CardQuestion]
) -> list[CardQuestion | None]:
    """The tasks of an elite: one for each question without an answer, or plain games that were not played yet."""
    asked: list[CardQuestion | None] = [question for question in questions if question not in answered]
    return asked if asked or is_rechecked else [None]
