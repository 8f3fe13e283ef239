"""What trials found, for tables: where decks with a changed card are on the map, and the mix deck by deck.

These numbers describe; sentences judge. A new card has no place under the base edition, and a found deck is another one
in every trial, so neither fits a question with a before and an after.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deckatlas.balancing.subject import SIDES
from deckatlas.balancing.trials import SearchKey, Trial
from deckatlas.stats.estimate import Estimate
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


def mixed_decks(trials: Sequence[Trial]) -> list[MixedDeck]:
    """The shares of all decks in the mix, the largest first."""
    known = len(trials[0].halves[0].shares)
    names = [*trials[0].halves[0].matchups.names[:known]]
    names += list(dict.fromkeys(f"found by the search for {kind}" for kind, _ in trials[0].halves[0].maps))
    shares = np.zeros((len(SIDES), len(trials), len(names)))
    for number, trial in enumerate(trials):
        for side in SIDES:
            half = trial.halves[side]
            shares[side, number, :known] = half.mix[:known]
            for (kind, _), share in zip(half.found, half.mix[known:].tolist(), strict=True):
                shares[side, number, names.index(f"found by the search for {kind}")] += share
    ends = [[mean_interval(shares[side, :, at]) for side in SIDES] for at in range(len(names))]
    decks = [
        MixedDeck(
            name,
            *(Estimate(each.value, max(0.0, each.low), min(1.0, each.high), each.n, is_share=True) for each in pair),
        )
        for name, pair in zip(names, ends, strict=True)
    ]
    return sorted(decks, key=lambda each: -max(each.before.value, each.after.value))
