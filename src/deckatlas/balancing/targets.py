"""What a rebalancing aims at: numbers of the metagame in wanted ranges, and how far a patch is from them.

The *distance* of a patch is the weighted sum, over all targets, of how many points the number is outside of its range.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deckatlas.balancing.field_games import CLASS, DECK, pair_weights
from deckatlas.balancing.intents import Intent
from deckatlas.balancing.subject import Floats
from deckatlas.metagame.matchups import Pair
from deckatlas.stats.estimate import Estimate


@dataclass(frozen=True)
class Target:
    """A number that a rebalancing aims at.

    Attributes:
        intent: The number and its range.
        weight: How much a point outside of the range counts.
    """

    intent: Intent
    weight: float = 1.0

    @property
    def has_proxy(self) -> bool:
        """Whether games of known decks tell the number; otherwise decks must be searched."""
        return CLASS in self.intent.topics or DECK in self.intent.topics

    def outside(self, number: Floats) -> Floats:
        """How far numbers are outside of the range, in points times the weight."""
        low, high = self.intent.low, self.intent.high
        beyond = (low - number).clip(min=0) + (number - high).clip(min=0)
        return np.asarray(100 * self.weight * beyond)

    def distance(self, number: Estimate) -> Estimate:
        """The distance of a number from its range, with the least and the largest that its interval allows."""
        low, high = self.intent.low, self.intent.high

        def beyond(value: float) -> float:
            return 100 * self.weight * max(0.0, low - value, value - high)

        contains = number.low <= high and number.high >= low
        least = 0.0 if contains else min(beyond(number.low), beyond(number.high))
        return Estimate(
            beyond(number.value), least, max(beyond(number.low), beyond(number.high)), number.n, is_share=False
        )

    def pairs(self, names: Sequence[str], classes: Sequence[str], shares: Floats) -> dict[Pair, float]:
        """How much each pair of known decks counts in the number; pairs that do not count are left out."""
        own = classes if CLASS in self.intent.topics else names
        members = [at for at, each in enumerate(own) if each.casefold() == self.intent.subject.casefold()]
        return counted(members, shares)


def counted(members: Sequence[int], shares: Floats) -> dict[Pair, float]:
    """How much each pair counts in the win rate of some decks against the field; pairs without weight are left out."""
    return {pair: weight for pair, weight in pair_weights(members, shares).items() if weight}


def total(distances: Sequence[Estimate]) -> Estimate:
    """The sum of distances; its interval holds whatever the targets have to do with each other."""
    parts = [(each.value, each.low, each.high) for each in distances]
    value, low, high = (sum(column) for column in zip(*parts, strict=True))
    return Estimate(value, low, high, min(each.n for each in distances))
