"""`deckatlas play hearthstone` and `deckatlas game hearthstone`: what they print, and what they refuse."""

import csv
import json
import re
from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.games.hearthstone.cards.measures import measures
from helpers.command_line import CommandLine

DECKS = ["--deck-a", "Starter Mage", "--deck-b", "Starter Hunter"]
NAMES = ("Starter Mage", "Starter Hunter")
HUNTER = (
    str(hearthstone.named_decks()["Starter Hunter"]).partition(": ")[2].replace("2 CS2_119", "2 CS2_182")
)  # no name


def test_a_match_prints_who_wins_how_often(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("play", "hearthstone", "random", "pass", *DECKS, "--games", "40", "--seed", "3")
    played = hearthstone.play("random", "pass", decks=("Starter Mage", "Starter Hunter"), games=40, seed=3)
    lines = out.splitlines()
    assert (code, "\n".join(lines[:-1]), errors) == (0, str(played), "")
    assert lines[-1].startswith("  ms per turn ")


def test_a_match_ends_with_the_test_that_decides_it(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("play", "hearthstone", "random:active", "pass", *DECKS, "--sprt", "--elo1", "40")
    assert (code, errors) == (0, "")
    assert "(n = 128)" in out
    assert "sequential test: H1, a lead of +40 Elo or more" in out


def test_headings_of_matches_name_the_decks(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("play", "hearthstone", "random", "pass", *DECKS, "--games", "4")
    assert (code, errors) == (0, "")
    assert out.startswith("Starter Mage (random) against Starter Hunter (pass): ")
    several = hearthstone.play("random", "pass", decks=(NAMES, "HUNTER: " + HUNTER), games=2)
    assert str(several).startswith("2 decks (random) against Hunter deck (pass): ")


def test_a_game_is_told_and_its_record_replays(deckatlas: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    options = ["--seed", "5", "--edition", "2019-12", "--mulligan", "all", "--record", str(file)]
    code, out, errors = deckatlas("game", "hearthstone", "random", "random:active", *DECKS, *options)
    record = hearthstone.GameRecord.from_text(file.read_text(encoding="utf-8"))
    assert (code, out, errors) == (0, f"{hearthstone.narrate(record, decks=NAMES)}\n", "")
    assert record.begin().cards.edition == "2019-12"
    assert str(record.actions[0]) == "keep 0 1 2"
    assert deckatlas("game", "hearthstone", "random", "random:active", *DECKS, *options[:-1], "-")[1] == str(record)


def test_a_game_is_explained(deckatlas: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    options = ["--seed", "5", "--explain", "--record", str(file)]
    code, out, errors = deckatlas("game", "hearthstone", "fast", "random", *DECKS, *options)
    record = hearthstone.GameRecord.from_text(file.read_text(encoding="utf-8"))
    assert (code, out, errors) == (0, f"{hearthstone.narrate(record, decks=NAMES)}\n", "")
    assert record.explanations
    assert "second does not say what it considers" in out
    best = record.explanations[-1].lines[0]
    assert re.search(rf"^  > +{re.escape(best.worth)}  {re.escape(best.words)}$", out, re.MULTILINE)
    out = deckatlas("game", "hearthstone", "random", "pass", *DECKS, "--explain")[1]
    assert out.startswith("Neither player says what it considers.\n")


def test_a_patch_in_a_file_is_an_edition_for_every_command(deckatlas: CommandLine, tmp_path: Path) -> None:
    patch = tmp_path / "dear.toml"
    patch.write_text('name = "dear"\n[cards.Fireball]\ncost = 9\n', encoding="utf-8")
    edition = ["--edition", str(patch)]
    code, out, _ = deckatlas("game", "hearthstone", "pass", "pass", *DECKS, *edition, "--record", "-")
    assert (code, "edition=dear " in out) == (0, True)
    assert deckatlas("play", "hearthstone", "pass", "pass", *DECKS, *edition, "--games", "2")[0] == 0
    code, out, _ = deckatlas("evaluate", "Starter Mage", "--pilot", "pass", "--games", "1", *edition, "--csv", "-")
    row = next(csv.DictReader(out.splitlines()))
    assert (code, row["edition"]) == (0, "dear")
    assert (
        int(row["deck_mana_sum"]) == 10 + measures(hearthstone.named_decks()["Starter Mage"], "2018-12").deck_mana_sum
    )
    lines = tmp_path / "scenarios.jsonl"
    side = {"class": "MAGE", "mana": 9, "max_mana": 9}
    fireball = {"play": "CS2_029", "target": "op.hero"}
    described = {"name": "dear", "me": {**side, "hand": ["CS2_029"]}, "op": side, "do": [fireball]}
    lines.write_text(json.dumps({**described, "expect": {"me.mana": 0}}), encoding="utf-8")
    assert deckatlas("verify", "hearthstone", str(lines), *edition)[0] == 0
    assert deckatlas("verify", "hearthstone", str(lines))[0] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "hearthstone", "random", "random"], "Hearthstone is played with decks: give --deck-a"),
        (["game", "hearthstone", "random", "random", *DECKS[:2]], "Hearthstone is played with decks: give --deck-b"),
        (["play", "hearthstone", "clever", "random", *DECKS], "unknown agent 'clever'"),
        (["play", "hearthstone", "random", "random", *DECKS[:3], "Magus"], "--deck-b: unknown deck 'Magus'"),
        (["game", "hearthstone", "random", "random", "--deck-a", "MAGE:", *DECKS[2:]], "--deck-a: a deck has 30 cards"),
        (["play", "hearthstone", "random", "random", *DECKS, "--edition", "2017"], "unknown edition '2017'"),
        (
            ["play", "hearthstone", "random", "random", *DECKS, "--edition", "no.toml"],
            "cannot read no.toml: No such file",
        ),
        (["game", "hearthstone", "random", "random", *DECKS, "--mulligan", "never"], "unknown mulligan 'never'"),
        (["play", "hearthstone", "random", "random", *DECKS, "--games", "0"], "games must be a whole number"),
        (["game", "hearthstone", "random", "random", *DECKS, "--seed", "9" * 30], "a seed is a whole number"),
        (["play", "hearthstone", "random", "random", *DECKS, "--elo0", "3"], "--elo0 is for the test of --sprt"),
        (["game", "hearthstone", "random", "random", *DECKS, "--format", "referee"], "--format is for locm"),
        (["play", "locm", "random", "random", *DECKS[:2]], "--deck-a is for hearthstone, not for locm"),
        (["game", "locm", "random", "random", "--mulligan", "own"], "--mulligan is for hearthstone"),
        (["game", "locm", "random", "random", "--edition", "2018-12"], "unknown edition '2018-12': use 1.2"),
        (["game", "locm", "random", "random", "--explain"], "--explain is for hearthstone"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], message: str, deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas(*words)
    assert (code, out) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1
