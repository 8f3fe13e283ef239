"""Programs of strangers end with us, whatever ends us, and keep to their limits."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from deckatlas.errors import AgentError
from deckatlas.games.locm.program import LocmProgram
from deckatlas.games.locm.state import new_game
from deckatlas.play import program_settings as settings_module
from deckatlas.play.players import Forfeit
from deckatlas.play.program_settings import ProgramSettings, program_settings
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import check_store
from helpers.programs import GENEROUS, forfeit_of, hold_lock, is_free, wait_until, write_program

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs play on POSIX systems only")
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's means of Linux")

CLI = [sys.executable, "-c", "from deckatlas.cli.main import run; run()"]
STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"

WriteProgram = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> WriteProgram:
    """Writes a program and returns the command that starts it."""
    return partial(write_program, tmp_path)


def with_runaway_child(lock: Path) -> str:
    """A program with a descendant in another session that ignores SIGTERM and has lost its parent and its pipes."""
    return f"""
    ready, tell = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.setsid()
        {STUBBORN}
        {hold_lock(lock)}
        os.write(tell, b"!")
        os.closerange(0, 3)
        time.sleep(60)
        os._exit(0)
    os.read(ready, 1)
    """


# ---- the end ---------------------------------------------------------------------------------------------------------


@on_linux
@pytest.mark.parametrize("program_stays", [True, False])
def test_children_that_left_the_session_end_with_the_program(
    write: WriteProgram, tmp_path: Path, program_stays: bool
) -> None:
    lock = tmp_path / "lock"
    end = "time.sleep(60)" if program_stays else "os._exit(0)"
    player = LocmProgram(
        write(f"{with_runaway_child(lock)}\n    read(); answer('PICK 0'); {end}"), time_factor=GENEROUS
    )
    try:
        player.choose(new_game(seed=1))
    finally:
        player.close()
    assert is_free(lock)


@pytest.mark.parametrize("runaway", [False, pytest.param(True, marks=on_linux)])
def test_programs_end_when_we_are_killed(write: WriteProgram, tmp_path: Path, runaway: bool) -> None:
    locks = [tmp_path / "lock 0", tmp_path / "lock 1"]
    bodies = [with_runaway_child(lock) if runaway else f"    {STUBBORN}; {hold_lock(lock)}" for lock in locks]
    programs = [write(f"{body}\n    time.sleep(60)") for body in bodies]
    arguments = ["referee", "locm", "--p1", programs[0], "--p2", programs[1], "--time-factor", "60"]
    process = subprocess.Popen([*CLI, *arguments], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: all(lock.exists() and not is_free(lock) for lock in locks))
    finally:
        process.kill()
        process.wait()
    wait_until(lambda: all(map(is_free, locks)), seconds=10)
    assert all(map(is_free, locks))


# Files that name a program as an opponent, and commands that let it play; it never answers.
PATIENT = ["--time-factor", "600"]
EVOLUTION = """\
seed = 1
space.kind = "locm-draft"
space.genome.kind = "attributes"
search = { algorithm = "dbga", population = 4, generations = 2, games = 6, seat = "both" }
evaluation.opponents = ["PROGRAM"]
"""
SUITE = """\
[[opponent]]
deck = "Starter Mage"
pilot = "random"

[[opponent]]
deck = "Zoo"
pilot = "PROGRAM"
"""
SLOW_COMMANDS = {
    "gauntlet": ["gauntlet", "locm", "PROGRAM", "random/random", "random/pass", "--games", "20", *PATIENT],
    "gauntlet of decks": ["gauntlet", "hearthstone", "Zoo/random", "--suite", "suite.toml", "--allow-exec", *PATIENT],
    "evaluate": ["evaluate", "Zoo", "--pilot", "PROGRAM", "--games", "20", *PATIENT],
    "evaluate swaps": ["evaluate", "Zoo", "--pilot", "PROGRAM", "--games", "20", "--swap-out", *PATIENT],
    "run": ["run", "evolution.toml", "--allow-exec"],
}


@pytest.mark.parametrize("what", SLOW_COMMANDS)
@pytest.mark.parametrize(("number", "threads"), [(signal.SIGINT, "1"), (signal.SIGTERM, "2")])
def test_a_command_ends_within_a_second_though_a_program_never_answers(
    write: WriteProgram, tmp_path: Path, what: str, number: signal.Signals, threads: str
) -> None:
    asked = tmp_path / "asked"
    program = f"exec:{write(f'sys.stdin.readline(); open({str(asked)!r}, chr(119)).close(); time.sleep(60)')}"
    for name, text in {"evolution": EVOLUTION, "suite": SUITE}.items():
        (tmp_path / f"{name}.toml").write_text(text.replace("PROGRAM", program))
    words = [word.replace("PROGRAM", program) for word in SLOW_COMMANDS[what]]
    process = subprocess.Popen(
        [*CLI, *words, "--threads", threads], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        wait_until(lambda: asked.exists() or process.poll() is not None)
        begun = time.monotonic()
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
        taken = time.monotonic() - begun
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, "Traceback" in errors) == (128 + number, False), errors
    assert taken < 5, "a second on a machine that is not busy"
    if what == "run":
        assert "evolution.db is whole; the same command resumes it" in errors
        with open_store(tmp_path / "runs" / "evolution.db") as store:
            check_store(store)


# ---- limits ----------------------------------------------------------------------------------------------------------


@on_linux
def test_a_program_that_takes_too_much_memory_forfeits(write: WriteProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKATLAS_PROGRAM_MEMORY", "0.2")
    reason = forfeit_of(write("read(); held = bytearray(300_000_000); answer('PICK 0')"))
    assert reason.startswith("ended with exit code 1;")
    assert reason.endswith("MemoryError")


@on_linux
def test_a_program_with_too_many_processes_forfeits_and_all_of_them_end(
    write: WriteProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKATLAS_PROGRAM_PROCESSES", "5")
    locks = [tmp_path / f"lock {i}" for i in range(8)]
    children = "\n".join(f"    if os.fork() == 0: {hold_lock(lock)}; os.setsid(); time.sleep(60)" for lock in locks)
    reason = forfeit_of(write(f"{children}\n    read(); time.sleep(60)"))
    assert reason == "was ended by SIGKILL; its last words on standard error: deckatlas: it has more than 5 processes"
    assert all(is_free(lock) for lock in locks if lock.exists())


def test_a_program_that_writes_too_much_to_a_file_or_opens_too_many_forfeits(
    write: WriteProgram, tmp_path: Path
) -> None:
    file = tmp_path / "large"
    body = f"read(); file = open({str(file)!r}, 'wb'); file.truncate({2 * settings_module.FILE_BYTES})"
    assert "File too large" in forfeit_of(write(body))
    many = f"read(); files = [open(os.devnull) for _ in range({settings_module.OPEN_FILES + 1})]"
    assert "Too many open files" in forfeit_of(write(many))


def test_what_programs_write_to_standard_error_can_be_kept(
    write: WriteProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "logs"
    monkeypatch.setenv("DECKATLAS_PROGRAM_LOGS", str(logs))
    monkeypatch.setattr(settings_module, "LOG_BYTES", 1000)
    assert forfeit_of(write("print('hello', file=sys.stderr); sys.exit(3)")).startswith("ended with exit code 3")
    forfeit_of(write("sys.stderr.write('x' * 5000); sys.exit(3)"))
    kept = sorted(file.read_bytes() for file in logs.iterdir())
    assert kept == [b"hello\n", b"x" * 1000]


def test_a_folder_of_logs_that_cannot_be_written_is_refused(
    write: WriteProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DECKATLAS_PROGRAM_LOGS", str(tmp_path / "file"))
    with pytest.raises(AgentError, match=r"cannot write the log of a program to .*file: File exists"):
        LocmProgram(write("read()")).start()


@on_linux
def test_a_sandboxed_program_has_no_network(write: WriteProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    settings_module._sandbox.cache_clear()
    try:
        settings_module._sandbox()
    except AgentError:
        pytest.skip("neither bubblewrap nor unshare works here")
    monkeypatch.setenv("DECKATLAS_PROGRAM_SANDBOX", "yes")
    body = """
    import socket
    read()
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5)
    except OSError as error:
        sys.exit(f"refused: {type(error).__name__}")
    sys.exit("connected")
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = f"{write(body)} {server.getsockname()[1]}"
        assert "refused: " in forfeit_of(command)
        monkeypatch.setenv("DECKATLAS_PROGRAM_SANDBOX", "no")
        assert forfeit_of(command).endswith("connected")


def test_without_a_sandbox_on_this_system_programs_are_refused_that_want_one(
    write: WriteProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings_module._sandbox.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/cat" if name == "cat" else None)
    monkeypatch.setenv("DECKATLAS_PROGRAM_SANDBOX", "yes")
    player = LocmProgram("cat")
    with pytest.raises(AgentError, match="neither bubblewrap"):
        player.start()
    with pytest.raises(Forfeit, match="neither bubblewrap"):
        player.choose(new_game())
    player.close()


def test_settings_come_from_the_environment() -> None:
    assert program_settings({}) == ProgramSettings()
    given = {"DECKATLAS_PROGRAM_MEMORY": "1.5", "DECKATLAS_PROGRAM_PROCESSES": "3", "DECKATLAS_PROGRAM_LOGS": "logs"}
    assert program_settings(given) == ProgramSettings(1.5, 3, Path("logs"))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "DECKATLAS_PROGRAM_MEMORY",
            "much",
            "DECKATLAS_PROGRAM_MEMORY must be a number from 0.05 to 10000, not 'much'",
        ),
        ("DECKATLAS_PROGRAM_MEMORY", "nan", "must be a number"),
        ("DECKATLAS_PROGRAM_PROCESSES", "0", "DECKATLAS_PROGRAM_PROCESSES must be a number from 1"),
        ("DECKATLAS_PROGRAM_SANDBOX", "maybe", "DECKATLAS_PROGRAM_SANDBOX must be yes or no, not 'maybe'"),
    ],
)
def test_settings_that_mean_nothing_are_refused(name: str, value: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        program_settings({name: value})
