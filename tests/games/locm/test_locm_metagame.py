"""Metagames of draft policies: files, the shipped one, games that are real, and what is refused in one line."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deckatlas import locm
from deckatlas.errors import AgentError, RunError
from deckatlas.games.locm.metagame import METAGAMES, LocmMetagame, metagame_of
from deckatlas.games.locm.table import play_one
from deckatlas.metagame.rounds import field_seeds
from helpers.command_line import CommandLine

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

FILE = """\
game = "locm"
pilot = "greedy"

[[entrant]]
draft = "icebox"
share = 2

[[entrant]]
draft = "random"

[[entrant]]
draft = "coac"
pilot = "random"
"""
FEW = ("--games", "8", "--seed", "1")


@pytest.fixture
def deckatlas(deckatlas: CommandLine, tmp_path: Path) -> CommandLine:
    (tmp_path / "three.toml").write_text(FILE, encoding="utf-8")
    return deckatlas


@pytest.fixture
def three(tmp_path: Path) -> LocmMetagame:
    (tmp_path / "three.toml").write_text(FILE, encoding="utf-8")
    return metagame_of(tmp_path / "three.toml")


def test_a_file_names_policies_pilots_and_shares(three: LocmMetagame) -> None:
    assert three.names == ("icebox", "random", "coac/random")
    assert three.players().players == ("icebox/greedy", "random/greedy", "coac/random")
    assert three.shares.tolist() == [0.5, 0.25, 0.25]
    assert (three.edition, three.format) == ("1.2", "referee")


def test_a_given_metagame_takes_another_pilot_and_edition(three: LocmMetagame) -> None:
    patched = locm.edition().patched(locm.Patch("brutal", {"Slimer": {"attack": 12}}))
    changed = metagame_of(replace(three, cards=patched), pilot="random", edition="1.2")
    assert changed.players().players == ("icebox/random", "random/random", "coac/random")
    assert (changed.edition, changed.names, changed.shares.tolist()) == ("1.2", three.names, three.shares.tolist())
    assert metagame_of(three) == three
    with pytest.raises(AgentError, match="unknown"):
        metagame_of(three, pilot="unknown")


@pytest.mark.parametrize("name", METAGAMES)
def test_the_shipped_metagames_have_equal_pilots_and_fit_a_matrix(name: str) -> None:
    shipped = metagame_of(name)
    assert len(shipped.pilots) == 1
    assert 10 <= len(shipped.entrants) <= 15
    assert metagame_of(name, pilot="greedy").pilots == ("greedy",)


def test_the_games_are_those_of_the_entrants_on_common_seeds(three: LocmMetagame) -> None:
    found = locm.metagame(three, games=6, seed=5, samples=20)
    seeds = field_seeds(5, 12)
    texts = three.players().players
    for (i, j), outcomes in found.matchups.outcomes.items():
        for seed, outcome in zip(seeds.tolist(), outcomes.tolist(), strict=False):
            ours = play_one(texts[i], texts[j], seed=seed).winner == 0
            theirs = play_one(texts[j], texts[i], seed=seed).winner == 1
            assert outcome == (ours + theirs) / 2
    assert found.matchups.games == 6 * 3


def test_the_edition_of_the_file_is_played(tmp_path: Path) -> None:
    changes = "".join(f"[cards.{card.id}]\nattack = 12\n" for card in locm.cards() if card.type == "creature")
    (tmp_path / "wild.toml").write_text(f'name = "wild"\n{changes}', encoding="utf-8")
    (tmp_path / "three.toml").write_text(f'edition = "wild.toml"\n{FILE}', encoding="utf-8")
    wild, plain = metagame_of(tmp_path / "three.toml"), metagame_of(tmp_path / "three.toml", edition="1.2")
    assert (wild.edition, plain.edition) == ("wild", "1.2")
    assert wild.players().edition.cards == wild.cards.cards
    assert wild.players().cards != plain.players().cards
    assert "patch" not in plain.players().to_json()["evaluation"]
    rates = [locm.metagame(each, games=40, samples=5).matchups.rates for each in (wild, plain)]
    assert not np.array_equal(rates[0], rates[1])
    (tmp_path / "again.toml").write_text(wild.to_toml({}), encoding="utf-8")
    assert metagame_of(tmp_path / "again.toml").players() == wild.players()


def test_a_policy_joins_with_the_pilot_of_the_first_or_its_own(three: LocmMetagame) -> None:
    assert three.joined_by("atlas").players().players[-1] == "atlas/greedy"
    assert three.joined_by("atlas/random").players().players[-1] == "atlas/random"
    assert three.joined_by("icebox").names[-1] == "icebox (2)"
    for wrong in ("nobody", "icebox/nobody", "nobody/greedy"):
        with pytest.raises(AgentError):
            three.joined_by(wrong)


def test_a_policy_in_a_file_can_join_and_its_content_counts(three: LocmMetagame, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(" ".join(map(str, range(160))), encoding="utf-8")
    joined = three.joined_by(f"ranking:file={file}")
    before = joined.players().files
    file.write_text(" ".join(map(str, range(160, 0, -1))), encoding="utf-8")
    assert [*before] == [str(file)]
    assert joined.players().files != before


def test_a_metagame_is_written_as_a_file_that_reads_the_same(three: LocmMetagame, tmp_path: Path) -> None:
    (tmp_path / "again.toml").write_text(three.to_toml({"icebox": "the first\nof them"}), encoding="utf-8")
    again = metagame_of(tmp_path / "again.toml")
    assert again.entrants == three.entrants
    assert again.players() == three.players()


def test_a_suite_is_a_list_of_opponents_of_a_run(three: LocmMetagame) -> None:
    read = tomllib.loads(three.suite({0: 2, 2: 1}))
    assert read == {"evaluation": {"opponents": ["icebox/greedy", "icebox/greedy", "coac/random"]}}


def test_the_command_knows_the_game_by_the_file_or_the_name(deckatlas: CommandLine, tmp_path: Path) -> None:
    code, out, errors = deckatlas("meta", "show", "three.toml", *FEW, "--json", "out.json", "--page", "out.html")
    assert (code, errors) == (0, "")
    assert "three: 1.2" in out
    assert max(map(len, out.splitlines())) <= 120
    written = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert {deck["name"]: deck["pilot"] for deck in written["decks"]} == {
        "icebox": "greedy",
        "random": "greedy",
        "coac/random": "random",
    }
    assert deckatlas("meta", "show", "three.toml", *FEW, "--json", "-")[1] == json.dumps(written, indent=2) + "\n"
    code, out, errors = deckatlas("meta", "show", "drafts", "--pilot", "random", "--games", "2")
    assert (code, errors) == (0, "")
    assert "drafts: 1.2, random, 210 games" in out
    code, out, errors = deckatlas("meta", "deck", "atlas", "--meta", "three.toml", *FEW)
    assert (code, errors) == (0, "")
    assert "atlas" in out
    assert deckatlas("meta", "suite", "three.toml", *FEW, "-o", "-")[1].startswith("# Policies of the metagame three")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"random"\n\n', '"nobody"\n\n', "three.toml, line 9: unknown draft policy 'nobody'"),
        ('pilot = "random"', 'pilot = "nobody"', "three.toml, line 13: unknown battle agent 'nobody'"),
        ('pilot = "greedy"', 'pilot = "nobody"', "three.toml, line 2: unknown battle agent 'nobody'"),
        ('"random"\n\n', '"icebox"\n\n', "three.toml, line 9: two entrants are called 'icebox'"),
        ('game = "locm"', 'game = "locn"', "three.toml: unknown game 'locn'"),
        ('pilot = "greedy"', 'edition = "2.0"', "three.toml, line 2: unknown edition '2.0'"),
        ('pilot = "greedy"', 'speed = "greedy"', "three.toml, line 2: "),
        ("share = 2", "share = -2", "three.toml, line 6: "),
    ],
)
def test_a_mistake_is_one_line_with_its_place(
    deckatlas: CommandLine, tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in FILE
    (tmp_path / "three.toml").write_text(FILE.replace(old, new, 1), encoding="utf-8")
    code, _, errors = deckatlas("meta", "show", "three.toml", *FEW)
    assert code == 2
    assert errors.count("\n") == 1
    assert errors.startswith(f"deckatlas: {message}")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--pilot", "nobody"), "unknown battle agent 'nobody'"),
        (("--edition", "2.0"), "unknown edition '2.0'"),
        (("--elites", "5"), "a metagame of locm cannot be a run"),
    ],
)
def test_a_wrong_option_is_one_line(deckatlas: CommandLine, options: tuple[str, ...], message: str) -> None:
    code, _, errors = deckatlas("meta", "show", "three.toml", *FEW, *options)
    assert code == 2
    assert errors.startswith(f"deckatlas: {message}")


def test_what_is_no_metagame_is_refused() -> None:
    for given in ("draft", 3):
        with pytest.raises(RunError):
            metagame_of(given)  # type: ignore[arg-type]
