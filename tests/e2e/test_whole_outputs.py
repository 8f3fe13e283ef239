"""Outputs are replaced whole: a full disk or a kill leaves the good file that was there, and nothing else.

Each command here once left half a file, or none, where a good one was.
"""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from deckatlas.runs.loop import execute
from helpers.bounded import bounded
from helpers.command_line import PROGRAM, environment
from helpers.maps import hunters
from helpers.reports import needs_page

SMALL = 4096  # bytes that a file may have, less than any output here
GOOD = "a good file of yesterday\n" * 400


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    execute(hunters(folder, "search.evaluations=60", "search.initial=30"), folder / "map.db")
    return folder


COMMANDS = {
    "report": (["report", "map", "-o", "out"], "out"),
    "export json": (["export", "map", "--json", "out"], "out"),
    "export elites": (["export", "map", "--elites", "out"], "out"),
    "plot": (["plot", "map", "-o", "out.png"], "out.png"),
    "frame": (["export", "map", "--frame", "out"], "out"),
}


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[needs_page] if what == "report" else []) for what in COMMANDS]
)
def test_a_full_disk_leaves_the_old_file(what: str, store: Path, tmp_path: Path) -> None:
    words, name = COMMANDS[what]
    (tmp_path / name).write_text(GOOD)
    ended = bounded(*words, "--store", store, folder=tmp_path, largest_file=SMALL)
    assert ended.line.startswith(f"cannot write {name}: ")
    assert (tmp_path / name).read_text() == GOOD
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.long
@needs_page
def test_reports_that_are_killed_are_old_or_new_never_half(store: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = [str(PROGRAM), "report", "map", "--store", str(store), "-o", str(page)]
    begun = time.monotonic()
    subprocess.run(words, check=True, env=environment(), capture_output=True)
    whole, seconds = page.read_text(), time.monotonic() - begun
    rng = random.Random(1)
    for _ in range(4):
        page.write_text(GOOD)
        process = subprocess.Popen(words, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds * rng.uniform(0.6, 1.0))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert page.read_text() in (GOOD, whole)
        left = {path.name for path in tmp_path.iterdir()} - {"page.html"}
        assert all(name.endswith(".partial") for name in left), left  # only in the moment before the new file is there
    subprocess.run(words, check=True, env=environment(), capture_output=True)  # removes what killed ones have left
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
