"""Swaps of cards by their values: single copies, and playsets, all copies of a card at once, as people build decks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.search.card_model import CopyValues, rounded
from deckatlas.search.deck_space import Counts, DeckSpace
from deckatlas.search.evaluation import Floats, Ints, Solution

PLAYSET = 2  # copies that move together


@dataclass(frozen=True)
class Swap:
    """Copies of one card for as many copies of another."""

    gain: float
    gone: int
    new: int
    copies: int


@dataclass(frozen=True)
class Swaps:
    """The swaps of a space's decks."""

    space: DeckSpace[Any]

    def climbed(self, deck: Solution, values: CopyValues, *, most: int) -> Counts:
        """The deck after the best swaps, one after the other, while they gain something.

        Args:
            deck: A deck of the space.
            values: What the cards are worth.
            most: The most copies that are replaced.
        """
        counts = deck.astype(np.int64)
        while most > 0:
            found = [self.best(counts, values, copies) for copies in (1, PLAYSET) if copies <= most]
            swap = max(found, key=lambda swap: swap.gain / swap.copies)
            if swap.gain <= 0:
                break
            counts[swap.gone] -= swap.copies
            counts[swap.new] += swap.copies
            most -= swap.copies
        return counts.astype(np.uint8)

    def best(self, counts: Ints, values: CopyValues, copies: int) -> Swap:
        """The best swap of so many copies; its gain is negative infinity if there is none."""
        gone = np.flatnonzero(counts - copies >= self.space.least_copies)
        new = np.flatnonzero(counts + copies <= self.space.most_copies)
        if not len(gone) or not len(new):
            return Swap(-np.inf, 0, 0, copies)
        lost = self._worth(counts, values, gone, -copies)
        won = self._worth(counts, values, new, copies)
        gains = won - lost[:, np.newaxis]
        gains[gone[:, np.newaxis] == new] = -np.inf
        for limit in self.space.limits:
            change = copies * (limit.numbers[new] - limit.numbers[gone][:, np.newaxis])
            gains[int(limit.numbers @ counts) + change > limit.most] = -np.inf
        row, column = np.unravel_index(np.argmax(gains), gains.shape)
        return Swap(float(gains[row, column]), int(gone[row]), int(new[column]), copies)

    def _worth(self, counts: Ints, values: CopyValues, cards: npt.NDArray[np.intp], change: int) -> Floats:
        """What the copies that come or go are worth."""
        few = np.minimum(counts[cards], counts[cards] + change)  # copies that are there in either case
        first = np.where(few == 0, values.first[cards], values.further[cards])
        return rounded(first + (abs(change) - 1) * values.further[cards])
