"""Win rates with Wilson's interval.

Two games played from one seed with swapped seats are not independent, so the unit of a paired match is the *pair*, with
an outcome of 0, ½ or 1. `paired_rate` scales Wilson's interval to the information that the pairs really carry.
"""

import math

import numpy as np
import numpy.typing as npt

from deckatlas.stats.distributions import Z95
from deckatlas.stats.estimate import Estimate

Shares = npt.NDArray[np.float64] | np.float64


def wilson(rate: Shares, n: Shares) -> tuple[Shares, Shares]:
    """The ends of Wilson's interval for rates over `n` independent games each."""
    z = Z95
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    # Rounding must not push an end past the rate itself, as it could at 0 and 1.
    return np.maximum(0.0, np.minimum(centre - half, rate)), np.minimum(1.0, np.maximum(centre + half, rate))


def _rate(rate: float, n: float, games: int) -> Estimate:
    """A rate over games that carry the same information as `n` independent ones."""
    low, high = wilson(np.float64(rate), np.float64(n))
    return Estimate(rate, float(low), float(high), games, is_share=True)


def independent_rate(wins: float, games: int) -> Estimate:
    """Wilson's interval for games that are independent of each other."""
    return _rate(wins / games, games, games)


def paired_rate(
    outcomes: npt.NDArray[np.float64],
    *,
    wins: float,
    games: int,
    weights: npt.NDArray[np.float64] | None = None,
) -> Estimate:
    """The rate `wins / games`, with an interval from the spread of independent outcomes in [0, 1].

    An outcome is the result of one seed: ½ if each side won one of its two games. The interval is Wilson's for the
    number of independent games that would carry the same information. The estimate of that number adds one win and one
    loss, so that it stays finite when all outcomes are equal. Weights give the number of games behind each outcome,
    where these differ.
    """
    n = len(outcomes)
    shares = np.ones(n) if weights is None else weights / weights.mean()
    centre = (float(np.sum(shares * outcomes)) + 1.0) / (n + 2)
    spread = (float(np.sum((shares * (outcomes - centre)) ** 2)) + centre**2 + (1 - centre) ** 2) / (n + 2)
    return _rate(wins / games, n * centre * (1 - centre) / spread, games)


def differs(ours: Estimate, published: float, *, games: int) -> bool:
    """Whether a published rate, in percent of `games` games, is farther from ours than both 95 % intervals allow."""
    theirs = independent_rate(round(published / 100 * games), games)
    return abs(100 * ours.value - published) > 100 * math.hypot(ours.half_width, theirs.half_width)
