"""Clusters in tests: processes of this machine, and workers that are not what they should be."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from distributed import Client, LocalCluster

from deckatlas.runs.cluster_executor import Patience
from deckatlas.runs.loop import Standing

IMPATIENT = Patience(answer=2.0, worker=30.0)


@contextmanager
def local_cluster(workers: int = 2, threads: int = 1) -> Iterator[Client]:
    """A connection to a new cluster of processes."""
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=threads, dashboard_address="127.0.0.1:0", silence_logs=50
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
def strange_worker(client: Client, folder: Path, name: str, code: str) -> Iterator[None]:
    """Another worker of a cluster, whose process runs some code before it works."""
    preload = folder / f"{name}.py"
    preload.write_text(code)
    words = ["worker", client.scheduler.address, "--name", name, "--nthreads", "1", "--no-nanny"]
    with program(*words, "--preload", str(preload), folder=folder):
        wait_for(lambda: name in [each["name"] for each in workers_of(client).values()])
        yield
    wait_for(lambda: name not in [each["name"] for each in workers_of(client).values()])


def workers_of(client: Client) -> dict[str, dict[str, object]]:
    """The workers of a cluster by their addresses."""
    return dict(client.scheduler_info(n_workers=-1)["workers"])


def wait_for(happens: Callable[[], bool], seconds: float = 60) -> None:
    """Waits until something happens."""
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


def send_to_a_worker(client: Client, number: signal.Signals) -> int:
    """Sends a signal to the process of one worker; returns its process id."""
    pid = min(client.run(os.getpid).values())
    os.kill(pid, number)
    return int(pid)
