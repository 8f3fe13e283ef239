"""What games under a patch say of a target: its number, and how far it moved from the base edition.

Games are given pair by pair, as the shares of each seed's games that the first of the pair won. Both editions play the
same seeds, so what moved is measured seed by seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from deckatlas.balancing.questions import Shift, weighted_shift
from deckatlas.balancing.subject import Floats
from deckatlas.metagame.matchups import GAMES_PER_SEED, Pair

Weights = Mapping[Pair, float]  # how much each pair counts in a win rate
Played = Mapping[Pair, Floats]  # the outcomes of each pair

_STEP = 1 / GAMES_PER_SEED
_BEST = 3  # found decks whose mean win rate counts: one alone would be the luckiest


class Gauge(Protocol):
    """How a number follows from games."""

    @property
    def pairs(self) -> frozenset[Pair]:
        """The pairs that must play."""
        ...

    def read(self, after: Played, before: Played) -> tuple[Shift, Shift]:
        """The number under a patch, and the difference from the base edition.

        Args:
            after: The games under the patch.
            before: Those under the base edition, on the same seeds.
        """
        ...


@dataclass(frozen=True)
class KnownRate:
    """The win rate of known decks.

    Attributes:
        weights: How much each pair counts.
    """

    weights: Weights

    @property
    def pairs(self) -> frozenset[Pair]:
        """The pairs that count."""
        return frozenset(self.weights)

    def read(self, after: Played, before: Played) -> tuple[Shift, Shift]:
        """The rate, and how far it moved; see `Gauge`."""
        return _rate(after, self.weights), _moved(after, before, self.weights, self.weights)


@dataclass(frozen=True)
class AdaptedRate:
    """The win rate of a class whose players change to the best of some decks.

    It is that of the known decks today, moved as far as the best of the found decks move: under the patch, other decks
    may be the best ones.

    Attributes:
        known: How much each pair counts in the win rate of the known decks.
        found: The same for each found deck.
    """

    known: Weights
    found: tuple[Weights, ...]

    @property
    def pairs(self) -> frozenset[Pair]:
        """The pairs of known and of found decks."""
        return frozenset(self.known).union(*self.found)

    def read(self, after: Played, before: Played) -> tuple[Shift, Shift]:
        """The rate, and how far it moved; see `Gauge`."""
        today = _rate(before, self.known)
        moved = _moved(after, before, self._of_best(after), self._of_best(before))
        error = float(np.hypot(today.error, moved.error))
        return Shift(today.value + moved.value, error, min(today.freedom, moved.freedom)), moved

    def _of_best(self, played: Played) -> Weights:
        """How much each pair counts in the mean win rate of the best found decks."""
        rates = np.array([_rate(played, each).value for each in self.found])
        best = np.argsort(-np.round(rates, 9), kind="stable")[:_BEST].tolist()
        weights: dict[Pair, float] = {}
        for at in best:
            for pair, weight in self.found[at].items():
                weights[pair] = weights.get(pair, 0.0) + weight / len(best)
        return weights


def _rate(played: Played, weights: Weights) -> Shift:
    """A win rate: the part that is not played, against own copies, is a half."""
    pairs = sorted(weights)
    found = _weighted([played[pair] - 0.5 for pair in pairs], [weights[pair] for pair in pairs])
    return Shift(0.5 + found.value, found.error, found.freedom)


def _moved(after: Played, before: Played, now: Weights, then: Weights) -> Shift:
    """A rate that weighs the games under the patch, less one that weighs those under the base edition."""
    pairs = sorted({*now, *then})
    sizes = [max(abs(now.get(pair, 0.0)), abs(then.get(pair, 0.0))) for pair in pairs]
    moved = [
        (now.get(pair, 0.0) / size) * (after[pair] - 0.5) - (then.get(pair, 0.0) / size) * (before[pair] - 0.5)
        for pair, size in zip(pairs, sizes, strict=True)
    ]
    return _weighted(moved, sizes)


def _weighted(moved: Sequence[Floats], weights: Sequence[float]) -> Shift:
    return weighted_shift(moved, np.array(weights), step=_STEP)
