"""Executors: what makes evaluations: threads or processes of this machine, or an engine such as a cluster.

An executor has one method: it takes a task, which is plain data, and returns plain data, sooner or later. The stored
result of a run does not depend on the executor.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Protocol, Self

from deckatlas.errors import RunError
from deckatlas.play.limits import MAX_THREADS, available_threads, positive
from deckatlas.play.stopping import Stopped, check_stopped, heeding
from deckatlas.runs.pending import Pending
from deckatlas.runs.run import Run
from deckatlas.runs.tasks import Recipe, Task, carry_out, publish
from deckatlas.search.evaluation import Outcomes


@dataclass(frozen=True)
class WorkerStanding:
    """The progress of a worker elsewhere.

    Attributes:
        name: Its name.
        threads: The number of its threads.
        games: The games that it has played.
        rate: Its games per second.
        note: What keeps it from playing; empty if nothing does.
    """

    name: str
    threads: int
    games: int
    rate: float
    note: str = ""


class Executor(Protocol):
    """Makes evaluations."""

    @property
    def workers(self) -> int:
        """How many tasks it can run at once."""
        ...

    @property
    def shares_tasks(self) -> bool:
        """Whether all workers share a task of many evaluations; otherwise it is worth dividing."""
        ...

    @property
    def standings(self) -> tuple[WorkerStanding, ...]:
        """The workers that are elsewhere; none if all are threads or processes of this machine."""
        ...

    def games_under_way(self) -> int:
        """The number of games played so far in incomplete tasks, as far as it is known."""
        ...

    def submit(self, task: Task) -> Pending:
        """Begins a task."""
        ...


class Engine(Protocol):
    """Something other than this process that plays runs: a cluster."""

    def executor(self, run: Run) -> AbstractContextManager[Executor]:
        """Makes an executor for a run.

        Raises:
            RunError: If the run can be played only in this process.
        """
        ...


_engine: ContextVar[Engine | None] = ContextVar("engine", default=None)


@contextmanager
def played_by(engine: Engine) -> Iterator[None]:
    """Lets an engine play all runs that are executed within a block."""
    token = _engine.set(engine)
    try:
        yield
    finally:
        _engine.reset(token)


@contextmanager
def played_here() -> Iterator[None]:
    """Lets threads of this process play all runs of a block, also where a cluster plays the others."""
    token = _engine.set(None)
    try:
        yield
    finally:
        _engine.reset(token)


def plays_elsewhere() -> bool:
    """Whether an engine plays the runs of this block, rather than this process."""
    return _engine.get() is not None


def make_executor(run: Run, threads: int | None) -> AbstractContextManager[Executor]:
    """The executor of a run: of the engine that plays, or of threads of this process."""
    engine = _engine.get()
    return Threads(run, threads) if engine is None else engine.executor(run)


class Threads:
    """Threads of this process.

    A task of one evaluation runs on one thread. A task of many evaluations uses all threads, which is faster than
    dividing it.

    Attributes:
        workers: How many threads.
        shares_tasks: True.
    """

    shares_tasks = True
    standings: tuple[WorkerStanding, ...] = ()

    def __init__(self, run: Run, threads: int | None = None) -> None:
        """Takes the run and the number of threads; the default is one per core.

        Raises:
            MatchError: If this is not a number of threads.
        """
        self.workers = available_threads() if threads is None else positive("threads", threads, MAX_THREADS)
        self._run = run
        self._config = run.hash
        self._stop = Event()
        # A pool of our own: for evaluations that take no time, that of the standard library costs as much as the loop.
        self._tasks: SimpleQueue[tuple[Task, Pending] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._lock = Lock()
        self._done: dict[int, int] = {}  # games done, by running task

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Stops running tasks within a moment; waiting tasks are dropped."""
        self._stop.set()
        with suppress(Empty):
            while (waiting := self._tasks.get_nowait()) is not None:
                waiting[1].fail(Stopped())
        for _thread in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()

    def submit(self, task: Task) -> Pending:
        """Begins a task.

        Raises:
            RunError: If the task belongs to another run.
        """
        if task.config != self._config:
            raise RunError(f"the threads of {self._run.name} cannot carry out tasks of another configuration")
        pending = Pending()
        self._tasks.put((task, pending))
        if len(self._threads) < self.workers:
            self._threads.append(Thread(target=self._work))
            self._threads[-1].start()
        return pending

    def _work(self) -> None:
        """What each thread does until it is sent home."""
        with heeding(self._stop):
            while (given := self._tasks.get()) is not None:
                task, pending = given
                try:
                    pending.set(self._carry_out(task))
                except BaseException as error:
                    pending.fail(error)

    def games_under_way(self) -> int:
        """The number of games played so far in incomplete tasks."""
        with self._lock:
            return sum(self._done.values())

    def _carry_out(self, task: Task) -> Outcomes:
        key = id(task)

        def look(games: int) -> None:
            check_stopped()
            with self._lock:
                self._done[key] = games

        threads = 1 if len(task.batch) == 1 else self.workers
        try:
            return self._run.evaluator.evaluate(task.batch, threads=threads, progress=look)
        finally:
            with self._lock:
                self._done.pop(key, None)


class Processes:
    """Processes of this machine, each with the evaluator of one run.

    Attributes:
        workers: How many processes.
        shares_tasks: False: a process makes the evaluations of its task one after the other.
    """

    shares_tasks = False
    standings: tuple[WorkerStanding, ...] = ()

    def __init__(self, run: Run, workers: int) -> None:
        """Takes the run and the number of processes.

        Raises:
            MatchError: If this is not a number of processes.
            RunError: If other processes cannot make the run's evaluator.
        """
        self.workers = positive("workers", workers, MAX_THREADS)
        context = get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(
            self.workers, mp_context=context, initializer=publish, initargs=(Recipe.of(run), self._stop)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops running tasks within a moment; waiting tasks are dropped."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def games_under_way(self) -> int:
        """Not known here: processes report complete tasks only."""
        return 0

    def submit(self, task: Task) -> Pending:
        """Begins a task."""
        pending = Pending()
        self._pool.submit(carry_out, task.alone()).add_done_callback(partial(_pass_on, pending))
        return pending


def _pass_on(pending: Pending, future: "Future[Outcomes]") -> None:
    error = Stopped() if future.cancelled() else future.exception()
    if error is None:
        pending.set(future.result())
    else:
        pending.fail(error)
