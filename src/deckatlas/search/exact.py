"""Exact counts over all legal decks of a space: how many there are, how many have some cards, and their costs.

Nothing is sampled. Cards with the same number (such as a cost) are alike, so it is enough to know in how many ways 0,
1, 2, ... cards of each number can be chosen; decks are then combined number by number.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from deckatlas.errors import DeckError
from deckatlas.search.deck_space import Counts, DeckSpace
from deckatlas.search.evaluation import Floats, Ints

_MOST_ENTRIES = 30_000_000  # in the table of a distribution: 240 MB


@dataclass(frozen=True)
class Distribution:
    """The distribution of a column's sum and variance over all legal decks: one entry per pair of both.

    Attributes:
        sum: The sums.
        variance: The variances, equal to the last bit to those of the space's columns.
        share: The share of all legal decks.
    """

    sum: Ints
    variance: Floats
    share: Floats


def number_of_decks(space: DeckSpace[str] | DeckSpace[int]) -> int:
    """How many legal decks there are.

    Raises:
        DeckError: If decks have constraints.
    """
    _check_unconstrained(space)
    return _ways(space.most_copies.tolist(), space.size)[space.size]


def shares_with(space: DeckSpace[str] | DeckSpace[int], copies: Counts) -> Floats:
    """The shares of all legal decks that have at least these copies of each card.

    A deck that has them is chosen like any other, from the copies and places that are left.

    Args:
        space: The space; every legal deck counts once.
        copies: The copies of each card, in the order of the pool: one row per question.

    Raises:
        DeckError: If decks have constraints.
    """
    _check_unconstrained(space)
    kinds = [(int(most), space.most_copies == most) for most in np.unique(space.most_copies)]
    # Cards with the same limit of copies are alike: it matters only how many have at least 1, 2, ... copies.
    columns = [(copies[:, alike] >= copy).sum(axis=1) for most, alike in kinds for copy in range(1, most + 1)]
    asked, which = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    decks = number_of_decks(space)
    sizes = {most: int(alike.sum()) for most, alike in kinds}
    found = np.array([_decks_with(sizes, counts, space.size) / decks for counts in asked.tolist()], np.float64)
    return np.where((copies > space.most_copies).any(axis=1), 0.0, found[which])


def _decks_with(cards: Mapping[int, int], counts: list[int], size: int) -> int:
    """How many decks have at least some copies.

    Args:
        cards: How many cards there are, by their limit of copies.
        counts: For each limit, in the same order, how many cards must have at least 1, 2, ... copies.
        size: The number of cards of a deck.
    """
    left = size - sum(counts)
    if left < 0:
        return 0
    ways, begin = [1], 0
    for most, number in cards.items():
        at_least = [number, *counts[begin : begin + most], 0]
        begin += most
        for copies in range(most):  # at `most` copies, there is nothing left to choose
            alike = _ways_of_alike(most - copies, at_least[copies] - at_least[copies + 1], left)
            ways = _product(ways, alike, left)
    return ways[left] if left < len(ways) else 0


@cache
def _ways_of_alike(most: int, cards: int, size: int) -> list[int]:
    """In how many ways 0, 1, 2, ... copies of so many cards with the same limit can be chosen, up to a size."""
    return _ways([most] * cards, size)


def _product(one: list[int], other: list[int], size: int) -> list[int]:
    """In how many ways 0, 1, 2, ... cards can be chosen from two groups together, up to a size."""
    longest = min(len(one) + len(other) - 1, size + 1)
    product = [0] * longest
    for cards, ways in enumerate(one):
        for more, others in enumerate(other[: longest - cards]):
            product[cards + more] += ways * others
    return product


def decks_by_sum(space: DeckSpace[str] | DeckSpace[int], column: str) -> dict[int, int]:
    """The number of legal decks for each possible sum of a column's numbers.

    Raises:
        DeckError: If there is no such column.
    """
    table: dict[tuple[int, int], int] = {(0, 0): 1}  # by cards and sum so far
    for number, ways in _ways_by_number(space, column).items():
        grown: dict[tuple[int, int], int] = {}
        for (cards, total), decks in table.items():
            for more in range(min(len(ways), space.size - cards + 1)):
                key = cards + more, total + more * number
                grown[key] = grown.get(key, 0) + decks * ways[more]
        table = grown
    return {total: decks for (cards, total), decks in sorted(table.items()) if cards == space.size}


def distribution(space: DeckSpace[str] | DeckSpace[int], column: str) -> Distribution:
    """The distribution of a column's sum and variance over all legal decks.

    Raises:
        DeckError: If there is no such column, or its numbers are too large for the table.
    """
    by_number = _ways_by_number(space, column)
    # The table has the sum of n (n - 1) / 2 instead of the sum of squares: both give the variance, and it is smaller.
    pairs = {number: number * (number - 1) // 2 for number in by_number}
    limits = _limits(by_number, space.size)
    entries = (space.size + 1) * (limits[-1][0] + 1) * (limits[-1][1] + 1)
    if entries > _MOST_ENTRIES:
        raise DeckError(f"the numbers of {column!r} are too large to compute their distribution over all decks")
    table = np.ones((1, 1, 1))  # by cards, sum, and sum of pairs so far
    for (number, ways), (most_sum, most_pairs) in zip(by_number.items(), limits, strict=True):
        cards = min(len(table) + len(ways) - 1, space.size + 1)
        grown = np.zeros((cards, most_sum + 1, most_pairs + 1))
        for more, count in enumerate(ways):
            at_sum, at_pairs = more * number, more * pairs[number]
            part = table[: cards - more, : most_sum + 1 - at_sum, : most_pairs + 1 - at_pairs]
            _, sums, of_pairs = part.shape
            grown[more : more + len(part), at_sum : at_sum + sums, at_pairs : at_pairs + of_pairs] += part * float(
                count
            )
        table = grown
    whole = table[space.size]
    total, of_pairs = np.nonzero(whole)
    squares = total + 2 * of_pairs
    return Distribution(
        sum=total,
        variance=(space.size * squares - total**2) / space.size**2,
        share=whole[total, of_pairs] / float(number_of_decks(space)),
    )


def _ways_by_number(space: DeckSpace[str] | DeckSpace[int], column: str) -> Mapping[int, list[int]]:
    """For each number, in order, in how many ways 0, 1, 2, ... cards of it can be chosen."""
    _check_unconstrained(space)
    numbers = space.numbers(column)
    if numbers.min() < 0:
        raise DeckError(f"the numbers of {column!r} must not be below zero")
    return {
        int(number): _ways(space.most_copies[numbers == number].tolist(), space.size) for number in np.unique(numbers)
    }


def _check_unconstrained(space: DeckSpace[str] | DeckSpace[int]) -> None:
    if space.has_constraints:
        raise DeckError(
            "decks can only be counted in spaces without limits and without cards that every deck must have"
        )


def _ways(most_copies: Iterable[int], size: int) -> list[int]:
    """In how many ways 0, 1, 2, ... cards can be chosen, up to the size of a deck or the number of copies."""
    ways = [1]
    for most in most_copies:
        before = [0, *accumulate(ways)]  # prefix sums
        longest = min(len(ways) + most, size + 1)
        ways = [before[min(cards + 1, len(ways))] - before[max(cards - most, 0)] for cards in range(longest)]
    return ways


def _limits(by_number: Mapping[int, list[int]], size: int) -> list[tuple[int, int]]:
    """After each number, the largest sum and sum of pairs that a deck of the numbers so far can have."""
    limits: list[tuple[int, int]] = []
    greatest: npt.NDArray[np.int64] = np.zeros(0, np.int64)
    for number, ways in by_number.items():
        greatest = np.append(np.full(len(ways) - 1, number), greatest)[:size]
        limits.append((int(greatest.sum()), int((greatest * (greatest - 1) // 2).sum())))
    return limits
