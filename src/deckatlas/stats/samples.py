"""Statistics of samples: boxes, quantiles and shares of one sample, correlation and the least-squares line of two."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from deckatlas.stats.distributions import Z95
from deckatlas.stats.estimate import Estimate, Floats
from deckatlas.stats.means import bootstrap_interval


@dataclass(frozen=True)
class Box:
    """The numbers of a box plot: the ends, the quartiles and the median of a sample, and its size."""

    lowest: float
    lower: float
    median: float
    upper: float
    highest: float
    n: int

    def to_json(self) -> dict[str, float]:
        """The five numbers as cells of a row."""
        return {
            "lowest": self.lowest,
            "lower_quartile": self.lower,
            "median": self.median,
            "upper_quartile": self.upper,
            "highest": self.highest,
        }


def box_of(sample: npt.ArrayLike) -> Box:
    """The box of a sample; quartiles between two values are interpolated linearly."""
    values = np.asarray(sample, dtype=np.float64)
    lowest, lower, median, upper, highest = np.quantile(values, (0, 0.25, 0.5, 0.75, 1)).tolist()
    return Box(lowest, lower, median, upper, highest, len(values))


def weighted_quantiles(values: Floats, share: Floats, at: Sequence[float]) -> list[float]:
    """Quantiles of weighted values: the smallest value at which the cumulated share reaches the quantile."""
    order = np.argsort(values, kind="stable")
    reached = np.searchsorted(np.cumsum(share[order]), at)
    return [float(value) for value in values[order][np.minimum(reached, len(order) - 1)]]


def shares_above(values: npt.ArrayLike, marks: npt.ArrayLike, *, total: int) -> Floats:
    """For each mark, the share of a total whose value is strictly above it.

    The total may be larger than the number of values, such as all cells of a map, with a value only where there is an
    elite. With the number of values as the total, this is the complementary distribution function of the sample.

    Raises:
        ValueError: If the total is 0 or less than the number of values, or a value is not a number.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    if total < max(1, len(ordered)):
        raise ValueError(f"the total must be at least 1 and at least the number of values, {len(ordered)}, not {total}")
    if np.isnan(ordered).any():
        raise ValueError("every value must be a number, not nan")
    above: Floats = (len(ordered) - np.searchsorted(ordered, np.asarray(marks, dtype=np.float64), side="right")) / total
    return above


class Line(NamedTuple):
    """A straight line: its slope and its value at 0."""

    slope: float
    at_zero: float


def pearson(x: Floats, y: Floats) -> float:
    """Pearson's correlation of two columns; 0 if one of them is constant."""
    one, other = x - x.mean(), y - y.mean()
    scale = math.sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / scale if scale > 0 else 0.0


def bootstrapped_correlation(
    x: Floats,
    y: Floats,
    rng: np.random.Generator,
    *,
    correlation: Callable[[Floats, Floats], float] = pearson,
    samples: int = 2000,
) -> Estimate:
    """A correlation of two columns, Pearson's unless given, with an interval from a bootstrap of their pairs."""

    def of_drawn(drawn: npt.NDArray[np.intp]) -> float:
        return correlation(x[drawn], y[drawn])

    return bootstrap_interval(of_drawn, len(x), rng, samples=samples)


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's correlation of two columns: the correlation of their ranks."""
    return pearson(ranks(x), ranks(y))


def kendall(x: Floats, y: Floats) -> float:
    """Kendall's correlation of two columns (tau-b, which allows for ties); 0 if one of them is constant."""
    one, other = (np.sign(values[:, np.newaxis] - values[np.newaxis, :]) for values in (x, y))
    scale = math.sqrt(float(np.sum(one * one)) * float(np.sum(other * other)))
    return float(np.sum(one * other)) / scale if scale > 0 else 0.0


def ranks(values: Floats) -> Floats:
    """The rank of each value, from 1; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    shared: Floats = (last - (counts - 1) / 2)[inverse]
    return shared


def least_squares(x: Floats, y: Floats) -> Line:
    """The line with the least sum of squared distances in y; horizontal if x is constant."""
    centred = x - x.mean()
    steepness = float(centred @ y) / float(centred @ centred) if np.any(centred) else 0.0
    return Line(steepness, float(y.mean()) - steepness * float(x.mean()))


def fisher_interval(correlation: float, n: int) -> Estimate:
    """A correlation of `n` independent pairs of numbers, with Fisher's interval."""
    if n < 4 or abs(correlation) >= 1:
        return Estimate.without_ends(correlation, n)
    centre, half = math.atanh(correlation), Z95 / math.sqrt(n - 3)
    return Estimate(correlation, math.tanh(centre - half), math.tanh(centre + half), n)
