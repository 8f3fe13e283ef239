"""Decks are counted as by hand."""

import numpy as np
import pytest

from deckatlas.games.locm.cards import cards
from deckatlas.games.locm.entrants import entrant
from deckatlas.games.locm.table import play_one
from deckatlas.papers.dbga.decks import (
    bubbles,
    cards_by_cost,
    cards_that_cost,
    creature_mean,
    drafted_decks,
    mana_curve,
)
from deckatlas.stats.means import mean_interval


def cards_with(**numbers: object) -> list[int]:
    """The ids of cards with these numbers."""
    return [card.id for card in cards() if all(getattr(card, name) == value for name, value in numbers.items())]


def test_cards_are_counted_by_cost_with_seven_and_more_together() -> None:
    free, one, six = (cards_with(cost=cost)[0] for cost in (0, 1, 6))
    seven, twelve = cards_with(cost=7)[0], cards_with(cost=12)[0]
    decks = np.array([[free] * 2 + [one] * 20 + [six] * 3 + [seven] * 4 + [twelve], [one] * 30], dtype=np.uint8)
    assert cards_by_cost(decks).tolist() == [[2, 20, 0, 0, 0, 0, 3, 5], [0, 30, 0, 0, 0, 0, 0, 0]]
    assert [mean.value for mean in mana_curve(decks)] == [1, 25, 0, 0, 0, 0, 1.5, 2.5]
    assert {mean.n for mean in mana_curve(decks)} == {2}
    assert cards_that_cost(decks, range(3)) == mean_interval([22, 30])
    assert cards_that_cost(decks, range(6, 8)) == mean_interval([8, 0])


def test_bubbles_are_mean_numbers_of_creatures_and_items_a_deck() -> None:
    weapon = cards_with(name="Decimate")[0]  # an item of cost 5, attack 0 and defence -99
    creature = next(card for card in cards() if card.type == "creature" and card.cost == 5)
    decks = np.array([[weapon] * 10 + [creature.id] * 20, [creature.id] * 30], dtype=np.uint8)

    def means(x: str, y: str) -> dict[tuple[int, int], tuple[float, float]]:
        return {(each.x, each.y): (each.creatures.value, each.items.value) for each in bubbles(decks, x, y)}

    assert means("cost", "defense") == {(5, -99): (0, 5), (5, creature.defense): (25, 0)}
    assert means("attack", "defense") == {(0, -99): (0, 5), (creature.attack, creature.defense): (25, 0)}


def test_numbers_of_creatures_leave_items_out() -> None:
    weapon = cards_with(name="Decimate")[0]
    low, high = (next(c for c in cards() if c.type == "creature" and c.defense == value) for value in (1, 6))
    decks = np.array([[weapon] * 10 + [low.id] * 10 + [high.id] * 10, [weapon] * 30], dtype=np.uint8)
    mean = creature_mean(decks, "defense")
    assert (mean.value, mean.n) == (3.5, 1), "a deck of items alone has no creatures to speak of"


@pytest.mark.parametrize("seat", [0, 1])
def test_decks_are_those_of_the_games(seat: int) -> None:
    seeds = np.array([3, 17], dtype=np.uint64)
    decks = drafted_decks(entrant("coac/pass"), seeds, seat=seat)
    for seed, deck in zip(seeds, decks, strict=True):
        record = play_one("coac/pass", "coac/pass", seed=int(seed))
        *_, final = record.replay()
        assert sorted(final.deck(seat)) == sorted(deck.tolist())
