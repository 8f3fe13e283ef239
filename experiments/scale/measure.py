"""Measures what the loop of a run and a scheduler of Dask pass through: CPU time, bytes, memory.

Evaluations have 200 games that take no time, so that all that is measured is what comes with them. A scheduler and one
worker run as processes of their own; the worker has many threads, so that as many tasks are under way at once as in a
cluster. Evaluations travel in bundles of two sizes; the difference tells the cost of an evaluation from that of a task.
Usage: python measure.py, about a minute on a quiet machine; prints JSON. The worker loads this file, too.
"""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from deckatlas.games.hearthstone.loop_bench import FreeEvaluator, measure_loop
from deckatlas.games.hearthstone.map_bench import GAMES
from deckatlas.runs import cluster_executor
from deckatlas.runs.cluster import on_cluster
from deckatlas.runs.cluster_jobs import JobQueue
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import config_from
from deckatlas.runs.tasks import Recipe

EVALUATIONS = 6000
SIZES = (4, 20)  # evaluations per task
REPEATS = 3  # the one with the least CPU time of this process counts, since other programs use the machine too
IDLE_SECONDS = 5
MAP = {
    "name": "scale",
    "seed": 1,
    "space": {"kind": "hearthstone-deck", "class": "hunter"},
    "evaluation": {"pilot": "random", "games": GAMES},
    "archive": {"kind": "sliding", "measures": ["deck_mana_sum", "deck_mana_variance"], "resolution": [20, 20]},
    "search": {"algorithm": "map-elites", "evaluations": EVALUATIONS, "initial": 1000, "window": 1500},
}


def dask_setup(worker: object) -> None:
    """Dask calls it in the worker: its games take no time."""
    make = Recipe.evaluator
    Recipe.evaluator = lambda self: FreeEvaluator(make(self))  # type: ignore[method-assign]


@contextmanager
def processes(folder: Path) -> Iterator[tuple[str, psutil.Process, psutil.Process]]:
    """A scheduler and a worker: the address, and both processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    common = [sys.executable, "-m", "dask"]
    words = [
        [*common, "scheduler", "--host", address, "--no-dashboard"],
        [*common, "worker", address, "--nthreads", "32", "--no-nanny", "--no-dashboard", "--preload", __file__],
    ]
    started = [
        subprocess.Popen(each, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for each in words
    ]
    try:
        yield address, psutil.Process(started[0].pid), psutil.Process(started[1].pid)
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def cpu(process: psutil.Process) -> float:
    """The CPU seconds of a process so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


def spent(do: Callable[[], object], *watched: psutil.Process) -> tuple[float, list[float]]:
    """The seconds that something takes, and the CPU seconds of processes meanwhile."""
    begun, before = time.monotonic(), [cpu(each) for each in watched]
    do()
    return time.monotonic() - begun, [cpu(each) - was for each, was in zip(watched, before, strict=True)]


def measure() -> dict[str, float]:
    """All figures by name."""
    found: dict[str, float] = {line.key: float(line.value) for line in measure_loop()}
    seconds: dict[int, list[float]] = {}  # of this process, scheduler and worker, by size
    sent: dict[int, tuple[int, int]] = {}  # bundles and bytes, by size
    config = config_from(MAP, name="scale")
    with TemporaryDirectory() as folder, processes(Path(folder)) as (address, scheduler, worker):
        watched = psutil.Process(), scheduler, worker
        with on_cluster(address, report=print) as cluster:
            execute(config, Path(folder) / "warm.db")
            with cluster.executor(config.prepare()):
                wall, used = spent(lambda: time.sleep(IDLE_SECONDS), *watched)
            idle = [each / wall for each in used]
            for number, size in product(range(REPEATS), SIZES):
                path = Path(folder) / f"{size} {number}.db"
                with counted(size) as messages:
                    wall, used = spent(partial(execute, config, path), *watched)
                net = [each - wall * rate for each, rate in zip(used, idle, strict=True)]
                if size not in seconds or net[0] < seconds[size][0]:
                    seconds[size], sent[size] = net, (len(messages), sum(messages))
        found["scheduler.megabytes"] = scheduler.memory_info().rss / 1e6
        found["worker.megabytes"] = worker.memory_info().rss / 1e6
    few, many = sent[SIZES[1]][0], sent[SIZES[0]][0]
    for at, name in enumerate(("client", "scheduler", "worker")):
        per_task = (seconds[SIZES[0]][at] - seconds[SIZES[1]][at]) / (many - few)
        found[f"{name}.cpu_milliseconds_per_second_of_waiting"] = 1e3 * idle[at]
        found[f"{name}.cpu_milliseconds_per_task"] = 1e3 * per_task
        found[f"{name}.cpu_milliseconds_per_evaluation"] = 1e3 * (seconds[SIZES[1]][at] - per_task * few) / EVALUATIONS
    per_evaluation = (sent[SIZES[1]][1] / few - sent[SIZES[0]][1] / many) / (EVALUATIONS / few - EVALUATIONS / many)
    found["bytes_per_task"] = sent[SIZES[0]][1] / many - per_evaluation * EVALUATIONS / many
    found["bytes_per_evaluation"] = per_evaluation
    found["client.megabytes"] = psutil.Process().memory_info().rss / 1e6
    return found


@contextmanager
def counted(size: int) -> Iterator[list[int]]:
    """Limits bundles to a number of evaluations; collects the sizes of their messages."""
    take, pack = JobQueue.take, cluster_executor.pack_batches
    messages: list[int] = []

    def packed(*given: Any) -> bytes:
        message = pack(*given)
        messages.append(len(message))
        return message

    JobQueue.take = lambda self, most: take(self, GAMES * size)  # type: ignore[method-assign]
    cluster_executor.pack_batches = packed
    try:
        yield messages
    finally:
        JobQueue.take, cluster_executor.pack_batches = take, pack  # type: ignore[method-assign]


if __name__ == "__main__":
    begun = time.monotonic()
    print(json.dumps({key: round(value, 4) for key, value in measure().items()}, indent=2))
    print(f"{time.monotonic() - begun:.0f} s", file=sys.stderr)
