"""A card among the elites of maps before and after a patch: how many have it, and where they are in mana space."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deckatlas.papers.mesb.maps import SUM, VARIANCE, Floats
from deckatlas.runs.inclusion import Pair, PairedChange, centroid_apart, centroid_change, inclusion_change
from deckatlas.stats.estimate import Estimate

PLACES = {SUM: "sum of mana costs", VARIANCE: "variance of mana costs"}


@dataclass(frozen=True, eq=False)
class CardChange:
    """A card among the elites of an archetype, before and after.

    Attributes:
        card: Its name.
        archetype: The name of the archetype.
        is_in_pool: Whether decks of the class can have it.
        numbers: The numbers of the trials.
        trials: The share of elites that have it, in percent: one row per trial, before and after.
        share: The same over trials.
        places: The centroid of the elites that have it, by column: see `centroid_change`.
        seen: The same, seen from the centroid of all elites of a map.
        apart: Where elites that have it are after the patch, seen from the others: see `centroid_apart`.
    """

    card: str
    archetype: str
    is_in_pool: bool
    numbers: tuple[int, ...]
    trials: Floats
    share: PairedChange
    places: Mapping[str, PairedChange]
    seen: Mapping[str, PairedChange]
    apart: Mapping[str, Estimate]

    @classmethod
    def of(cls, card: str, archetype: str, trials: Mapping[int, Pair]) -> "CardChange":
        """The change over these pairs of trials, by their numbers."""
        pairs = tuple(trials.values())
        return cls(
            card,
            archetype,
            any(card in decks.names for pair in pairs for decks in pair),
            tuple(trials),
            np.array([[100 * decks.inclusion(card) for decks in pair] for pair in pairs]),
            inclusion_change(pairs, card).in_percent(),
            centroid_change(pairs, card),
            centroid_change(pairs, card, from_all=True),
            centroid_apart([after for _, after in pairs], card),
        )

    def is_common(self, rare: float) -> bool:
        """Whether more than this share of elites has it, in percent, before or after."""
        return max(self.share.before.value, self.share.after.value) > rare
