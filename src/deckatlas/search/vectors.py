"""A space of real vectors, for weights, parameters and other rows of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.search.evaluation import Floats, Solution, Space


@dataclass(frozen=True)
class Bounds:
    """The smallest and the largest value of each number of a vector."""

    low: Floats
    high: Floats

    @property
    def centre(self) -> Floats:
        """The vector in the middle."""
        return self.low / 2 + self.high / 2

    def clip(self, vector: Floats) -> Floats:
        """The nearest vector within the bounds."""
        return np.clip(vector, self.low, self.high)


def bounds_of(space: Space, what: str, key: str) -> Bounds:
    """The bounds of a space of real vectors: its own `low` and `high`, or those of its genomes.

    Args:
        space: The space.
        what: What needs real vectors, for the error.
        key: The option that asks for it.

    Raises:
        SearchError: If the space's solutions are not real vectors.
    """
    owner = getattr(space, "genomes", space)
    low, high = getattr(owner, "low", None), getattr(owner, "high", None)
    if space.dtype.kind != "f" or getattr(owner, "integer", False) or low is None or high is None:
        raise SearchError(f"{what} needs solutions that are vectors of real numbers, and this space has others", key)
    return Bounds(np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64))


class Vectors:
    """Vectors within bounds; a mutation adds noise to every number and stays within the bounds.

    Attributes:
        low: The smallest value of each number.
        high: The largest value of each number.
        noise: The standard deviation of the noise, as a share of each number's range.
        names: The names of the numbers.
    """

    def __init__(
        self,
        low: Sequence[float] | Floats,
        high: Sequence[float] | Floats,
        *,
        noise: float = 0.1,
        names: Sequence[str] = (),
    ) -> None:
        """Takes the bounds of each number.

        Raises:
            SearchError: If the lengths differ, a range is empty, or the noise is not above zero.
        """
        self.low, self.high = np.array(low, dtype=np.float64), np.array(high, dtype=np.float64)
        if self.low.ndim != 1 or self.low.shape != self.high.shape or not len(self.low):
            raise SearchError("a space of vectors needs a low and a high for each number")
        if not (np.isfinite(self.low).all() and np.isfinite(self.high).all() and (self.low < self.high).all()):
            raise SearchError("each number ranges from a finite low to a higher, finite high")
        if not 0 < noise <= 10:
            raise SearchError(f"the noise of a mutation is above 0 and at most 10 ranges, not {noise}")
        self.noise = float(noise)
        self.names = tuple(names) or tuple(f"x{number}" for number in range(len(self.low)))
        if len(self.names) != len(self.low):
            raise SearchError(f"{len(self.low)} numbers need as many names, not {len(self.names)}")

    def to_json(self) -> dict[str, Any]:
        """The space as plain data, by which a run is recognised."""
        return {"low": self.low.tolist(), "high": self.high.tolist(), "noise": self.noise, "names": list(self.names)}

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers."""
        return np.dtype(np.float64)

    @property
    def length(self) -> int:
        """How many numbers a vector has."""
        return len(self.low)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the numbers: each number can be a measure."""
        return self.names

    def random(self, rng: np.random.Generator) -> Solution:
        """A vector drawn uniformly within the bounds."""
        return rng.uniform(self.low, self.high)

    def mutate(self, solution: Solution, rng: np.random.Generator) -> Solution:
        """The vector with noise on every number."""
        noise = rng.normal(size=self.length) * self.noise * (self.high - self.low)
        return np.clip(solution + noise, self.low, self.high)

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """The numbers themselves."""
        return np.asarray(solutions, dtype=np.float64)
