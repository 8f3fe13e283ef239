"""A game of one's own on the command line: the same commands, options of its own, and what is refused."""

import re
from pathlib import Path
from typing import Any

import pytest

from deckatlas import games
from deckatlas.cli.game_options import with_parts_of_games
from deckatlas.errors import GameError
from deckatlas.games.game import CommandPart, GameOption
from deckatlas.play.match import MatchResult
from helpers.command_line import CommandLine
from helpers.high_card import HighCard

DECKS = ["--deck-a", "even", "--deck-b", "2 two, 2 five"]


class Wagered(HighCard):
    """High Card with options of every kind, which it keeps."""

    given: dict[str, Any] | None = None

    def command_part(self, command: str) -> CommandPart:
        own = (
            GameOption("stake", "What is at stake.", kind=int),
            GameOption("colours", "Colours of the cards.", several=True),
            GameOption("open_hands", "Play with open hands.", kind=bool),
            GameOption("table_file", "A file.", kind=Path, flag="--table"),
        )
        known = super().command_part(command)
        return CommandPart((*known.options, *own), notes=("A note on wagers.",)) if command == "play" else known

    def play(self, a: Any, b: Any, **options: Any) -> MatchResult:
        own = ("stake", "colours", "open_hands", "table_file")
        self.given = {name: options.pop(name) for name in own if name in options}
        return super().play(a, b, **options)


@pytest.fixture(autouse=True)
def game(monkeypatch: pytest.MonkeyPatch) -> Wagered:
    """The game, which other tests do not know."""
    monkeypatch.setattr(games, "_registered", {})
    made = Wagered()
    games.register(made)
    return made


def words(text: str) -> str:
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())


def test_a_match_prints_what_python_gives(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("play", "high-card", "highest", "nth:n=1", *DECKS, "--games", "30", "--seed", "2")
    result = HighCard().play("highest", "nth:n=1", deck_a="even", deck_b="2 two, 2 five", games=30, seed=2)
    *lines, times = out.splitlines()
    assert (code, errors, lines) == (0, "", str(result).splitlines())
    assert times.startswith("  ms per turn ")


def test_a_gauntlet_prints_ratings_of_decks_with_pilots(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas(
        "gauntlet", "high-card", "low/highest", "high/highest", "even/random", "--games", "20"
    )
    assert (code, errors) == (0, "")
    assert re.search(r"^ 1 +high/highest", out, re.MULTILINE)
    assert re.search(r"^ 3 +low/highest", out, re.MULTILINE)


def test_a_game_is_told_and_its_record_is_written(deckatlas: CommandLine, tmp_path: Path) -> None:
    arguments = ["game", "high-card", "highest", "random", *DECKS, "--seed", "4"]
    played = HighCard().play_one("highest", "random", deck_a="even", deck_b="2 two, 2 five", seed=4)
    assert deckatlas(*arguments, "--record", str(tmp_path / "game")) == (0, f"{played.story}\n", "")
    assert (tmp_path / "game").read_text(encoding="utf-8") == played.record.to_text()


def test_agents_lists_pilots_with_options_and_how_entrants_are_written(deckatlas: CommandLine) -> None:
    code, out, _ = deckatlas("agents", "high-card")
    assert code == 0
    assert re.search(r"^highest +Lays its highest card *$", out, re.MULTILINE)
    assert re.search(r"^nth:n=\.\.\. +which one \(0\) *$", out, re.MULTILINE)
    assert "a gauntlet is DECK/PILOT. A deck is a name (low, high, even) or its cards" in words(out)


def test_options_of_every_kind_reach_the_game_and_only_those_given(deckatlas: CommandLine, game: Wagered) -> None:
    match = ["play", "high-card", "highest", "random", *DECKS, "--games", "2"]
    assert deckatlas(*match)[0] == 0
    assert game.given == {}
    own = ["--stake", "0", "--colours", "red", "--colours", "blue", "--open-hands", "--table", "x"]
    assert deckatlas(*match, *own)[0] == 0
    assert game.given == {"stake": 0, "colours": ["red", "blue"], "open_hands": True, "table_file": Path("x")}


def test_help_says_which_game_an_option_is_for(deckatlas: CommandLine) -> None:
    shown = words(deckatlas("play", "--help")[1])
    assert re.search(r"Options of locm --format", shown)
    assert re.search(r"Options of hearthstone and high-card --deck-a", shown)  # they share the option
    assert (
        "hearthstone: The first agent's deck, by its name, code or text, or a file with it (needed). high-card: "
        in shown
    )
    assert re.search(r"Options of high-card .*--stake .*What is at stake\.", shown)
    assert "A note on wagers." in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "locm", "random", "random", "--stake", "1"], "--stake is for high-card, not for locm"),
        (["play", "locm", "random", "random", "--table", "x"], "--table is for high-card, not for locm"),
        (
            ["play", "locm", "random", "random", "--deck-a", "x"],
            "--deck-a is for hearthstone and high-card, not for locm",
        ),
        (["play", "high-card", "highest", "random", "--format", "x"], "--format is for locm, not for high-card"),
        (["play", "high-card", "highest", "random"], "high-card is played with decks: give --deck-a"),
        (["referee", "high-card", "--p1", "a", "--p2", "b"], "high-card has no referee for programs"),
        (["bot", "high-card", "highest"], "high-card has no text protocol"),
        (["verify", "high-card", __file__], "high-card has no reference files of other engines"),
        (["evaluate", "high-card", "low", "--pilot", "highest"], "high-card has no evaluations of decks"),
    ],
)
def test_what_a_game_does_not_have_is_refused_in_one_line(
    arguments: list[str], message: str, deckatlas: CommandLine
) -> None:
    code, out, errors = deckatlas(*arguments)
    assert (code, out, errors) == (2, "", f"deckatlas: {message}\n")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (GameOption("games", "How many."), "the command already has an option --games for all games"),
        (GameOption("format", "Which.", kind=int), "locm has --format as another kind of option"),
        (GameOption("format", "Which.", flag="--how"), "locm has --how as another kind of option"),
    ],
)
def test_options_that_do_not_go_together_are_an_error_of_the_game(
    option: GameOption, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def command(game: str, games: int = 1, **own: Any) -> None:
        """Plays."""

    monkeypatch.setattr(Wagered, "command_part", lambda self, name: CommandPart((option,)))
    with pytest.raises(GameError, match=message):
        with_parts_of_games("play", command)


def test_a_command_without_room_for_options_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wagered, "command_part", lambda self, name: CommandPart((GameOption("stake", "What."),)))
    with pytest.raises(GameError, match="the command agents takes no options of games: stake"):
        with_parts_of_games("agents", lambda game: None)
