"""Patches of Legends of Code and Magic on the command line and in run files, from the file to the stored run."""

import json
from pathlib import Path
from shlex import quote

import pytest

from deckatlas import locm
from deckatlas.games.locm.editions import edition_of, official
from deckatlas.games.locm.referee import referee
from deckatlas.games.locm.run_config import LocmDeckRun
from deckatlas.games.locm.table import play_one
from deckatlas.runs.read_config import read_config
from helpers.command_line import PROGRAM, CommandLine
from helpers.reports import needs_page

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

PATCH = """\
name = "louder"

[cards.Slimer]
attack = 9
keywords = "charge"
"""

MAP = """\
name = "decks"

[space]
kind = "locm-deck"
edition = "louder.toml"

[evaluation]
games = 4
opponents = ["random/random"]
pilot = "random"

[archive]
kind = "sliding"
measures = ["deck_mana_sum", "num_turns"]
resolution = [3, 3]

[search]
algorithm = "map-elites"
evaluations = 40
initial = 40
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "louder.toml").write_text(PATCH, encoding="utf-8")
    (tmp_path / "decks.toml").write_text(MAP, encoding="utf-8")
    return tmp_path


@needs_page
def test_a_run_keeps_the_text_of_its_patch(deckatlas: CommandLine, here: Path) -> None:
    louder = edition_of("louder.toml")
    assert deckatlas("run", "decks.toml")[0] == 0
    (here / "louder.toml").unlink()
    view = locm.open_run(next((here / "runs").glob("decks*")))
    assert view.config["space"] == {"kind": "locm-deck", "most_copies": 3, "patch": PATCH}
    assert "edition louder" in view.description.title
    stored = LocmDeckRun.model_validate(view.config)
    assert stored.cards_hash() == louder.hash
    assert stored.space.cards == louder
    assert stored.to_json() == view.config
    for words in (
        ["show", "decks"],
        ["report", "decks", "-o", "decks.html"],
        ["export", "decks", "--elites", "decks.csv"],
    ):
        code, _, errors = deckatlas(*words)
        assert (code, errors) == (0, ""), words


def test_a_run_with_the_official_cards_is_stored_as_before_there_were_editions(here: Path) -> None:
    (here / "plain.toml").write_text(MAP.replace('edition = "louder.toml"\n', ""), encoding="utf-8")
    config = read_config(here / "plain.toml")
    assert config.to_json()["space"] == {"kind": "locm-deck", "most_copies": 3}
    assert config.cards_hash() == official().hash


def test_a_mistake_in_the_patch_of_a_run_is_one_line(deckatlas: CommandLine, here: Path) -> None:
    (here / "louder.toml").write_text(PATCH.replace("attack", "atack"), encoding="utf-8")
    code, _, errors = deckatlas("run", "decks.toml")
    assert code == 2
    assert errors.count("\n") == 1
    assert "decks.toml, line 5" in errors
    assert "louder.toml, line 4: patch 'louder': card 1 (Slimer) has no field 'atack': did you mean 'attack'?" in errors


def test_commands_play_the_edition(deckatlas: CommandLine, here: Path) -> None:
    gauntlet = ("gauntlet", "locm", "icebox/greedy", "random/greedy", "--games", "200", "--json", "-")
    patched, plain, again = (
        deckatlas(*gauntlet, *more)[1] for more in (("--edition", "louder.toml"), (), ("--edition", "1.2"))
    )
    assert _without_times(patched) != _without_times(plain)
    assert _without_times(again) == _without_times(plain)
    match = ("play", "locm", "icebox/greedy", "random/greedy", "--games", "200")
    patched, plain = (deckatlas(*match, *more)[1].splitlines()[3] for more in (("--edition", "louder.toml"), ()))
    assert "half-turns per game" in plain
    assert patched != plain


def _without_times(text: str) -> object:
    def plain(value: object) -> object:
        if isinstance(value, dict):
            return {key: plain(each) for key, each in value.items() if "ms" not in key}
        return [plain(each) for each in value] if isinstance(value, list) else value

    return plain(json.loads(text))


def test_cards_and_games_show_the_edition(deckatlas: CommandLine, here: Path) -> None:
    _, out, _ = deckatlas("cards", "locm", "slimer", "--edition", "louder.toml", "--json", "-")
    (card,) = json.loads(out)
    assert (card["attack"], card["keywords"]) == (9, "-C----")
    code, _, _ = deckatlas(
        "game", "locm", "icebox/greedy", "random", "--edition", "louder.toml", "--record", "game.txt"
    )
    assert code == 0
    text = (here / "game.txt").read_text(encoding="utf-8")
    assert "edition=louder@" in text
    assert locm.GameRecord.from_text(text, edition="louder.toml").to_text() == text


def test_the_referee_shows_programs_the_edition(here: Path) -> None:
    program = f"{quote(str(PROGRAM))} bot locm icebox/greedy"
    (game,) = referee([program, program], seed=7, edition="louder.toml", time_factor=100)
    record = game.record
    assert isinstance(record, locm.GameRecord)
    assert record.start.startswith("locm1.2 edition=louder@")
    assert record.forfeit is None
    again = play_one("icebox/greedy", "icebox/greedy", seed=7, edition="louder.toml")
    assert [*map(str, again.actions)] == [*map(str, record.actions)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("2.0", "unknown edition '2.0': use 1.2, or a TOML file with a patch"),
        ("missing.toml", "cannot read missing.toml: No such file or directory"),
    ],
)
def test_an_unknown_edition_is_one_line(deckatlas: CommandLine, here: Path, given: str, message: str) -> None:
    code, _, errors = deckatlas("play", "locm", "random", "random", "--edition", given)
    assert (code, errors) == (2, f"deckatlas: {message}\n")
