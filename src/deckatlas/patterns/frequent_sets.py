"""Frequent sets of cards with copies, found by the core, as arrays: there can be a hundred thousand of them.

An item is a copy of a card: the first, the second, and so on. A deck with two copies of a card has both items, so a
set of items says of each card how many copies a deck has at least.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from deckatlas._core import patterns as core
from deckatlas.errors import SearchError
from deckatlas.patterns.weighed_decks import WeighedDecks
from deckatlas.search.deck_space import MOST_CARDS, Counts
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.shapes import show

MOST_SETS = 1_000_000
FEWEST_DECKS = 2  # what only one deck has is no pattern, however large its share
_MOST_STEPS = 20_000_000  # some ten seconds
_UNITS = 2**40  # what all shares add up to, in whole numbers
_ROUNDING = 1e-9  # a share that is less by so little is not less


@dataclass(frozen=True, eq=False)
class FrequentSets:
    """Sets of cards with copies.

    Attributes:
        items: The items of all sets, one set after the other.
        ends: Where each set ends.
        support: The share of the decks that have each set.
        card: The card of each item, by its number.
        cards: How many cards there are.
    """

    items: npt.NDArray[np.uint16]
    ends: Ints
    support: Floats
    card: Ints
    cards: int

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def sizes(self) -> Ints:
        """The number of items of each set: its cards, with all their copies."""
        sizes: Ints = np.diff(self.ends, prepend=0)
        return sizes

    def copies(self, begin: int, end: int) -> Counts:
        """The copies of each card, for the sets from one number to before another: one row per set."""
        start = self.ends[begin - 1] if begin else 0
        rows = np.repeat(np.arange(end - begin), self.sizes[begin:end])
        found = np.zeros((end - begin, self.cards), np.uint8)
        np.add.at(found, (rows, self.card[self.items[start : self.ends[end - 1]]]), 1)
        return found


def frequent_sets(
    decks: WeighedDecks, *, support: float, only_maximal: bool = True, longest: int | None = None
) -> FrequentSets:
    """Finds the sets that two decks or more have, of at least this share.

    Args:
        decks: The decks.
        support: The share.
        only_maximal: Whether to leave out sets that are part of another one.
        longest: The most cards of a set, counting copies; a set with so many counts as maximal.

    Raises:
        SearchError: If an argument is impossible, or there are too many such sets.
    """
    if not 0 < support <= 1:
        raise SearchError(f"a support is a share of the decks above 0 and up to 1, not {show(support)}")
    if longest is not None and not 1 <= longest <= MOST_CARDS:
        raise SearchError(f"a set has 1 to {MOST_CARDS} cards, not {show(longest)}")
    weights, total = _whole_weights(decks.shares)
    card, needs, has = _items(decks.counts)
    is_played = weights > 0
    items, ends, found, is_complete = core.frequent_sets(
        has[is_played],
        weights[is_played],
        needs,
        least=max(1, ceil((support - _ROUNDING) * total)),
        fewest=FEWEST_DECKS,
        longest=longest or max(1, len(card)),
        only_maximal=only_maximal,
        most_sets=MOST_SETS,
        most_steps=_MOST_STEPS,
    )
    if not is_complete:
        raise SearchError(
            f"too many sets of cards have a support of {100 * support:g} %: ask for a higher support, "
            "or for sets of fewer cards"
        )
    return FrequentSets(items, ends, found / total, card, decks.counts.shape[1])


def _whole_weights(shares: Floats) -> tuple[Ints, int]:
    """Shares as whole numbers, and what they add up to, but for rounding: their sums then never depend on an order."""
    if np.all(shares == shares[0]):
        return np.ones(len(shares), np.int64), len(shares)
    return np.round(shares * _UNITS).astype(np.int64), _UNITS


def _items(counts: Counts) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """For each item its card and the item it needs, and for each deck which items it has."""
    most = counts.max(axis=0)
    card = np.repeat(np.arange(len(most)), most)
    first = np.repeat(np.cumsum(most, dtype=np.int64) - most, most)
    copy = np.arange(len(card)) - first + 1
    needs = np.where(copy > 1, np.arange(len(card)) - 1, -1)
    return card, needs, np.ascontiguousarray(counts[:, card] >= copy)
