"""What a surrogate learns from: solutions, their columns, and how much each counts."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import ModelError

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Evaluated solutions, oldest first.

    Attributes:
        genes: The numbers of each solution, such as the count of each card: one row per solution.
        targets: What is known of each solution: one row per solution, one column per target.
        weight: How much the errors of each solution count.
    """

    genes: npt.NDArray[Any]
    targets: Floats
    weight: Floats

    def __post_init__(self) -> None:
        if self.genes.ndim != 2 or self.targets.ndim != 2 or self.weight.ndim != 1:
            raise ModelError("training data are a table of genes, a table of targets and a list of weights")
        if not len(self.genes) == len(self.targets) == len(self.weight):
            raise ModelError(
                f"training data must have as many rows of genes as of targets and weights, not {len(self.genes)}, "
                f"{len(self.targets)} and {len(self.weight)}"
            )
        if not len(self.genes):
            raise ModelError("there are no training data: evaluate some solutions first")
        for name, numbers in (("genes", self.genes), ("targets", self.targets), ("weights", self.weight)):
            if not np.isfinite(numbers).all():
                raise ModelError(f"{name} of training data must be finite numbers")
        if (self.weight < 0).any():
            raise ModelError("weights of training data must not be negative")

    def __len__(self) -> int:
        return len(self.genes)

    def rows(self, chosen: npt.NDArray[np.int64]) -> "TrainingData":
        """Some of the solutions."""
        return TrainingData(self.genes[chosen], self.targets[chosen], self.weight[chosen])
