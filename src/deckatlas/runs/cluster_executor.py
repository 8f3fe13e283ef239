"""An executor whose evaluations are made by the workers of a Dask cluster.

One thread of this process does everything: it greets workers, keeps each of them busy with bundles of about a second,
takes answers, and sends a bundle again if its worker has died, was refused or does not answer. The first answer counts,
and any other is dropped: an evaluation depends on its task alone, so all answers are the same.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Self

from distributed import Client, KilledWorker

from deckatlas import errors
from deckatlas.errors import RunError
from deckatlas.play.signature import build_hash, own_signature
from deckatlas.runs.cluster_jobs import Bundle, Job, JobQueue
from deckatlas.runs.cluster_worker import greet, knock, play
from deckatlas.runs.executors import WorkerStanding
from deckatlas.runs.messages import pack, pack_batches, unpack_outcomes_of
from deckatlas.runs.run import Run
from deckatlas.runs.tasks import Recipe, Task
from deckatlas.search.evaluation import Outcomes, PartlyKnown

_BUNDLE_SECONDS = 1.0
_LEAST_SECONDS = 0.1  # of a bundle, even if some threads then get none: the scheduler could not pass more of them
_BUNDLES_PER_THREAD = 2  # one is played, one waits there
_FIRST_GUESS = 0.005  # seconds per game, until the first answer
_WATCH_SECONDS = 1.0
_TICK_SECONDS = 0.2
_SCHEDULER_SECONDS = 60.0  # the scheduler may be busy, too
_MOST_FAILURES = 3
_RECENT = 0.2  # the weight of the last answer in the pace

Report = Callable[[str], object]
Event = tuple[Any, ...]


@dataclass(frozen=True)
class Patience:
    """How long the workers of a cluster may be silent.

    Attributes:
        answer: The seconds after which a bundle is sent to another worker; ten times as long as it should take, if that
            is more.
        worker: The seconds without any worker that can play, after which the run ends.
    """

    answer: float = 60.0
    worker: float = 600.0


@dataclass(eq=False)
class _Worker:
    """A worker, as this process knows it.

    Attributes:
        address: Its address.
        name: Its name for people.
        threads: The number of its threads.
        is_greeted: Whether it has answered that it can play the run.
        refusal: Why it cannot.
        is_paused: Whether it takes no work, since its memory is full.
        is_silent: Whether it has not answered in time.
        games: The games that it has played.
        since: When it was greeted.
    """

    address: str
    name: str
    threads: int
    is_greeted: bool = False
    refusal: str = ""
    is_paused: bool = False
    is_silent: bool = False
    games: int = 0
    since: float = 0.0

    @property
    def is_fit(self) -> bool:
        return self.is_greeted and not self.is_paused

    @property
    def note(self) -> str:
        """What keeps it from playing; empty if nothing does."""
        if self.refusal:
            return f"refused: {self.refusal}"
        if self.is_paused:
            return "paused: its memory is full"
        return "does not answer" if self.is_silent else "" if self.is_greeted else "starting"

    def standing(self, now: float) -> WorkerStanding:
        seconds = now - self.since
        rate = self.games / seconds if self.is_greeted and seconds > 0 else 0.0
        return WorkerStanding(self.name, self.threads, self.games, rate, self.note)


class ClusterExecutor:
    """The workers of a cluster, for one run.

    Attributes:
        shares_tasks: True: a task of many evaluations is divided here.
    """

    shares_tasks = True

    def __init__(self, run: Run, client: Client, *, address: str, report: Report, patience: Patience) -> None:
        """Takes the run, and a connection to a scheduler.

        Args:
            run: The run.
            client: The connection.
            address: The address of the scheduler, for messages.
            report: Called with a line when a worker is refused or does not answer.
            patience: How long workers may be silent.

        Raises:
            RunError: If other processes cannot make the run's evaluator.
        """
        recipe = Recipe.of(run)
        self._run = run
        self._config = recipe.hash
        self._about = {"recipe": asdict(recipe), "builds": [build_hash()]}
        self._client = client
        self._address = address
        self._report = report
        self._patience = patience
        self._workers: dict[str, _Worker] = {}
        self._fit_at = time.monotonic()  # when there last was a worker that could play
        self._known = run.evaluator if isinstance(run.evaluator, PartlyKnown) else None
        self._new: deque[Job] = deque()
        self._is_woken = False
        self._queue = JobQueue()
        self._jobs: set[Job] = set()
        self._bundles: set[Bundle] = set()
        self._waiting: list[Bundle] = []  # those that have to be sent again
        self._pace = _FIRST_GUESS
        self._error: Exception | None = None
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._keys = (f"deckatlas-{self._config[:16]}-{id(self):x}-{number}" for number in count())
        self._thread = Thread(target=self._serve)
        self._is_over = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Cancels what is under way; workers stop within a moment."""
        self._is_over = True
        self._thread.join()
        futures = [future for bundle in self._bundles for future in bundle.futures.values()]
        with suppress(Exception):  # the scheduler may be lost
            self._client.cancel(futures, asynchronous=False, force=True)
        for job in (*self._jobs, *self._new):
            job.future.cancel()

    # What the loop of a run calls

    @property
    def workers(self) -> int:
        """The number of threads that can play."""
        return max(1, sum(each.threads for each in [*self._workers.values()] if each.is_fit))

    @property
    def standings(self) -> tuple[WorkerStanding, ...]:
        """Each worker, with its rate."""
        now = time.monotonic()
        return tuple(each.standing(now) for each in sorted(self._workers.values(), key=lambda each: each.name))

    def games_under_way(self) -> int:
        """Not known here: workers report complete bundles only."""
        return 0

    def submit(self, task: Task) -> "Future[Outcomes]":
        """Begins a task.

        Raises:
            RunError: If the task belongs to another run.
        """
        if task.config != self._config:
            raise RunError(f"the cluster plays {self._run.name}, and cannot carry out tasks of another configuration")
        future: Future[Outcomes] = Future()
        batch: Any = task.batch
        complete: Callable[[Outcomes], Outcomes] = _as_it_is
        if self._known is not None:
            batch = self._known.unknown(task.batch)
            complete = partial(self._known.completed, task.batch)
            if batch is None:
                future.set_result(self._known.completed(task.batch, None))
                return future
        self._new.append(Job(batch, future, complete))
        if not self._is_woken:  # once for many jobs: each change of threads takes as long as a job
            self._is_woken = True
            self._events.put((self._begin,))
        return future

    # What the thread does

    def _serve(self) -> None:
        watched = 0.0
        while not self._is_over:
            try:
                if time.monotonic() - watched > _WATCH_SECONDS:
                    watched = time.monotonic()
                    self._on_loop(self._watch)
                self._take_events()
                if self._error is None:
                    self._check_patience()
                    self._send()
            except Exception:  # a scheduler that is lost shows in many ways
                self._end(self._lost())

    def _take_events(self) -> None:
        with suppress(Empty):
            event = self._events.get(timeout=_TICK_SECONDS)
            while True:
                function, *given = event
                function(*given)
                event = self._events.get_nowait()

    def _begin(self) -> None:
        """Takes the jobs that were submitted."""
        self._is_woken = False  # before they are taken: a job that comes now wakes this thread again
        while self._new:
            job = self._new.popleft()
            if self._error is not None:
                job.future.set_exception(self._error)
            else:
                self._jobs.add(job)
                self._queue.add(job)

    def _end(self, error: Exception) -> None:
        """Ends all tasks with an error: the loop stores what it has, and reports it."""
        self._error = self._error or error
        for job in self._jobs:
            if not job.future.done():
                job.future.set_exception(self._error)
        self._jobs.clear()

    def _lost(self) -> RunError:
        return RunError(
            f"the scheduler at {self._address} is lost: the run is stored, and another cluster can resume it"
        )

    # Workers

    def _on_loop(self, function: Callable[..., Any], *given: Any) -> None:
        """Starts a coroutine in the thread of the connection."""
        self._client.loop.add_callback(function, *given)

    async def _watch(self) -> None:
        """Asks the scheduler for its workers."""
        try:
            async with asyncio.timeout(_SCHEDULER_SECONDS):
                found = await self._client.scheduler.identity(n_workers=-1)
        except Exception:
            self._events.put((self._end, self._lost()))
        else:
            self._events.put((self._know, found["workers"]))

    def _know(self, found: dict[str, Any]) -> None:
        """Takes note of workers that have come, changed or gone."""
        for address in self._workers.keys() - found.keys():
            del self._workers[address]
        for address, facts in found.items():
            if address not in self._workers:
                name = str(facts["name"])
                self._workers[address] = _Worker(
                    address, address if name == address else f"{name} ({address})", facts["nthreads"]
                )
                self._on_loop(self._knock, self._workers[address])
            self._workers[address].is_paused = facts["status"] == "paused"

    async def _knock(self, worker: _Worker) -> None:
        """Asks a worker whether it has this package: one that cannot read a task would end without a word."""
        found = await self._client.run(knock, workers=[worker.address], on_error="return")
        answer = found.get(worker.address)
        if isinstance(answer, BaseException):
            why = f"it cannot import this version of deckatlas ({_line(answer)})"
            self._events.put((self._refuse, worker, why))
        else:
            self._events.put((self._greet, worker))

    def _greet(self, worker: _Worker) -> None:
        future = self._client.submit(
            greet, pack(self._about), key=next(self._keys), workers=[worker.address], pure=False, priority=1
        )
        self._on_loop(self._follow, future, partial(self._greeted, worker))

    def _greeted(self, worker: _Worker, answer: bytes | BaseException) -> None:
        if isinstance(answer, BaseException):
            if worker.address in self._workers:  # otherwise it has gone
                self._refuse(worker, _line(answer))
            return
        table, _ = unpack_outcomes_of(answer)
        if "build" in table and self._accepts(worker, table):
            self._greet(worker)
        elif why := table.get("refused") or table.get("text") or table.get("failed"):
            self._refuse(worker, why)
        elif not worker.refusal:
            worker.is_greeted, worker.since = True, time.monotonic()

    def _accepts(self, worker: _Worker, table: dict[str, Any]) -> bool:
        """Whether a worker with other files behaves the same; otherwise it is refused."""
        if table["signature"] == own_signature():
            self._about["builds"] = [*self._about["builds"], table["build"]]
            return True
        found = f"version {table['version']} with signature {table['signature']}"
        self._refuse(worker, f"another build, {found} instead of {own_signature()}")
        return False

    def _refuse(self, worker: _Worker, why: str) -> None:
        if not worker.refusal:
            worker.is_greeted, worker.refusal = False, why
            self._report(f"worker {worker.name} is refused: {why}")

    def _allowed(self) -> list[str] | None:
        """The workers that get a bundle; None if all of them may."""
        able = [each.address for each in self._workers.values() if each.is_fit and not each.is_silent]
        able = able or [each.address for each in self._workers.values() if each.is_fit]
        return None if len(able) == len(self._workers) else able

    def _check_patience(self) -> None:
        now = time.monotonic()
        if any(each.is_fit for each in self._workers.values()) or not self._jobs:
            self._fit_at = now
        known = self._workers.values()
        if known and all(each.refusal for each in known) and self._jobs:
            self._end(RunError(f"no worker of {self._address} can play this run: {self._reasons()}"))
        elif now - self._fit_at > self._patience.worker:
            waited = f"for {self._patience.worker:.0f} seconds"
            who = f"no worker of {self._address} could play {waited}: {self._reasons()}"
            self._end(RunError(who if known else f"{self._address} had no worker {waited}"))
        if any(now - bundle.sent > self._due(bundle) for bundle in self._bundles):
            self._on_loop(self._look_for_silent)

    def _reasons(self) -> str:
        """What keeps each worker from playing."""
        return "; ".join(f"{each.name}: {each.note}" for each in self._workers.values())

    def _due(self, bundle: Bundle) -> float:
        """The seconds after which a bundle is sent again; twice as long each time."""
        usual = 10 * self._pace * bundle.games * _BUNDLES_PER_THREAD
        return max(self._patience.answer, usual) * 2.0 ** (bundle.times - 1)

    async def _look_for_silent(self) -> None:
        """Asks the scheduler which worker has which bundle."""
        with suppress(Exception):  # if the scheduler is lost, `_watch` says so
            async with asyncio.timeout(_SCHEDULER_SECONDS):
                self._events.put((self._send_again, await self._client.scheduler.processing(workers=None)))

    def _send_again(self, held: dict[str, list[str]]) -> None:
        """Sends bundles that are overdue to other workers."""
        now = time.monotonic()
        overdue = [bundle for bundle in self._bundles if now - bundle.sent > self._due(bundle)]
        for address, keys in held.items():
            worker = self._workers.get(address)
            if worker is not None and any(key in keys for bundle in overdue for key in bundle.futures):
                if not worker.is_silent:
                    self._report(f"worker {worker.name} does not answer: its evaluations are made elsewhere")
                worker.is_silent = True
        self._dispatch(overdue)

    # Bundles

    def _send(self) -> None:
        """Gives every thread that can play a bundle or two."""
        threads = sum(each.threads for each in self._workers.values() if each.is_fit and not each.is_silent)
        free = _BUNDLES_PER_THREAD * threads - len(self._bundles)
        made, self._waiting = (self._waiting, []) if threads else ([], self._waiting)
        free -= len(made)
        while free > 0 and len(self._queue):
            # At the end, or if the search asks for little at once, all threads get a share.
            share = max(_LEAST_SECONDS / self._pace, self._queue.games / free)
            made.append(self._queue.take(min(_BUNDLE_SECONDS / self._pace, share)))
            free -= 1
        for bundle in made:
            bundle.message = bundle.message or pack_batches(self._about, [part.batch for part in bundle.parts])
        self._dispatch(made)

    def _dispatch(self, bundles: list[Bundle]) -> None:
        if not bundles:
            return
        keys = [next(self._keys) for _ in bundles]
        messages = [bundle.message for bundle in bundles]
        futures = self._client.map(play, messages, key=keys, workers=self._allowed(), pure=False)
        for bundle, key, future in zip(bundles, keys, futures, strict=True):
            bundle.sent = time.monotonic()
            bundle.times += 1
            bundle.futures[key] = future
            self._bundles.add(bundle)
            self._on_loop(self._follow, future, partial(self._answered, bundle))

    async def _follow(self, future: Any, then: Callable[[bytes | BaseException], None]) -> None:
        """Waits for an answer."""
        try:
            (answer,) = await self._client.gather([future], asynchronous=True)
        except BaseException as error:
            answer = error
        self._events.put((then, answer))

    def _answered(self, bundle: Bundle, answer: bytes | BaseException) -> None:
        if bundle not in self._bundles:  # another worker was faster
            return
        if isinstance(answer, KilledWorker):
            where = self._workers.get(answer.last_worker.address)
            name = answer.last_worker.address if where is None else where.name
            dead = answer.allowed_failures + 1
            who = f"{dead} workers, the last of them {name}," if dead > 1 else f"worker {name}"
            self._end(RunError(f"{who} died over the same evaluations: too little memory?"))
            return
        if isinstance(answer, BaseException):
            is_lost = isinstance(answer, asyncio.CancelledError | CancelledError | OSError)
            self._end(self._lost() if is_lost else RunError(_line(answer)))
            return
        table, outcomes = unpack_outcomes_of(answer)
        if "text" in table:
            self._end(getattr(errors, table["error"], RunError)(table["text"]))
        elif not outcomes:
            self._failed(bundle, table)
        else:
            self._bundles.discard(bundle)
            self._note(table["worker"], bundle.games, table["seconds"])
            for part, each in zip(bundle.parts, outcomes, strict=True):
                part.job.add(part.start, each)
                if part.job.future.done():
                    self._jobs.discard(part.job)
            bundle.futures.clear()  # the scheduler forgets them, and workers stop what is still under way

    def _note(self, address: str, games: int, seconds: float) -> None:
        """Takes note of a worker's speed."""
        self._pace += _RECENT * (max(seconds, 1e-6) / games - self._pace)
        worker = self._workers.get(address)
        if worker is not None:
            worker.games += games
            worker.is_silent = False

    def _failed(self, bundle: Bundle, table: dict[str, Any]) -> None:
        """Sends a bundle again that a worker has refused or could not finish."""
        worker = self._workers.get(table["worker"])
        name = table["worker"] if worker is None else worker.name
        if "failed" in table:
            bundle.failures += 1
        elif worker is not None and "refused" in table:
            self._refuse(worker, table["refused"])
        elif worker is not None:
            self._accepts(worker, table)
        if bundle.failures >= _MOST_FAILURES:
            self._end(RunError(f"worker {name} {table['failed']}"))
            return
        bundle.futures.clear()
        bundle.message = pack_batches(self._about, [part.batch for part in bundle.parts])
        self._bundles.discard(bundle)
        self._waiting.append(bundle)


def _as_it_is(outcomes: Outcomes) -> Outcomes:
    return outcomes


def _line(error: BaseException) -> str:
    """An error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
