"""Small programs of the contest kind, and what tests do with them."""

import fcntl
import os
import shlex
import sys
import textwrap
import time
from collections.abc import Callable
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

from deckatlas.games.locm.program import LocmProgram
from deckatlas.games.locm.state import Action, new_game
from deckatlas.play.players import Forfeit
from helpers.sanitizers import REASON, is_sanitized

GENEROUS = 30.0  # time factor for programs that answer, so that a busy machine fails no test

# What most programs begin with: read one input, answer one line.
PRELUDE = """
import os, signal, sys, time

def read():
    for _ in range(2):
        sys.stdin.readline()
    for _ in range(int(sys.stdin.readline().split()[1])):
        sys.stdin.readline()
    for _ in range(int(sys.stdin.readline())):
        sys.stdin.readline()

def answer(text):
    os.write(1, text.encode() + b"\\n")
"""


def write_program(folder: Path, body: str) -> str:
    """Writes a program to a folder and returns the command that starts it.

    Under a sanitizer the test is skipped: its runtime would be loaded into the program, whose memory is limited.
    """
    if is_sanitized():
        pytest.skip(REASON)
    path = folder / f"program {len(list(folder.iterdir()))}.py"
    path.write_text(PRELUDE + textwrap.dedent(body), encoding="utf-8")
    return shlex.join([sys.executable, "-I", "-S", str(path)])


def assert_no_child() -> None:
    """This process has no child, dead or alive; what Python itself keeps for pools of processes does not count."""
    resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined]  # it ends with this process otherwise
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def wait_until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Waits for a condition, at most some seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def forfeit_of(command: str, *, decisions: int = 1, time_factor: float = GENEROUS) -> str:
    """Lets a program draft alone until it loses at the last of some decisions; returns the reason."""
    player = LocmProgram(command, time_factor=time_factor)
    state = new_game(seed=1)
    try:
        for _ in range(decisions - 1):
            state.apply(player.choose(state))
            state.apply(Action.from_text("PICK 0"))
        with pytest.raises(Forfeit) as forfeit:
            player.choose(state)
    finally:
        player.close()
    return str(forfeit.value)


def turn_of(command: str) -> list[str]:
    """The actions a program takes in the first turn of a battle in which every card is a Slimer that costs 1."""
    player = LocmProgram(command, time_factor=GENEROUS)
    state = new_game(decks=([1] * 30, [1] * 30))
    actions = []
    try:
        while state.turn == 0:
            actions.append(player.choose(state))
            state.apply(actions[-1])
    finally:
        player.close()
    return [str(action) for action in actions]


def hold_lock(path: Path) -> str:
    """Python text that takes a lock, which lasts as long as the process."""
    return f"import fcntl; lock = open({str(path)!r}, 'w'); fcntl.flock(lock, fcntl.LOCK_EX)"


def is_free(path: Path) -> bool:
    """Whether nobody holds the lock."""
    with path.open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
