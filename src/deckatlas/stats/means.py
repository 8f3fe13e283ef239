"""Means with intervals: of independent values, over crossed factors, of estimates; and the bootstrap.

All intervals are of 95 %. No function here knows what the values are; a report says what its intervals are over.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.estimate import Estimate

Values = npt.NDArray[np.float64]


def mean_interval(values: npt.ArrayLike) -> Estimate:
    """The mean of independent values, with Student's interval."""
    return crossed_interval(np.asarray(values, dtype=np.float64))


def crossed_interval(values: Values) -> Estimate:
    """The mean of values over independent, crossed factors, an axis each.

    Every factor (such as the runs of one side, the runs of the other, repetitions) adds the variance of its mean, as
    seen in the means along its axis; a factor of one level adds nothing. Student's distribution is used with
    Satterthwaite's degrees of freedom. The noise of single values is counted once for each factor, so that the interval
    is rather too wide than too narrow.
    """
    parts = []
    for axis, levels in enumerate(values.shape):
        if levels > 1:
            others = tuple(other for other in range(values.ndim) if other != axis)
            parts.append(Part(float(values.mean(axis=others).var(ddof=1)) / levels, levels - 1))
    return sum_interval(float(values.mean()), parts, n=values.size)


@dataclass(frozen=True)
class Part:
    """A part of the variance of an estimate, and the degrees of freedom it is known with."""

    variance: float
    freedom: int


def sum_interval(value: float, parts: Sequence[Part], *, n: int) -> Estimate:
    """An estimate whose variance is the sum of independent parts; `n` is how many values it is made of."""
    if not parts:
        return Estimate.without_ends(value, n)
    variance = sum(part.variance for part in parts)
    if variance == 0:
        return Estimate(value, value, value, n)
    freedom = variance**2 / sum(part.variance**2 / part.freedom for part in parts)
    half = student_quantile(freedom) * math.sqrt(variance)
    return Estimate(value, value - half, value + half, n)


def difference(one: Estimate, other: Estimate) -> Estimate:
    """The first of two independent estimates minus the second; the distances to the ends add up by their squares."""
    value, n = one.value - other.value, one.n + other.n
    if not (one.has_ends and other.has_ends):
        return Estimate.without_ends(value, n)
    down = math.hypot(one.value - one.low, other.high - other.value)
    up = math.hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, value - down, value + up, n)


def average(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates; the distances to the ends add up by their squares."""
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
    """A statistic with an interval from drawing whole clusters (such as runs) again and again.

    Args:
        statistic: What is estimated, from the numbers of the clusters that were drawn.
        clusters: How many clusters there are.
        rng: Draws them.
        samples: How often.
    """
    value = statistic(np.arange(clusters))
    if clusters < 2:
        return Estimate.without_ends(value, clusters)
    drawn = [statistic(rng.integers(0, clusters, clusters)) for _ in range(samples)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Estimate(value, float(low), float(high), clusters)
