"""What games under a patch say of a target: its number, and how far it moved from the base edition.

Games are given pair by pair, as the shares of each seed's games that the first of the pair won. Both editions play the
same seeds, so what moved is measured seed by seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from deckatlas.balancing.questions import Shift, weighted_shift
from deckatlas.balancing.subject import Floats
from deckatlas.metagame.matchups import GAMES_PER_SEED, Pair

Weights = Mapping[Pair, float]  # how much each pair counts in a win rate
Played = Mapping[Pair, Floats]  # the outcomes of each pair

_STEP = 1 / GAMES_PER_SEED
_HALVES = (0, 1)  # of the seeds: every second one
_BEST = 3  # found decks whose mean win rate counts: one alone would be the luckiest
_NOTHING = 1e-12  # a smaller weight is what rounding leaves of none


class Gauge(Protocol):
    """How a number follows from games."""

    @property
    def pairs(self) -> frozenset[Pair]:
        """The pairs that must play."""
        ...

    def read(self, after: Played, before: Played, base: Played) -> tuple[Shift, Shift]:
        """The number under a patch, and the difference from the base edition.

        Args:
            after: The games under the patch.
            before: Those under the base edition, on the same seeds.
            base: All games under the base edition, on these seeds and others.
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

    def read(self, after: Played, before: Played, base: Played) -> tuple[Shift, Shift]:
        """The rate, and how far it moved; see `Gauge`."""
        return _rate(after, self.weights), _moved(after, before, self.weights)


@dataclass(frozen=True)
class AdaptedRate:
    """The win rate of a class whose players change to the best of some decks.

    It is that of the known decks today, moved as far as the best of the found decks move: under the patch, other decks
    may be the best ones. How good a found deck is today rests on all games of the base edition, and how far the patch
    moves it on common seeds, so that few decks are among the best by luck.

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

    def read(self, after: Played, before: Played, base: Played) -> tuple[Shift, Shift]:
        """The rate, and how far it moved; see `Gauge`."""
        today, moves = (
            np.array([[mean(weights, half) for weights in self.found] for half in _HALVES])
            for mean in (partial(_mean_rate, base), partial(_mean_move, after, before))
        )
        # One half of the seeds chooses the best decks, and the other one measures them: luck that chose does not count.
        then, now = [_best(each) for each in today], [_best(each) for each in today + moves]
        value = np.mean(
            [
                today[other][now[half]].mean() + moves[other][now[half]].mean() - today[other][then[half]].mean()
                for half, other in (_HALVES, _HALVES[::-1])
            ]
        )
        spreads = [self._spread(after, before, base, now[half], then[half]) for half in _HALVES]
        error = float(np.sqrt(np.mean([each.error**2 for each in spreads])))  # each half is measured on half the seeds
        shift, known = Shift(float(value), error, min(each.freedom for each in spreads)), _rate(base, self.known)
        rate = known.value + shift.value
        return Shift(rate, float(np.hypot(known.error, error)), min(known.freedom, shift.freedom)), shift

    def _spread(self, after: Played, before: Played, base: Played, now: list[int], then: list[int]) -> Shift:
        """The mean win rate of some decks under the patch, less that of others today, with its error on all seeds."""
        counted = self._mean(now)
        changed, moved = _rate(base, _less(counted, self._mean(then))), _moved(after, before, counted)
        freedom = min(changed.freedom, moved.freedom) if changed.error > 0 else moved.freedom
        return Shift(changed.value - 0.5 + moved.value, float(np.hypot(changed.error, moved.error)), freedom)

    def _mean(self, decks: Sequence[int]) -> Weights:
        """How much each pair counts in the mean win rate of some found decks."""
        weights: dict[Pair, float] = {}
        for at in decks:
            for pair, weight in self.found[at].items():
                weights[pair] = weights.get(pair, 0.0) + weight / len(decks)
        return weights


def _less(weights: Weights, others: Weights) -> Weights:
    """How much each pair counts in the difference of two win rates."""
    found = {pair: weights.get(pair, 0.0) - others.get(pair, 0.0) for pair in {*weights, *others}}
    return {pair: weight for pair, weight in found.items() if abs(weight) > _NOTHING}


def _best(rates: Floats) -> list[int]:
    """The decks with the highest rates."""
    order: list[int] = np.argsort(-np.round(rates, 9), kind="stable")[:_BEST].tolist()
    return order


def _rate(played: Played, weights: Weights) -> Shift:
    """A win rate: the part that is not played, against own copies, is a half."""
    pairs = sorted(weights)
    found = _weighted([played[pair] - 0.5 for pair in pairs], [weights[pair] for pair in pairs])
    return Shift(0.5 + found.value, found.error, found.freedom)


def _mean_rate(played: Played, weights: Weights, half: int) -> float:
    """A win rate on every second seed."""
    return 0.5 + sum(weight * float((played[pair][half::2] - 0.5).mean()) for pair, weight in weights.items())


def _mean_move(after: Played, before: Played, weights: Weights, half: int) -> float:
    """How far a win rate moved on every second seed."""
    return sum(weight * float((after[pair] - before[pair])[half::2].mean()) for pair, weight in weights.items())


def _moved(after: Played, before: Played, weights: Weights) -> Shift:
    """How far a win rate moved, on common seeds."""
    pairs = sorted(weights)
    return _weighted([after[pair] - before[pair] for pair in pairs], [weights[pair] for pair in pairs])


def _weighted(moved: Sequence[Floats], weights: Sequence[float]) -> Shift:
    return weighted_shift(moved, np.array(weights), step=_STEP)
