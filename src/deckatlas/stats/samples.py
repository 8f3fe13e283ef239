"""Numbers about samples: the five of a box plot, and means with their intervals."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.stats.inference import mean_interval
from deckatlas.stats.intervals import Rate, independent_rate


@dataclass(frozen=True)
class Box:
    """What a box plot shows: the ends, the quartiles and the median of a sample, and its size."""

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
    """The box of a sample; quartiles lie between values where no value is one (linear interpolation)."""
    values = np.asarray(sample, dtype=np.float64)
    lowest, lower, median, upper, highest = np.quantile(values, (0, 0.25, 0.5, 0.75, 1)).tolist()
    return Box(lowest, lower, median, upper, highest, len(values))


@dataclass(frozen=True)
class Mean:
    """A mean of independent values, its 95 % interval where their spread is known, and how many they are."""

    value: float
    low: float | None
    high: float | None
    n: int

    def cells(self, name: str, *, of: str) -> dict[str, float | int | None]:
        """The mean as cells of a row; `of` is what is counted."""
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high, of: self.n}

    def __str__(self) -> str:
        return f"{self.value:.2f}" if self.low is None else f"{self.value:.2f} ±{self.value - self.low:.2f}"


def mean_of(sample: npt.ArrayLike) -> Mean:
    """The mean of a sample of independent values."""
    values = np.asarray(sample, dtype=np.float64)
    interval = mean_interval(values)
    return Mean(interval.value, interval.low, interval.high, len(values))


def differs(ours: Rate, published: float, *, games: int) -> bool:
    """Whether a published rate, in percent of so many games, is farther from ours than 95 % intervals of both allow."""
    theirs = independent_rate(round(published / 100 * games), games)
    half_widths = [(rate.high - rate.low) / 2 for rate in (ours, theirs)]
    return abs(100 * ours.value - published) > 100 * math.hypot(*half_widths)
