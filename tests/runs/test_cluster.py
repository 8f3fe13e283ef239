"""Runs on a cluster of processes: the digest of threads, whatever happens to workers and to the scheduler."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import dask
import numpy as np
import pytest
from distributed import Client

import deckatlas
from deckatlas.errors import RunError
from deckatlas.games.hearthstone.metagame import metagame_of
from deckatlas.metagame.play import Budget, play_metagame
from deckatlas.runs import cluster as cluster_module
from deckatlas.runs.cluster import on_cluster
from deckatlas.runs.config import RunConfig
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.store import open_store
from helpers.clusters import (
    IMPATIENT,
    local_cluster,
    once_after,
    program,
    send_to_a_worker,
    strange_worker,
    wait_for,
)
from helpers.command_line import PROGRAM, CommandLine, environment
from helpers.maps import HUNTERS, hunters
from helpers.runs import digest_of, games_of, query, small_run, stop_after, write_config

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

# Some seconds of games for one process.
LONGER = ["search.evaluations=120", "evaluation.pilot=planner:score=control", "evaluation.games=16"]
GAMES = 120 * 16


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with local_cluster() as client:
        yield client


@pytest.fixture
def longer(tmp_path: Path) -> RunConfig:
    return hunters(tmp_path, *LONGER)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the longer run with threads."""
    folder = tmp_path_factory.mktemp("threads")
    execute(hunters(folder, *LONGER), folder / "run.db")
    return digest_of(folder / "run.db")


def rows_of(path: Path) -> list[object]:
    """Everything that a store holds of evaluations and solutions, byte by byte."""
    with open_store(path) as store:
        return store.rows("SELECT * FROM evaluations ORDER BY number") + store.rows(
            "SELECT * FROM solutions ORDER BY number"
        )


# ---- the same result -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["evolution", "map"])
def test_a_cluster_gives_the_bytes_and_the_digest_of_threads(tmp_path: Path, client: Client, kind: str) -> None:
    config = small_run(kind, tmp_path)
    execute(config, tmp_path / "threads.db")
    with deckatlas.on_cluster(client):
        standing = execute(config, tmp_path / "cluster.db")
    assert standing.finished
    assert sum(worker.games for worker in standing.workers) >= standing.games
    assert rows_of(tmp_path / "cluster.db") == rows_of(tmp_path / "threads.db")
    assert digest_of(tmp_path / "cluster.db") == digest_of(tmp_path / "threads.db")


def test_a_metagame_is_played_on_a_cluster_and_known_games_are_not_played_again(tmp_path: Path, client: Client) -> None:
    whole = metagame_of("field-2018", pilot="random")
    part = type(whole)("part", whole.entrants[:4], whole.cards)
    grown = type(whole)("grown", whole.entrants[:5], whole.cards)
    expected = play_metagame(grown, Budget(games=8, folder=tmp_path / "threads"))
    seen: list[Standing] = []
    with on_cluster(client):
        play_metagame(part, Budget(games=8, folder=tmp_path / "cluster"))
        budget = Budget(games=8, folder=tmp_path / "cluster", watch=seen.append)
        found = play_metagame(grown, budget, earlier=part)
    assert found.names == expected.names
    assert found.outcomes.keys() == expected.outcomes.keys()
    assert all(np.array_equal(found.outcomes[pair], expected.outcomes[pair]) for pair in found.outcomes)
    played = sum(worker.games for worker in seen[-1].workers)
    assert 0 < played < seen[-1].games


@pytest.mark.usefixtures("always_looking")
def test_a_run_begun_by_threads_continues_on_a_cluster_and_back(
    tmp_path: Path, client: Client, longer: RunConfig, unbroken: str
) -> None:
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(longer, path, watch=stop_after(GAMES // 4))
    with pytest.raises(KeyboardInterrupt), on_cluster(client):
        execute(longer, path, watch=stop_after(GAMES // 2))
    assert GAMES // 4 < games_of(path) < GAMES
    execute(longer, path)
    assert digest_of(path) == unbroken


def test_a_python_function_cannot_play_on_a_cluster(client: Client) -> None:
    space = deckatlas.Vectors([0], [1])
    with on_cluster(client), pytest.raises(RunError, match="is rated by a Python function, which no other process has"):
        deckatlas.map_elites(space, lambda x: {"y": float(x[0])}, objective="y", measures=["x0"], evaluations=5)


# ---- workers that die, come late or hang, and many tasks -------------------------------------------------------------


@pytest.mark.usefixtures("always_looking")
def test_a_worker_killed_in_the_middle_loses_nothing(
    tmp_path: Path, client: Client, longer: RunConfig, unbroken: str
) -> None:
    path = tmp_path / "run.db"
    kill = once_after(GAMES // 3, lambda: send_to_a_worker(client, signal.SIGKILL))
    with on_cluster(client):
        standing = execute(longer, path, watch=kill)
    assert standing.games == GAMES
    assert digest_of(path) == unbroken
    client.wait_for_workers(2, timeout=60)  # Dask starts it again


@pytest.mark.usefixtures("always_looking")
def test_a_worker_that_joins_late_plays_too(tmp_path: Path, client: Client, longer: RunConfig, unbroken: str) -> None:
    path = tmp_path / "run.db"
    with ExitStack() as stack:
        join = once_after(1, lambda: stack.enter_context(strange_worker(client, tmp_path, "late", "")))
        with on_cluster(client):
            standing = execute(longer, path, watch=join)
    assert [worker.games > 0 for worker in standing.workers if worker.name.startswith("late")] == [True]
    assert digest_of(path) == unbroken


@pytest.mark.usefixtures("always_looking")
def test_a_worker_that_hangs_is_passed_over(tmp_path: Path, client: Client, longer: RunConfig, unbroken: str) -> None:
    path = tmp_path / "run.db"
    lines: list[str] = []
    stopped: list[int] = []
    stop = once_after(GAMES // 3, lambda: stopped.append(send_to_a_worker(client, signal.SIGSTOP)))
    try:
        with on_cluster(client, report=lines.append, patience=IMPATIENT):
            standing = execute(longer, path, watch=stop)
    finally:
        os.kill(stopped[0], signal.SIGCONT)
    assert (standing.games, query(path, "SELECT count(*) FROM evaluations")) == (GAMES, 120)
    assert digest_of(path) == unbroken
    assert any("does not answer: its evaluations are made elsewhere" in line for line in lines)


@pytest.mark.usefixtures("always_looking")
def test_two_hundred_tasks_are_in_flight(tmp_path: Path) -> None:
    settings = ["search.evaluations=220", "search.initial=220", "search.window=220", "evaluation.games=20"]
    config = hunters(tmp_path, *settings)
    execute(config, tmp_path / "threads.db")
    most = 0
    with (
        local_cluster(workers=2, threads=50) as client,
        on_cluster(client) as cluster,
        cluster.executor(config.prepare()) as executor,
    ):

        def count(standing: Standing) -> None:
            nonlocal most
            most = max(most, len(executor._bundles))  # sent, and not answered yet

        wait_for(lambda: [each.note for each in executor.standings] == ["", ""])
        execute(config, tmp_path / "cluster.db", executor=executor, watch=count)
    assert most >= 190  # of 200, since some are over when they are counted
    assert digest_of(tmp_path / "cluster.db") == digest_of(tmp_path / "threads.db")


# ---- a scheduler that is lost ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("always_looking")
def test_a_run_that_loses_its_scheduler_ends_whole_and_resumes_on_another(
    tmp_path: Path, client: Client, longer: RunConfig, unbroken: str
) -> None:
    path = tmp_path / "run.db"
    address = f"tcp://127.0.0.1:{_free_port()}"
    scheduler = program("scheduler", "--host", address, folder=tmp_path)
    worker = program("worker", address, "--nthreads", "1", "--no-nanny", folder=tmp_path)
    with scheduler as process, worker:
        wait_for(lambda: _answers(address))
        lose = once_after(GAMES // 4, process.kill)
        with pytest.raises(RunError, match=f"the scheduler at {address} is lost") as error, on_cluster(address):
            execute(longer, path, watch=lose)
    assert "\n" not in str(error.value)
    assert GAMES // 4 <= games_of(path) < GAMES
    with on_cluster(client):
        execute(longer, path)
    assert digest_of(path) == unbroken


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _answers(address: str) -> bool:
    host, port = address.partition("://")[2].split(":")
    with socket.socket() as asked:
        return asked.connect_ex((host, int(port))) == 0


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_a_cluster_with_certificates_plays_and_admits_nobody_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=deckatlas", "-days", "1"]
    subprocess.run([*made, "-keyout", key, "-out", cert], check=True, capture_output=True)
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TLS__CA_FILE", str(cert))
    for role in ("SCHEDULER", "WORKER"):
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT", str(cert))
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY", str(key))
    port = _free_port()
    address = f"tls://127.0.0.1:{port}"
    scheduler = program("scheduler", "--host", address, folder=tmp_path)
    worker = program("worker", address, "--nthreads", "1", "--no-nanny", folder=tmp_path)
    of_client = {"ca-file": cert, "client.cert": cert, "client.key": key}
    client = {f"distributed.comm.tls.{name}": str(file) for name, file in of_client.items()}
    config = small_run("map", tmp_path)
    execute(config, tmp_path / "threads.db")
    with scheduler, worker:
        wait_for(lambda: _answers(address))
        with dask.config.set(client), on_cluster(address):
            execute(config, tmp_path / "cluster.db")
        with pytest.raises(RunError, match="no scheduler answers at"), on_cluster(f"tcp://127.0.0.1:{port}"):
            pass
    assert digest_of(tmp_path / "cluster.db") == digest_of(tmp_path / "threads.db")


# ---- workers that cannot play ----------------------------------------------------------------------------------------

OTHER_BUILD = """
from deckatlas.runs import cluster_worker
cluster_worker.build_hash = lambda: "another"
cluster_worker.own_signature = lambda: {signature}
"""
NO_PACKAGE = """
import sys
sys.modules["deckatlas.runs.cluster_worker"] = None
"""
OTHER_CARDS = """
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
HearthstoneDeckRun.cards_hash = lambda self: "0123456789abcdef"
"""


@pytest.mark.parametrize(
    ("name", "code", "why"),
    [
        (
            "stranger",
            OTHER_BUILD.format(signature="'0000'"),
            "another build, version .* with signature 0000 instead of",
        ),
        ("collector", OTHER_CARDS, "other cards \\(0123456789abcdef instead of"),
        ("hermit", NO_PACKAGE, "it cannot import this version of deckatlas"),
    ],
)
def test_a_worker_with_another_build_or_other_cards_is_refused_by_name(
    tmp_path: Path, client: Client, name: str, code: str, why: str
) -> None:
    config = small_run("map", tmp_path)
    execute(config, tmp_path / "threads.db")
    lines: list[str] = []
    with (
        strange_worker(client, tmp_path, name, code),
        on_cluster(client, report=lines.append) as cluster,
        cluster.executor(config.prepare()) as executor,
    ):
        wait_for(lambda: bool(lines))
        execute(config, tmp_path / "cluster.db", executor=executor)
        refused = [worker for worker in executor.standings if worker.name.startswith(name)]
    assert [worker.games for worker in refused] == [0]
    (line,) = lines
    assert line.startswith(f"worker {name} (tcp://")
    assert re.search(f"is refused: {why}", line)
    assert digest_of(tmp_path / "cluster.db") == digest_of(tmp_path / "threads.db")


def test_a_worker_with_another_build_that_behaves_the_same_may_play(tmp_path: Path, client: Client) -> None:
    code = OTHER_BUILD.format(signature="__import__('deckatlas.play.signature').play.signature.own_signature()")
    config = small_run("map", tmp_path)
    with (
        strange_worker(client, tmp_path, "twin", code),
        on_cluster(client) as cluster,
        cluster.executor(config.prepare()) as executor,
    ):
        wait_for(lambda: [each.note for each in executor.standings if each.name.startswith("twin")] == [""])
        assert [each.note for each in executor.standings if each.name.startswith("twin")] == [""]


def test_a_cluster_whose_workers_are_all_refused_ends_the_run_with_one_line(tmp_path: Path) -> None:
    with (
        local_cluster(workers=0) as client,
        strange_worker(client, tmp_path, "stranger", OTHER_BUILD.format(signature="'0000'")),
        pytest.raises(RunError, match=r"no worker of tcp.* can play this run: stranger .*another build") as error,
        on_cluster(client),
    ):
        execute(small_run("map", tmp_path), tmp_path / "run.db")
    assert "\n" not in str(error.value)


NO_MEMORY = """
from deckatlas.games.hearthstone.evaluator import SuiteEvaluator
def evaluate(*given, **options):
    raise MemoryError
SuiteEvaluator.evaluate = evaluate
"""


def test_a_worker_without_memory_is_one_line_and_nothing_is_lost(tmp_path: Path) -> None:
    config = small_run("map", tmp_path)
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(config, path, watch=stop_after(0))
    with (
        local_cluster(workers=0) as client,
        strange_worker(client, tmp_path, "poor", NO_MEMORY),
        pytest.raises(RunError, match=r"worker poor \(tcp.* has no memory left") as error,
        on_cluster(client),
    ):
        execute(config, path)
    assert "\n" not in str(error.value)
    assert execute(config, path).finished


@pytest.mark.usefixtures("always_looking")
def test_evaluations_that_end_every_worker_end_the_run_with_one_line(tmp_path: Path, longer: RunConfig) -> None:
    path = tmp_path / "run.db"
    with local_cluster(workers=1) as client, on_cluster(client):
        client.cluster.scheduler.allowed_failures = 0
        kill = once_after(1, lambda: send_to_a_worker(client, signal.SIGKILL))
        with pytest.raises(RunError, match=r"worker .* died over the same evaluations: too little memory") as error:
            execute(longer, path, watch=kill)
    assert "\n" not in str(error.value)
    assert 0 < games_of(path) < GAMES


# ---- the command line ------------------------------------------------------------------------------------------------


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DECKATLAS_RUNS", raising=False)
    write_config(tmp_path, HUNTERS, name="run")
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("nonsense", "a cluster is tcp://HOST:PORT, tls://HOST:PORT or local:N, not 'nonsense'"),
        ("local:many", "a cluster is tcp://HOST:PORT, tls://HOST:PORT or local:N, not 'local:many'"),
        ("local:0", "the number of processes must be a whole number from 1 to 1024, not 0"),
        ("tls://127.0.0.1:1", "tls://127.0.0.1:1 needs certificates: docs/scale.md says how Dask is given them"),
        ("tcp://127.0.0.1:1", "no scheduler answers at tcp://127.0.0.1:1: "),
    ],
)
def test_a_wrong_address_is_one_line(
    command: CommandLine, monkeypatch: pytest.MonkeyPatch, address: str, line: str
) -> None:
    monkeypatch.setattr(cluster_module, "_CONNECT_SECONDS", 1)
    code, _, errors = command("run", "run.toml", "--cluster", address)
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith(f"deckatlas: {line}")


def test_another_program_at_the_address_is_one_line(command: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        code, _, errors = command("run", "run.toml", "--cluster", address)
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith(f"deckatlas: no scheduler answers at {address}")


def test_threads_and_a_cluster_exclude_each_other(command: CommandLine) -> None:
    code, _, errors = command("run", "run.toml", "--cluster", "local:2", "--threads", "2")
    assert (code, errors) == (
        2,
        "deckatlas: --threads is for this machine: the workers of --cluster have threads of their own\n",
    )


def _executing(dask_worker: Any) -> int:
    """The number of tasks that a worker is busy with."""
    return len(dask_worker.state.executing)


def test_an_interrupt_leaves_the_cluster_clean_and_the_run_whole(tmp_path: Path, client: Client) -> None:
    write_config(tmp_path, HUNTERS, name="run")
    settings = ["--set", "search.evaluations=100000", "--set", "evaluation.games=2000", "--set", "search.window=100"]
    process = subprocess.Popen(
        [str(PROGRAM), "run", "run.toml", "--cluster", client.scheduler.address, *settings],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: any(map(len, client.processing().values())))
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in errors) == (130, False), errors
    assert "is whole; the same command resumes it" in errors
    wait_for(lambda: not any(map(len, client.processing().values())), 10)
    wait_for(lambda: not any(client.run(_executing).values()), 10)
    assert len(client.scheduler_info(n_workers=-1)["workers"]) == 2


def test_the_progress_shows_workers_with_their_rates(tmp_path: Path, client: Client, longer: RunConfig) -> None:
    seen: list[Standing] = []
    with on_cluster(client):
        execute(longer, tmp_path / "run.db", watch=seen.append)
    assert [each.threads for each in seen[-1].workers] == [1, 1]
    assert all(each.rate > 0 and not each.note for each in seen[-1].workers)
