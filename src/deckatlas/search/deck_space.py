"""A space of decks, for any game: how often each card of a pool is in the deck.

A solution is an array with the count of each card, in the order of the pool. A column is computed from one number per
card, such as its cost: the sum, mean or variance over the cards of the deck. These numbers are whole, so a column does
not depend on the order of summation.

A space can be narrower than the rules of a game: with cards that every deck must have, and limits on sums such as dust.
Every deck that the space draws or varies keeps to them.
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


@dataclass(frozen=True)
class Limit:
    """A limit on decks: the numbers of a deck's cards may have at most this sum.

    Attributes:
        name: What is limited, for people.
        numbers: The number of each card of the pool; none is negative.
        most: The largest sum.
    """

    name: str
    numbers: Ints
    most: int


class LimitError(DeckError):
    """No deck keeps to a limit; `limit` is its name."""

    def __init__(self, limit: str, message: str) -> None:
        super().__init__(message)
        self.limit = limit


class DeckSpace(Generic[CardId]):
    """Decks of a fixed size from a pool of cards, each with its own limit of copies; a `Space`.

    Attributes:
        ids: The cards of the pool.
        size: The number of cards of a deck.
        most_copies: How many copies of each card a deck may have.
        least_copies: How many copies of each card a deck must have.
        free_cards: The number of cards of a deck that can be chosen; all others are in every deck.
        limits: What else a deck must keep to.
    """

    def __init__(
        self,
        ids: Sequence[CardId],
        most_copies: Sequence[int],
        *,
        size: int,
        columns: Mapping[str, DeckColumn],
        attributes: Mapping[str, Sequence[int]] = MappingProxyType({}),
        least_copies: Sequence[int] | None = None,
        limits: Sequence[Limit] = (),
    ) -> None:
        """Takes the cards of the pool.

        Args:
            ids: The cards.
            most_copies: How many copies of each a deck may have.
            size: The number of cards of a deck.
            columns: The columns of decks, by name.
            attributes: Further numbers of each card that a model can learn from, by name.
            least_copies: How many copies of each card a deck must have; if absent, none.
            limits: What else a deck must keep to.

        Raises:
            DeckError: If the pool has a card twice, or too few cards for a deck.
            LimitError: If no deck keeps to a limit.
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
        if (copies := int(self.most_copies.sum())) < size:
            raise DeckError(f"a deck has {size} cards, but the pool has only {copies} copies in all")
        self.least_copies: Ints = np.zeros(len(self.ids), np.int64)
        if least_copies is not None:
            self.least_copies = np.array(least_copies, np.int64)
        self.least_copies.setflags(write=False)
        self.free_cards = size - int(self.least_copies.sum())
        self.limits = tuple(limits)
        self._check_least()
        self._most = self.most_copies.astype(np.uint8)  # numbers of one type are compared faster
        self._places = np.arange(len(self.ids))
        self._spare = np.repeat(self._places, self.most_copies - self.least_copies)
        self._smallest = self._smallest_deck()
        self._attributes = {name: np.array(numbers, np.float64) for name, numbers in attributes.items()}
        self._names = tuple(columns)
        self._columns = tuple(columns.values())
        numbers = np.array([column.numbers for column in self._columns], np.float64).reshape(-1, len(self.ids))
        self._spread = [place for place, column in enumerate(self._columns) if column.of == "variance"]
        self._means = [place for place, column in enumerate(self._columns) if column.of == "mean"]
        self._summed = np.ascontiguousarray(np.concatenate([numbers, numbers[self._spread] ** 2]).T)

    @property
    def has_constraints(self) -> bool:
        """Whether decks must have some cards, or keep to limits."""
        return bool(self.limits) or self.free_cards < self.size

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
        """A deck drawn uniformly from all allowed copies.

        A space with limits then replaces cards, of those with the largest numbers first, until the deck keeps to them.
        """
        drawn = self._spare.copy()
        rng.shuffle(drawn)
        counts = np.bincount(drawn[: self.free_cards], minlength=self.length) + self.least_copies
        return self._within_limits(counts, rng).astype(np.uint8)

    def mutate(self, solution: Solution, rng: np.random.Generator) -> Counts:
        """The deck with k cards replaced, where k has probability 2 to the minus k.

        The cards to remove are drawn uniformly from the deck's copies, each new one uniformly from the cards of the
        pool that have room; a removed card may come back. Cards that every deck must have stay. With limits, a new card
        takes no more than what was left and what the removed card took; if no card does, the deck does not change.
        """
        counts: Counts = solution.copy()
        replaced = min(int(rng.geometric(0.5)), self.free_cards)
        copies = self._places.repeat(counts if self.free_cards == self.size else counts - self.least_copies)
        rng.shuffle(copies)
        removed = copies[:replaced].tolist()
        for gone in removed:
            counts[gone] = counts.item(gone) - 1  # numbers of Python: those of numpy take ten times as long
        slack = [limit.most - int(limit.numbers @ solution) for limit in self.limits]
        for gone in removed:
            has_room = counts < self._most
            for at, limit in enumerate(self.limits):
                slack[at] += int(limit.numbers[gone])
                has_room &= limit.numbers <= slack[at]
            (room,) = has_room.nonzero()
            if not len(room):
                return solution.copy()
            new = room.item(rng.integers(len(room)))
            counts[new] = counts.item(new) + 1
            slack = [left - int(limit.numbers[new]) for left, limit in zip(slack, self.limits, strict=True)]
        return counts

    def exchange(self, solution: Solution, rng: np.random.Generator) -> Counts:
        """The deck with the playsets of k cards exchanged, where k has probability 2 to the minus k.

        All copies of a card leave, but those that every deck must have. Cards drawn from those that have room take
        their place, each with as many copies as it can have. If the limits leave no card, the deck does not change.
        """
        counts: Counts = solution.copy()
        for _ in range(int(rng.geometric(0.5))):
            held = np.flatnonzero(counts > self.least_copies)
            gone = int(held[rng.integers(len(held))])
            missing = int(counts[gone] - self.least_copies[gone])
            counts[gone] -= missing
            while missing:
                most = np.minimum(self.most_copies - counts, missing)
                for limit in self.limits:
                    left = limit.most - int(limit.numbers @ counts)
                    most = np.where(limit.numbers > 0, np.minimum(most, left // np.maximum(limit.numbers, 1)), most)
                most[gone] = 0
                room = np.flatnonzero(most > 0)
                if not len(room):
                    return solution.copy()
                new = int(room[rng.integers(len(room))])
                counts[new] += most[new]
                missing -= int(most[new])
        return counts

    def check(self, solution: Solution) -> None:
        """Checks that a deck belongs to the space.

        Raises:
            DeckError: If it does not.
        """
        counts = solution.astype(np.int64)
        if counts.shape != (self.length,) or int(counts.sum()) != self.size:
            raise DeckError(f"a deck of this space has {self.size} cards of {self.length}, not {int(counts.sum())}")
        for at in np.flatnonzero((counts > self.most_copies) | (counts < self.least_copies)).tolist():
            wrong, most, least = int(counts[at]), int(self.most_copies[at]), int(self.least_copies[at])
            bound = f"at most {most}" if wrong > most else f"at least {least}"
            raise DeckError(f"a deck of this space has {bound} of {self.name_of(self.ids[at])}, not {wrong}")
        for limit in self.limits:
            if (total := int(limit.numbers @ counts)) > limit.most:
                raise DeckError(f"a deck of this space has at most {limit.most:,} {limit.name}, not {total:,}")

    def name_of(self, card: CardId) -> str:
        """A card's name for people."""
        return str(card)

    def _check_least(self) -> None:
        """Checks that a deck can have the cards that it must have, and at least one more."""
        for card, least, most in zip(self.ids, self.least_copies.tolist(), self.most_copies.tolist(), strict=True):
            if least > most:
                raise DeckError(f"a deck cannot have {least} of {self.name_of(card)}: at most {most}")
        if self.free_cards < 1:
            raise DeckError(
                f"a deck has {self.size} cards, but {self.size - self.free_cards} are given, which leaves no choice"
            )

    def _smallest_deck(self) -> Ints:
        """The deck with the smallest numbers; it must keep to all limits."""
        weight = np.zeros(self.length)
        for limit in self.limits:
            weight += limit.numbers / max(1, int(limit.numbers.max(initial=0)))
        chosen = self._spare[np.argsort(weight[self._spare], kind="stable")[: self.free_cards]]
        smallest = np.bincount(chosen, minlength=self.length) + self.least_copies
        for limit in self.limits:
            if (least := int(limit.numbers @ smallest)) > limit.most:
                message = f"no deck has at most {limit.most:,} {limit.name}: the least is {least:,}"
                raise LimitError(limit.name, message)
        return smallest

    def _within_limits(self, counts: Ints, rng: np.random.Generator) -> Ints:
        """The deck, with cards replaced by others with smaller numbers until it keeps to all limits."""
        for limit in self.limits:
            while int(limit.numbers @ counts) > limit.most:
                free = limit.numbers * (counts > self.least_copies)
                largest = np.flatnonzero(free == free.max())
                gone = int(largest[rng.integers(len(largest))])
                smaller = (counts < self.most_copies) & (limit.numbers < limit.numbers[gone])
                for other in self.limits:  # so that no other limit is passed later
                    smaller &= other.numbers <= other.numbers[gone]
                room = np.flatnonzero(smaller)
                if not len(room):
                    return self._smallest.copy()
                counts[gone] -= 1
                counts[room[rng.integers(len(room))]] += 1
        return counts

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """The columns of decks: one row per deck."""
        step = max(1, _AT_ONCE // max(1, self._summed.size))
        if len(solutions) <= step:
            return self._measures(solutions)
        found = np.empty((len(solutions), len(self._columns)))
        for start in range(0, len(solutions), step):
            found[start : start + step] = self._measures(solutions[start : start + step])
        return found

    def _measures(self, solutions: npt.NDArray[Any]) -> Floats:
        both: Floats = solutions.astype(np.float64) @ self._summed
        sums, squares = both[:, : len(self._columns)], both[:, len(self._columns) :]
        # All numbers are whole until the division, so the variance is exact.
        for place, squared in zip(self._spread, squares.T, strict=True):
            sums[:, place] = (self.size * squared - sums[:, place] ** 2) / self.size**2
        for place in self._means:
            sums[:, place] /= self.size
        return sums

    def cards(self, solution: Solution) -> tuple[CardId, ...]:
        """The card of every copy in the deck, in the order of the pool."""
        return tuple(self.ids[place] for place in np.repeat(np.arange(self.length), solution))
