"""Replicator dynamics: a deck that wins more than half of its games against the field grows, others shrink."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

TIME = 200.0
STEPS = 2000


@dataclass(frozen=True)
class Course:
    """How shares change.

    Attributes:
        time: The moments. In one unit of time, a deck that wins 60 % grows by a factor of exp(0.1) over the field.
        shares: For each moment (row), the share of each deck.
    """

    time: Floats
    shares: Floats

    @property
    def mean(self) -> Floats:
        """The mean share of each deck over time. Where shares circle, it comes close to the equilibrium mix."""
        inner = (self.shares[1:] + self.shares[:-1]) / 2
        return np.asarray(inner.mean(axis=0))


def replicate(gains: Floats, shares: Floats, *, time: float = TIME, steps: int = STEPS) -> Course:
    """The course of shares from a start; a deck without a share stays without one.

    Args:
        gains: How far the row's win rate against the column is above a half.
        shares: The shares at the start.
        time: How long.
        steps: The number of steps: of the Runge-Kutta method of order four, on the logarithms of the shares.

    Raises:
        ValueError: If the shares are not shares.
    """
    start = np.asarray(shares, dtype=np.float64)
    if (start < 0).any() or not start.sum() > 0 or not np.isfinite(start).all():
        raise ValueError("shares must not be negative, and one of them must be above 0")
    with np.errstate(divide="ignore"):
        logs = np.log(start / start.sum())
    step = time / steps
    found = [_shares(logs)]

    def growth(at: Floats) -> Floats:
        return np.asarray(gains @ _shares(at))

    for _ in range(steps):
        first = growth(logs)
        second = growth(logs + step / 2 * first)
        third = growth(logs + step / 2 * second)
        fourth = growth(logs + step * third)
        logs = logs + step / 6 * (first + 2 * second + 2 * third + fourth)
        logs = logs - logs.max()
        found.append(_shares(logs))
    return Course(np.linspace(0, time, steps + 1), np.array(found))


def _shares(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())
