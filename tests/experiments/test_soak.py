"""The soak: its acts find nothing in a package that is sound, and notice what is not."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "experiments" / "soak"))
hostile: Any = import_module("hostile")
script: Any = import_module("soak")

# Quick, but long enough to be interrupted.
TINY = {"map": script.RUNS["map"].replace("evaluations = 600", "evaluations = 60")}


@pytest.fixture
def soak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(script, "RUNS", TINY)
    monkeypatch.setattr(script, "SEEDS", 1)
    return script.Soak(tmp_path, {})


def place_in(folder: Path) -> Path:
    place = folder / "place"
    place.mkdir()
    return place


def test_a_run_that_is_damaged_on_the_way_is_a_finding(soak: Any, tmp_path: Path) -> None:
    place = place_in(tmp_path)
    soak.damage_a_store(place)
    assert (soak.findings, soak.counts["damaged stores"]) == ([], 1)
    (place / "run.db").write_bytes((place / "good.db").read_bytes())
    (place / "else").write_text("")
    soak.check_whole(place / "run.db", ["good.db", "run.db"])
    assert len(soak.findings) == 1
    assert "else" in soak.findings[0]


def test_a_program_that_stays_is_found(soak: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "PROGRAMS", {"forks and leaves": hostile.PROGRAMS["forks and leaves"]})
    soak.let_a_program_play(place_in(tmp_path))
    assert soak.findings == []
    process = soak.start(
        "play", "locm", f"exec:{hostile.command_of('never reads', tmp_path, 'token')}", "random/random"
    )
    try:
        while not hostile.left_of("token"):
            assert process.poll() is None
    finally:
        process.kill()
        process.communicate()


def test_a_traceback_and_half_a_file_are_findings(soak: Any, tmp_path: Path) -> None:
    soak.wait(soak.start("play", "nothing"))
    assert soak.findings == []
    assert script.Ended((), 2, "", "deckatlas: one line\n").is_decent
    assert not script.Ended((), 2, "", "deckatlas: one line\nand another\n").is_decent
    assert not script.Ended((), 1, "", "").is_decent
    (tmp_path / "a.json").write_text('{"a": 1')
    (tmp_path / "a.html").write_text("<html>")
    assert not script.is_whole(tmp_path / "a.json")
    assert not script.is_whole(tmp_path / "a.html")


def test_figures_are_added_to_those_of_earlier_sessions(tmp_path: Path) -> None:
    first = script.Soak(tmp_path, {})
    first.counts["acts"] = 3
    first.found("something")
    second = script.Soak(tmp_path, json.loads(json.dumps(first.figures())))
    assert (second.counts["acts"], second.sessions, second.findings) == (3, 2, ["something"])


def test_the_document_has_the_stored_figures() -> None:
    text = " ".join((ROOT / "docs/security.md").read_text(encoding="utf-8").split())
    soaked = json.loads((ROOT / "experiments/soak/figures.json").read_text(encoding="utf-8"))
    counts = soaked["counts"]
    assert f"{soaked['minutes']} minutes, {counts['acts']} acts and {counts['commands']} commands" in text
    assert soaked["findings"] == []
    played = json.loads((ROOT / "experiments/soak/actions.json").read_text(encoding="utf-8"))
    assert f"{played['total']:,} actions" in text
    assert played["total"] == sum(played["actions"].values())
