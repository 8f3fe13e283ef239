"""Genome spaces: the genes of a genome and their ranges."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.search.protocol import Genomes


@dataclass(frozen=True)
class GenomeSpace:
    """The genomes of one kind.

    Attributes:
        kind: What the genes mean, for the code that uses them.
        low: The smallest value of each gene.
        high: The largest value of each gene.
        integer: Whether genes are whole numbers.
    """

    kind: str
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    integer: bool

    @property
    def genes(self) -> int:
        """How many genes a genome has."""
        return len(self.low)

    def random(self, rng: np.random.Generator, count: int) -> Genomes:
        """Genomes drawn uniformly."""
        shape = (count, self.genes)
        if self.integer:
            low, high = self.low.astype(np.int64), self.high.astype(np.int64)
            return rng.integers(low, high, shape, endpoint=True).astype(np.float64)
        return rng.uniform(self.low, self.high, shape)


def make_space(kind: str, ranges: Sequence[tuple[float, float]], *, integer: bool) -> GenomeSpace:
    """Makes a space from the range of each gene.

    Raises:
        SearchError: If a range is empty, or the ends of an integer range are not whole numbers.
    """
    for low, high in ranges:
        if not low < high:
            raise SearchError(
                f"a gene ranges from a lower to a higher number, not from {low:g} to {high:g}", "low", "high"
            )
        if integer and not (float(low).is_integer() and float(high).is_integer()):
            message = f"the range of a whole-number gene must have whole numbers as ends, not {low:g} and {high:g}"
            raise SearchError(message, "integer", "low", "high")
    lows, highs = np.array(ranges, dtype=np.float64).T
    return GenomeSpace(kind, lows, highs, integer)
