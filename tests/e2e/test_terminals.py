"""The command line on terminals, in pipes and interrupted: colours, Ctrl-C, and output that cannot be written."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.command_line import PROGRAM, CommandLine, Terminal, ends_within_a_second_of_ctrl_c, environment

FEW = ["--games", "20"]


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["gauntlet", "locm", "random", "icebox/pass", *FEW], ["play", "locm", "randm", "random"], ["play"]],
)
def test_what_does_not_go_to_a_terminal_is_plain_text(arguments: list[str]) -> None:
    ended = subprocess.run([PROGRAM, *arguments], env=environment(), capture_output=True, timeout=60)
    assert ended.returncode in (0, 2)
    assert b"\x1b" not in ended.stdout + ended.stderr
    assert ended.stdout + ended.stderr


def colours(shown: bytes) -> list[bytes]:
    """The parts of a terminal's input that choose a colour."""
    styles = [style.split(b";") for style in re.findall(rb"\x1b\[([\d;]*)m", shown)]
    return [code for style in styles for code in style if re.fullmatch(rb"3[0-8]|4[0-8]|9[0-7]|10[0-7]", code)]


@pytest.mark.parametrize(("settings", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_no_color_is_honoured_on_a_terminal(settings: dict[str, str], coloured: bool) -> None:
    terminal = Terminal()
    process = terminal.start("play", "--help", **settings)
    terminal.read_all()
    assert process.wait(timeout=60) == 0
    assert bool(colours(terminal.shown)) == coloured


LONG = ["random/greedy", "random/greedy", "--games", "10000000", "--threads", "1"]  # well over half a minute


@pytest.mark.parametrize("command", ["play", "gauntlet"])
def test_ctrl_c_ends_a_long_command_within_a_second_with_exit_code_130(command: str) -> None:
    entrants = LONG if command == "play" else ["icebox/greedy", *LONG[1:]]
    assert ends_within_a_second_of_ctrl_c(command, "locm", *entrants)


def test_programs_hear_ctrl_c_though_the_tests_were_started_with_it_ignored() -> None:
    code = """
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from helpers.command_line import let_children_hear_interrupts
ask = [sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"]
subprocess.run(ask)
let_children_hear_interrupts()
subprocess.run(ask)
signal.raise_signal(signal.SIGINT)
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[1], capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stdout) == (0, "False\nTrue\n")


def test_ctrl_c_is_a_keyboard_interrupt_in_python_within_a_second() -> None:
    code = """
import os, signal, threading, time
from deckatlas import locm

def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

timers = []
def started(games):
    if not timers:
        timers.append(threading.Timer(0.05, interrupt))
        timers[0].start()

try:
    locm.play("random/greedy", "random/greedy", games=10_000_000, threads=1, progress=started)
except KeyboardInterrupt:
    print(time.monotonic() - sent)
print(locm.play("random", "random", games=2).games)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
    seconds, games = ended.stdout.split()
    assert float(seconds) < 1
    assert games == "2"


def test_a_closed_pipe_ends_a_command_without_a_traceback() -> None:
    command = [str(PROGRAM), "gauntlet", "locm", "random", "icebox/pass", "--games", "20", "--json", "-"]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read()
    process.wait(timeout=60)
    process.stderr.close()
    assert errors == b""
    assert process.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_output_that_cannot_be_written_is_told_in_one_line() -> None:
    command = [str(PROGRAM), "agents", "locm"]
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(command, env=environment(), stdout=full, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (2, b"deckatlas: No space left on device\n")


def test_a_result_that_cannot_be_written_is_refused_before_the_games(deckatlas: CommandLine, tmp_path: Path) -> None:
    nowhere = tmp_path / "missing" / "result.json"
    many = ["--games", "900000000"]  # hours, were they played
    code, out, errors = deckatlas("gauntlet", "locm", "random", "icebox/greedy", *many, "--json", str(nowhere))
    assert (code, out, errors) == (2, "", f"deckatlas: cannot write {nowhere}: No such file or directory\n")
