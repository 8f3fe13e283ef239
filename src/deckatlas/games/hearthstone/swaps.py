"""Swaps of cards in a Hearthstone deck, and what the model of cards promises of them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from deckatlas.games.hearthstone.cards.decks import Deck, most_copies, obstacle
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.search.card_model import CardModel
from deckatlas.search.deck_search import MISFIT, Decks
from deckatlas.stats.estimate import Floats


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


class SwapModel:
    """What swaps of a deck promise: a linear model of cards, learned from games of the deck and of variants of it."""

    def __init__(self, deck: Deck, cards: Edition, rounds: int) -> None:
        """Takes the deck, its edition, and the number of rounds; all decks of a round share its luck."""
        space = HearthstoneDecks(deck.hero_class, edition=cards, pool_name="all")
        self._deck, self._place = space.solution(deck), {card: at for at, card in enumerate(space.ids)}
        self._model = CardModel(space.length, rounds)
        self._posterior = self._model.fit()

    def add(self, swaps: Sequence[Swap], totals: Floats, games: int, number: int) -> None:
        """Adds a round: what was swapped in each of its decks, the games that each won, the games of each."""
        self._model.add(self._counts(swaps), totals, games, number)

    def fit(self) -> None:
        """Learns from all rounds so far."""
        self._posterior = self._model.fit()

    def leads(self, swaps: Sequence[Swap]) -> Floats:
        """How much more the deck should win after each swap."""
        values = self._posterior.values.of(self._counts([Swap((), ()), *swaps]))
        return np.asarray(values[1:] - values[0])

    def doubts(self, swaps: Sequence[Swap]) -> Floats:
        """How far each of these leads may be from the truth, as a standard deviation."""
        misfit = MISFIT * self._posterior.noise
        return np.hypot(self._posterior.doubts(self._counts(swaps)), misfit)

    def _counts(self, swaps: Sequence[Swap]) -> Decks:
        counts = np.repeat(self._deck[np.newaxis], len(swaps), axis=0)
        for row, swap in zip(counts, swaps, strict=True):
            for cut, added in zip(swap.cut, swap.added, strict=True):
                row[self._place[cut]] -= 1
                row[self._place[added]] += 1
        return counts
