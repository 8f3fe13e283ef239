"""How a sample is spread: the five numbers of a box plot, and quantiles of values that count unequally."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


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


def weighted_quantiles(values: Values, share: Values, at: Sequence[float]) -> list[float]:
    """Quantiles of values with shares: the least value up to which there is as much."""
    order = np.argsort(values, kind="stable")
    reached = np.searchsorted(np.cumsum(share[order]), at)
    return [float(value) for value in values[order][np.minimum(reached, len(order) - 1)]]
