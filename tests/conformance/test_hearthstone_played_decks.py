"""The library has every list of the data: the same class, cards and code, each of them once."""

import csv
from pathlib import Path

import pytest

from deckatlas.games.hearthstone.cards.deck_codes import deck_from_code
from deckatlas.games.hearthstone.cards.decks import build_deck
from deckatlas.games.hearthstone.cards.library import library

FILE = Path(__file__).parents[3] / "shared" / "hearthstone" / "classic_decks.csv"
pytestmark = pytest.mark.skipif(not FILE.exists(), reason="needs ../shared/hearthstone")

# The data has a list that the library had before, under this name.
OF_ANOTHER_FILE = "Classic Miracle Rogue"


def test_every_list_of_the_data_has_a_name_and_every_played_deck_is_in_the_data() -> None:
    with FILE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lists = {deck_from_code(row["code"], "2018-12"): row for row in rows}
    assert len(lists) == len(rows)
    named = {each.deck: each for each in library().values() if each.archetype or each.name == OF_ANOTHER_FILE}
    assert set(named) == set(lists)
    for deck, row in lists.items():
        entries = (entry.strip().split(" x ") for entry in row["deck"].split(";"))
        assert build_deck({card: int(count) for count, card in entries}, "2018-12") == deck
        assert deck.hero_class == row["class"].upper()
