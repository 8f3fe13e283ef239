"""`deckatlas compare` and `improve`: what they print and write, and what they refuse in one line before any game."""

import json
from pathlib import Path

import pytest

from helpers.command_line import CommandLine

META = """\
edition = "2018-12"
pilot = "greedy"

[[deck]]
deck = "Zoo"

[[deck]]
deck = "Control Warrior (ladder)"
"""
NERF = """\
name = "nerf"

[cards."Ragnaros the Firelord"]
attack = 7
"""
LIST = """\
### Mine
2x Backstab
"""


@pytest.fixture
def deckatlas(deckatlas: CommandLine, tmp_path: Path) -> CommandLine:
    (tmp_path / "two.toml").write_text(META, encoding="utf-8")
    (tmp_path / "nerf.toml").write_text(NERF, encoding="utf-8")
    (tmp_path / "short.txt").write_text(LIST, encoding="utf-8")
    return deckatlas


def test_decks_are_compared_in_tables_that_fit_and_a_sentence(deckatlas: CommandLine, tmp_path: Path) -> None:
    words = ("compare", "Zoo", "Starter Priest", "--meta", "two.toml", "--games", "800")
    code, out, errors = deckatlas(*words, "--json", "out.json")
    assert (code, errors) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert found["verdict"] == "better"
    assert 0 < found["low"] < found["difference"] < found["high"]
    assert found["games"] < 800
    assert found["sentence"] in " ".join(out.split())
    assert found["sentence"].startswith("Better: Zoo wins ")
    code, again, _ = deckatlas(*words, "--json", "-", "--threads", "1")
    assert json.loads(again) == found


def test_the_same_deck_is_undecided(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("compare", "Zoo", "zoo", "--meta", "two.toml", "--games", "400", "--json", "-")
    assert (code, errors) == (0, "")
    found = json.loads(out)
    assert (found["verdict"], found["difference"]) == ("undecided", 0)
    assert found["low"] < 0 < found["high"]
    assert found["games"] > 0


def test_editions_and_pilots_are_compared(deckatlas: CommandLine) -> None:
    few = ("--meta", "two.toml", "--games", "160", "--json", "-")
    code, out, errors = deckatlas("compare", "2018-12", "nerf.toml", *few)
    assert (code, errors) == (0, "")
    assert json.loads(out)["b"] == "nerf"
    code, out, errors = deckatlas("compare", "greedy", "random", "--deck", "Zoo", "--direct", *few)
    assert (code, errors) == (0, "")
    assert json.loads(out)["verdict"] == "better"
    code, out, errors = deckatlas("compare", "hearthstone", "greedy", "random", "--unpaired", *few)
    assert (code, errors) == (0, "")
    assert len(json.loads(out)["by_deck"]) == 2


def test_draft_policies_are_compared_on_the_same_offers(deckatlas: CommandLine) -> None:
    few = ("--against", "icebox", "--against", "coac", "--games", "1600", "--json", "-")
    code, out, errors = deckatlas("compare", "locm", "closetai", "random", *few)
    assert (code, errors) == (0, "")
    found = json.loads(out)
    assert (found["kind"], found["verdict"]) == ("policy", "better")
    assert [row["opponent"] for row in found["by_opponent"]] == ["icebox", "coac"]
    code, out, errors = deckatlas("compare", "locm", "icebox", "icebox", *few)
    assert (json.loads(out)["verdict"], json.loads(out)["difference"]) == ("undecided", 0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Zoo"], "compare takes two names, not 1"),
        (["Control", "Warrior", "Zoo"], "compare takes two names, not 3: a name of several words needs quotes"),
        (["Zoo", "fast"], "'Zoo' is a deck and 'fast' is a pilot"),
        (["Zoo", "fast", "--as", "deck"], "unknown deck 'fast'"),
        (["Zoo", "Handlock", "--as", "card"], "only decks, pilots or editions can be compared, not 'card'"),
        (["Zoo", "short.txt"], "a deck has 30 cards"),
        (["Zoo", "none.txt"], "cannot read none.txt"),
        (["Zoo", "Handlock", "--games", "20"], "a comparison needs 192 games or more, not 20"),
        (["Zoo", "Handlock", "--edition", "2017"], "unknown edition '2017'"),
        (["locm", "icebox", "icebux"], "unknown agent 'icebux': did you mean 'icebox'?"),
        (["locm", "icebox", "coac", "--as", "deck"], "only draft policies or editions can be compared, not 'deck'"),
        (["locm", "icebox", "coac", "--deck", "Zoo"], "--deck is for hearthstone, not for locm"),
        (["locm", "icebox", "coac", "--format", "other"], "unknown draft format 'other'"),
        (["Zoo", "Handlock", "--json", "no/where.json"], "cannot write no/where.json"),
    ],
)
def test_wrong_input_gets_one_line(deckatlas: CommandLine, words: list[str], message: str) -> None:
    code, out, errors = deckatlas("compare", *words)
    assert (code, out) == (2, "")
    assert message in errors
    assert len(errors.splitlines()) == 1


def test_a_refused_command_leaves_files_as_they_were(deckatlas: CommandLine, tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text("{}", encoding="utf-8")
    for file in (old, tmp_path / "new.json"):
        assert deckatlas("compare", "Zoo", "Handlock", "--games", "20", "--json", str(file))[0] == 2
    assert old.read_text(encoding="utf-8") == "{}"
    assert not (tmp_path / "new.json").exists()


QUICK = ("--meta", "two.toml", "--search-pilot", "greedy", "--games", "600", "--confirm-games", "160")


def test_swaps_are_shown_in_a_table_that_fits_and_written(deckatlas: CommandLine, tmp_path: Path) -> None:
    code, out, errors = deckatlas("improve", "Starter Priest", *QUICK, "--json", "out.json")
    assert (code, errors) == (0, "")
    assert max(map(len, out.splitlines()[:-1])) <= 80  # a code may be longer
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert found["deck"] == "Starter Priest"
    assert len(found["swaps"]) == 6
    for swap in found["swaps"]:
        assert len(swap["out"]) == len(swap["in"]) in (1, 2)
        assert (swap["verdict"] == "better") == (swap["low"] > 0)
    assert found["confirmed"] == sum(swap["verdict"] == "better" for swap in found["swaps"])
    assert found["sentence"] in " ".join(out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Zooo"], "unknown deck 'Zooo': did you mean 'Zoo'?"),
        (["short.txt"], "a deck has 30 cards"),
        (["Zoo", "--games", "100"], "a search needs 2,880 games or more, not 100"),
        (["Zoo", "--confirm-games", "0"], "confirm_games must be a whole number from 1"),
        (["Zoo", "--confirm-games", "100"], "a comparison needs 192 games or more, not 100"),
        (["Zoo", "--meta", "feild"], "there is no metagame, no file and no run 'feild'"),
        (["Zoo", "--pilot", "fats"], "unknown agent 'fats': did you mean 'fast'?"),
        (["Zoo", "--json", "no/where.json"], "cannot write no/where.json"),
    ],
)
def test_a_deck_that_cannot_be_improved_gets_one_line(deckatlas: CommandLine, words: list[str], message: str) -> None:
    code, out, errors = deckatlas("improve", *words)
    assert (code, out) == (2, "")
    assert message in errors
    assert len(errors.splitlines()) == 1


def test_comparisons_and_swaps_are_drawn(deckatlas: CommandLine, tmp_path: Path) -> None:
    few = ("--meta", "two.toml", "--picture")
    code, _, errors = deckatlas("compare", "Zoo", "Starter Priest", "--games", "160", *few, "decks.svg")
    assert (code, errors) == (0, "")
    drawn = (tmp_path / "decks.svg").read_text(encoding="utf-8")
    for text in ("all games", "Control Warrior", "moving", "difference in points"):
        assert f"<!-- {text}" in drawn
    words = ("improve", "Starter Mage", "--search-pilot", "random", "--games", "2000", "--confirm-games", "160")
    code, _, errors = deckatlas(*words, *few, "swaps.svg")
    assert (code, errors) == (0, "")
    assert (tmp_path / "swaps.svg").read_text(encoding="utf-8").count(" for ") >= 6


def test_a_picture_of_an_unknown_kind_is_refused_before_any_game(deckatlas: CommandLine) -> None:
    for words in (("compare", "Zoo", "Starter Priest"), ("improve", "Starter Mage")):
        code, out, errors = deckatlas(*words, "--meta", "two.toml", "--picture", "picture.gif")
        assert (code, out) == (2, "")
        assert errors == "deckatlas: a figure's file ends in .png, .svg or .pdf, not '.gif'\n"


def test_names_with_dollars_are_drawn_as_they_are(deckatlas: CommandLine, tmp_path: Path) -> None:
    named = META.replace('deck = "Zoo"', 'deck = "Zoo"\nname = "x$\\\\y$"')
    (tmp_path / "dollars.toml").write_text(named, encoding="utf-8")
    words = ("compare", "Zoo", "Starter Priest", "--meta", "dollars.toml", "--games", "160", "--picture", "decks.svg")
    code, _, errors = deckatlas(*words)
    assert (code, errors) == (0, "")
    assert "<!-- x$\\y$ -->" in (tmp_path / "decks.svg").read_text(encoding="utf-8")
