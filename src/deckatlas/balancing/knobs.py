"""What a rebalancing may change: the knobs of cards, the patches they span, and how large a change is.

A *knob* is one number of one card, such as its cost, with the values that it may take. A patch is one value for each
knob. Its *size* is the weighted sum of the steps of all knobs away from the cards' own values.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from deckatlas.balancing.subject import Floats, Subject
from deckatlas.metagame.metagame import Metagame
from deckatlas.search.evaluation import Evaluator

Values = tuple[int, ...]  # one for each knob
FoundDecks = Mapping[str, tuple[str, ...]]  # for each kind that is searched, decks that searches found, as texts

MOST_LISTED = 4096  # patches; of a larger space, some are drawn


@dataclass(frozen=True)
class Knob:
    """A number of a card that may change.

    Attributes:
        card: The name of the card.
        name: What the number is: "cost", or its name in the effect.
        own: Its value today.
        values: The values that it may take, ascending; its own value is one of them.
        weight: How much one step counts in the size of a change.
    """

    card: str
    name: str
    own: int
    values: tuple[int, ...]
    weight: float

    @property
    def reach(self) -> int:
        """The most steps away from its own value."""
        return max(abs(value - self.own) for value in self.values)

    def to_json(self) -> dict[str, Any]:
        """The knob as plain data."""
        return {
            "card": self.card,
            "name": self.name,
            "own": self.own,
            "values": list(self.values),
            "weight": self.weight,
        }


class Rebalancer(Protocol):
    """The knobs of a game's cards, checked, and everything that a rebalancing needs of the game."""

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """The knobs."""
        ...

    @property
    def effects(self) -> Mapping[str, str]:
        """For each card with knobs in its effect, the effect with their names in place of numbers."""
        ...

    @property
    def field(self) -> Metagame:
        """The decks that play, under the base edition: the known ones, and then found ones, which have no share."""
        ...

    def with_found(self, found: FoundDecks) -> Self:
        """The same with these found decks beside the known ones, in their order."""
        ...

    def matchups(self, values: Values) -> Evaluator:
        """What plays matchups of these decks under a patch: deck k is participant -1 - k."""
        ...

    def words(self, values: Values) -> str:
        """What a patch changes, in words: "Savannah Highmane costs 7 instead of 6"."""
        ...

    def to_toml(self, values: Values, name: str) -> str:
        """A patch as a file that `deckatlas balance` reads."""
        ...

    def subject(self, values: Values, name: str) -> Subject:
        """A balance study of a patch; every study searches the same kinds of decks, and asks about the same cards."""
        ...


@dataclass(frozen=True)
class PatchSpace:
    """All patches that some knobs span.

    Attributes:
        knobs: The knobs.
    """

    knobs: tuple[Knob, ...]

    @property
    def own(self) -> Values:
        """The patch that changes nothing."""
        return tuple(knob.own for knob in self.knobs)

    @property
    def count(self) -> int:
        """The number of patches, without the one that changes nothing."""
        return prod(len(knob.values) for knob in self.knobs) - 1

    @cached_property
    def _weights(self) -> Floats:
        return np.array([knob.weight for knob in self.knobs])

    @cached_property
    def _reach(self) -> Floats:
        return np.array([knob.reach for knob in self.knobs], np.float64)

    def steps(self, patches: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """For each patch (row) and knob, the steps away from its own value."""
        return patches - np.array(self.own, np.int64)

    def sizes(self, patches: npt.NDArray[np.int64]) -> Floats:
        """The size of each patch."""
        return np.asarray(np.round(np.abs(self.steps(patches)) @ self._weights, 9))

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """What a store keeps of patches beside their results: their sizes."""
        return self.sizes(solutions.astype(np.int64))[:, np.newaxis]

    def size(self, values: Values) -> float:
        """The size of one patch."""
        return float(self.sizes(np.array([values]))[0])

    def scaled(self, patches: npt.NDArray[np.int64]) -> Floats:
        """Steps as parts of each knob's reach: 0 is its own value, 1 or -1 as far as it goes."""
        return np.asarray(self.steps(patches) / self._reach)

    def random(self, rng: np.random.Generator) -> Values:
        """A patch in which some knobs are changed: one as likely as all of them."""
        changed = rng.permutation(len(self.knobs))[: int(rng.integers(1, len(self.knobs) + 1))].tolist()
        values = list(self.own)
        for at in changed:
            others = [value for value in self.knobs[at].values if value != self.knobs[at].own]
            values[at] = others[int(rng.integers(len(others)))]
        return tuple(values)

    def neighbours(self, values: Values) -> list[Values]:
        """The patches that turn one knob by one step, and those that turn one back to its own value."""
        found: dict[Values, None] = {}
        for at, knob in enumerate(self.knobs):
            place = knob.values.index(values[at])
            near = [knob.values[each] for each in (place - 1, place + 1) if 0 <= each < len(knob.values)]
            for value in (*near, knob.own):
                found[(*values[:at], value, *values[at + 1 :])] = None
        return [each for each in found if each not in (values, self.own)]

    def all(self) -> list[Values]:
        """Every patch but the one that changes nothing."""
        grids = np.meshgrid(*(np.array(knob.values) for knob in self.knobs), indexing="ij")
        rows = np.stack([grid.ravel() for grid in grids], axis=1).tolist()
        return [values for values in map(tuple, rows) if values != self.own]
