"""A sequential test on pairs: a match ends as soon as its games decide between two strengths.

The test is Wald's, with the generalised likelihood ratio for outcomes 0, ½ and 1 of pairs: the highest likelihood of
the counts if the mean outcome is that of `elo1`, against the highest if it is that of `elo0`. The share of split pairs
is estimated, not assumed, so the two games of a seed need not be independent.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.errors import MatchError
from deckatlas.shapes import show

# Games between two checks of the test. It is a constant, so that the end of a match depends on its games alone.
GAMES_PER_LOOK = 128
_PRIOR = 0.5  # pairs added to each count, so that no outcome is impossible only because it has not occurred yet
_OUTCOMES = (0.0, 0.5, 1.0)


def pair_counts(outcomes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The number of pairs that were lost, split and won.

    A pair with one draw and one decided game, of outcome ¼ or ¾, counts half for each neighbouring outcome. That keeps
    the mean and makes the spread slightly larger, so the test does not err more often.
    """
    split = 1 - np.abs(2 * outcomes - 1)
    won = np.maximum(0, 2 * outcomes - 1)
    return np.array([np.sum(1 - split - won), np.sum(split), np.sum(won)])


def elo_to_rate(elo: float) -> float:
    """The win rate of a lead of this many Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Sprt:
    """A sequential test between two strengths of `a` against `b`, in Elo.

    Attributes:
        elo0: H0: `a` leads by at most this much.
        elo1: H1: `a` leads by at least this much.
        alpha: The largest probability of accepting H1 when H0 holds.
        beta: The largest probability of accepting H0 when H1 holds.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise MatchError(f"elo0 must be below elo1, both within ±1000, not {show(self.elo0)} and {show(self.elo1)}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise MatchError(f"{name} must be between 0 and 0.5, not {show(value)}")

    @property
    def lower(self) -> float:
        """The log likelihood ratio at or below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def look(self, pairs: Sequence[float]) -> "SprtState":
        """The state of the test when `a` has lost, split and won these numbers of pairs: see `pair_counts`."""
        lost, split, won = pairs
        weights = [count + _PRIOR for count in (lost, split, won)]
        at_best = [_best_log_likelihood(weights, elo_to_rate(elo)) for elo in (self.elo0, self.elo1)]
        llr = at_best[1] - at_best[0]
        accepted = "H1" if llr >= self.upper else "H0" if llr <= self.lower else None
        return SprtState(self, (lost, split, won), llr, accepted)


@dataclass(frozen=True)
class SprtState:
    """The state of a sequential test: the pairs that `a` lost, split and won, and the decision so far.

    Attributes:
        test: The test.
        pairs: Pairs with outcome 0, ½ and 1.
        llr: The log likelihood ratio.
        accepted: "H0", "H1", or None while the test is undecided.
    """

    test: Sprt
    pairs: tuple[float, float, float]
    llr: float
    accepted: str | None

    def __str__(self) -> str:
        lead = {
            "H1": f"H1, a lead of {self.test.elo1:+g} Elo or more",
            "H0": f"H0, a lead of {self.test.elo0:+g} Elo or less",
            None: "undecided",
        }
        return f"{lead[self.accepted]} (LLR {self.llr:+.2f} in [{self.test.lower:.2f}, {self.test.upper:.2f}])"


def _best_log_likelihood(weights: list[float], mean: float) -> float:
    """The highest log likelihood of counts of the outcomes over all distributions with that mean, up to a constant.

    The best one is `weight / total / (1 + t (outcome - mean))`, with `t` chosen such that it has this mean.
    """
    distances = [outcome - mean for outcome in _OUTCOMES]
    # The right `t` is the root of square * t * t + linear * t + constant at which this polynomial decreases.
    constant = sum(w * d for w, d in zip(weights, distances, strict=True))
    linear = sum(distances) * constant - sum(w * d * d for w, d in zip(weights, distances, strict=True))
    square = sum(weights) * math.prod(distances)
    root = math.sqrt(max(0.0, linear * linear - 4 * square * constant))
    t = 2 * constant / (root - linear) if linear <= 0 else -(linear + root) / (2 * square)
    return -sum(w * math.log(1 + t * d) for w, d in zip(weights, distances, strict=True))
