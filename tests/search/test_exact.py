"""All legal decks at once: their number, and how costs are spread over them."""

from collections import Counter
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.search.deck_space import DeckColumn, DeckSpace
from deckatlas.search.evaluation import Ints
from deckatlas.search.exact import decks_by_sum, distribution, number_of_decks, shares_with


def space(most_copies: list[int], costs: list[int], size: int) -> DeckSpace[int]:
    numbers = np.array(costs, np.int64)
    columns = {"sum": DeckColumn(numbers), "variance": DeckColumn(numbers, "variance")}
    return DeckSpace(range(len(costs)), most_copies, size=size, columns=columns)


@st.composite
def tiny_spaces(draw: st.DrawFn) -> DeckSpace[int]:
    most = draw(st.lists(st.integers(0, 3), min_size=1, max_size=6).filter(any))
    costs = draw(st.lists(st.integers(0, 9), min_size=len(most), max_size=len(most)))
    return space(most, costs, draw(st.integers(1, min(sum(most), 6))))


def every_deck(decks: DeckSpace[int]) -> Ints:
    every: Ints = np.array(list(product(*(range(most + 1) for most in decks.most_copies))))
    full: Ints = every[every.sum(axis=1) == decks.size]
    return full


@given(tiny_spaces())
def test_decks_are_counted_as_a_list_of_all_of_them_has_them(decks: DeckSpace[int]) -> None:
    every = every_deck(decks)
    measures = decks.measures(every)
    assert number_of_decks(decks) == len(every)
    assert decks_by_sum(decks, "sum") == Counter(measures[:, 0].astype(int).tolist())
    found = distribution(decks, "sum")
    pairs = Counter(map(tuple, measures.tolist()))
    assert {
        (total, variance): share * len(every)
        for total, variance, share in zip(found.sum, found.variance, found.share, strict=True)
    } == pytest.approx(pairs)


@given(tiny_spaces(), st.data())
def test_decks_with_some_cards_are_counted_as_a_list_of_all_decks_has_them(
    decks: DeckSpace[int], data: st.DataObject
) -> None:
    asked = [data.draw(st.tuples(*(st.integers(0, 3) for _ in decks.ids))) for _ in range(4)]
    every = every_deck(decks)
    listed = [float((every >= np.array(copies)).all(axis=1).mean()) for copies in asked]
    assert shares_with(decks, np.array(asked, np.uint8)).tolist() == pytest.approx(listed, rel=1e-12)


def uniform_decks(decks: DeckSpace[str], rng: np.random.Generator, tries: int) -> Ints:
    """Legal decks, each as likely as any other: drawn card by card, and kept if they have the right size.

    A card has k copies with a probability in proportion to t to the power of k, so all decks of one size are alike; t
    makes the size likely.
    """
    kept = []
    chances = {most: 0.157 ** np.arange(most + 1) for most in (1, 2)}
    for _ in range(tries // 10_000):
        drawn = np.empty((10_000, decks.length), np.int64)
        for place, most in enumerate(decks.most_copies.tolist()):
            drawn[:, place] = rng.choice(most + 1, 10_000, p=chances[most] / chances[most].sum())
        kept.append(drawn[drawn.sum(axis=1) == decks.size])
    return np.concatenate(kept)


def test_the_share_of_decks_with_some_cards_agrees_with_random_decks() -> None:
    decks = HearthstoneDecks("hunter", pool_name="evosabber")
    drawn = uniform_decks(decks, np.random.default_rng(2), 30_000)
    assert len(drawn) > 1000
    twos, ones = np.flatnonzero(decks.most_copies == 2), np.flatnonzero(decks.most_copies == 1)
    for wanted in ([twos[:1]], [twos[:1], twos[:1]], [twos[5:7]], [ones[:1]], [twos[9:10], ones[3:4]]):
        copies = np.zeros(decks.length, np.uint8)
        for places in wanted:
            copies[places] += 1
        (share,) = shares_with(decks, copies[np.newaxis]).tolist()
        # All cards with the same limit are alike, so every arrangement of them has this share.
        arranged = [copies]
        for _ in range(40):
            turned = copies.copy()
            for alike in (twos, ones):
                turned[alike] = np.roll(turned[alike], len(arranged))
            arranged.append(turned)
        found = np.mean([(drawn >= each).all(axis=1) for each in arranged], axis=0)  # one number per deck
        assert abs(found.mean() - share) < 4 * found.std() / np.sqrt(len(drawn))


def test_the_published_number_of_decks_is_that_of_171_cards_with_23_legendaries() -> None:
    """The paper says approximately 1.42 x 10^35."""
    warlock = HearthstoneDecks("warlock", edition="2018-12", pool_name="evosabber")
    assert sorted(Counter(warlock.most_copies.tolist()).items()) == [(1, 23), (2, 148)]
    pairs_and_singles = (
        comb(148, pairs) * comb(148 - pairs, singles) * comb(23, 30 - 2 * pairs - singles)
        for pairs in range(16)
        for singles in range(31 - 2 * pairs)
    )
    assert number_of_decks(warlock) == sum(pairs_and_singles)
    assert f"{number_of_decks(warlock):.2e}" == "1.42e+35"


@pytest.mark.parametrize("hero_class", ["paladin", "hunter"])
def test_the_exact_distribution_agrees_with_weighted_random_decks(hero_class: str) -> None:
    decks, rng = HearthstoneDecks(hero_class, pool_name="evosabber"), np.random.default_rng(1)
    exact = distribution(decks, "deck_mana_sum")
    drawn = np.array([decks.random(rng) for _ in range(8000)])
    # A deck is drawn as often as there are ways to take its copies: of two copies, one can be taken in two ways.
    weight = 0.5 ** ((drawn == 1) & (decks.most_copies == 2)).sum(axis=1)
    weight /= weight.sum()
    measures = decks.measures(drawn)
    for column, values in (("deck_mana_sum", exact.sum), ("deck_mana_variance", exact.variance)):
        sampled = measures[:, decks.columns.index(column)]
        for moment in (1, 2):
            mean = float(weight @ sampled**moment)
            error = np.sqrt(np.sum((weight * (sampled**moment - mean)) ** 2))
            assert abs(mean - exact.share @ values.astype(float) ** moment) < 4 * error


def test_sums_are_counted_to_the_last_deck() -> None:
    decks = HearthstoneDecks("rogue")
    by_sum = decks_by_sum(decks, "deck_mana_sum")
    assert sum(by_sum.values()) == number_of_decks(decks)
    copies = np.sort(np.repeat(decks.numbers("deck_mana_sum"), decks.most_copies))
    assert (min(by_sum), max(by_sum)) == (copies[:30].sum(), copies[-30:].sum())
    exact = distribution(decks, "deck_mana_sum")
    shares = np.bincount(exact.sum, exact.share)
    for total, count in by_sum.items():
        assert shares[total] == pytest.approx(count / number_of_decks(decks), rel=1e-12)


def test_cards_without_limit_are_counted_as_multisets() -> None:
    assert number_of_decks(space([30] * 160, [0] * 160, 30)) == prod(range(160, 190)) // prod(range(1, 31))


def test_what_cannot_be_told_is_refused() -> None:
    decks = space([2, 2], [1, 1], 3)
    with pytest.raises(DeckError, match=r"^unknown column 'sun': did you mean 'sum'\?$"):
        distribution(decks, "sun")
    limited = DeckSpace([0, 1], [2, 2], size=2, columns={}, least_copies=[1, 0])
    with pytest.raises(DeckError, match="can only be counted in spaces without"):
        shares_with(limited, np.zeros((1, 2), np.uint8))
    with pytest.raises(DeckError, match="must not be below zero"):
        decks_by_sum(space([2, 2], [1, -1], 3), "sum")
    with pytest.raises(DeckError, match="too large to compute"):
        distribution(HearthstoneDecks("mage"), "dust")
