"""Spaces of decks as counts: what random and mutated decks are, how likely, and what is known of them."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.errors import DeckError
from deckatlas.games.locm.spaces import LocmDecks
from deckatlas.search.deck_space import DeckColumn, DeckSpace
from helpers.chance import SURPRISING, surprise


def space(most_copies: list[int], size: int, **columns: DeckColumn) -> DeckSpace[int]:
    return DeckSpace(range(len(most_copies)), most_copies, size=size, columns=columns)


@st.composite
def spaces(draw: st.DrawFn) -> DeckSpace[int]:
    most = draw(st.lists(st.integers(0, 4), min_size=1, max_size=12).filter(any))
    return space(most, draw(st.integers(1, sum(most))))


# Random decks and mutations


@given(spaces(), st.integers(0, 2**32))
def test_random_and_mutated_decks_are_legal(decks: DeckSpace[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    deck = decks.random(rng)
    line = [deck, *(deck := decks.mutate(deck, rng) for _ in range(10))]
    for each in line:
        assert each.dtype == decks.dtype
        assert len(each) == decks.length
        assert sum(each.tolist()) == decks.size
        assert all(count <= most for count, most in zip(each.tolist(), decks.most_copies.tolist(), strict=True))


@given(spaces(), st.integers(0, 2**32))
def test_the_same_stream_gives_the_same_decks_and_a_parent_stays_as_it_is(decks: DeckSpace[int], seed: int) -> None:
    lines = []
    for rng in (np.random.default_rng(seed), np.random.default_rng(seed)):
        parent = decks.random(rng)
        before = parent.copy()
        lines.append((before.tolist(), decks.mutate(parent, rng).tolist()))
        assert np.array_equal(parent, before)
    assert lines[0] == lines[1]


def test_random_decks_are_drawn_evenly_from_all_copies() -> None:
    decks, rng = space([2, 1, 1], 2), np.random.default_rng(1)
    found = [tuple(decks.random(rng).tolist()) for _ in range(6000)]
    chances = {(2, 0, 0): 1 / 6, (1, 1, 0): 1 / 3, (1, 0, 1): 1 / 3, (0, 1, 1): 1 / 6}  # of six pairs of four copies
    assert surprise(found, chances) < SURPRISING


def test_k_cards_are_replaced_with_a_chance_of_2_to_the_minus_k() -> None:
    decks, rng = space([1] * 20_000, 30), np.random.default_rng(2)  # where hardly a card comes back
    deck = decks.random(rng)
    replaced = [int((decks.mutate(deck, rng) < deck).sum()) for _ in range(4000)]
    chances = {k: 2.0**-k for k in range(1, 9)} | {9: 2.0**-8}
    assert surprise([min(k, 9) for k in replaced], chances) < SURPRISING


def test_no_more_cards_are_replaced_than_a_deck_has() -> None:
    decks, rng = space([1] * 20_000, 2), np.random.default_rng(3)
    deck = decks.random(rng)
    replaced = [int((decks.mutate(deck, rng) < deck).sum()) for _ in range(2000)]
    assert surprise(replaced, {1: 0.5, 2: 0.5}) < SURPRISING


def test_the_cards_to_go_are_drawn_evenly_from_the_copies() -> None:
    decks, rng = space([4] * 4 + [1] * 20_000, 10), np.random.default_rng(4)
    deck = np.zeros(decks.length, np.uint8)
    deck[:4] = [1, 2, 3, 4]
    mutated = [decks.mutate(deck, rng) for _ in range(6000)]
    gone = [int(np.flatnonzero(each < deck)[0]) for each in mutated if (each < deck).sum() == 1 == each[4:].sum()]
    assert surprise(gone, {card: (card + 1) / 10 for card in range(4)}) < SURPRISING


def test_a_new_card_is_drawn_evenly_from_the_cards_with_room_and_may_be_the_one_that_went() -> None:
    decks, rng = space([3, 1, 2, 1, 0], 1), np.random.default_rng(5)
    deck = np.array([0, 1, 0, 0, 0], np.uint8)
    new = [int(decks.mutate(deck, rng).argmax()) for _ in range(4000)]
    assert surprise(new, dict.fromkeys(range(4), 1 / 4)) < SURPRISING


def exact_mutations(deck: tuple[int, ...], most: list[int]) -> dict[tuple[int, ...], float]:
    """Every deck that a mutation can give with its probability, by following every path."""

    def removed(counts: tuple[int, ...], k: int) -> dict[tuple[int, ...], float]:
        found: dict[tuple[int, ...], float] = defaultdict(float)
        if k == 0:
            return {counts: 1.0}
        for card, count in enumerate(counts):
            if count:
                less = (*counts[:card], count - 1, *counts[card + 1 :])
                for after, chance in removed(less, k - 1).items():
                    found[after] += chance * count / sum(counts)
        return found

    def filled(counts: tuple[int, ...]) -> dict[tuple[int, ...], float]:
        if sum(counts) == sum(deck):
            return {counts: 1.0}
        room = [card for card, count in enumerate(counts) if count < most[card]]
        found: dict[tuple[int, ...], float] = defaultdict(float)
        for card in room:
            for after, chance in filled((*counts[:card], counts[card] + 1, *counts[card + 1 :])).items():
                found[after] += chance / len(room)
        return found

    chances: dict[tuple[int, ...], float] = {}
    size = sum(deck)
    for k in range(1, size + 1):
        of_k = 2.0**-k if k < size else 2.0 ** -(size - 1)
        for less, chance in removed(deck, k).items():
            for after, then in filled(less).items():
                chances[after] = chances.get(after, 0) + of_k * chance * then
    return chances


@pytest.mark.parametrize(("deck", "most"), [((2, 1, 0), [2, 2, 1]), ((1, 1, 1, 0), [1, 2, 1, 2])])
def test_mutations_come_as_often_as_every_path_to_them_says(deck: tuple[int, ...], most: list[int]) -> None:
    decks, rng = space(most, sum(deck)), np.random.default_rng(6)
    chances = exact_mutations(deck, most)
    assert sum(chances.values()) == pytest.approx(1)
    found = [tuple(decks.mutate(np.array(deck, np.uint8), rng).tolist()) for _ in range(5000)]
    assert surprise(found, chances) < SURPRISING


# What is known of decks


@given(spaces(), st.data())
def test_columns_are_those_of_the_numbers_of_the_cards(decks: DeckSpace[int], data: st.DataObject) -> None:
    numbers = data.draw(st.lists(st.integers(0, 20), min_size=decks.length, max_size=decks.length))
    whole = np.array(numbers, np.int64)
    known = space(
        decks.most_copies.tolist(),
        decks.size,
        total=DeckColumn(whole),
        mean=DeckColumn(whole, "mean"),
        variance=DeckColumn(whole, "variance"),
    )
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    solutions = np.array([known.random(rng) for _ in range(5)])
    for solution, row in zip(solutions, known.measures(solutions), strict=True):
        of_cards = [numbers[card] for card in known.cards(solution)]
        assert row == pytest.approx([sum(of_cards), np.mean(of_cards), np.var(of_cards)], abs=1e-12)


def test_many_decks_have_the_columns_that_each_has_alone() -> None:
    decks, rng = LocmDecks(), np.random.default_rng(1)
    many = np.array([decks.random(rng) for _ in range(300)])
    assert np.array_equal(decks.measures(many), np.concatenate([decks.measures(deck[np.newaxis]) for deck in many]))


def test_decks_of_equal_costs_have_equal_variances_to_the_last_bit() -> None:
    costs = np.array([3, 7, 1, 3, 7, 1])
    decks = space([20] * 6, 30, variance=DeckColumn(costs, "variance"))
    one, other = decks.measures(np.array([[10, 10, 10, 0, 0, 0], [3, 0, 9, 7, 10, 1]], np.uint8))[:, 0]
    assert one == other


def test_a_space_without_columns_tells_nothing() -> None:
    assert space([3], 2).measures(np.array([[2]], np.uint8)).shape == (1, 0)


# What cannot be


def test_a_pool_with_too_few_cards_is_refused() -> None:
    with pytest.raises(DeckError, match=r"^a deck has 5 cards, but the pool has only 4 copies in all$"):
        space([2, 1, 1], 5)


def test_a_pool_with_a_card_twice_is_refused() -> None:
    with pytest.raises(DeckError, match=r"^card 'b' is twice in the pool$"):
        DeckSpace(["a", "b", "c", "b"], [1] * 4, size=2, columns={})


def test_a_deck_without_cards_is_refused() -> None:
    with pytest.raises(DeckError, match=r"^a deck has 1 to 255 cards, not 0$"):
        space([2], 0)
