"""Every card has a row in the tables of this folder: a list FACTS in each of its test modules."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from deckatlas.games.hearthstone.cards.codes import HeroClass
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.cards.table import Card
from helpers.hearthstone_facts import Fact, cards_to_cover, without_a_fact


def all_facts() -> Iterator[Fact]:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        yield from getattr(import_module(path.stem), "FACTS", [])


@pytest.mark.parametrize("hero_class", HeroClass)
def test_every_card_and_hero_power_has_a_fact(hero_class: HeroClass) -> None:
    cards = [card for card in cards_to_cover() if card.hero_class is hero_class]
    assert without_a_fact(cards, all_facts()) == []


@pytest.mark.parametrize("name", ["2019-12", "classic-2014"])
def test_every_card_that_another_edition_changes_has_a_fact_of_that_edition(name: str) -> None:
    before = edition("2018-12").by_id
    changed = [
        card for card in cards_to_cover(name) if card.id not in before or _in_play(card) != _in_play(before[card.id])
    ]
    assert without_a_fact(changed, all_facts(), name) == []


def _in_play(card: Card) -> tuple[object, ...]:
    return card.cost, card.attack, card.health, card.printed, card.effects
