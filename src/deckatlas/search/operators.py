"""Genetic operators: pure functions over populations (a row a genome) and a random generator.

`active` says which genes an operator may touch; all of them where every gene is active.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.search.protocol import Genomes, Indexes
from deckatlas.search.spaces import GenomeSpace

Active = npt.NDArray[np.bool_]
# Blends that are halves come out of binary arithmetic a little off: 0.7 * 35 is less than 24.5.
ROUNDING_ERROR = 1e-9


def round_half_away(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The nearest whole numbers; of two equally near, the one farther from zero."""
    return np.copysign(np.floor(np.abs(values) + (0.5 + ROUNDING_ERROR)), values) + 0.0  # no negative zero


def roulette(rng: np.random.Generator, weights: npt.NDArray[np.float64], count: int) -> Indexes:
    """Draws with replacement, each index with a chance in proportion to its weight; evenly if all weights are 0."""
    total = weights.sum()
    return rng.choice(len(weights), count, p=weights / total if total > 0 else None)


def draw_tournaments(rng: np.random.Generator, population: int, *, count: int, size: int) -> Indexes:
    """So many tournaments (a row each) of different members of the population, in random order."""
    return rng.random((count, population)).argsort(axis=1)[:, :size]


def tournament_winners(
    entrants: Indexes, points: npt.NDArray[np.integer[Any] | np.floating[Any]], *, winners: int = 1
) -> Indexes:
    """The best of each tournament (a row each); of those with equal points, the one drawn earlier."""
    best = np.argsort(-points, axis=1, kind="stable")[:, :winners]
    return np.take_along_axis(entrants, best, axis=1)


def uniform_crossover(
    rng: np.random.Generator, one: Genomes, other: Genomes, active: Active
) -> tuple[Genomes, Genomes]:
    """Two children of each pair of parents: every active gene is exchanged with a chance of one half.

    The children complement each other: what one has of the first parent the other has of the second. Genes that are
    not active stay as they are, the first child's the first parent's and the second child's the second's.
    """
    exchanged = active & (rng.random(one.shape) < 0.5)
    return np.where(exchanged, other, one), np.where(exchanged, one, other)


def mutate(
    rng: np.random.Generator, genomes: Genomes, active: Active, *, space: GenomeSpace, probability: float
) -> Genomes:
    """Gives every active gene, with this probability, a new value drawn evenly from its range."""
    changed = active & (rng.random(genomes.shape) < probability)
    return np.where(changed, space.random(rng, len(genomes)), genomes)


def merge(
    parents: Genomes, children: Genomes, parent_weight: npt.NDArray[np.float64], *, space: GenomeSpace
) -> Genomes:
    """For each gene the weighted mean of parent and child; whole numbers where genes are, halves away from zero."""
    merged = parent_weight * parents + (1 - parent_weight) * children
    return round_half_away(merged) if space.integer else merged
