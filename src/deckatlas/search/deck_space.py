"""A space of decks, for any game: how often each card of a pool is in the deck.

A solution is an array with the count of each card, in the order of the pool. A column is computed from one number per
card, such as its cost: the sum, mean or variance over the cards of the deck. These numbers are whole, so a column does
not depend on the order of summation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from deckatlas.errors import DeckError
from deckatlas.search.evaluation import Floats, Ints, Solution
from deckatlas.shapes import nearest, show

CardId = TypeVar("CardId", str, int)
Counts = npt.NDArray[np.uint8]

MOST_CARDS = 255  # the largest count that a byte holds

# Products per step over many decks: few enough that the linear algebra library starts no threads. They would cost more
# than they bring, and the search was not given them.
_AT_ONCE = 200_000


@dataclass(frozen=True)
class DeckColumn:
    """A column of a deck, computed from one number per card.

    Attributes:
        numbers: The number of each card of the pool.
        of: What the column is of the numbers of the deck's cards; the variance is the mean squared deviation.
    """

    numbers: Ints
    of: Literal["sum", "mean", "variance"] = "sum"


class DeckSpace(Generic[CardId]):
    """Decks of a fixed size from a pool of cards, each with its own limit of copies; a `Space`."""

    def __init__(
        self,
        ids: Sequence[CardId],
        most_copies: Sequence[int],
        *,
        size: int,
        columns: Mapping[str, DeckColumn],
        attributes: Mapping[str, Sequence[int]] = MappingProxyType({}),
    ) -> None:
        """Takes the cards of the pool.

        Args:
            ids: The cards.
            most_copies: How many copies of each a deck may have.
            size: The number of cards of a deck.
            columns: The columns of decks, by name.
            attributes: Further numbers of each card that a model can learn from, by name.

        Raises:
            DeckError: If the pool has a card twice, or too few cards for a deck.
        """
        self.ids: tuple[CardId, ...] = tuple(ids)
        self.size = size
        self.most_copies: Ints = np.minimum(np.array(most_copies, np.int64), size)
        self.most_copies.setflags(write=False)
        last = {card: place for place, card in enumerate(self.ids)}
        if len(last) < len(self.ids):
            twice = next(card for place, card in enumerate(self.ids) if last[card] != place)
            raise DeckError(f"card {show(twice)} is twice in the pool")
        if not 1 <= size <= MOST_CARDS:
            raise DeckError(f"a deck has 1 to {MOST_CARDS} cards, not {show(size)}")
        self._copies = np.repeat(np.arange(len(self.ids)), self.most_copies)
        if len(self._copies) < size:
            raise DeckError(f"a deck has {size} cards, but the pool has only {len(self._copies)} copies in all")
        self._attributes = {name: np.array(numbers, np.float64) for name, numbers in attributes.items()}
        self._names = tuple(columns)
        self._columns = tuple(columns.values())
        numbers = np.array([column.numbers for column in self._columns], np.float64).reshape(-1, len(self.ids))
        self._spread = [place for place, column in enumerate(self._columns) if column.of == "variance"]
        self._means = [place for place, column in enumerate(self._columns) if column.of == "mean"]
        self._summed = np.ascontiguousarray(np.concatenate([numbers, numbers[self._spread] ** 2]).T)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Counts are bytes."""
        return np.dtype(np.uint8)

    @property
    def length(self) -> int:
        """How many cards the pool has."""
        return len(self.ids)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that are known without playing."""
        return self._names

    @property
    def whole_columns(self) -> frozenset[str]:
        """The columns that are always whole numbers: the sums."""
        return frozenset(name for name, column in zip(self._names, self._columns, strict=True) if column.of == "sum")

    def column(self, name: str) -> DeckColumn:
        """How a column is computed.

        Raises:
            DeckError: If there is no such column.
        """
        if name not in self._names:
            raise DeckError(f"unknown column {show(name)}: {nearest(str(name), self._names)}")
        return self._columns[self._names.index(name)]

    def numbers(self, column: str) -> Ints:
        """The numbers of the cards that a column is computed from.

        Raises:
            DeckError: If there is no such column.
        """
        return self.column(column).numbers

    @property
    def attributes(self) -> Floats:
        """What a model can learn about cards beside their ids: one row per card, one column per number."""
        summed: list[Ints] = [column.numbers for column in self._columns if column.of == "sum"]
        return np.stack([*summed, *self._attributes.values()], axis=1).astype(np.float64)

    def random(self, rng: np.random.Generator) -> Counts:
        """A deck drawn uniformly from all allowed copies."""
        drawn = self._copies[rng.permutation(len(self._copies))[: self.size]]
        return np.bincount(drawn, minlength=self.length).astype(np.uint8)

    def mutate(self, solution: Solution, rng: np.random.Generator) -> Counts:
        """The deck with k cards replaced, where k has probability 2 to the minus k.

        The cards to remove are drawn uniformly from the deck's copies, each new one uniformly from the cards of the
        pool that have room; a removed card may come back.
        """
        counts: Counts = solution.copy()
        replaced = min(int(rng.geometric(0.5)), self.size)
        copies = np.repeat(np.arange(self.length), counts)
        for gone in copies[rng.permutation(self.size)[:replaced]]:
            counts[gone] -= 1
        for _ in range(replaced):
            room = np.flatnonzero(counts < self.most_copies)
            counts[room[rng.integers(len(room))]] += 1
        return counts

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """The columns of decks: one row per deck."""
        found = np.empty((len(solutions), len(self._columns)))
        step = max(1, _AT_ONCE // max(1, self._summed.size))
        for start in range(0, len(solutions), step):
            found[start : start + step] = self._measures(solutions[start : start + step])
        return found

    def _measures(self, solutions: npt.NDArray[Any]) -> Floats:
        both: Floats = solutions.astype(np.float64) @ self._summed
        sums, squares = both[:, : len(self._columns)], both[:, len(self._columns) :]
        # All numbers are whole until the division, so the variance is exact.
        sums[:, self._spread] = (self.size * squares - sums[:, self._spread] ** 2) / self.size**2
        sums[:, self._means] /= self.size
        return sums

    def cards(self, solution: Solution) -> tuple[CardId, ...]:
        """The card of every copy in the deck, in the order of the pool."""
        return tuple(self.ids[place] for place in np.repeat(np.arange(self.length), solution))
