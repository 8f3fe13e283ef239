"""Statistics of reports: intervals over independent values and over crossed factors, correlations, bootstrap.

All intervals are of 95 %. No function here knows what the values are; a report says what its intervals are over.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

# The 97.5 % points of Student's distribution. Between them it is close to a line in 1 / (degrees of freedom).
_T975 = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
    12: 2.179, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.000, 120: 1.980, math.inf: 1.960,
}  # fmt: skip


@dataclass(frozen=True)
class Interval:
    """An estimate and its 95 % interval; the ends are None where there is nothing to tell the spread from."""

    value: float
    low: float | None
    high: float | None

    @classmethod
    def from_cells(cls, row: Mapping[str, Any], name: str) -> "Interval":
        """The estimate that `cells` has put into a row."""
        return cls(row[name], row[f"{name}_low"], row[f"{name}_high"])

    def ends(self, digits: int = 2) -> str:
        """The interval for people, or nothing where there is none."""
        return "" if self.low is None else f"[{self.low:.{digits}f}, {self.high:.{digits}f}]"

    def text(self, digits: int = 2) -> str:
        """The estimate and its interval for people."""
        return f"{self.value:.{digits}f} {self.ends(digits)}".rstrip()

    def cells(self, name: str) -> dict[str, float | None]:
        """The estimate as cells of a row."""
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high}


def t_quantile(freedom: float) -> float:
    """The 97.5 % point of Student's distribution; degrees of freedom need not be whole."""
    inverse = [1 / known for known in reversed(_T975)]
    return float(np.interp(1 / max(freedom, 1.0), inverse, list(reversed(_T975.values()))))


def mean_interval(values: Values | Sequence[float]) -> Interval:
    """The mean of independent values, with Student's interval."""
    return crossed_interval(np.asarray(values, dtype=np.float64))


def crossed_interval(values: Values) -> Interval:
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
    return sum_interval(float(values.mean()), parts)


@dataclass(frozen=True)
class Part:
    """A part of the variance of an estimate, and the degrees of freedom it is known with."""

    variance: float
    freedom: int


def sum_interval(value: float, parts: Sequence[Part]) -> Interval:
    """An estimate whose variance is the sum of independent parts."""
    if not parts:
        return Interval(value, None, None)
    variance = sum(part.variance for part in parts)
    if variance == 0:
        return Interval(value, value, value)
    freedom = variance**2 / sum(part.variance**2 / part.freedom for part in parts)
    half = t_quantile(freedom) * math.sqrt(variance)
    return Interval(value, value - half, value + half)


def difference(one: Interval, other: Interval) -> Interval:
    """The first of two independent estimates minus the second; the distances to the ends add up by their squares."""
    value = one.value - other.value
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return Interval(value, None, None)
    down = math.hypot(one.value - one.low, other.high - other.value)
    up = math.hypot(one.high - one.value, other.value - other.low)
    return Interval(value, value - down, value + up)


def average(estimates: Sequence[Interval]) -> Interval:
    """The mean of independent estimates; the distances to the ends add up by their squares."""
    value = sum(each.value for each in estimates) / len(estimates)
    down = [each.value - each.low for each in estimates if each.low is not None]
    up = [each.high - each.value for each in estimates if each.high is not None]
    if len(down) < len(estimates):
        return Interval(value, None, None)
    return Interval(value, value - math.hypot(*down) / len(down), value + math.hypot(*up) / len(up))


def pearson(x: Values, y: Values) -> float:
    """The correlation of two columns; 0 where one of them is constant."""
    one, other = x - x.mean(), y - y.mean()
    scale = math.sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / scale if scale > 0 else 0.0


def spearman(x: Values, y: Values) -> float:
    """The correlation of the ranks of two columns."""
    return pearson(ranks(x), ranks(y))


def ranks(values: Values) -> Values:
    """The rank of each value, from 1; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    shared: Values = (last - (counts - 1) / 2)[inverse]
    return shared


def slope(x: Values, y: Values) -> tuple[float, float]:
    """The line of least squares: its slope and its value at 0."""
    centred = x - x.mean()
    steepness = float(centred @ y) / float(centred @ centred) if np.any(centred) else 0.0
    return steepness, float(y.mean()) - steepness * float(x.mean())


def bootstrap_interval(
    statistic: Callable[[npt.NDArray[np.intp]], float], clusters: int, rng: np.random.Generator, *, samples: int = 2000
) -> Interval:
    """A statistic with an interval from drawing whole clusters (such as runs) again and again.

    Args:
        statistic: What is estimated, from the numbers of the clusters that were drawn.
        clusters: How many clusters there are.
        rng: Draws them.
        samples: How often.
    """
    value = statistic(np.arange(clusters))
    if clusters < 2:
        return Interval(value, None, None)
    drawn = [statistic(rng.integers(0, clusters, clusters)) for _ in range(samples)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Interval(value, float(low), float(high))
