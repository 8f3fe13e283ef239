"""The command line in tests: in this process, where it starts at once, or as the program people run."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer.main

from deckatlas.cli.main import make_app, run

PROGRAM = Path(sys.executable).parent / "deckatlas"

# What makes programs write in colour, or not, whatever they write to; and at once, which hides what fails at the end.
_SETTINGS = (
    *("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "GITHUB_ACTIONS", "TTY_COMPATIBLE"),
    "PYTHONUNBUFFERED",
)


def all_commands() -> dict[str, Any]:
    """Every command by its words, such as `meta show`; one that has commands of its own comes before them."""
    found: dict[str, Any] = {}
    left = dict(typer.main.get_command(make_app()).commands)  # type: ignore[attr-defined]
    while left:
        name = next(iter(left))
        found[name] = left.pop(name)
        left |= {f"{name} {inner}": each for inner, each in getattr(found[name], "commands", {}).items()}
    return found


class CommandLine:
    """Runs commands in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Runs a command; returns its exit code, its output and its errors."""
        self._monkeypatch.setattr(sys, "argv", ["deckatlas", *arguments])
        with pytest.raises(SystemExit) as end:
            run()
        assert isinstance(end.value.code, int)
        return end.value.code, *self._capsys.readouterr()


def environment(**settings: str) -> dict[str, str]:
    """The environment of a user who has set nothing about output but `settings`."""
    kept = {name: value for name, value in os.environ.items() if name not in _SETTINGS}
    return {**kept, "TERM": "xterm-256color", **settings}


def let_children_hear_interrupts() -> None:
    """Lets programs that tests start hear Ctrl-C where the tests themselves were started with it ignored.

    A shell without job control starts what runs in the background so, and children inherit it. A handler that does
    nothing ignores as well, but is not inherited.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda number, frame: None)


class Terminal:
    """A terminal to give to a program, and what appears on it."""

    def __init__(self) -> None:
        self._ours, self._theirs = pty.openpty()
        self.shown = b""

    def start(self, *arguments: str, **settings: str) -> subprocess.Popen[bytes]:
        """Starts the program on this terminal alone."""
        process = subprocess.Popen(
            [PROGRAM, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=self._theirs,
            stderr=self._theirs,
            env=environment(**settings),
        )
        os.close(self._theirs)
        return process

    def read_until(self, text: bytes) -> None:
        """Waits for something to appear."""
        while text not in self.shown:
            assert self._read(), self.shown

    def read_all(self) -> None:
        """Waits until the program has ended, and gives the terminal back."""
        while self._read():
            pass
        os.close(self._ours)

    def _read(self) -> bool:
        try:
            more = os.read(self._ours, 65_536)
        except OSError:  # how Linux tells that the other end is closed
            more = b""
        self.shown += more
        return bool(more)


def ends_within_a_second_of_ctrl_c(*arguments: str) -> bool:
    """Whether a command ends in time, with its exit code and no traceback, once its progress bar moves.

    The best of three counts: other tests may have the cores in a bad moment.
    """
    return any(_seconds_after_ctrl_c(*arguments) < 1 for _ in range(3))


def _seconds_after_ctrl_c(*arguments: str) -> float:
    terminal = Terminal()
    process = terminal.start(*arguments)
    try:
        terminal.read_until(b"games/s")
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        terminal.read_all()
        code = process.wait(timeout=60)
        seconds = time.monotonic() - start
    finally:
        process.kill()
        process.wait()
    assert code == 130
    assert b"Traceback" not in terminal.shown
    assert b"Error" not in terminal.shown
    return seconds
