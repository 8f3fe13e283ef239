"""Genetic operators: pure functions over populations (one genome per row) and a random generator.

`active` says which genes an operator may change.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.search.protocol import Genomes, Indexes
from deckatlas.search.spaces import GenomeSpace

Active = npt.NDArray[np.bool_]
# Binary arithmetic misses exact halves by a little: 0.7 * 35 is less than 24.5.
ROUNDING_ERROR = 1e-9


def round_half_away(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The nearest whole numbers; halves are rounded away from zero."""
    return np.copysign(np.floor(np.abs(values) + (0.5 + ROUNDING_ERROR)), values) + 0.0  # no negative zero


def roulette(rng: np.random.Generator, weights: npt.NDArray[np.float64], count: int) -> Indexes:
    """Draws with replacement, with probabilities in proportion to the weights; uniformly if all weights are 0."""
    total = weights.sum()
    return rng.choice(len(weights), count, p=weights / total if total > 0 else None)


def draw_tournaments(rng: np.random.Generator, population: int, *, count: int, size: int) -> Indexes:
    """Draws `count` tournaments (one row each) of different members of the population, in random order."""
    return rng.random((count, population)).argsort(axis=1)[:, :size]


def tournament_winners(
    entrants: Indexes, points: npt.NDArray[np.integer[Any] | np.floating[Any]], *, winners: int = 1
) -> Indexes:
    """The best of each tournament (one row each); among equal points, the one drawn earlier."""
    best = np.argsort(-points, axis=1, kind="stable")[:, :winners]
    return np.take_along_axis(entrants, best, axis=1)


def uniform_crossover(
    rng: np.random.Generator, one: Genomes, other: Genomes, active: Active
) -> tuple[Genomes, Genomes]:
    """Two children of each pair of parents: every active gene is exchanged with probability one half.

    The children complement each other: a gene that one has from the first parent, the other has from the second. In
    inactive genes the first child equals the first parent, and the second child the second.
    """
    exchanged = active & (rng.random(one.shape) < 0.5)
    return np.where(exchanged, other, one), np.where(exchanged, one, other)


def mutate(
    rng: np.random.Generator, genomes: Genomes, active: Active, *, space: GenomeSpace, probability: float
) -> Genomes:
    """Gives every active gene, with this probability, a new value drawn uniformly from its range."""
    changed = active & (rng.random(genomes.shape) < probability)
    return np.where(changed, space.random(rng, len(genomes)), genomes)


def merge(
    parents: Genomes, children: Genomes, parent_weight: npt.NDArray[np.float64], *, space: GenomeSpace
) -> Genomes:
    """The weighted mean of parent and child for each gene; integer genes are rounded, halves away from zero."""
    merged = parent_weight * parents + (1 - parent_weight) * children
    return round_half_away(merged) if space.integer else merged
