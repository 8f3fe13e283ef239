"""What trials found, for tables and maps: the mean map, where decks with a changed card are, and the mix by deck.

These numbers describe; sentences judge. A new card has no place under the base edition, and a found deck is another one
in every trial, so neither fits a question with a before and an after.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deckatlas.balancing.subject import DECKS, SIDES, Floats, Words
from deckatlas.balancing.trial_questions import rates_by_cell
from deckatlas.balancing.trials import SearchKey, Trial
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.mean_shares import mean_share
from deckatlas.stats.means import mean_interval


@dataclass(frozen=True)
class Place:
    """Where the elites with a card are along a measure, under both editions; None where no elite has it.

    Attributes:
        key: The search.
        card: The card.
        measure: The measure.
        values: The mean over trials under the base edition and under the patch.
    """

    key: SearchKey
    card: str
    measure: str
    values: tuple[Estimate | None, Estimate | None]

    def to_json(self) -> dict[str, Any]:
        """The place as plain data."""
        before, after = (None if each is None else each.cells("value", n="trials", prefix="") for each in self.values)
        return {"search": self.key[0], "card": self.card, "measure": self.measure, "before": before, "after": after}


def places_of(trials: Sequence[Trial], cards: Sequence[str]) -> list[Place]:
    """Where the elites with each of these cards are."""
    found = []
    for key, first in trials[0].halves[0].maps.items():
        for card in cards:
            centres = [[trial.halves[side].maps[key].centre(card) for trial in trials] for side in SIDES]
            known = [np.array([each for each in side if each is not None]) for side in centres]
            for at, measure in enumerate(first.names):
                before, after = (mean_interval(side[:, at]) if len(side) else None for side in known)
                found.append(Place(key, card, measure, (before, after)))
    return found


@dataclass(frozen=True)
class MixedDeck:
    """A known deck, or all decks that a search found, with its share of the mix under both editions.

    Attributes:
        name: Its name.
        before: Its mean share over the trials under the base edition.
        after: Its mean share under the patch.
    """

    name: str
    before: Estimate
    after: Estimate

    def to_json(self) -> dict[str, Any]:
        """The deck as plain data."""
        shares = {**self.before.cells("before"), **self.after.cells("after", n="trials")}
        return {"name": self.name, **shares}


def mixed_decks(trials: Sequence[Trial], words: Words = DECKS) -> list[MixedDeck]:
    """The shares of all decks in the mix, the largest first; intervals are those of sentences."""
    shares = [[trial.halves[side].deck_shares(words) for trial in trials] for side in SIDES]
    decks = []
    for name in shares[0][0]:
        before, after = (np.array([each[name] for each in side]) for side in shares)
        decks.append(MixedDeck(name, mean_share(before), mean_share(after)))
    return sorted(decks, key=lambda each: -max(each.before.value, each.after.value))


def mean_rates(trials: Sequence[Trial], key: SearchKey) -> tuple[Floats, Floats]:
    """The win rate of each cell of a search's map before and after, over the trials that fill it; nan if none does."""
    rates = np.array([[rates_by_cell(half.maps[key]) for half in trial.halves] for trial in trials])
    before, after = (np.array([_mean(cell) for cell in rates[:, side].T]) for side in SIDES)
    return before, after


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
