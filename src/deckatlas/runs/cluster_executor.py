"""An executor whose evaluations are made by the workers of a Dask cluster.

One thread of this process does everything: it greets workers, keeps each of them busy with bundles of about a second,
takes answers, and sends a bundle again if its worker has died, was refused or does not answer. The first answer counts,
and any other is dropped: an evaluation depends on its task alone, so all answers are the same.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Self

from distributed import Client, KilledWorker

from deckatlas import errors
from deckatlas.errors import RunError
from deckatlas.play.signature import build_hash, own_signature
from deckatlas.play.stopping import Stopped
from deckatlas.runs.cluster_crew import KnownWorker, Patience
from deckatlas.runs.cluster_jobs import Bundle, Job, JobQueue
from deckatlas.runs.cluster_worker import greet, knock, play
from deckatlas.runs.executors import WorkerStanding
from deckatlas.runs.messages import FORM, pack, pack_batches, unpack_outcomes_of
from deckatlas.runs.pending import Pending
from deckatlas.runs.run import Run
from deckatlas.runs.tasks import Recipe, Task
from deckatlas.search.evaluation import Outcomes, PartlyKnown

_BUNDLE_SECONDS = 1.0
_LEAST_SECONDS = 0.1  # of a bundle, even if some threads then get none: the scheduler could not pass more of them
_BUNDLES_PER_THREAD = 2  # one is played, one waits there
_FIRST_GUESS = 0.005  # seconds per game, until the first answer
_WATCH_SECONDS = 1.0
_ROUND_SECONDS = 0.02  # answers are fetched and bundles are sent so often at most: a request costs as much for many
_SCHEDULER_SECONDS = 60.0  # the scheduler may be busy, too
_MOST_FAILURES = 3
_RECENT = 0.2  # the weight of the last answer in the pace

Report = Callable[[str], object]
Then = Callable[[bytes | BaseException], None]
Event = tuple[Any, ...]


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
        self._workers: dict[str, KnownWorker] = {}
        self._fit_at = time.monotonic()  # when there last was a worker that could play
        self._looked_at = 0.0  # when workers were last looked at because they are silent
        self._known = run.evaluator if isinstance(run.evaluator, PartlyKnown) else None
        self._new: deque[Job] = deque()
        self._is_woken = False
        self._queue = JobQueue()
        self._bundles: set[Bundle] = set()
        self._waiting: list[Bundle] = []  # those that have to be sent again
        self._followed: dict[str, tuple[Any, Then]] = {}  # futures of Dask by key, and what is done with an answer
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
        for job in (*self._jobs(), *self._new):
            job.pending.fail(Stopped())

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

    def submit(self, task: Task) -> Pending:
        """Begins a task.

        Raises:
            RunError: If the task belongs to another run.
        """
        if task.config != self._config:
            raise RunError(f"the cluster plays {self._run.name}, and cannot carry out tasks of another configuration")
        pending = Pending()
        batch: Any = task.batch
        complete: Callable[[Outcomes], Outcomes] | None = None
        if self._known is not None:
            batch = self._known.unknown(task.batch)
            complete = partial(self._known.completed, task.batch)
            if batch is None:
                pending.set(self._known.completed(task.batch, None))
                return pending
        self._new.append(Job(batch, pending, complete))
        if not self._is_woken:  # once for many jobs: each change of threads takes as long as a job
            self._is_woken = True
            self._events.put((_nothing,))
        return pending

    # What the thread does

    def _serve(self) -> None:
        watched = round_at = 0.0
        while not self._is_over:
            try:
                if time.monotonic() - watched > _WATCH_SECONDS:
                    watched = time.monotonic()
                    self._on_loop(self._watch)
                self._take_events()
                if time.monotonic() - round_at > _ROUND_SECONDS:
                    round_at = time.monotonic()
                    self._begin()
                    if self._error is None:
                        self._fetch()
                        self._check_patience()
                        self._send()
            except Exception as error:
                self._end(self._lost() if self._is_lost(error) else error)

    def _take_events(self) -> None:
        with suppress(Empty):
            event = self._events.get(timeout=_ROUND_SECONDS)
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
                job.pending.fail(self._error)
            else:
                self._queue.add(job)

    def _jobs(self) -> Iterator[Job]:
        """The jobs without all their outcomes; those of several bundles come several times."""
        yield from self._queue
        for bundle in (*self._bundles, *self._waiting):
            yield from (part.job for part in bundle.parts)

    def _end(self, error: Exception) -> None:
        """Ends all tasks with an error: the loop stores what it has, and reports it."""
        self._error = self._error or error
        for job in self._jobs():
            job.pending.fail(self._error)

    def _is_lost(self, error: BaseException) -> bool:
        """Whether an error comes from the connection to the scheduler; all others are mistakes, or bad input."""
        return isinstance(error, asyncio.CancelledError | CancelledError | OSError) or self._client.status != "running"

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
                self._workers[address] = KnownWorker(
                    address, address if name == address else f"{name} ({address})", facts["nthreads"]
                )
                self._on_loop(self._knock, self._workers[address])
            self._workers[address].is_paused = facts["status"] == "paused"

    async def _knock(self, worker: KnownWorker) -> None:
        """Asks a worker whether it has this package: one that cannot read a task would end without a word."""
        found = await self._client.run(knock, workers=[worker.address], on_error="return")
        answer = found.get(worker.address)
        if isinstance(answer, BaseException):
            why = f"it cannot import this version of deckatlas ({_line(answer)})"
            self._events.put((self._refuse, worker, why))
        else:
            self._events.put((self._greet, worker))

    def _greet(self, worker: KnownWorker) -> None:
        future = self._client.submit(
            greet, pack(self._about), key=next(self._keys), workers=[worker.address], pure=False, priority=1
        )
        self._followed[future.key] = future, partial(self._greeted, worker)

    def _greeted(self, worker: KnownWorker, answer: bytes | BaseException) -> None:
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

    def _accepts(self, worker: KnownWorker, table: dict[str, Any]) -> bool:
        """Whether a worker with other files behaves the same; otherwise it is refused."""
        found = f"another build, version {table['version']} with"
        if table["signature"] != own_signature():
            self._refuse(worker, f"{found} signature {table['signature']} instead of {own_signature()}")
            return False
        if table.get("messages") != FORM:
            self._refuse(worker, f"{found} messages of another form")
            return False
        self._about["builds"] = [*dict.fromkeys([*self._about["builds"], table["build"]])]
        return True

    def _refuse(self, worker: KnownWorker, why: str) -> None:
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
        has_work = bool(self._queue or self._bundles or self._waiting)
        if any(each.is_fit for each in self._workers.values()) or not has_work:
            self._fit_at = now
        known = self._workers.values()
        if known and all(each.refusal for each in known) and has_work:
            self._end(RunError(f"no worker of {self._address} can play this run: {self._reasons()}"))
        elif now - self._fit_at > self._patience.worker:
            waited = f"for {self._patience.worker:.0f} seconds"
            who = f"no worker of {self._address} could play {waited}: {self._reasons()}"
            self._end(RunError(who if known else f"{self._address} had no worker {waited}"))
        is_overdue = any(now - bundle.sent > self._due(bundle) for bundle in self._bundles)
        if is_overdue and now - self._looked_at > _WATCH_SECONDS:
            self._looked_at = now
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
            self._followed[key] = future, partial(self._answered, bundle)

    def _fetch(self) -> None:
        """Fetches the answers that have arrived at the scheduler, all in one request.

        Asking every future costs less than being told by each: Dask would change threads twice for that.
        """
        arrived = {key: each for key, each in self._followed.items() if each[0].status != "pending"}
        for key in arrived:
            del self._followed[key]
        finished = [each for each in arrived.values() if each[0].status == "finished"]
        if finished:
            self._on_loop(self._gather, finished)
        for each in arrived.values():
            if each not in finished:
                self._on_loop(self._gather, [each])

    async def _gather(self, arrived: list[tuple[Any, Then]]) -> None:
        try:
            answers = await self._client.gather([future for future, _ in arrived], asynchronous=True)
        except BaseException as error:
            if len(arrived) > 1:  # not all of them need to fail
                for each in arrived:
                    await self._gather([each])
                return
            answers = [error]
        self._events.put((_take, arrived, answers))

    def _forget(self, bundle: Bundle) -> None:
        """Lets the scheduler forget a bundle; workers stop what is still under way."""
        self._bundles.discard(bundle)
        for key in bundle.futures:
            self._followed.pop(key, None)
        bundle.futures.clear()

    def _answered(self, bundle: Bundle, answer: bytes | BaseException) -> None:
        if bundle not in self._bundles:  # another worker was faster
            return
        if isinstance(answer, KilledWorker):
            where = self._workers.get(answer.last_worker.address)
            name = answer.last_worker.address if where is None else where.name
            dead = answer.allowed_failures + 1
            who = f"{dead} workers, the last of them {name}," if dead > 1 else f"worker {name}"
            self._end(RunError(f"{who} died during the same evaluations: perhaps there is too little memory"))
            return
        if isinstance(answer, BaseException):
            self._end(self._lost() if self._is_lost(answer) else RunError(_line(answer)))
            return
        table, outcomes = unpack_outcomes_of(answer)
        if "text" in table:
            self._end(getattr(errors, table["error"], RunError)(table["text"]))
        elif not outcomes:
            self._failed(bundle, table)
        else:
            self._forget(bundle)
            self._note(table["worker"], bundle.games, table["seconds"])
            for part, each in zip(bundle.parts, outcomes, strict=True):
                part.job.add(part.start, each)

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
        self._forget(bundle)
        bundle.message = pack_batches(self._about, [part.batch for part in bundle.parts])
        self._waiting.append(bundle)


def _nothing() -> None:
    """An event that only wakes the thread."""


def _take(arrived: list[tuple[Any, Then]], answers: list[bytes | BaseException]) -> None:
    for (_, then), answer in zip(arrived, answers, strict=True):
        then(answer)


def _line(error: BaseException) -> str:
    """An error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
