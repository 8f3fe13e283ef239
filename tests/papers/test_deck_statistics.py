"""Boxes, means and decks are counted as by hand."""

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
from deckatlas.stats.intervals import independent_rate
from deckatlas.stats.samples import box_of, differs, mean_of


def cards_with(**numbers: object) -> list[int]:
    """The ids of cards with these numbers."""
    return [card.id for card in cards() if all(getattr(card, name) == value for name, value in numbers.items())]


def test_a_box_has_the_ends_the_quartiles_and_the_median() -> None:
    # Sorted 30, 32, 36, 40, 44: the median is the third, the quartiles the second and the fourth.
    assert box_of([44, 30, 36, 32, 40]).to_json() == {
        "lowest": 30,
        "lower_quartile": 32,
        "median": 36,
        "upper_quartile": 40,
        "highest": 44,
    }
    # Of ten values quartiles lie at 2.25 and 6.75 steps from the lowest: 12 + 0.25 * 1 and 16 + 0.75 * 1.
    ten = box_of([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    assert (ten.lower, ten.median, ten.upper, ten.n) == (12.25, 14.5, 16.75, 10)


def test_a_mean_has_its_interval() -> None:
    # Squared distances 4 + 0 + 0 + 4, variance 8 / 3, standard error sqrt(8 / 12); Student's 3.182 for four values.
    mean = mean_of([2, 4, 4, 6])
    assert (mean.value, mean.n) == (4, 4)
    assert mean.low == pytest.approx(4 - 3.182 * (8 / 12) ** 0.5)
    assert mean.high == pytest.approx(4 + 3.182 * (8 / 12) ** 0.5)
    assert mean_of([3]).low is None, "one value says nothing about its spread"


def test_a_published_rate_differs_only_beyond_what_both_samples_allow() -> None:
    ours = independent_rate(2100, 5000)  # 42 %, about 1.4 to either side
    assert not differs(ours, 42.0, games=5000)
    assert not differs(ours, 43.7, games=5000), "outside of our interval, but theirs is as wide"
    assert differs(ours, 44.2, games=5000)
    assert differs(ours, 39.8, games=5000)


def test_cards_are_counted_by_cost_with_seven_and_more_together() -> None:
    free, one, six = (cards_with(cost=cost)[0] for cost in (0, 1, 6))
    seven, twelve = cards_with(cost=7)[0], cards_with(cost=12)[0]
    decks = np.array([[free] * 2 + [one] * 20 + [six] * 3 + [seven] * 4 + [twelve], [one] * 30], dtype=np.uint8)
    assert cards_by_cost(decks).tolist() == [[2, 20, 0, 0, 0, 0, 3, 5], [0, 30, 0, 0, 0, 0, 0, 0]]
    assert [mean.value for mean in mana_curve(decks)] == [1, 25, 0, 0, 0, 0, 1.5, 2.5]
    assert {mean.n for mean in mana_curve(decks)} == {2}
    assert cards_that_cost(decks, range(3)) == mean_of([22, 30])
    assert cards_that_cost(decks, range(6, 8)) == mean_of([8, 0])


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
