"""Intervals on rates: no number without its n and how sure it is.

Two games played from one seed with swapped seats are not independent, so the unit of a paired match is the *pair*, with
an outcome of 0, ½ or 1. `paired_rate` scales Wilson's interval to the information the pairs really carry.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64] | np.float64

Z95 = 1.959963984540054  # the 97.5 % point of the normal distribution


@dataclass(frozen=True)
class Rate:
    """A rate between 0 and 1 with its 95 % interval and the number of games behind it."""

    value: float
    low: float
    high: float
    games: int

    def __str__(self) -> str:
        return f"{100 * self.value:.2f} % [{100 * self.low:.2f}, {100 * self.high:.2f}] (n = {self.games:,})"


def wilson(rate: Floats, n: Floats, z: float = Z95) -> tuple[Floats, Floats]:
    """The ends of Wilson's interval for rates over `n` independent games each."""
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    # Rounding must not push an end past the rate itself, as it could at 0 and 1.
    return np.maximum(0.0, np.minimum(centre - half, rate)), np.minimum(1.0, np.maximum(centre + half, rate))


def _interval(rate: float, n: float, z: float) -> tuple[float, float]:
    low, high = wilson(np.float64(rate), np.float64(n), z)
    return float(low), float(high)


def independent_rate(wins: float, games: int, *, z: float = Z95) -> Rate:
    """Wilson's interval for games that are independent of each other."""
    low, high = _interval(wins / games, games, z)
    return Rate(wins / games, low, high, games)


def paired_rate(
    outcomes: npt.NDArray[np.float64],
    *,
    wins: float,
    games: int,
    weights: npt.NDArray[np.float64] | None = None,
    z: float = Z95,
) -> Rate:
    """The rate `wins / games`, with an interval from the spread of independent outcomes in [0, 1].

    An outcome is what one seed gave: ½ if its two games went one each way. The interval is Wilson's for the number of
    independent games that would carry as much information; one win and one loss are added when that number is
    estimated, so that it stays finite when all outcomes are equal. Weights say how many games stand behind each
    outcome, where these differ.
    """
    n = len(outcomes)
    rate = wins / games
    shares = np.ones(n) if weights is None else weights / weights.mean()
    centre = (float(np.sum(shares * outcomes)) + 1.0) / (n + 2)
    spread = (float(np.sum((shares * (outcomes - centre)) ** 2)) + centre**2 + (1 - centre) ** 2) / (n + 2)
    low, high = _interval(rate, n * centre * (1 - centre) / spread, z)
    return Rate(rate, low, high, games)
