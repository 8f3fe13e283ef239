"""Means with intervals: of independent values, over crossed factors, of estimates; and the bootstrap.

All intervals are 95 % intervals. No function here knows what the values are; a report says what its intervals cover.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.estimate import Estimate, Floats

# Small differences between trials of a search, for `mean_interval`: of a share of decks, and of a win rate.
SHARE_STEP, RATE_STEP = 0.05, 0.005


def mean_interval(values: npt.ArrayLike, *, step: float = 0.0) -> Estimate:
    """The mean of independent values, with Student's interval.

    Args:
        values: The values.
        step: A small difference of one value. Two values are added to the spread, one step up and one down, so that a
            few values that agree, such as three shares of zero, do not count as certain.
    """
    known = np.asarray(values, dtype=np.float64).ravel()
    count = len(known)
    parts = [VariancePart(variance_of_mean(known, step=step), count - 1)] if count > 1 else []
    return sum_interval(float(known.mean()), parts, n=count)


def variance_of_mean(values: Floats, *, step: float = 0.0) -> float:
    """The variance of the mean of two or more independent values; see `mean_interval` for the step."""
    count = len(values)
    return float(values.var(ddof=1)) / count + 2 * step**2 / (count * (count - 1))


def crossed_interval(values: Floats) -> Estimate:
    """The mean of values over independent, crossed factors, one axis per factor.

    Every factor (such as the runs of one side, the runs of the other side, repetitions) adds the variance of its mean,
    estimated from the means along its axis; a factor with one level adds nothing. The interval uses Student's
    distribution with Satterthwaite's degrees of freedom. The noise of single values is counted once for each factor, so
    the interval is too wide rather than too narrow.
    """
    parts = []
    for axis, levels in enumerate(values.shape):
        if levels > 1:
            others = tuple(other for other in range(values.ndim) if other != axis)
            parts.append(VariancePart(float(values.mean(axis=others).var(ddof=1)) / levels, levels - 1))
    return sum_interval(float(values.mean()), parts, n=values.size)


@dataclass(frozen=True)
class VariancePart:
    """A part of the variance of an estimate, and the degrees of freedom of that part."""

    variance: float
    freedom: int


def sum_interval(value: float, parts: Sequence[VariancePart], *, n: int) -> Estimate:
    """An estimate whose variance is the sum of independent parts; `n` is the number of values behind it."""
    if not parts:
        return Estimate.without_ends(value, n)
    variance = sum(part.variance for part in parts)
    if variance == 0:
        return Estimate(value, value, value, n)
    freedom = variance**2 / sum(part.variance**2 / part.freedom for part in parts)
    half = student_quantile(freedom) * math.sqrt(variance)
    return Estimate(value, value - half, value + half, n)


def difference(one: Estimate, other: Estimate) -> Estimate:
    """The first of two independent estimates minus the second; the squared distances to the ends add up."""
    value, n = one.value - other.value, one.n + other.n
    if not (one.has_ends and other.has_ends):
        return Estimate.without_ends(value, n)
    down = math.hypot(one.value - one.low, other.high - other.value)
    up = math.hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, value - down, value + up, n)


def magnitude(found: Estimate) -> Estimate:
    """The distance of an estimate from zero; its interval ends at zero if the estimate's interval contains zero."""
    if found.low <= 0 <= found.high:
        return Estimate(abs(found.value), 0.0, max(-found.low, found.high), found.n)
    return found if found.value >= 0 else Estimate(-found.value, -found.high, -found.low, found.n)


def average(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates; the squared distances to the ends add up."""
    count, n = len(estimates), sum(each.n for each in estimates)
    value = sum(each.value for each in estimates) / count
    if not all(each.has_ends for each in estimates):
        return Estimate.without_ends(value, n)
    down = math.hypot(*(each.value - each.low for each in estimates)) / count
    up = math.hypot(*(each.high - each.value for each in estimates)) / count
    return Estimate(value, value - down, value + up, n)


def bootstrap_interval(
    statistic: Callable[[npt.NDArray[np.intp]], float], clusters: int, rng: np.random.Generator, *, samples: int = 2000
) -> Estimate:
    """A statistic with a bootstrap interval, from repeated draws of whole clusters (such as runs).

    Args:
        statistic: Computes the estimate from the numbers of the drawn clusters.
        clusters: The number of clusters.
        rng: The random source for the draws.
        samples: The number of bootstrap samples.
    """
    value = statistic(np.arange(clusters))
    if clusters < 2:
        return Estimate.without_ends(value, clusters)
    drawn = [statistic(rng.integers(0, clusters, clusters)) for _ in range(samples)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Estimate(value, float(low), float(high), clusters)
