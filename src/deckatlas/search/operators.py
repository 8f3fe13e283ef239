"""Genetic operators: pure functions over populations (a row a genome) and a random generator."""

import numpy as np
import numpy.typing as npt

Indexes = npt.NDArray[np.int64]


def roulette(rng: np.random.Generator, weights: npt.NDArray[np.float64], count: int) -> Indexes:
    """Draws with replacement, each index with a chance in proportion to its weight; evenly if all weights are 0."""
    total = weights.sum()
    return rng.choice(len(weights), count, p=weights / total if total > 0 else None)
