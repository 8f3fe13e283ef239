"""Patterns: sets of cards that many decks share, each with its support, its lift, and where its decks are.

A pattern says how many copies of each card a deck has at least. Its *support* is the share of the decks that have it.
Its *lift* compares that with the share of random legal decks that have it, which is exact: no deck is sampled.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deckatlas.errors import SearchError
from deckatlas.patterns.frequent_sets import FrequentSets, frequent_sets
from deckatlas.patterns.weighed_decks import Flags, WeighedDecks
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.shapes import show
from deckatlas.stats.estimate import Estimate

SUPPORT = 0.05
_AT_ONCE = 20_000  # sets whose expectations are computed together


@dataclass(frozen=True)
class Span:
    """Where the decks of a pattern are along a measure: the least, the mean and the greatest value."""

    low: float
    mean: float
    high: float


@dataclass(frozen=True)
class Pattern:
    """A set of cards that many decks share.

    Attributes:
        cards: The ids of its cards, each with the least number of copies.
        names: The names of its cards, in the same order.
        count: The number of decks that have it, of those with a share.
        support: Their share of all decks.
        expected: The share of random legal decks that have it; None if it is not known.
        region: Where its decks are, by measure.
        decks: The numbers of these decks.
    """

    cards: tuple[tuple[str, int], ...]
    names: tuple[str, ...]
    count: int
    support: Estimate
    expected: float | None
    region: Mapping[str, Span]
    decks: tuple[int, ...]

    @property
    def lift(self) -> float | None:
        """How many times more often than in random legal decks; None if that is not known."""
        return self.support.value / self.expected if self.expected else None

    @property
    def size(self) -> int:
        """The number of its cards, with all copies."""
        return sum(copies for _, copies in self.cards)

    @property
    def lines(self) -> tuple[str, ...]:
        """Its cards for people, those with several copies as `2x Name`."""
        pairs = zip(self.cards, self.names, strict=True)
        return tuple(f"{copies}x {name}" if copies > 1 else name for (_, copies), name in pairs)

    def __str__(self) -> str:
        return ", ".join(self.lines)

    def to_json(self) -> dict[str, Any]:
        """The pattern as plain data."""
        return {
            "cards": [
                {"id": card, "name": name, "copies": copies}
                for (card, copies), name in zip(self.cards, self.names, strict=True)
            ],
            "count": self.count,
            **self.support.cells("support"),
            "expected": self.expected,
            "lift": self.lift,
            "region": {
                name: {"low": span.low, "mean": span.mean, "high": span.high} for name, span in self.region.items()
            },
        }


@dataclass(frozen=True, eq=False)
class Patterns:
    """Patterns of decks, the weightiest first: those that occur most often beyond what is expected.

    The weight is the support times the logarithm of the lift, or times the number of cards where lifts are not known.

    Attributes:
        decks: The decks.
        least: The least support.
        only_maximal: Whether patterns that are part of another one are left out.
        found: How many patterns there are in all.
        shown: The weightiest of them.
    """

    decks: WeighedDecks
    least: float
    only_maximal: bool
    found: int
    shown: tuple[Pattern, ...]

    def __len__(self) -> int:
        return len(self.shown)

    def __iter__(self) -> Iterator[Pattern]:
        return iter(self.shown)

    def __getitem__(self, number: int) -> Pattern:
        return self.shown[number]


def patterns_of(
    decks: WeighedDecks,
    *,
    support: float = SUPPORT,
    only_maximal: bool = True,
    longest: int | None = None,
    most: int | None = None,
    distinct: bool = False,
) -> Patterns:
    """Finds the patterns of decks.

    Args:
        decks: The decks with their shares.
        support: The share of the decks that have a pattern, at least.
        only_maximal: Whether to leave out patterns that are part of another one.
        longest: The most cards of a pattern, counting copies; one with so many counts as maximal.
        most: How many patterns to return, the weightiest first; all by default.
        distinct: Whether to leave out patterns that share more than half of their cards with a weightier one.

    Raises:
        SearchError: If an argument is impossible, or there are too many patterns.
    """
    if most is not None and most < 1:
        raise SearchError(f"the number of patterns is at least 1, not {show(most)}")
    sets = frequent_sets(decks, support=support, only_maximal=only_maximal, longest=longest)
    expected = None if decks.expected is None else _expected(decks, sets)
    order = _weightiest(sets, expected)
    order = _distinct(sets, order, most) if distinct else order[:most]
    shown = tuple(_pattern(decks, sets, int(number), expected) for number in order)
    return Patterns(decks, support, only_maximal, len(sets), shown)


def supports_of(decks: WeighedDecks, patterns: Iterable[Pattern | Mapping[str, int]]) -> tuple[Estimate, ...]:
    """The supports of given patterns in these decks, such as those of another map; 0 for cards that no deck has."""
    return tuple(
        decks.support(decks.having(dict(each.cards) if isinstance(each, Pattern) else each)) for each in patterns
    )


def _expected(decks: WeighedDecks, sets: FrequentSets) -> Floats:
    assert decks.expected is not None
    parts = [
        decks.expected(sets.copies(begin, min(begin + _AT_ONCE, len(sets)))) for begin in range(0, len(sets), _AT_ONCE)
    ]
    return np.concatenate([*parts, np.empty(0)])


def _weightiest(sets: FrequentSets, expected: Floats | None) -> Ints:
    if expected is None:
        weight = sets.support * sets.sizes
    else:
        with np.errstate(divide="ignore"):
            weight = sets.support * np.log(sets.support / expected)
    order: Ints = np.lexsort((-sets.sizes, -np.round(weight, 12)))
    return order


def _distinct(sets: FrequentSets, order: Ints, most: int | None) -> Ints:
    """Those that share at most half of their items with every earlier one."""
    chosen: list[int] = []
    is_open = np.ones(len(sets), np.bool_)
    begins = sets.ends - sets.sizes
    for number in order.tolist():
        if len(chosen) == most:
            break
        if is_open[number]:
            chosen.append(number)
            is_shared = np.zeros(len(sets.card), np.int64)
            is_shared[sets.items[begins[number] : sets.ends[number]]] = 1
            is_open &= 2 * np.add.reduceat(is_shared[sets.items], begins) <= sets.sizes
    return np.array(chosen, np.int64)


def _pattern(decks: WeighedDecks, sets: FrequentSets, number: int, expected: Floats | None) -> Pattern:
    (copies,) = sets.copies(number, number + 1)
    held = np.flatnonzero(copies)
    cards = tuple((decks.cards[at], int(copies[at])) for at in held)
    has = (decks.counts[:, held] >= copies[held]).all(axis=1)
    played = has & (decks.shares > 0)
    return Pattern(
        cards=cards,
        names=tuple(decks.name(card) for card, _ in cards),
        count=int(played.sum()),
        support=decks.support(has),
        expected=None if expected is None else float(expected[number]),
        region=_region(decks, played),
        decks=tuple(np.flatnonzero(played).tolist()),
    )


def _region(decks: WeighedDecks, has: Flags) -> dict[str, Span]:
    spans = {}
    for name, values in decks.measures.items():
        known = values[has & np.isfinite(values)]
        if len(known):
            spans[name] = Span(float(known.min()), float(known.mean()), float(known.max()))
    return spans
