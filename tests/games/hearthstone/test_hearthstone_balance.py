"""Balance studies of Hearthstone: what a patch changes and whom it can touch, and what a study finds."""

import json
from pathlib import Path
from typing import Any

import pytest

import deckatlas
from deckatlas import hearthstone
from deckatlas.balancing.study import Study
from deckatlas.errors import CardError, DeckError, MatchError
from deckatlas.games.hearthstone.balance import HearthstoneSubject, subject_of
from deckatlas.games.hearthstone.cards.changes import changed_cards

FIELD = """\
edition = "2018-12"
pilot = "greedy"

[[deck]]
deck = "Handlock (ladder 1)"
name = "Handlock"
[[deck]]
deck = "Zoo (ladder 1)"
name = "Zoo"
[[deck]]
deck = "Face Hunter (ladder)"
name = "Face Hunter"
[[deck]]
deck = "Midrange Hunter (ladder)"
name = "Midrange Hunter"
"""
SMALL: dict[str, Any] = {
    "effort": "normal",
    "games": 400,
    "trials": 2,
    "evaluations": 40,
    "evaluation_games": 4,
    "resolution": 3,
    "mix_games": 4,
    "search_pilots": ["greedy"],
}


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("field") / "four.toml"
    file.write_text(FIELD, encoding="utf-8")
    return file


def patch(**cards: dict[str, Any]) -> hearthstone.Patch:
    return hearthstone.Patch("tried", cards)


def subject(given: hearthstone.Patch, field: Path, **options: Any) -> HearthstoneSubject:
    return subject_of(given, meta=field, **options)


def test_changes_are_told_card_by_card_in_words(field: Path) -> None:
    found = subject(
        patch(
            EX1_534={"cost": 4, "attack": 7},
            CS2_106={"durability": 3},
            CS2_042={"effect": "battlecry(deal(5, target(CHARACTERS)))"},
        ),
        field,
    )
    words = {each.card: each.words for each in found.changes}
    assert words["Savannah Highmane"] == "costs 4 instead of 6, has 7 attack instead of 6"
    assert words["Fiery War Axe"] == "has 3 durability instead of 2"
    assert "5 damage" in words["Fire Elemental"]
    assert "before" in words["Fire Elemental"]


def test_a_new_card_is_described_and_searched_with(field: Path) -> None:
    new: dict[str, str | int] = {
        "name": "Tall Wisp",
        "class": "hunter",
        "type": "minion",
        "set": "classic",
        "cost": 1,
        "health": 9,
    }
    new["rarity"] = "common"
    found = subject(hearthstone.Patch("tried", new={"NEW_1": new}), field)
    (change,) = found.changes
    assert change.is_new
    assert change.words.startswith("is new: a Hunter minion for 1 mana 0/9")
    assert found.kinds == ("hunter",)
    assert found.cards == ("Tall Wisp",)


@pytest.mark.parametrize(
    ("card", "field_name", "value", "kinds", "cards"),
    [
        ("EX1_534", "cost", 4, ("hunter",), ("Savannah Highmane",)),
        ("EX1_534t", "attack", 5, ("hunter",), ("Savannah Highmane",)),  # the Hyena that it leaves
        ("DS1h_292", "cost", 3, ("hunter",), ()),  # its hero power
    ],
)
def test_classes_are_searched_that_can_meet_a_changed_card(
    field: Path, card: str, field_name: str, value: int, kinds: tuple[str, ...], cards: tuple[str, ...]
) -> None:
    found = subject(patch(**{card: {field_name: value}}), field)
    assert found.kinds == kinds
    assert found.cards == cards


def test_a_neutral_card_concerns_all_nine_classes(field: Path) -> None:
    assert len(subject(patch(CS2_231={"attack": 5}), field).kinds) == 9


def test_a_deck_that_the_patch_forbids_is_left_out_and_named(field: Path) -> None:
    found = subject(patch(EX1_319={"rarity": "legendary"}), field)  # Flame Imp, of which Zoo plays two
    assert len(found.left_out) == 1
    assert found.left_out[0].startswith("Zoo")
    assert found.fields[0].names == found.fields[1].names == ("Handlock", "Face Hunter", "Midrange Hunter")


NOBODY: dict[str, str | int] = {
    "name": "Nobody",
    "class": "neutral",
    "type": "minion",
    "set": "token",
    "rarity": "common",
    "health": 1,
}


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (patch(EX1_9999={"cost": 1}), CardError, "has no card"),
        (patch(EX1_534={"price": 1}), CardError, "has no field"),
        (hearthstone.Patch("tried", new={"NEW_1": NOBODY}), CardError, "no deck can have it"),
    ],
)
def test_a_patch_that_cannot_be_studied_is_refused(
    field: Path, given: hearthstone.Patch, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        subject(given, field)


def test_an_unknown_class_is_refused(field: Path) -> None:
    with pytest.raises(DeckError, match="huntre"):
        subject(patch(EX1_534={"cost": 4}), field, classes=["huntre"])


def study(folder: Path, field: Path, given: hearthstone.Patch, **options: Any) -> Study:
    return deckatlas.balance(given, meta=field, store=folder, **{**SMALL, **options})


ABSURD = patch(EX1_319={"attack": 12, "health": 12, "cost": 0})  # Flame Imp, in Zoo


@pytest.fixture(scope="module")
def absurd(tmp_path_factory: pytest.TempPathFactory, field: Path) -> tuple[Path, Study]:
    folder = tmp_path_factory.mktemp("runs")
    return folder, study(folder, field, ABSURD, intents=["zoo win rate at least 70", "Zoo win rate at most 50"])


def test_an_absurdly_strong_card_is_found(absurd: tuple[Path, Study]) -> None:
    _, found = absurd
    changed = {each.question.subject: each for each in found.sentences if each.is_change}
    assert changed["Zoo"].claim == "rises"
    assert changed["Face Hunter"].claim == "falls"
    assert [each.verdict for each in found.outcomes] == ["met", "missed"]


def test_the_same_study_reads_its_runs_and_says_the_same(absurd: tuple[Path, Study], field: Path) -> None:
    folder, first = absurd
    before = {file.name: file.read_bytes() for file in folder.glob("*.db")}
    again = study(folder, field, ABSURD, intents=["zoo win rate at least 70", "Zoo win rate at most 50"])
    assert json.dumps(again.to_json()) == json.dumps(first.to_json())
    assert {file.name: file.read_bytes() for file in folder.glob("*.db")} == before


def test_another_patch_uses_the_runs_of_the_base_again(absurd: tuple[Path, Study], field: Path) -> None:
    folder, first = absurd
    before = {file.name for file in folder.glob("*.db")}
    other = study(folder, field, patch(EX1_319={"attack": 1}))
    new = {file.name for file in folder.glob("*.db")} - before
    assert len(new) * 2 == len(before)  # of two patches, only what the second changes was played
    bases = [each.runs[0] for each in first.trials]
    assert [each.runs[0] for each in other.trials] == bases


def test_threads_make_no_difference(absurd: tuple[Path, Study], field: Path, tmp_path: Path) -> None:
    _, first = absurd
    intents = ["zoo win rate at least 70", "Zoo win rate at most 50"]
    for threads in (1, 2):
        again = study(tmp_path / str(threads), field, ABSURD, intents=intents, threads=threads)
        assert json.dumps(again.to_json()) == json.dumps(first.to_json())


def test_a_patch_that_changes_nothing_plays_the_same_games_on_common_seeds(tmp_path: Path, field: Path) -> None:
    found = deckatlas.balance(hearthstone.Patch("nothing"), meta=field, store=tmp_path, games=200)
    assert found.subject.changes == ()
    assert all(each.question.difference.value == 0 for each in found.answers)
    other = deckatlas.balance(hearthstone.Patch("nothing"), meta=field, store=tmp_path, games=200, paired=False)
    assert any(each.question.difference.value != 0 for each in other.answers)


def test_editions_that_differ_are_compared_card_by_card() -> None:
    base = hearthstone.edition("2018-12")
    assert changed_cards(base, base) == ()
    assert len(changed_cards(base, hearthstone.edition("classic-2014"))) > 20


def test_a_renamed_card_is_one_card_under_both_editions(field: Path) -> None:
    found = subject(patch(EX1_534={"name": "Lion", "cost": 5}), field)
    hunter = found.fields[0].entrants[3].deck
    assert found.cards == ("Lion",)
    assert found.held(hunter, 0) == found.held(hunter, 1)
    assert "Lion" in found.held(hunter, 0)


def test_an_intent_about_a_card_that_a_class_cannot_have_is_refused_at_once(field: Path, tmp_path: Path) -> None:
    both = patch(EX1_534={"cost": 5}, CS2_231={"attack": 2})
    with pytest.raises(MatchError, match="no Mage deck can have Savannah Highmane"):
        study(tmp_path, field, both, intents=["Savannah Highmane in at most 40 % of mage elites"])


def test_a_patch_of_rules_alone_concerns_all_classes(field: Path) -> None:
    found = subject(hearthstone.Patch("tried", rules=("coin-before-mulligan",)), field)
    assert len(found.kinds) == 9
    assert found.rules == ("the rule coin-before-mulligan applies",)
