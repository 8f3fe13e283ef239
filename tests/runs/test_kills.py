"""Runs that are killed or interrupted at any moment, as the programs that people run: each is resumed to its end."""

import json
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import check_store
from helpers.command_line import PROGRAM, CommandLine, environment
from helpers.cpu_time import cpu_seconds_of, cpu_seconds_of_ended
from helpers.maps import DRAFTS, HUNTERS
from helpers.runs import EVOLUTION, LONG, digest_of, evaluations_of, write_config
from helpers.surrogates import DECKS

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("no_waiting_for_the_disk")]

# The program, but it stores something fifty times a second: kills then come in the midst of it. If all evaluations are
# made before one comes, it waits for it.
STORES_OFTEN = """
import signal, sys
from deckatlas.cli.main import run
from deckatlas.runs import loop, writer

loop._STORE_SECONDS = loop._ELITE_SECONDS = 0.02
writer.Writer.finish = lambda self: signal.pause()
sys.argv = ["deckatlas", *sys.argv[1:]]
run()
"""

# What is killed, with settings that let it last some seconds.
KILLED = {
    "evolution": (EVOLUTION, ["budget=4800"]),
    "map": (HUNTERS, ["search.evaluations=400"]),
    "map with fresh seeds and more games": (
        HUNTERS,
        ["search.evaluations=400", "search.most_games=48", "evaluation.seeds=fresh"],
    ),
    "distributions": (DRAFTS, ["search.evaluations=400", "evaluation.games=40"]),
    # Most of its time is training and predictions.
    "surrogate": (DECKS, ["search.evaluations=300", "search.predictions=20000", "search.training.epochs=100"]),
    "surrogate with old predictions": (
        DECKS,
        ["search.evaluations=200", "search.predictions=20000", "search.start=stale", "search.training.warm_start=true"],
    ),
}
# What is interrupted: it lasts minutes, and ends within so many seconds, of CPU time too. One game of a map takes long.
SLOW = {
    "evolution": (LONG, 1),
    "map": (HUNTERS.replace('"random"', '"planner:score=control,width=40"').replace("= 12", "= 2000"), 5),
    "training": (DECKS.replace("[8], epochs = 3", "[512, 512], batch = 1, epochs = 10_000"), 5),
    "inner loop": (DECKS.replace("predictions = 600", "predictions = 1_000_000_000"), 5),
}


def start(folder: Path, *command: object) -> subprocess.Popen[str]:
    """Starts a program in a folder, without a terminal."""
    return subprocess.Popen(
        [str(word) for word in command],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_more(path: Path, process: subprocess.Popen[str], most: int) -> None:
    """Waits until a program has stored more evaluations than there were, or all of them."""
    before = evaluations_of(path)
    while evaluations_of(path) in {before} - {most}:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def unbroken(folder: Path, settings: list[str]) -> str:
    """The digest of the run of `run.toml` that nothing interrupts."""
    path = folder / "elsewhere" / "run.db"
    execute(read_config(folder / "run.toml", settings=settings), path)
    return digest_of(path)


@pytest.mark.parametrize("kind", KILLED)
def test_a_run_killed_and_interrupted_at_random_moments_ends_with_the_digest_of_an_unbroken_one(
    tmp_path: Path, deckatlas: CommandLine, kind: str
) -> None:
    text, settings = KILLED[kind]
    write_config(tmp_path, text, name="run")
    expected = unbroken(tmp_path, settings)
    arguments = ["run", "run.toml", *(part for setting in settings for part in ("--set", setting))]
    path = tmp_path / "runs" / "run.db"
    most = evaluations_of(tmp_path / "elsewhere" / "run.db")
    rng = random.Random(1)
    for number, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        process = start(tmp_path, sys.executable, "-c", STORES_OFTEN, *arguments, "--threads", "1")
        wait_for_more(path, process, most)  # so that every process gets somewhere
        time.sleep(rng.uniform(0, 0.05))
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, "Traceback" in errors) == (code, False), errors
        with open_store(path) as store:
            check_store(store)
    assert re.search(r"run +[\w-]+ +stopped ", deckatlas("runs")[1])
    code, out, errors = deckatlas(*arguments)
    assert (code, errors) == (0, "")
    assert re.match(r"run: finished after [\d,]+ evaluations, [\d,]+ games \([\d,]+ of them now", out)
    assert deckatlas("show", "run", "--digest") == (0, f"{expected}\n", "")
    assert deckatlas("verify-store", "run")[0] == 0
    assert [file.name for file in path.parent.iterdir()] == ["run.db"]


KILLED_WITHIN_A_TRANSACTION = """
import os, signal, sys
from deckatlas.cli.main import run
from deckatlas.runs import loop, writer

insert = writer._insert_generation
def killed(connection, generation, evaluations, games):
    connection.execute("PRAGMA cache_size = 1")  # so that the transaction is on the disk before it ends
    insert(connection, generation, evaluations, games)
    if generation.number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
writer._insert_generation, loop._STORE_SECONDS = killed, 0.0
sys.argv = ["deckatlas", "run", "run.toml"]
run()
"""


def test_a_transaction_that_a_kill_left_on_the_disk_is_taken_back(tmp_path: Path, deckatlas: CommandLine) -> None:
    write_config(tmp_path, EVOLUTION, name="run")
    expected = unbroken(tmp_path, [])
    code = [sys.executable, "-c", KILLED_WITHIN_A_TRANSACTION]
    assert subprocess.run(code, cwd=tmp_path, timeout=60).returncode == -signal.SIGKILL
    assert (tmp_path / "runs" / "run.db-wal").stat().st_size > 0
    code_of_runs, out, errors = deckatlas("runs")
    assert (code_of_runs, errors) == (0, "")
    assert re.search(r"run +E_aw +stopped +generation 4 ", out)
    assert deckatlas("run", "run.toml")[0] == 0
    assert digest_of(tmp_path / "runs" / "run.db") == expected
    assert [file.name for file in (tmp_path / "runs").iterdir()] == ["run.db"]


KILLED_WHILE_IT_BEGINS = """
import os, signal, sys
from deckatlas.cli.main import run
from deckatlas.runs import writer

create = writer.create
def killed(connection, *given, **options):
    connection.execute("PRAGMA cache_size = 1")
    create(connection, *given, **options)
    os.kill(os.getpid(), signal.SIGKILL)
writer.create = killed
sys.argv = ["deckatlas", "run", "run.toml"]
run()
"""


def test_a_run_killed_while_its_store_is_made_begins_again(tmp_path: Path, deckatlas: CommandLine) -> None:
    write_config(tmp_path, EVOLUTION, name="run")
    expected = unbroken(tmp_path, [])
    code = [sys.executable, "-c", KILLED_WHILE_IT_BEGINS]
    assert subprocess.run(code, cwd=tmp_path, timeout=60).returncode == -signal.SIGKILL
    assert (tmp_path / "runs" / "run.db").exists()
    assert "unreadable" in deckatlas("runs")[1]
    assert deckatlas("run", "run.toml")[0] == 0
    assert digest_of(tmp_path / "runs" / "run.db") == expected


@pytest.mark.parametrize("kind", SLOW)
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_has_one_writer_and_a_signal_leaves_it_whole(
    tmp_path: Path, deckatlas: CommandLine, kind: str, number: signal.Signals, code: int
) -> None:
    text, seconds = SLOW[kind]
    write_config(tmp_path, text, name="long")
    path = tmp_path / "runs" / "long.db"
    process = start(tmp_path, PROGRAM, "run", "long.toml")
    try:
        while not path.exists() or path.stat().st_size == 0:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        told = "runs/long.db is being written by another process; wait for it, or choose another name with --name"
        assert deckatlas("run", "long.toml") == (2, "", f"deckatlas: {told}\n")
        assert re.search(r"long +[\w-]+ +running", deckatlas("runs")[1])
        while kind == "evolution" and json.loads(deckatlas("export", "long", "--json", "-")[1])["games"] == 0:
            time.sleep(0.05)
        process.send_signal(number)
        before, begun = cpu_seconds_of(process.pid) + cpu_seconds_of_ended(), time.monotonic()
        out, errors = process.communicate(timeout=60)
        assert time.monotonic() - begun < seconds
        assert cpu_seconds_of_ended() - before < seconds
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, out) == (code, "")
    assert "runs/long.db is whole; the same command resumes it\n" in errors
    assert "Traceback" not in errors
    assert re.search(r"long +[\w-]+ +stopped", deckatlas("runs")[1])
    assert [file.name for file in path.parent.iterdir()] == ["long.db"]
