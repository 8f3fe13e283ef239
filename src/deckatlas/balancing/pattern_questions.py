"""Patterns of cards that a patch brings or ends: sets of cards that many elites share, before and after.

Which patterns are asked about follows from the elites of both editions together, so that a rise is as likely as a fall.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from deckatlas.balancing.subject import Floats, FoundMap
from deckatlas.patterns.patterns import patterns_of
from deckatlas.patterns.weighed_decks import WeighedDecks

_SUPPORT = 0.1  # of the elites of both editions together
_FEWEST_CARDS = 2  # single cards have questions of their own
_LONGEST = 4
_MOST = 8


def pattern_shares(maps: Sequence[Sequence[FoundMap]]) -> Iterator[tuple[str, tuple[Floats, Floats]]]:
    """The weightiest patterns over the elites of all trials, each with its share of elites by edition and trial.

    Draft policies have no patterns: they hold cards only now and then.

    Args:
        maps: The maps of a search, by edition and trial.
    """
    every = [found for side in maps for found in side]
    if any(((found.holds != 0) & (found.holds != 1)).any() for found in every):
        return
    decks = [_decks(found) for found in every]
    pooled = WeighedDecks.of([deck for found in decks for deck in found])
    found = patterns_of(pooled, support=_SUPPORT, longest=_LONGEST, distinct=True)
    chosen = [each for each in found if each.size >= _FEWEST_CARDS][:_MOST]
    for each in chosen:
        cards = {card for card, _ in each.cards}
        shares = [np.array([_share(found, cards) for found in side]) for side in maps]
        yield " and ".join(sorted(cards)), (shares[0], shares[1])


def _decks(found: FoundMap) -> list[dict[str, int]]:
    return [{found.cards[at]: 1 for at in np.flatnonzero(row)} for row in found.holds]


def _share(found: FoundMap, cards: set[str]) -> float:
    """The share of elites that have all these cards."""
    if not cards <= {*found.cards}:
        return 0.0
    return float(found.holds[:, [found.cards.index(card) for card in cards]].all(axis=1).mean())
