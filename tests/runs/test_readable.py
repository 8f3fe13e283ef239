"""A run can always be read, even where it can no longer be resumed: with other cards, or without its game."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.games.locm.run_config import LocmDraftRun
from deckatlas.runs import read_config, view
from deckatlas.runs.hashes import names_hash
from deckatlas.runs.loop import execute
from deckatlas.runs.view import open_run
from helpers.command_line import CommandLine
from helpers.maps import hunters
from helpers.reports import answers_in, needs_page
from helpers.runs import write_config

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

READ = {
    "map": (
        ["runs"],
        ["show", "map"],
        ["show", "map", "--digest"],
        ["verify-store", "map"],
        ["report", "map", "-o", "-"],
        ["export", "map", "--csv", "-"],
        ["export", "map", "--json", "-"],
        ["export", "map", "--elites", "-"],
        ["export", "map", "--frame", "-"],
    ),
    "evolution": (
        ["runs"],
        ["show", "evolution"],
        ["show", "evolution", "--digest"],
        ["verify-store", "evolution"],
        ["export", "evolution", "--csv", "-"],
        ["export", "evolution", "--json", "-"],
    ),
}
SETTINGS = {"map": "search.evaluations=40", "evolution": "budget=240"}


@pytest.fixture(params=[pytest.param("map", marks=needs_page), "evolution"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def resume(kind: str, tmp_path: Path, deckatlas: CommandLine) -> list[str]:
    """The command that resumes the run of a kind, which is finished."""
    if kind == "map":
        execute(hunters(tmp_path, SETTINGS[kind], "name=map"), tmp_path / "runs" / "map.db", recheck=4)
        command = ["run", "hunters.toml", "--name", "map", "--set", SETTINGS[kind]]
    else:
        write_config(tmp_path)
        command = ["run", "evolution.toml", "--set", SETTINGS[kind]]
        assert deckatlas(*command)[0] == 0
    assert deckatlas(*command)[0] == 0
    return command


def read_all(deckatlas: CommandLine, kind: str) -> list[str]:
    """Everything that can be said of the run."""
    said = []
    for command in READ[kind]:
        code, out, errors = deckatlas(*command)
        assert (code, errors) == (0, ""), command
        said.append(out)
    if kind == "map":
        assert deckatlas("plot", "map", "-o", "map.png") == (0, "", "")
        assert Path("map.png").read_bytes().startswith(b"\x89PNG")
    return said


def test_a_run_with_other_cards_is_read_as_before_and_not_resumed(
    deckatlas: CommandLine, kind: str, resume: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, content = read_all(deckatlas, kind), Path(f"runs/{kind}.db").read_bytes()
    for config in (HearthstoneDeckRun, LocmDraftRun):
        monkeypatch.setattr(config, "cards_hash", lambda self: "others")
    assert read_all(deckatlas, kind) == before
    code, out, errors = deckatlas(*resume)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"deckatlas: runs/{kind}.db was written by another version (deckatlas ")
    assert "cards are not the same" in errors
    assert Path(f"runs/{kind}.db").read_bytes() == content


@needs_page
@pytest.mark.parametrize("kind", ["map"], indirect=True)
def test_names_of_cards_are_those_of_the_store(deckatlas: CommandLine, resume: list[str]) -> None:
    """Cards that this version does not know, or calls otherwise, are named as they were then."""
    path = Path("runs/map.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE run SET cards = 'others'")
        connection.execute("UPDATE genes SET name = 'Forgotten ' || name")
        connection.execute("UPDATE run SET names = ?", (names_hash(connection),))
        connection.commit()
    view = open_run(path)
    names = [line.name for elite in view.elites() for line in view.deck_list(elite)]
    assert names
    assert all(name.startswith("Forgotten ") for name in names)
    cards = answers_in(deckatlas("report", "map", "-o", "-")[1])["map"]["cards"]
    assert all(card["name"].startswith("Forgotten ") for card in cards)
    code, _, errors = deckatlas(*resume)
    assert (code, errors.count("\n")) == (2, 1)
    assert "cards are not the same" in errors


def test_a_run_whose_game_is_gone_is_read_and_not_resumed(
    deckatlas: CommandLine, kind: str, resume: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, content = read_all(deckatlas, kind), Path(f"runs/{kind}.db").read_bytes()
    known = open_run(f"runs/{kind}.db")
    for module in (view, read_config):
        monkeypatch.setattr(module, "run_kinds", lambda: {"other-deck": None})
    said = dict(zip(map(tuple, READ[kind]), read_all(deckatlas, kind), strict=True))
    for command, then in zip(READ[kind], before, strict=True):
        if command[0] in ("runs", "verify-store") or command[-1] == "--digest" or "--csv" in command:
            assert said[tuple(command)] == then
    now = json.loads(said["export", kind, "--json", "-"])
    then = json.loads(before[READ[kind].index(["export", kind, "--json", "-"])])
    assert _without_codes(now) == _without_codes(then)
    if kind == "map":
        elites = csv.DictReader(io.StringIO(said["export", "map", "--elites", "-"]))
        ids = {gene.id for gene in known.description.genes}
        for row in elites:  # ids of cards, where there is nobody to make deck codes
            assert len(row["code"].split()) == 30
            assert {*row["code"].split()} <= ids
    code, out, errors = deckatlas(*resume)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert "unknown kind of space" in errors
    assert Path(f"runs/{kind}.db").read_bytes() == content


def _without_codes(values: dict[str, Any]) -> dict[str, Any]:
    return {**values, "elites": [{**row, "code": ""} for row in values.get("elites", [])]}


@needs_page
def test_a_map_of_a_patch_that_is_gone_is_read_and_resumed_by_nobody(tmp_path: Path, deckatlas: CommandLine) -> None:
    hunters(tmp_path)
    patch = Path("cheap.toml")
    patch.write_text('name = "cheap"\n[cards."Fire Elemental"]\ncost = 1\n')
    run = ["run", "hunters.toml", "--name", "map", "--set", "space.edition=cheap.toml", "--set", SETTINGS["map"]]
    assert deckatlas(*run)[0] == 0
    before = read_all(deckatlas, "map")
    patch.unlink()
    assert read_all(deckatlas, "map") == before
    code, _, errors = deckatlas(*run)
    assert (code, errors.count("\n")) == (2, 1)
    assert "cheap.toml" in errors
