"""The interpreter ends quietly while other threads play, train or report progress, and forked children live on."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

PLAYS = "locm.play('icebox/planner', 'icebox/planner', games=1_000_000, seed=1, threads=2)"
EVALUATES = "hearthstone.evaluate('Starter Mage', games=100_000, threads=2)"
TRAINS = """
import numpy as np
from deckatlas._core import surrogate
rows = np.ones((1000, 64), np.float32)
surrogate.Trainer([64, 256, 1], 1).fit(
    rows, np.ones((1000, 1), np.float32), np.ones(1000, np.float32),
    epochs=100_000, batch_size=100, rate=0.01, final_rate=0.01, seed=1,
)
"""
PREDICTS = """
import numpy as np
from deckatlas._core import numeric
numeric.eigensystem(np.random.default_rng(1).normal(size=(1500, 1500)))
"""
REPORTS = """
def show(games):
    time.sleep(0.3)
    sum(range(1000))
locm.play('icebox/planner', 'icebox/planner', games=1_000_000, seed=1, threads=2, progress=show)
"""
SEVERAL_TIMES = """
while True:
    locm.play('random/random', 'random/random', games=2000, seed=1, threads=2)
"""


def ended(body: str, *, threads: int = 1, end: str = "") -> "subprocess.CompletedProcess[str]":
    """A program whose daemon threads carry out the body while its main thread ends."""
    program = f"""
import sys, threading, time
from deckatlas import hearthstone, locm

def work():
{textwrap.indent(textwrap.dedent(body), "    ")}

for _ in range({threads}):
    threading.Thread(target=work, daemon=True).start()
time.sleep(1)
{end}
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("body", [PLAYS, EVALUATES, TRAINS, PREDICTS, REPORTS, SEVERAL_TIMES])
def test_the_interpreter_ends_quietly_while_a_thread_works(body: str) -> None:
    done = ended(body)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_it_ends_quietly_with_many_threads_and_after_an_error() -> None:
    done = ended(SEVERAL_TIMES, threads=8)
    assert (done.returncode, done.stderr) == (0, "")
    failed = ended(PLAYS, threads=3, end="sys.exit(3)")
    assert (failed.returncode, failed.stderr) == (3, "")


def test_games_can_be_played_while_the_interpreter_ends() -> None:
    late = "import atexit; atexit.register(lambda: print(locm.play('random/random', 'random/pass', games=2).games))"
    done = ended("pass", end=late)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


def test_bindings_leave_python_by_one_door() -> None:
    bindings = Path(__file__).parents[2] / "bindings"
    others = [file.name for file in bindings.iterdir() if "gil_scoped_release" in file.read_text(encoding="utf-8")]
    assert others == ["without_gil.hpp"], "use WithoutGil, which knows when the interpreter ends"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_plays_and_ends_while_threads_of_its_parent_play() -> None:
    fork = """
import os, warnings
warnings.simplefilter("ignore")
if os.fork() == 0:
    print(locm.play('random/random', 'random/pass', games=10, threads=2).games, flush=True)
    sys.exit()
assert os.wait()[1] == 0
"""
    start = time.monotonic()
    done = ended(PLAYS, end=fork)
    assert (done.returncode, done.stdout, done.stderr) == (0, "10\n", "")
    assert time.monotonic() - start < 60
