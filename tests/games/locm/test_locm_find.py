"""Finding cards of Legends of Code and Magic."""

from typing import Any

import pytest

from deckatlas.errors import CardError
from deckatlas.locm import cards, find_cards


def test_words_options_and_both_together_narrow_what_is_found() -> None:
    assert len(find_cards()) == len(cards()) == 160
    guards = find_cards("guard", cost="2-3", type="creature")
    assert guards
    for card in guards:
        assert "G" in card.keywords or "guard" in card.name.casefold()
        assert card.cost in (2, 3)
    assert find_cards(keyword="Guard") == find_cards(keyword="g")
    assert [card.id for card in find_cards(cards()[6].name)] == [7]
    assert {card.type for card in find_cards(type="blue")} == {"blue"}


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [
        ("slimr", {}, "no card fits 'slimr': did you mean 'Slimer'"),
        ("", {"cost": "13+"}, "no card fits cost '13+'"),
        ("", {"type": "spell"}, "unknown type 'spell': known: blue, creature, green, red"),
        ("", {"keyword": "gard"}, "unknown keyword 'gard': did you mean 'Guard'?"),
        ("", {"cost": "many"}, "a cost is a number such as 4"),
    ],
)
def test_what_finds_nothing_is_one_line(query: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(CardError) as error:
        find_cards(query, **options)
    assert str(error.value).startswith(message)
