"""Cards of both games print as one line that people can read, and their reprs stay short."""

import pytest

from deckatlas import hearthstone, locm

LINES = {
    "CS2_146": "Southsea Deckhand (CS2_146): 1 mana, 2/1 neutral pirate minion, aura",
    "CS2_029": "Fireball (CS2_029): 4 mana, mage spell",
    "CS2_106": "Fiery War Axe (CS2_106): 3 mana, 3/2 warrior weapon",
    "EX1_243": "Dust Devil (EX1_243): 1 mana, 3/1 shaman elemental minion, windfury, overload=2",
    "HERO_08": "Jaina Proudmoore (HERO_08): 0 mana, 30 health mage hero",
}


@pytest.mark.parametrize(("card", "line"), LINES.items())
def test_a_card_of_hearthstone_prints_its_name_cost_stats_and_keywords(card: str, line: str) -> None:
    assert str(hearthstone.edition()[card]) == line


def test_a_card_of_locm_prints_its_name_cost_stats_and_keywords() -> None:
    assert str(locm.cards()[48]) == "#49 Shiny Prowler (2) 1/2 GL"


def test_every_card_is_one_short_line() -> None:
    for card in (*hearthstone.edition().cards, *locm.cards()):
        assert str(card).isprintable()
        assert len(str(card)) < 160
        assert len(repr(card)) < 80
        assert repr(card).startswith("Card(")
