"""Partners of a card: the cards that share decks with it more often than in random legal decks."""

from dataclasses import dataclass

import numpy as np

from deckatlas.patterns.weighed_decks import WeighedDecks
from deckatlas.stats.estimate import Estimate

LEAST_DECKS = 2


@dataclass(frozen=True)
class Partner:
    """A card that shares decks with another.

    Attributes:
        card: Its id.
        name: Its name.
        count: The number of decks that have both.
        support: Their share of all decks.
        lift: How many times more often than in random legal decks; None if that is not known.
    """

    card: str
    name: str
    count: int
    support: Estimate
    lift: float | None


def partners_of(decks: WeighedDecks, card: str, *, most: int | None = None) -> list[Partner]:
    """The cards that share at least two decks with a card; the highest lift first, then the most decks.

    Args:
        decks: The decks.
        card: The id of the card.
        most: How many to return; all by default.
    """
    if card not in decks.cards:
        return []
    has = decks.counts > 0
    own = decks.cards.index(card)
    together = has & has[:, [own]]
    counts = together.sum(axis=0)
    places = [place for place in np.flatnonzero(counts >= LEAST_DECKS).tolist() if place != own]
    pairs = np.zeros((len(places), len(decks.cards)), np.uint8)
    pairs[np.arange(len(places)), places] = 1
    pairs[:, own] = 1
    expected = None if decks.expected is None or not places else decks.expected(pairs)
    found = []
    for row, place in enumerate(places):
        support = decks.support(together[:, place])
        chance = None if expected is None else float(expected[row])
        lift = support.value / chance if chance else None
        other = decks.cards[place]
        found.append(Partner(other, decks.name(other), int(counts[place]), support, lift))
    return sorted(found, key=lambda each: (-(each.lift or 0.0), -each.count, each.name))[:most]
