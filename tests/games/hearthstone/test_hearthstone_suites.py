"""Suites of opponents: those that are shipped, files of others, and what is wrong with a file."""

from pathlib import Path

import pytest

from deckatlas.errors import RunError
from deckatlas.games.hearthstone.cards.library import named_decks
from deckatlas.games.hearthstone.metagame import metagame_of
from deckatlas.games.hearthstone.suites import SUITES, suite_of

GOOD = """\
# two of them
[[opponent]]
deck = "starter mage"
pilot = "random"

[[opponent]]
deck = "DECK"
pilot = "pass"
portion = 3
""".replace("DECK", str(named_decks()["Starter Mage"]))


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("edition", ["2018-12", "sabberstone"])
def test_the_shipped_suites_are_three_classes_with_two_scores_each(name: str, edition: str) -> None:
    suite = suite_of(name, edition)
    assert [each.deck.hero_class for each in suite.opponents] == [
        each for each in ("HUNTER", "PALADIN", "WARLOCK") for _ in range(2)
    ]
    assert [each.pilot for each in suite.opponents] == ["planner:score=aggro", "planner:score=control"] * 3
    assert {each.portion for each in suite.opponents} == {1}
    decks = {each.name for each in suite.opponents}
    assert len(decks) == (3 if name == "starter" else 6)
    assert all(named_decks()[each.name] == each.deck for each in suite.opponents)


def test_a_file_names_decks_pilots_and_portions(tmp_path: Path) -> None:
    suite = suite_of(written(tmp_path, GOOD), "2018-12")
    assert suite.name == "mine"
    assert [(each.deck.hero_class, each.pilot, each.portion) for each in suite.opponents] == [
        ("MAGE", "random", 1),
        ("MAGE", "pass", 3),
    ]
    assert suite.opponents[0].deck == suite.opponents[1].deck


def test_a_deck_given_by_its_cards_is_called_by_its_name(tmp_path: Path) -> None:
    assert [each.name for each in suite_of(written(tmp_path, GOOD)).opponents] == ["Starter Mage", "Starter Mage"]
    changed = GOOD.replace("2 CS2_022", "1 CS2_022, 1 CS2_231")
    assert [each.name for each in suite_of(written(tmp_path, changed)).opponents] == ["Starter Mage", "2 Mage"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("portion", "potion"), "line 9: unknown key 'potion' in [opponent[1]]: did you mean 'portion'?"),
        (GOOD.replace("= 3", "= 0"), "line 9: opponent[1].portion must be a whole number from 1 to 1000, not 0"),
        (GOOD.replace('"pass"', "1"), "line 8: opponent[1].pilot must be a text, not 1"),
        (GOOD.replace("starter mage", "starter mags"), "line 3: unknown deck 'starter mags': did you mean"),
        (GOOD.replace("2 CS2_022", "1 CS2_022"), "line 7: a deck has 30 cards, but this one has 29"),
        (GOOD.replace('pilot = "random"\n', ""), "line 2: opponent[0].pilot is missing: it must be a text"),
        (GOOD.replace("[[opponent]]", "[[opponents]]"), "unknown key 'opponents': did you mean 'opponent'?"),
        ("", "opponent is missing: it must be a list of at least 1 and of at most 1000"),
        (GOOD + "]", "line 10: not TOML: "),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RunError) as error:
        suite_of(written(tmp_path, text), "2018-12")
    assert message in str(error.value)
    assert "mine.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_shipped_metagame_is_a_suite_of_its_decks_with_its_pilot() -> None:
    suite = suite_of("field-2018", "2018-12")
    field = metagame_of("field-2018")
    assert [each.name for each in suite.opponents] == list(field.names)
    assert {(each.pilot, each.portion) for each in suite.opponents} == {("default", 1)}
    with pytest.raises(RunError, match="did you mean 'field-2018'"):
        suite_of("field-2108", "2018-12")


def test_an_unknown_suite_is_refused() -> None:
    with pytest.raises(RunError, match=r"there is no suite and no file 'elites': did you mean 'elite'\?"):
        suite_of("elites", "2018-12")
