"""Every card has a row in the tables of this folder: a list FACTS in each of its test modules."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from deckatlas.games.hearthstone.cards.codes import HeroClass
from deckatlas.games.hearthstone.cards.editions import edition
from helpers.hearthstone_facts import Fact, cards_to_cover, without_a_fact


def all_facts() -> Iterator[Fact]:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        yield from getattr(import_module(path.stem), "FACTS", [])


@pytest.mark.parametrize("hero_class", HeroClass)
def test_every_card_and_hero_power_has_a_fact(hero_class: HeroClass) -> None:
    cards = [card for card in cards_to_cover() if card.hero_class is hero_class]
    assert without_a_fact(cards, all_facts()) == []


def test_every_card_that_changed_by_2019_has_a_fact_of_that_edition() -> None:
    before = edition("2018-12").by_id
    changed = [
        card
        for card in cards_to_cover("2019-12")
        if card.id not in before or (card.cost, card.effects) != (before[card.id].cost, before[card.id].effects)
    ]
    assert without_a_fact(changed, all_facts(), "2019-12") == []
