"""Clusters in tests: processes of this machine, and workers that are not what they should be."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

from deckatlas.runs.cluster import on_cluster
from deckatlas.runs.cluster_crew import Patience
from deckatlas.runs.cluster_executor import ClusterExecutor
from deckatlas.runs.config import RunConfig
from deckatlas.runs.loop import Standing, execute

IMPATIENT = Patience(answer=2.0, worker=30.0)

# Code of a worker that does something when it is about to make an evaluation of Hearthstone decks.
_BEFORE_AN_EVALUATION = """
import itertools, os, signal, time
from pathlib import Path
from deckatlas.games.hearthstone.evaluator import SuiteEvaluator
if not hasattr(SuiteEvaluator, "as_usual"):  # Dask may load this more than once
    SuiteEvaluator.as_usual = SuiteEvaluator.evaluate
numbers = itertools.count(1)
def evaluate(self, *given, **options):
    if next(numbers) >= {first}:
        {do}
    return self.as_usual(*given, **options)
SuiteEvaluator.evaluate = evaluate
"""


@contextmanager
def local_cluster(workers: int = 2, threads: int = 1, preload: Path | None = None) -> Iterator[Client]:
    """A connection to a new cluster of processes, which run a file before they work, if one is given."""
    options = {} if preload is None else {"preload": str(preload)}
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=threads, dashboard_address="127.0.0.1:0", silence_logs=50, **options
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@contextmanager
def program(*command: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program of Dask that runs during a block: `scheduler` or `worker`, with its options."""
    words = [sys.executable, "-m", "dask", *command, "--no-dashboard"]
    with (folder / f"{command[0]}.log").open("ab") as log:
        process = subprocess.Popen(words, cwd=folder, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def strange_worker(client: Client, folder: Path, name: str, code: str) -> Iterator[subprocess.Popen[bytes]]:
    """Another worker of a cluster, whose process runs some code before it works."""
    preload = folder / f"{name}.py"
    preload.write_text(code)
    words = ["worker", client.scheduler.address, "--name", name, "--nthreads", "1", "--no-nanny"]
    with program(*words, "--preload", str(preload), folder=folder) as process:
        wait_for(lambda: name in [each["name"] for each in workers_of(client).values()])
        yield process
    wait_for(lambda: name not in [each["name"] for each in workers_of(client).values()])


def code_of_worker(do: str, *, first: int = 1) -> str:
    """Code that lets the process of a worker do something before an evaluation, from the one with this number on."""
    return _BEFORE_AN_EVALUATION.format(do=do, first=first)


class Gate:
    """Lets workers wait before they make an evaluation, until it is opened.

    Attributes:
        code: What the processes of such workers run.
    """

    def __init__(self, folder: Path, *, first: int = 1) -> None:
        """Takes a folder for its files, and the number of the first evaluation that waits in each process."""
        self._reached, self._opened = folder / "reached", folder / "opened"
        self._reached.mkdir(parents=True)
        wait = f"while not Path({str(self._opened)!r}).exists(): time.sleep(0.02)"
        self.code = code_of_worker(
            f"Path({str(self._reached)!r}, str(os.getpid())).touch()\n        {wait}", first=first
        )

    def wait_for(self, processes: int) -> None:
        """Waits until so many processes have an evaluation that waits."""
        wait_for(lambda: len(list(self._reached.iterdir())) == processes)

    def open(self) -> None:
        """Lets all evaluations be made."""
        self._opened.touch()


@contextmanager
def begun(
    config: RunConfig, path: Path, client: Client, **options: Any
) -> Iterator[tuple[ClusterExecutor, "Future[Standing]"]]:
    """A run that another thread executes on a cluster: its executor, and what becomes of it."""
    with (
        ThreadPoolExecutor(1) as pool,
        on_cluster(client, **options) as cluster,
        cluster.executor(config.prepare()) as executor,
    ):
        yield executor, pool.submit(execute, config, path, executor=executor)


def notes_of(executor: ClusterExecutor, name: str = "") -> list[str]:
    """What keeps the workers whose names begin like this from playing."""
    return [each.note for each in executor.standings if each.name.startswith(name)]


def games_of_worker(executor: ClusterExecutor, name: str) -> int:
    """The games that the workers whose names begin like this have played."""
    return sum(each.games for each in executor.standings if each.name.startswith(name))


def workers_of(client: Client) -> dict[str, dict[str, object]]:
    """The workers of a cluster by their addresses."""
    return dict(client.scheduler_info(n_workers=-1)["workers"])


def wait_for(happens: Callable[[], bool], seconds: float = 300) -> None:
    """Waits until something happens; the limit only ends what hangs, on a machine however busy."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def once_after(games: int, do: Callable[[], object]) -> Callable[[Standing], None]:
    """Does something once when a run has played so many games."""
    left = [do]

    def watch(standing: Standing) -> None:
        if standing.games >= games and left:
            left.pop()()

    return watch
