"""Swaps of cards in a Hearthstone deck, and a linear model that says which of them are worth a try."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from deckatlas.games.hearthstone.cards.decks import Deck, most_copies, obstacle
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.stats.estimate import Floats

CARD_SPREAD = 0.02  # how much copies of cards differ in what they add to a win rate; only its size matters


@dataclass(frozen=True, order=True)
class Swap:
    """Some cards of a deck, and as many that come in for them; ids in ascending order."""

    cut: tuple[str, ...]
    added: tuple[str, ...]

    def together_with(self, other: "Swap") -> "Swap":
        """Both swaps at once."""
        return Swap(tuple(sorted(self.cut + other.cut)), tuple(sorted(self.added + other.added)))

    def applied_to(self, deck: Deck) -> Deck:
        """The deck after the swap."""
        counts = Counter(dict(deck.cards))
        counts.subtract(self.cut)
        counts.update(self.added)
        return Deck(deck.hero_class, tuple((card, count) for card, count in counts.items() if count > 0))

    def fits(self, deck: Deck, cards: Edition) -> bool:
        """Whether the deck has the cards that go, may have those that come, and none does both."""
        counts, gone, come = Counter(dict(deck.cards)), Counter(self.cut), Counter(self.added)
        return (
            all(counts[card] >= count for card, count in gone.items())
            and all(counts[card] + count <= most_copies(cards.by_id[card]) for card, count in come.items())
            and not gone.keys() & come.keys()
        )

    def in_words(self, cards: Edition) -> tuple[str, str]:
        """The names of the cards that go and that come."""
        return _names(self.cut, cards), _names(self.added, cards)


def _names(ids: Sequence[str], cards: Edition) -> str:
    return ", ".join(f"{count}x {cards.by_id[card].name}" for card, count in Counter(ids).items())


def single_swaps(deck: Deck, cards: Edition) -> list[Swap]:
    """Every swap of one card that leaves a legal deck."""
    incoming = [card.id for card in cards.cards if obstacle(card, deck.hero_class) is None]
    every = (Swap((cut,), (added,)) for cut, _ in deck.cards for added in incoming)
    return [swap for swap in every if swap.fits(deck, cards)]


def double_swaps(singles: Iterable[Swap], deck: Deck, cards: Edition) -> list[Swap]:
    """All pairs of these swaps that can be made at once, and each of them made twice."""
    given = list(singles)
    pairs = [*combinations(given, 2), *((each, each) for each in given)]
    joined = dict.fromkeys(one.together_with(other) for one, other in pairs)
    return [swap for swap in joined if swap.fits(deck, cards)]


def random_swaps(singles: Sequence[Swap], deck: Deck, cards: Edition, rng: np.random.Generator, count: int) -> Swap:
    """Several random swaps at once, with no card that both goes and comes."""
    found = Swap((), ())
    while len(found.cut) < count:
        tried = found.together_with(singles[int(rng.integers(len(singles)))])
        if tried.fits(deck, cards):
            found = tried
    return found


class CardValues:
    """What a copy of each card adds to the win rate of a deck: a linear model of card counts, learned from variants.

    Values are those of ridge regression: a card that few variants have stays close to the mean of the others.
    """

    def __init__(self, variants: Sequence[Swap], leads: Floats) -> None:
        """Learns.

        Args:
            variants: What was changed in a deck, always with the same number of cards.
            leads: How much more each variant won than the deck.
        """
        ids = sorted({card for each in variants for card in (*each.cut, *each.added)})
        self._number = {card: number for number, card in enumerate(ids)}
        self._size = len(variants[0].cut)
        counts = np.array([self._counts(each) for each in variants])
        columns = np.column_stack([counts, np.ones(len(variants))])
        penalty = np.full(columns.shape[1], float(np.var(leads)) / CARD_SPREAD**2)
        penalty[-1] = 0.0  # what any such change costs on average
        solved = np.linalg.solve(columns.T @ columns + np.diag(penalty + 1e-9), columns.T @ leads)
        self._values, self._mean = solved[:-1], float(solved[-1])

    def lead_of(self, swap: Swap) -> float:
        """The lead that a swap promises."""
        return float(self._counts(swap) @ self._values) + self._mean * len(swap.cut) / self._size

    def _counts(self, swap: Swap) -> Floats:
        counts = np.zeros(len(self._number))
        for sign, cards in ((-1, swap.cut), (1, swap.added)):
            for card in cards:
                if card in self._number:
                    counts[self._number[card]] += sign
        return counts
