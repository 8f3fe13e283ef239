"""The commands about cards and decks: decks, deck and cards."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from deckatlas import hearthstone, locm
from helpers.command_line import CommandLine

CODE = re.compile(r"^AAE[A-Za-z0-9+/]+=*$", re.MULTILINE)
WIDTH = 80
LIST = """\
### Beasts
# Class: Hunter
2x (6) Savannah Highmane
Houndmaster x2
"""


def widest(text: str) -> int:
    """The width of the widest line, without codes, which stay on one line to be copied."""
    return max(len(line.rstrip()) for line in CODE.sub("", text).splitlines())


# ---- decks -----------------------------------------------------------------------------------------------------------


def test_all_named_decks_are_listed_within_the_width_of_a_terminal(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("decks")
    assert (code, errors) == (0, "")
    for name, each in hearthstone.library().items():
        assert re.search(rf"^ *{re.escape(name)} +{each.deck.hero_class.title()} .*{each.archetype}", out, re.MULTILINE)
    assert widest(out) <= WIDTH
    assert re.search(r"Tempo Rogue +Rogue +none *$", out, re.MULTILINE)


def test_decks_of_a_class_are_judged_by_the_edition_asked_for(deckatlas: CommandLine) -> None:
    code, out, _ = deckatlas("decks", "--class", "Rogue", "--edition", "classic-2014")
    assert code == 0
    listed = {line.strip()[:11] for line in out.splitlines() if " Rogue " in line}
    assert "Tempo Rogue" in listed
    assert "Handlock" not in out
    assert re.search(r"Tempo Rogue +Rogue +not legal", out)
    assert re.search(r"Tempo Rogue \(Classic\) +Rogue .* legal", out)
    assert widest(out) <= WIDTH


def test_decks_are_listed_as_json(deckatlas: CommandLine) -> None:
    code, out, _ = deckatlas("decks", "hearthstone", "--class", "warlock", "--json", "-")
    found = json.loads(out)
    assert code == 0
    warlocks = [name for name, deck in hearthstone.named_decks().items() if deck.hero_class == "WARLOCK"]
    assert sorted(each["name"] for each in found) == sorted(warlocks)
    zoo = next(each for each in found if each["name"] == "Zoo")
    assert (zoo["archetype"], zoo["class"], zoo["legality"]["2018-12"]) == ("Zoo", "warlock", None)
    assert hearthstone.read_deck(zoo["text"], "2018-12") == hearthstone.named_decks()["Zoo"]


# ---- deck ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Midrange Hunter", "Control Warrior", "Miracle Rogue (Assassin's Blade)", "Tempo Rogue"]
)
def test_a_deck_is_shown_with_its_texts_curve_legality_and_code(name: str, deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("deck", name)
    assert (code, errors) == (0, "")
    sheet = hearthstone.deck_sheet(hearthstone.named_decks()[name])
    for card, count in sheet.cards:
        assert re.search(rf"^ *{count} +{card.cost} +{re.escape(card.name)}", out, re.MULTILINE)
        first = hearthstone.text_of(card).split(" ")[0]
        assert first in out
    for cost, count in enumerate(sheet.curve):
        bar = f" {'██' * count} {count}" if count else ""
        assert f"{cost}{'+' if cost == 7 else ' '}{bar}".rstrip() in out.splitlines()
    for edition, reason in sheet.legality.items():
        judged = "legal" if reason is None else f"not legal: {reason}"
        assert re.search(rf"^{edition} +{re.escape(judged)}$", out, re.MULTILINE)
    assert out.rstrip().endswith(sheet.code)
    assert widest(out.replace(sheet.code, "")) <= WIDTH


def test_a_code_that_was_printed_shows_the_same_deck(deckatlas: CommandLine) -> None:
    _, by_name, _ = deckatlas("deck", "Zoo")
    (printed,) = CODE.findall(by_name)
    code, by_code, _ = deckatlas("deck", printed)
    assert code == 0
    assert by_code.splitlines()[1:] == by_name.splitlines()[1:]


def test_a_pasted_list_is_read_from_a_file_and_from_standard_input(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("mine.txt").write_text(LIST)
    code, out, errors = deckatlas("deck", "mine.txt")
    assert (code, errors) == (0, "")
    assert re.search(r"2 +6 +Savannah Highmane +6/5 +Deathrattle", out)
    assert "not legal: a deck has 30 cards, but this one has 4" in out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LIST.encode())))
    assert deckatlas("deck", "-") == (0, out, "")


def test_a_deck_is_shown_as_json_with_the_cards_of_its_edition(deckatlas: CommandLine) -> None:
    code, out, _ = deckatlas("deck", "hearthstone", "Midrange Hunter", "--edition", "classic-2014", "--json", "-")
    found = json.loads(out)
    assert code == 0
    assert (found["name"], found["class"], found["edition"]) == ("Midrange Hunter", "hunter", "classic-2014")
    assert sum(card["copies"] for card in found["cards"]) == sum(found["curve"]) == 30
    game = hearthstone.edition("classic-2014")
    for card in found["cards"]:
        assert (card["cost"], card["text"]) == (game[card["id"]].cost, hearthstone.text_of(card["id"], game))


# ---- cards -----------------------------------------------------------------------------------------------------------


def test_cards_are_listed_with_their_numbers_and_texts(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("cards", "savannah", "highmane")
    assert (code, errors) == (0, "")
    text = hearthstone.text_of("Savannah Highmane")
    assert out == (
        f"Savannah Highmane (EX1_534): 6 mana, 6/5 hunter beast minion, deathrattle\n  {text}\n"
        "1 card of edition 2018-12\n"
    )


def test_options_narrow_the_cards_and_lines_fit_a_terminal(deckatlas: CommandLine) -> None:
    code, out, _ = deckatlas("cards", "--class", "mage", "--type", "spell", "--cost", "2-4")
    found = hearthstone.find_cards(hero_class="mage", type="spell", cost="2-4")
    assert code == 0
    assert out.count("mage spell") == len(found)
    assert f"{len(found)} cards of edition 2018-12" in out
    _, out, _ = deckatlas("cards")
    assert widest(out) <= WIDTH
    _, out, _ = deckatlas("cards", "taunt", "--keyword", "taunt", "--json", "-")
    assert [card["name"] for card in json.loads(out)] == [
        card.name for card in hearthstone.find_cards("taunt", keyword="taunt")
    ]


def test_the_other_game_lists_its_cards_too(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("cards", "locm", "--keyword", "guard", "--cost", "7+")
    assert (code, errors) == (0, "")
    found = locm.find_cards(keyword="guard", cost="7+")
    assert all(card.name in out for card in found)
    assert f"{len(found)} cards" in out
    assert widest(deckatlas("cards", "locm")[1]) <= WIDTH


# ---- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("decks", "--class", "monk"), "unknown hero class 'monk'"),
        (("decks", "--edition", "2017"), "unknown edition '2017'"),
        (("decks", "locm"), "locm has no decks with a name"),
        (("decks", "chess"), "unknown game 'chess'"),
        (("deck", "Midrange Huntr"), "unknown deck 'Midrange Huntr': did you mean 'Midrange Hunter'?"),
        (("deck", "Midrange", "Hunter"), "one deck is shown at a time, not 2: a name of several words needs quotes"),
        (("deck", "locm", "1 2 3"), "a deck has 30 cards"),
        (("deck", "typo.txt"), "typo.txt, line 2: unknown card 'Houndmastr': did you mean 'Houndmaster'?"),
        (("deck", "2x Chillwind Yeti"), "all cards of the list are neutral"),
        (("deck", "Zoo", "--class", "mage"), "it is a Warlock deck, but the class given for it is Mage"),
        (("cards", "savanah"), "no card fits 'savanah': did you mean 'Savannah Highmane'?"),
        (("cards", "--cost", "cheap"), "a cost is a number such as 4"),
        (("cards", "--class", "monk"), "unknown class 'monk'"),
        (("cards", "locm", "--class", "mage"), "--class is for hearthstone, not for locm"),
        (("cards", "yeti", "--json", "none/cards.json"), "cannot write none/cards.json"),
    ],
)
def test_a_mistake_is_one_line(arguments: tuple[str, ...], complaint: str, deckatlas: CommandLine) -> None:
    Path("typo.txt").write_text("2x Savannah Highmane\n2x Houndmastr\n")
    code, out, errors = deckatlas(*arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"deckatlas: [^\n]+\n", errors)
    assert complaint in errors


def test_a_picture_is_of_the_deck_that_is_shown(deckatlas: CommandLine, tmp_path: Path) -> None:
    code = json.loads(deckatlas("deck", "Midrange Hunter", "--json", "-")[1])["code"]
    (tmp_path / "one.txt").write_text(code, encoding="utf-8")
    (tmp_path / "two.txt").write_text(f"{code}\n{code}", encoding="utf-8")
    (tmp_path / "cheap.toml").write_text('name = "cheap"\n[cards."Savannah Highmane"]\ncost = 4\n', encoding="utf-8")
    pictures = [tmp_path / f"{name}.png" for name in ("code", "file", "patched")]
    for given, picture in zip(([code], ["one.txt"], [code, "--edition", "cheap.toml"]), pictures, strict=True):
        assert deckatlas("deck", *given, "--picture", str(picture))[0] == 0
    by_code, by_file, patched = (picture.read_bytes() for picture in pictures)
    assert by_code == by_file != patched  # under the patch, two cards cost less
    assert deckatlas("deck", "two.txt", "--picture", "two.png") == (
        *(2, ""),
        "deckatlas: a picture shows one deck, and the file has 2\n",
    )
