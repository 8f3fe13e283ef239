"""Decks that people played: all nine classes, unique names, and the same deck by its name in every call."""

from collections import Counter
from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES
from deckatlas.games.hearthstone.cards.library import deck_called, field_decks, library, named_deck
from deckatlas.games.hearthstone.pilot_run import HearthstonePilotTable
from deckatlas.games.hearthstone.suites import suite_of
from helpers.command_line import CommandLine

PLAYED = {name: each for name, each in library().items() if each.archetype}
FIELD = {
    "Aggro Warrior": "WARRIOR",
    "Combo Druid": "DRUID",
    "Control Paladin": "PALADIN",
    "Control Priest": "PRIEST",
    "Control Warrior": "WARRIOR",
    "Face Hunter": "HUNTER",
    "Freeze Mage": "MAGE",
    "Handlock": "WARLOCK",
    "Midrange Hunter": "HUNTER",
    "Midrange Shaman": "SHAMAN",
    "Miracle Rogue": "ROGUE",
    "Shockadin": "PALADIN",
    "Tempo Rogue": "ROGUE",
    "Token Druid": "DRUID",
    "Zoo": "WARLOCK",
}


def test_people_played_57_lists_of_all_nine_classes() -> None:
    assert len(PLAYED) == 57
    assert {each.deck.hero_class for each in PLAYED.values()} == set(HERO_CLASSES)
    assert {each.era for each in PLAYED.values()} == {2014, 2021, 2023}


def test_names_differ_in_more_than_their_case_and_no_deck_has_two() -> None:
    assert len({name.casefold() for name in library()}) == len(library())
    assert [deck for deck, count in Counter(each.deck for each in library().values()).items() if count > 1] == []


@pytest.mark.parametrize("edition", hearthstone.EDITIONS)
def test_every_list_is_legal_in_every_edition(edition: str) -> None:
    for each in PLAYED.values():
        assert hearthstone.check_deck(each.deck, edition) is each.deck


def test_the_field_has_one_list_of_each_of_fifteen_archetypes() -> None:
    assert {each.archetype: each.deck.hero_class for each in field_decks()} == FIELD
    assert len(field_decks()) == 15


def test_a_name_is_read_in_any_case_and_with_any_spaces() -> None:
    for text in ("Zoo", "zoo", "  ZOO ", "Zoo (2014)", "zoo   (2014)"):
        found = deck_called(text)
        assert found is not None
        assert found.name in ("Zoo", "Zoo (2014)")
        assert hearthstone.read_deck(text, "classic-2014") == found.deck
    assert deck_called("Zoolock") is None


def test_no_name_is_mistaken_for_another_form_of_a_deck() -> None:
    for name, each in library().items():
        assert hearthstone.read_deck(name, "2018-12") == each.deck


def test_a_list_has_the_cards_that_its_name_promises() -> None:
    cards = hearthstone.edition("classic-2014")
    promised = {
        "Miracle Rogue": "Gadgetzan Auctioneer",
        "Miracle Rogue (Assassin's Blade)": "Assassin's Blade",
        "Combo Druid (Black Knight)": "The Black Knight",
        "Handlock": "Mountain Giant",
        "Freeze Mage": "Ice Block",
        "Mind Blast Priest": "Mind Blast",
        "Zoo (King Mukla)": "King Mukla",
    }
    for name, card in promised.items():
        assert cards[card].id in named_deck(name).copies


def test_calls_take_a_list_by_its_name() -> None:
    names = ("Handlock", "face hunter")
    result = hearthstone.play("random", "random", decks=names, games=2, edition="classic-2014")
    assert result.games == 2
    decks = hearthstone.evaluate(names, pilot="random", games=2, edition="classic-2014").decks
    assert decks == (named_deck("Handlock"), named_deck("Face Hunter"))
    table = hearthstone.gauntlet(["Zoo/random", "miracle rogue/pass"], games=2, edition="classic-2014")
    assert table.names == ("Zoo/random", "Miracle Rogue/pass")


def test_suites_and_runs_take_a_list_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text('[[opponent]]\ndeck = "control warrior"\npilot = "random"\n', encoding="utf-8")
    (opponent,) = suite_of(file, "classic-2014").opponents
    assert (opponent.name, opponent.deck) == ("Control Warrior", named_deck("Control Warrior"))
    table = HearthstonePilotTable(kind="hearthstone-pilot", deck="Freeze Mage", edition="classic-2014")
    assert table.list == named_deck("Freeze Mage")


def test_commands_take_a_list_by_its_name_and_suggest_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deckatlas = CommandLine(monkeypatch, capsys)
    code, printed, _ = deckatlas("evaluate", "zoo", "--pilot", "random", "--games", "2", "--edition", "classic-2014")
    assert code == 0
    assert "Zoo" in printed
    code, _, errors = deckatlas("evaluate", "miracle", "--pilot", "random")
    assert code == 2
    assert errors.startswith("deckatlas: unknown deck 'miracle': did you mean 'Miracle Rogue', ")
    assert errors.count("\n") == 1


def test_an_unknown_list_is_refused_in_every_call() -> None:
    with pytest.raises(DeckError, match="unknown deck 'Zoolocks': none of the"):
        hearthstone.new_game("Zoo", "Zoolocks")
