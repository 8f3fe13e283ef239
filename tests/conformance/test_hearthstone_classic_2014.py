"""The edition of June 2014 has every difference from December 2018 that the data lists, and no other numbers change."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from deckatlas.games.hearthstone.cards.codes import Race
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.cards.pools import pool

FILE = Path(__file__).parents[3] / "shared" / "hearthstone" / "classic_2014_changes.csv"
pytestmark = pytest.mark.skipif(not FILE.exists(), reason="needs ../shared/hearthstone")

OLD, BASE = "classic-2014", "2018-12"
NUMBERS = ("cost", "attack", "health")
OPTIONS = ("EX1_165a", "EX1_165b")  # option cards: the data stores the numbers of the form they turn into
# What the data calls uncertain: the timing and the reach of these three is as in the base.
UNCERTAIN = {"EX1_366", "EX1_536", "EX1_595"}
# A change of an effect that is in the keywords or in a token.
BY_KEYWORD = {"EX1_089", "EX1_571"}
# The data lacks this change: before 2015 the card summoned one of six demons.
OF_OUR_OWN = {"EX1_320"}


def rows() -> Iterator[dict[str, str]]:
    with FILE.open(encoding="utf-8") as file:
        yield from csv.DictReader(file)


def test_numbers_are_those_of_the_data_before_and_after() -> None:
    old, base = edition(OLD).by_id, edition(BASE).by_id
    listed = {(row["id"], row["field"]): row for row in rows() if row["field"] in NUMBERS and row["id"] not in OPTIONS}
    for (card, field), row in listed.items():
        assert getattr(old[card], field) == int(row["value_2014"]), card
        assert getattr(base[card], field) == int(row["value_2018_12"]), card
    different = {(card, field) for card in old for field in NUMBERS if _differ(card, field)}
    assert different == set(listed)


def test_effects_change_where_the_data_says() -> None:
    listed = {row["id"] for row in rows() if row["field"] == "effect" and row["certainty"] == "certain"}
    assert {row["id"] for row in rows() if row["certainty"] == "uncertain"} == UNCERTAIN
    changed = {card for card in edition(BASE).by_id if _differ(card, "effects")}
    assert changed == (listed - BY_KEYWORD) | OF_OUR_OWN
    assert _differ("EX1_089", "keywords")
    assert _differ("EX1_tk9", "keywords")


def test_cards_of_later_years_are_in_no_pool() -> None:
    later = {row["id"] for row in rows() if row["field"] == "existence"}
    classes = {edition(BASE).by_id[card].hero_class for card in later}
    assert later
    assert not later & {card.id for hero_class in classes for card in pool(OLD, hero_class)}
    assert later <= {card.id for hero_class in classes for card in pool(BASE, hero_class)}


def test_races_are_gone_where_the_data_says() -> None:
    gone = {card for card in edition(BASE).by_id if _differ(card, "race")}
    assert {edition(OLD).by_id[card].race for card in gone} == {Race.none}
    beasts = {card for card in gone if edition(BASE).by_id[card].race is Race.beast}
    assert beasts == {"EX1_165t1", "EX1_165t2"}
    assert {edition(BASE).by_id[card].race for card in gone - beasts} == {Race.elemental, Race.mechanical}


def _differ(card: str, field: str) -> bool:
    return bool(getattr(edition(OLD).by_id[card], field) != getattr(edition(BASE).by_id[card], field))
