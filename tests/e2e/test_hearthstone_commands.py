"""`deckatlas play hearthstone` and `deckatlas game hearthstone`: what they print, and what they refuse."""

from pathlib import Path

import pytest

from deckatlas import hearthstone
from helpers.command_line import CommandLine

DECKS = ["--deck-a", "Starter Mage", "--deck-b", "Starter Hunter"]


@pytest.fixture
def deckatlas(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_a_match_prints_who_wins_how_often(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("play", "hearthstone", "random", "pass", *DECKS, "--games", "40", "--seed", "3")
    played = hearthstone.play("random", "pass", decks=("Starter Mage", "Starter Hunter"), games=40, seed=3)
    lines = out.splitlines()
    assert (code, "\n".join(lines[:-1]), errors) == (0, str(played), "")
    assert lines[-1].startswith("  ms a turn ")


def test_a_match_ends_with_the_test_that_decides_it(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("play", "hearthstone", "random:active", "pass", *DECKS, "--sprt", "--elo1", "40")
    assert (code, errors) == (0, "")
    assert "(n = 128)" in out
    assert "sequential test: H1, a lead of +40 Elo or more" in out


def test_a_game_is_told_and_its_record_replays(deckatlas: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    options = ["--seed", "5", "--edition", "2019-12", "--mulligan", "all", "--record", str(file)]
    code, out, errors = deckatlas("game", "hearthstone", "random", "random:active", *DECKS, *options)
    record = hearthstone.GameRecord.from_text(file.read_text(encoding="utf-8"))
    assert (code, out, errors) == (0, f"{hearthstone.narrate(record)}\n", "")
    assert record.begin().cards.edition == "2019-12"
    assert str(record.actions[0]) == "keep 0 1 2"
    assert deckatlas("game", "hearthstone", "random", "random:active", *DECKS, *options[:-1], "-")[1] == str(record)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "hearthstone", "random", "random"], "Hearthstone is played with decks: give --deck-a"),
        (["game", "hearthstone", "random", "random", *DECKS[:2]], "Hearthstone is played with decks: give --deck-b"),
        (["play", "hearthstone", "clever", "random", *DECKS], "unknown agent 'clever'"),
        (["play", "hearthstone", "random", "random", *DECKS[:3], "Magus"], "unknown deck 'Magus'"),
        (["play", "hearthstone", "random", "random", *DECKS, "--edition", "2017"], "unknown edition '2017'"),
        (["game", "hearthstone", "random", "random", *DECKS, "--mulligan", "never"], "unknown mulligan 'never'"),
        (["play", "hearthstone", "random", "random", *DECKS, "--games", "0"], "games must be a whole number"),
        (["game", "hearthstone", "random", "random", *DECKS, "--seed", "9" * 30], "a seed is a whole number"),
        (["play", "hearthstone", "random", "random", *DECKS, "--elo0", "3"], "--elo0 is for the test of --sprt"),
        (["game", "hearthstone", "random", "random", *DECKS, "--format", "referee"], "--format is for locm"),
        (["play", "locm", "random", "random", *DECKS[:2]], "--deck-a is for hearthstone, not for locm"),
        (["game", "locm", "random", "random", "--edition", "2018-12"], "--edition is for hearthstone"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], message: str, deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas(*words)
    assert (code, out) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1
