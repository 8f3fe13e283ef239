"""`deckatlas meta`: what it prints and writes, and what it refuses in one line before any game."""

import json
import subprocess
import time
from pathlib import Path

import pytest

from deckatlas import hearthstone
from helpers.command_line import PROGRAM, CommandLine, environment

FILE = """\
edition = "classic-2014"
pilot = "greedy"

[[deck]]
deck = "Handlock"

[[deck]]
deck = "Zoo"

[[deck]]
deck = "Face Hunter"
"""


@pytest.fixture
def deckatlas(deckatlas: CommandLine, tmp_path: Path) -> CommandLine:
    (tmp_path / "three.toml").write_text(FILE, encoding="utf-8")
    return deckatlas


def test_a_metagame_is_shown_stored_and_written(deckatlas: CommandLine, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    few = ("--games", "8", "--seed", "1")
    files = ("--json", "out.json", "--page", "out.html", "--picture", "out.png")
    code, out, errors = deckatlas("meta", "show", "three.toml", *few, *files)
    assert (code, errors) == (0, "")
    assert "three: classic-2014, greedy, 24 games" in out
    assert max(map(len, out.splitlines())) <= 120
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert {each["name"] for each in found["decks"]} == {"Handlock", "Zoo", "Face Hunter"}
    assert sum(each["mix"] for each in found["decks"]) == pytest.approx(1)
    assert len(found["matchups"]) == 3
    assert (tmp_path / "out.png").stat().st_size > 5000
    assert (tmp_path / "out.html").stat().st_size > 5000
    (store,) = (tmp_path / "runs").glob("*.db")
    before = store.read_bytes()
    code, again, _ = deckatlas("meta", "show", "three.toml", *few, "--json", "-")
    assert json.loads(again) == found
    assert store.read_bytes() == before


def test_a_deck_is_shown_against_a_metagame(deckatlas: CommandLine) -> None:
    few = ("--meta", "three.toml", "--games", "4", "--seed", "1")
    code, out, errors = deckatlas("meta", "deck", "Control Warrior", *few)
    assert (code, errors) == (0, "")
    assert "Control Warrior against three (classic-2014)" in out
    code, out, _ = deckatlas("meta", "deck", "Control Warrior", *few, "--json", "-")
    found = json.loads(out)
    assert found["deck"] == "Control Warrior"
    assert {each["against"] for each in found["matchups"]} == {"Handlock", "Zoo", "Face Hunter"}


def test_a_deck_has_a_place_among_the_elites_of_a_run(deckatlas: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "runs" / "mages.db"
    path.parent.mkdir()
    hearthstone.map_elites(
        "mage",
        edition="classic-2014",
        pilot="random",
        evaluations=12,
        games=2,
        seed=1,
        resolution=3,
        path=path,
    )
    few = ("--meta", "three.toml", "--games", "4", "--atlas", "mages", "--elites", "2")
    code, out, errors = deckatlas("meta", "deck", "Control Warrior", *few)
    assert (code, errors) == (0, "")
    assert "of 2 elites of mages" in out
    (place,) = json.loads(deckatlas("meta", "deck", "Control Warrior", *few, "--json", "-")[1])["atlas"]
    assert place["run"] == "mages"
    assert 0 <= place["percentile"] <= 1


def test_a_suite_of_the_mix_is_written_and_used(deckatlas: CommandLine) -> None:
    assert deckatlas("meta", "suite", "three.toml", "-o", "mix.toml", "--games", "4")[0] == 0
    options = ("--suite", "mix.toml", "--pilot", "random", "--games", "4", "--edition", "classic-2014")
    assert deckatlas("evaluate", "Starter Mage", *options)[0] == 0


SEARCH = """\
[evaluation]
pilot = "random"
games = 4

[search]
algorithm = "random-solutions"

[archive]
kind = "grid"
measures = ["deck_mana_sum"]
resolution = [3]
ranges = [[60, 150]]
"""
GROW = ("meta", "grow", "three.toml", "--classes", "mage", "--search", "search.toml", "--games", "40", "--rounds", "1")
FEW = ("--matchup-games", "4", "--final-games", "8", "--confirm-games", "8", "--finalists", "2", "--seed", "1")


def test_a_metagame_grows_and_the_same_command_reads_what_is_stored(deckatlas: CommandLine, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "search.toml").write_text(SEARCH, encoding="utf-8")
    files = ("--json", "out.json", "--page", "out.html", "--picture", "out.png")
    code, out, errors = deckatlas(*GROW, *FEW, "--out", "grown.toml", *files)
    assert (code, errors) == (0, "")
    assert "grown: three (3 decks, edition classic-2014, greedy) grows by best responses" in out
    assert "for each of mage: a search of 40 games (random)" in out
    assert "the mix of 3 decks at the start: " in out
    assert " points on 8 fresh games, " in out
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert found["verdict"] in out
    (response,) = found["rounds"][0]["responses"]
    assert response["run"] == "grown-round-1-mage"
    assert sum(found["rounds"][0]["mix_after"].values()) == pytest.approx(1)
    for name in ("out.html", "out.png"):
        assert (tmp_path / name).stat().st_size > 5000
    stores = {path.name: path.read_bytes() for path in (tmp_path / "runs").iterdir()}
    renamed = ["--class" if word == "--classes" else word for word in GROW]
    code, again, errors = deckatlas(*renamed, *FEW, "--out", "grown.toml", "--json", "-")
    assert (code, errors, json.loads(again)) == (0, "", found)
    assert {path.name: path.read_bytes() for path in (tmp_path / "runs").iterdir()} == stores
    assert deckatlas("meta", "show", "grown.toml", "--games", "4", "--seed", "1")[0] == 0


@pytest.mark.long
def test_a_growth_that_is_killed_resumes_to_the_same_bytes(deckatlas: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "search.toml").write_text(SEARCH, encoding="utf-8")
    command, killed = (*GROW, *FEW, "--margin", "0"), tmp_path / "killed"
    assert deckatlas(*command, "--out", "grown.toml", "--json", "whole.json", "--store", "whole")[0] == 0
    whole = (tmp_path / "grown.toml").read_bytes()
    again = (*command, "--out", "grown.toml", "--json", "again.json", "--store", str(killed), "--threads", "1")
    for stores in (1, 2, 3, 4):  # the matchups, the search, the finals, the confirmation
        process = subprocess.Popen([PROGRAM, *again], cwd=tmp_path, stdout=subprocess.DEVNULL, env=environment())
        while process.poll() is None and len(list(killed.glob("*.db"))) < stores:
            time.sleep(0.01)
        process.kill()
        process.wait()
    assert deckatlas(*again)[0] == 0
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
    assert (tmp_path / "grown.toml").read_bytes() == whole


def test_a_growth_with_other_options_needs_another_name(deckatlas: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "search.toml").write_text(SEARCH, encoding="utf-8")
    assert deckatlas(*GROW, *FEW, "--out", "grown.toml")[0] == 0
    code, _, errors = deckatlas(*GROW, *FEW, "--games", "44", "--out", "grown.toml")
    assert code == 2
    assert "choose another name with --out" in errors


@pytest.mark.parametrize(
    ("arguments", "mistake"),
    [
        (("--classes", "monk"), "monk"),
        (("--search", "nothing.toml"), "nothing.toml"),
        (("--games", "3"), "--games 3"),
        (("--rounds", "0"), "rounds"),
        (("--margin", "-2"), "margin"),
        (("--matchup-games", "1"), "games"),
        (("--confirm-games", "1"), "confirmation"),
        (("--finalists", "0"), "finalists"),
        (("--pilot", "nobody"), "nobody"),
        (("--out", "grown.txt"), ".toml"),
        (("--out", "three.toml"), "start from"),
        (("--out", "no/such/folder.toml"), "cannot write"),
        (("--out", "?.toml"), "called"),
        (("--picture", "out.gif"), ".png"),
    ],
)
def test_a_growth_that_cannot_be_gives_one_line(
    deckatlas: CommandLine, arguments: tuple[str, ...], mistake: str, tmp_path: Path
) -> None:
    (tmp_path / "search.toml").write_text(SEARCH, encoding="utf-8")
    code, out, errors = deckatlas(*GROW, "--out", "grown.toml", *arguments)
    assert (code, out) == (2, "")
    assert errors.count("\n") == 1
    assert mistake in errors
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "mistake"),
    [
        (("show", "nothing"), "field-2018"),
        (("show", "nothing.toml"), "nothing.toml"),
        (("show", "three.toml", "--pilot", "nobody"), "nobody"),
        (("show", "three.toml", "--edition", "1999"), "1999"),
        (("show", "three.toml", "--games", "1"), "games"),
        (("show", "three.toml", "--seed", "-1"), "seed"),
        (("show", "three.toml", "--threads", "0"), "threads"),
        (("show", "three.toml", "--picture", "out.gif"), ".png"),
        (("show", "three.toml", "--page", "no/such/folder.html"), "cannot write"),
        (("show", "three.toml", "--elites", "1"), "--elites"),
        (("deck", "Nozdormuu", "--meta", "three.toml"), "Nozdormuu"),
        (("deck", "Tempo Rogue", "--meta", "three.toml"), "Tempo Rogue"),
        (("suite", "three.toml", "-o", "mix.toml", "--portions", "0", "--games", "2"), "portions"),
    ],
)
def test_bad_input_gives_one_line(deckatlas: CommandLine, arguments: tuple[str, ...], mistake: str) -> None:
    code, out, errors = deckatlas("meta", *arguments)
    assert (code, out) == (2, "")
    assert errors.count("\n") == 1
    assert mistake in errors
