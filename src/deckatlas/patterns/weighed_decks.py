"""Decks with their shares, over which patterns are found: elites of maps, or the decks of an equilibrium mix."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from deckatlas.errors import DeckError
from deckatlas.search.deck_space import MOST_CARDS, Counts
from deckatlas.search.evaluation import Floats
from deckatlas.shapes import show
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval

Flags = npt.NDArray[np.bool_]

# The shares of random decks that have at least these copies of the cards: one row of copies per pattern.
Expected = Callable[[Counts], Floats]


@dataclass(frozen=True)
class Replicas:
    """Other shares of the same decks, which say how certain a support is.

    Attributes:
        shares: One row of shares per replica.
        are: "runs": each row has the decks of one run, so the interval is of the mean over independent runs. "draws":
            each row is a mix that the games allow, so the interval is where 95 % of them lie.
    """

    shares: Floats
    are: Literal["runs", "draws"]


@dataclass(frozen=True, eq=False)
class WeighedDecks:
    """Decks with their shares.

    Attributes:
        cards: The ids of all cards.
        counts: The copies of each card: one row per deck, one column per card.
        shares: The share of each deck; their sum is 1.
        names: Names of cards for people, by id; a card without one is called by its id.
        measures: Numbers of the decks that say where they are, such as the measures of a map, by name.
        expected: Computes the shares of random decks with given cards; None if they are not known.
        unknown: Why they are not known, as a part of a sentence.
        replicas: What the uncertainty of supports comes from; without it, supports have no interval. The elites of one
            map are no sample: they are all there are, and another run would find others.

    Raises:
        DeckError: If there is no deck, or the shares are not those of the decks.
    """

    cards: tuple[str, ...]
    counts: Counts
    shares: Floats
    names: Mapping[str, str] = field(default_factory=dict)
    measures: Mapping[str, Floats] = field(default_factory=dict)
    expected: Expected | None = None
    unknown: str = ""
    replicas: Replicas | None = None

    def __post_init__(self) -> None:
        if not len(self.counts):
            raise DeckError("there is no deck to find patterns in")
        if self.counts.shape != (len(self.shares), len(self.cards)):
            raise DeckError("every deck needs a share, and a number of copies for every card")
        if not (np.isfinite(self.shares).all() and (self.shares >= 0).all() and abs(self.shares.sum() - 1) < 1e-6):
            raise DeckError("the shares of decks must be 0 or more, and their sum must be 1")

    @classmethod
    def of(
        cls,
        decks: Sequence[Mapping[str, int]],
        weights: Sequence[float] | Floats | None = None,
        *,
        expected: Expected | None = None,
    ) -> "WeighedDecks":
        """Decks as copies by card, each with a weight; all weigh the same by default.

        Args:
            decks: The copies of each card that a deck has.
            weights: The weights of the decks, up to a common factor.
            expected: Computes what is expected of random decks; its columns are the cards in alphabetical order.

        Raises:
            DeckError: If there is no deck, or a number is impossible.
        """
        cards = tuple(sorted({card for deck in decks for card in deck}))
        place = {card: at for at, card in enumerate(cards)}
        counts = np.zeros((len(decks), len(cards)), np.uint8)
        for row, deck in zip(counts, decks, strict=True):
            for card, copies in deck.items():
                if not 0 <= copies <= MOST_CARDS:
                    raise DeckError(f"a deck has 0 to {MOST_CARDS} copies of a card, not {show(copies)}")
                row[place[card]] = copies
        given = np.ones(len(decks)) if weights is None else np.array(weights, np.float64)
        total = float(given.sum())
        return cls(cards, counts, given / total if total > 0 else given, expected=expected)

    def __len__(self) -> int:
        return len(self.counts)

    def name(self, card: str) -> str:
        """A card's name for people."""
        return self.names.get(card, card)

    def having(self, cards: Mapping[str, int]) -> Flags:
        """Which decks have at least these copies of cards."""
        has = np.ones(len(self), np.bool_)
        for card, copies in cards.items():
            if card in self.cards:
                has &= self.counts[:, self.cards.index(card)] >= copies
            elif copies > 0:
                has[:] = False
        return has

    def support(self, has: Flags) -> Estimate:
        """The share of these decks, with an interval where there are replicas."""
        value = min(1.0, float(self.shares[has].sum()))
        if self.replicas is None:
            return Estimate(value, np.nan, np.nan, len(self), is_share=True)
        again = self.replicas.shares[:, has].sum(axis=1)
        if self.replicas.are == "runs":
            mean = mean_interval(again)
            low, high = max(0.0, mean.low), min(1.0, mean.high)
        else:
            low, high = (float(end) for end in np.quantile(again, (0.025, 0.975)))
        return Estimate(value, min(low, value), max(high, value), len(again), is_share=True)
