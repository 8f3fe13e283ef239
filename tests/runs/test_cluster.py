"""Runs on a cluster of processes: the digest of threads, whatever happens to workers and to the scheduler."""

import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
from deckatlas.runs.cluster import on_cluster
from deckatlas.runs.cluster_crew import Patience
from deckatlas.runs.cluster_executor import ClusterExecutor
from deckatlas.runs.config import RunConfig
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.store import open_store
from helpers.clusters import (
    IMPATIENT,
    Gate,
    begun,
    code_of_worker,
    games_of_worker,
    local_cluster,
    notes_of,
    once_after,
    program,
    strange_worker,
    wait_for,
)
from helpers.command_line import PROGRAM, environment
from helpers.maps import HUNTERS, hunters
from helpers.runs import digest_of, evaluations_of, games_of, query, small_run, stop_after, write_config

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("no_waiting_for_the_disk")]

# Some seconds of games for one process. It asks for more evaluations at once than fit into two bundles.
LONGER = [
    *("search.evaluations=120", "search.initial=40", "search.window=40"),
    *("evaluation.pilot=planner:score=control", "evaluation.games=16"),
]
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


def test_a_worker_killed_in_the_middle_loses_nothing(tmp_path: Path, longer: RunConfig, unbroken: str) -> None:
    path, gate = tmp_path / "run.db", Gate(tmp_path / "gate", first=60)
    with (
        local_cluster(workers=0) as client,
        strange_worker(client, tmp_path, "victim", gate.code) as victim,
        begun(longer, path, client) as (executor, run),
    ):
        gate.wait_for(1)  # half of the evaluations are made, and one is under way
        victim.kill()
        with strange_worker(client, tmp_path, "heir", ""):
            standing = run.result()
            assert games_of_worker(executor, "heir") > 0
    assert (standing.games, query(path, "SELECT count(*) FROM evaluations")) == (GAMES, 120)
    assert digest_of(path) == unbroken


def test_a_worker_that_joins_late_plays_too(tmp_path: Path, longer: RunConfig, unbroken: str) -> None:
    path, gate = tmp_path / "run.db", Gate(tmp_path / "gate")
    with (
        local_cluster(workers=0) as client,
        strange_worker(client, tmp_path, "first", gate.code),
        begun(longer, path, client) as (executor, run),
    ):
        gate.wait_for(1)  # it has two bundles: a part of what was asked for
        with strange_worker(client, tmp_path, "late", ""):
            wait_for(lambda: games_of_worker(executor, "late") > 0)
            gate.open()
            assert run.result().finished
    assert digest_of(path) == unbroken


def test_a_worker_that_hangs_is_passed_over(tmp_path: Path, longer: RunConfig, unbroken: str) -> None:
    path, hung = tmp_path / "run.db", tmp_path / "hung"
    code = code_of_worker(f"Path({str(hung)!r}).touch(); os.kill(os.getpid(), signal.SIGSTOP)", first=60)
    lines: list[str] = []
    with (
        local_cluster(workers=0) as client,
        strange_worker(client, tmp_path, "sleeper", code),
        begun(longer, path, client, report=lines.append, patience=IMPATIENT) as (_, run),
    ):
        wait_for(hung.exists)
        with strange_worker(client, tmp_path, "waking", ""):
            standing = run.result()
    assert (standing.games, query(path, "SELECT count(*) FROM evaluations")) == (GAMES, 120)
    assert digest_of(path) == unbroken
    assert any(
        re.match("worker sleeper .* does not answer: its evaluations are made elsewhere", line) for line in lines
    )


def test_two_hundred_tasks_are_in_flight(tmp_path: Path) -> None:
    settings = ["search.evaluations=220", "search.initial=220", "search.window=220", "evaluation.games=20"]
    config = hunters(tmp_path, *settings)
    execute(config, tmp_path / "threads.db")
    gate, preload = Gate(tmp_path / "gate"), tmp_path / "gate.py"
    preload.write_text(gate.code)
    with (
        local_cluster(workers=2, threads=50, preload=preload) as client,
        on_cluster(client) as cluster,
        cluster.executor(config.prepare()) as executor,
        ThreadPoolExecutor(1) as pool,
    ):
        wait_for(lambda: notes_of(executor) == ["", ""])
        run = pool.submit(execute, config, tmp_path / "cluster.db", executor=executor)
        try:
            wait_for(lambda: len(executor._bundles) == 200)  # sent, and not answered yet: two for each thread
        finally:
            gate.open()
        assert run.result().finished
    assert digest_of(tmp_path / "cluster.db") == digest_of(tmp_path / "threads.db")


@pytest.mark.parametrize("mistake", [KeyError("a mistake of ours"), RunError("bad input")])
def test_errors_of_our_own_are_not_called_a_lost_scheduler(
    tmp_path: Path, client: Client, mistake: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistaken(self: object, bundles: object) -> None:
        raise mistake

    monkeypatch.setattr(ClusterExecutor, "_dispatch", mistaken)
    with pytest.raises(type(mistake)) as error, on_cluster(client):
        execute(small_run("map", tmp_path), tmp_path / "run.db")
    assert error.value is mistake


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
SAME_SIGNATURE = "__import__('deckatlas.play.signature').play.signature.own_signature()"
OTHER_MESSAGES = OTHER_BUILD.format(signature=SAME_SIGNATURE) + "cluster_worker.FORM = 1\n"
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
        ("foreigner", OTHER_MESSAGES, "another build, version .* with messages of another form"),
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
    code = OTHER_BUILD.format(signature=SAME_SIGNATURE)
    config = small_run("map", tmp_path)
    with (
        strange_worker(client, tmp_path, "twin", code),
        on_cluster(client) as cluster,
        cluster.executor(config.prepare()) as executor,
    ):
        wait_for(lambda: notes_of(executor, "twin") == [""])
        assert notes_of(executor, "twin") == [""]


def test_a_cluster_whose_workers_are_all_refused_ends_the_run_with_one_line(tmp_path: Path) -> None:
    with (
        local_cluster(workers=0) as client,
        strange_worker(client, tmp_path, "stranger", OTHER_BUILD.format(signature="'0000'")),
        pytest.raises(RunError, match=r"no worker of tcp.* can play this run: stranger .*another build") as error,
        on_cluster(client),
    ):
        execute(small_run("map", tmp_path), tmp_path / "run.db")
    assert "\n" not in str(error.value)


def test_a_worker_without_memory_is_one_line_and_nothing_is_lost(tmp_path: Path) -> None:
    config = small_run("map", tmp_path)
    path = tmp_path / "run.db"
    with pytest.raises(KeyboardInterrupt):
        execute(config, path, watch=stop_after(0))
    with (
        local_cluster(workers=0) as client,
        strange_worker(client, tmp_path, "poor", code_of_worker("raise MemoryError")),
        pytest.raises(RunError, match=r"worker poor \(tcp.* has no memory left") as error,
        on_cluster(client),
    ):
        execute(config, path)
    assert "\n" not in str(error.value)
    assert execute(config, path).finished


FULL, ROOMY = 0.0001, 0.8  # the share of its memory at which a worker of Dask pauses
PAUSED = "paused: its memory is full"


def _pause_at(share: float, dask_worker: Any) -> None:
    """Lets a worker pause when it uses this share of its memory."""
    dask_worker.memory_manager.memory_pause_fraction = share


@pytest.mark.usefixtures("always_looking")
def test_workers_whose_memory_is_full_wait_and_play_again_when_there_is_room(
    tmp_path: Path, client: Client, longer: RunConfig, unbroken: str
) -> None:
    path = tmp_path / "run.db"
    with on_cluster(client) as cluster, cluster.executor(longer.prepare()) as executor:

        def pause() -> None:
            client.run(_pause_at, FULL)
            wait_for(lambda: notes_of(executor) == [PAUSED, PAUSED])
            client.run(_pause_at, ROOMY)

        try:
            standing = execute(longer, path, executor=executor, watch=once_after(GAMES // 3, pause))
        finally:
            client.run(_pause_at, ROOMY)
        wait_for(lambda: notes_of(executor) == ["", ""])
    assert (standing.games, query(path, "SELECT count(*) FROM evaluations")) == (GAMES, 120)
    assert digest_of(path) == unbroken


def test_a_cluster_whose_only_worker_is_paused_ends_the_run_with_one_line(tmp_path: Path) -> None:
    config = small_run("map", tmp_path)
    code = f"def dask_setup(worker):\n    worker.memory_manager.memory_pause_fraction = {FULL}\n"
    line = rf"no worker of tcp.* could play for 2 seconds: full \(tcp.*\): {PAUSED}"
    with (
        local_cluster(workers=0) as client,
        strange_worker(client, tmp_path, "full", code),
        on_cluster(client, patience=Patience(worker=2.0)) as cluster,
        cluster.executor(config.prepare()) as executor,
    ):
        wait_for(lambda: notes_of(executor) == [PAUSED])
        with pytest.raises(RunError, match=line) as error:
            execute(config, tmp_path / "run.db", executor=executor)
    assert "\n" not in str(error.value)
    assert execute(config, tmp_path / "run.db").finished


def test_evaluations_that_end_every_worker_end_the_run_with_one_line(tmp_path: Path, longer: RunConfig) -> None:
    path, preload = tmp_path / "run.db", tmp_path / "mortal.py"
    # No more than 40 evaluations are asked for at once: when the worker begins the 60th, some were told.
    preload.write_text(code_of_worker("os.kill(os.getpid(), signal.SIGKILL)", first=60))
    with local_cluster(workers=1, preload=preload) as client, on_cluster(client):
        client.cluster.scheduler.allowed_failures = 0
        with pytest.raises(
            RunError, match=r"worker .* died during the same evaluations: perhaps there is too little memory"
        ) as error:
            execute(longer, path)
    assert "\n" not in str(error.value)
    assert 0 < games_of(path) < GAMES


# ---- interrupts and progress -----------------------------------------------------------------------------------------


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
    path = tmp_path / "runs" / "run.db"
    wait_for(lambda: path.exists() and evaluations_of(path) > 0)
    wait_for(lambda: any(client.run(_executing).values()))
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in errors) == (130, False), errors
    assert "is whole; the same command resumes it" in errors
    wait_for(lambda: not any(map(len, client.processing().values())))
    wait_for(lambda: not any(client.run(_executing).values()))
    assert len(client.scheduler_info(n_workers=-1)["workers"]) == 2


def test_the_progress_shows_workers_with_their_rates(tmp_path: Path, longer: RunConfig) -> None:
    gate, preload = Gate(tmp_path / "gate"), tmp_path / "gate.py"
    preload.write_text(gate.code)
    with (
        local_cluster(preload=preload) as client,
        begun(longer, tmp_path / "run.db", client) as (_, run),
    ):
        gate.wait_for(2)
        gate.open()
        workers = run.result().workers
    assert [each.threads for each in workers] == [1, 1]
    assert all(each.rate > 0 and not each.note for each in workers)
