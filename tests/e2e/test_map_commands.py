"""The commands that show maps: plot, report, show and the demo."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.cli import demo
from deckatlas.views import map_report
from helpers.command_line import CommandLine, environment
from helpers.maps import HUNTERS
from helpers.reports import needs_page
from helpers.runs import write_config

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

CODE = re.compile(r"^AAE[BC][A-Za-z0-9+/]+=*$", re.MULTILINE)


def make_map(name: str = "mage", seed: int = 0, recheck: int | None = None) -> None:
    hearthstone.map_elites(
        "mage",
        evaluations=12,
        games=2,
        resolution=(3, 3),
        seed=seed,
        recheck=recheck,
        path=Path("runs") / f"{name}.db",
    )


@needs_page
def test_a_map_is_drawn_and_reported_into_the_files_that_were_asked_for(deckatlas: CommandLine) -> None:
    make_map()
    assert deckatlas("plot", "mage", "-o", "map.png") == (0, "", "")
    assert deckatlas("plot", "mage", "-o", "turns.svg", "--measures", "num_turns, dust", "--what", "cells") == (
        0,
        "",
        "",
    )
    assert deckatlas("report", "mage", "-o", "mage.html") == (0, "", "")
    assert Path("map.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in Path("turns.svg").read_text("utf-8")
    assert Path("mage.html").read_text("utf-8").startswith("<!doctype html>")
    code, out, _ = deckatlas("report", "runs/mage.db", "-o", "-")
    assert (code, out) == (0, Path("mage.html").read_text("utf-8"))


def test_several_maps_are_drawn_in_one_picture(deckatlas: CommandLine) -> None:
    make_map("first")
    make_map("second", seed=1)
    for what in ("map", "curves"):
        assert deckatlas("plot", "first", "second", "-o", f"{what}.svg", "--what", what) == (0, "", "")
    assert deckatlas("plot", "first", "second", "-o", "default.svg") == (0, "", "")
    drawn = Path("default.svg").read_text("utf-8")
    assert "<!-- first: " in drawn
    assert "<!-- second: " in drawn
    assert "mean of 2 trials, 12 evaluations" in Path("curves.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("plot", "mage", "-o", "map.gif"), "ends in .png, .svg or .pdf"),
        (("plot", "mage", "-o", "map.png", "--what", "maps"), "did you mean 'map'?"),
        (("plot", "mage", "-o", "map.png", "--measures", "num_turn"), "did you mean 'num_turns'?"),
        (("plot", "mage", "-o", "map.png", "--what", "recheck"), "--recheck"),
        (("plot", "mages", "-o", "map.png"), "did you mean 'mage'?"),
        (("plot", "mage", "-o", "none/map.png"), "cannot write"),
        pytest.param(("report", "mage", "-o", "none/mage.html"), "cannot write", marks=needs_page),
        (("plot", "evolution", "-o", "map.png"), "evolution has no archive"),
        (("report", "evolution", "-o", "map.html"), "evolution has no archive"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(
    arguments: tuple[str, ...], complaint: str, deckatlas: CommandLine, tmp_path: Path
) -> None:
    make_map()
    if "evolution" in arguments:
        deckatlas("run", str(write_config(tmp_path)))
    code, out, errors = deckatlas(*arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"deckatlas: [^\n]+\n", errors)
    assert complaint in errors


def test_show_draws_the_map_and_tells_what_a_recheck_found(deckatlas: CommandLine) -> None:
    make_map(recheck=4)
    code, out, errors = deckatlas("show", "mage")
    assert (code, errors) == (0, "")
    assert "health difference: " in out
    found = hearthstone.open_run(Path("runs/mage.db")).recheck()
    assert found is not None
    assert re.search(rf"QD score, of the corrected map +{found.before.qd_score:.1f} +{found.after.qd_score:.1f}", out)
    assert f"{found.stayed} of {found.before.elites} elites stay elites" in out


def interrupted(*arguments: str, store: Path, after: float) -> tuple[int, str]:
    """Runs a command as a program, and sends Ctrl-C so many seconds after it has made its store.

    Returns:
        Its exit code and its errors.
    """
    # Started in the background of a script, a process ignores interrupts unless it says otherwise.
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{listen}; from deckatlas.cli.main import run; run()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while process.poll() is None and not store.exists():
            time.sleep(0.02)
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    return process.returncode, errors


@pytest.mark.parametrize("after", [0.4, 1.6])  # before anything is stored in peace, and between two times
def test_runs_and_show_agree_on_the_best_of_a_map_that_was_interrupted(after: float, deckatlas: CommandLine) -> None:
    Path("slow.toml").write_text(HUNTERS)
    slow = ["--set", "evaluation.games=400", "--set", "search.evaluations=5000", "--set", "search.window=1"]
    elites = 0
    while elites == 0:  # where the machine has much to do, nothing may have been evaluated by then
        Path("runs/slow.db").unlink(missing_ok=True)
        code, errors = interrupted("run", "slow.toml", *slow, store=Path("runs/slow.db"), after=after)
        assert code == 130, errors
        elites = len(hearthstone.open_run(Path("runs/slow.db")).elites())
        after *= 1.5
    _, listed, _ = deckatlas("runs")
    _, shown, _ = deckatlas("show", "slow")
    in_runs = re.search(r"stopped .* of [\d,]+ +(-?[\d.]+) +\d{4}-", listed)
    in_show = re.search(r"the best of \d+ elites.*\n.*\n.*\n.*\n +\d+, \d+ +\S+ +\S+ +(-?[\d.]+) \[", shown)
    assert in_runs, listed
    assert in_show, shown
    assert in_runs[1] == in_show[1]


FEW_GAMES = {"CANDIDATES": 2, "CHOICE_GAMES": 24, "COMPARED_GAMES": 192}


def test_ctrl_c_in_the_demo_says_what_is_kept_and_how_to_resume(deckatlas: CommandLine) -> None:
    code, errors = interrupted("demo", "--folder", "a map", store=Path("a map/paladin.db"), after=0.2)
    assert code == 130
    kept = "a map/paladin.db keeps what was played"
    assert errors == f"interrupted: {kept}; `deckatlas demo --folder 'a map'` resumes it\n"
    assert "stopped" in deckatlas("runs", "--store", "a map")[1]


@needs_page
def test_the_demo_makes_a_map_shows_its_decks_and_writes_the_report(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"EVALUATIONS": 24, "GAMES": 2, "RECHECK_GAMES": 4, "RESOLUTION": (3, 3), **FEW_GAMES}.items():
        monkeypatch.setattr(demo, name, value)
    code, out, errors = deckatlas("demo")
    assert (code, errors) == (0, "")
    assert "24 decks play 2 games each, 48 in all" in out
    view = hearthstone.open_run(Path("demo/paladin.db"))
    codes = {view.code(elite) for elite in view.elites()}
    kinds = len(re.findall(r"^(?:low|middling|high)\b", out, re.MULTILINE))
    assert len(CODE.findall(out)) == kinds + 1 >= 2  # and the one that meets the list of people
    assert {*CODE.findall(out)} <= codes
    assert re.search(r"B: the best list of people, \S.*\n", out)
    assert re.search(r"A wins \d+\.\d % and B \d+\.\d %", " ".join(out.split()))
    assert re.search(r"(Better|Worse|Undecided): ", out)
    assert re.search(r"elites, of the corrected map +\d+ +\d+ *\n", out)
    assert Path("demo/report.html").read_text("utf-8").startswith("<!doctype html>")
    assert Path("demo/map.png").read_bytes().startswith(b"\x89PNG")
    again = deckatlas("demo")
    assert again[0] == 0
    assert CODE.findall(again[1]) == CODE.findall(out)


def test_the_demo_does_without_matplotlib(deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"EVALUATIONS": 6, "GAMES": 2, "RECHECK_GAMES": 2, "RESOLUTION": (2, 2), **FEW_GAMES}.items():
        monkeypatch.setattr(demo, name, value)
    monkeypatch.setattr(demo, "find_spec", lambda name: None)
    code, out, _ = deckatlas("demo", "--folder", "elsewhere")
    assert code == 0
    assert "elsewhere/report.html" in out
    assert not Path("elsewhere/map.png").exists()


def test_the_demo_does_without_the_pages_and_says_what_builds_them(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"EVALUATIONS": 6, "GAMES": 2, "RECHECK_GAMES": 2, "RESOLUTION": (2, 2), **FEW_GAMES}.items():
        monkeypatch.setattr(demo, name, value)
    monkeypatch.setattr(map_report, "PAGE", Path("nowhere.html"))
    code, out, _ = deckatlas("demo")
    assert code == 0
    assert "no report: the pages are not built; `make pages`" in out
    code, out, errors = deckatlas("report", "demo/paladin.db", "-o", "report.html")
    assert (code, out) == (2, "")
    assert errors.startswith("deckatlas: the pages are not built")
    assert not Path("report.html").exists()
