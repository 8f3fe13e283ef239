"""All against all over the same seeds; a player may use a different genome in each seat."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.search.batches import Batch, Course, Seeds, matchups
from deckatlas.search.protocol import Genomes
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.rates import independent_rate, paired_rate

Pair = tuple[int, int]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RoundRobin:
    """The outcome of a round robin.

    Attributes:
        won: For players (i, j) and each seed, whether i won against j when i moved first.
    """

    won: Mapping[Pair, npt.NDArray[np.bool_]]

    def outcomes(self, i: int, j: int) -> Floats:
        """The share of the two games of each seed that i won against j."""
        return np.asarray((self.won[i, j].astype(np.float64) + ~self.won[j, i]) / 2)

    def rate(self, i: int, j: int) -> Estimate:
        """How often i won against j, with an interval from pairs of games."""
        return _rate(self.outcomes(i, j), games_per_seed=2)

    def first_rate(self, i: int, j: int) -> Estimate:
        """How often i won against j in the games in which i moved first."""
        won = self.won[i, j]
        return independent_rate(int(won.sum()), len(won))

    def average(self, i: int, others: Collection[int]) -> Estimate:
        """How often i won against all the others together; all games of a seed are one outcome."""
        return self.together([(i, j) for j in others])

    def together(self, pairs: Collection[Pair]) -> Estimate:
        """How often the first of each pair won, over all of these pairs; all games of a seed are one outcome."""
        return _rate(self.mean_outcomes(pairs), games_per_seed=2 * len(pairs))

    def mean_outcomes(self, pairs: Collection[Pair]) -> Floats:
        """The share of all games of each seed that the first of each pair won, over all of these pairs."""
        return np.asarray(np.mean([self.outcomes(i, j) for i, j in pairs], axis=0))


def _rate(outcomes: Floats, *, games_per_seed: int) -> Estimate:
    games = len(outcomes) * games_per_seed
    wins = round(float(outcomes.sum()) * games_per_seed)  # a whole number, so that equal rates are exactly equal
    return paired_rate(outcomes, wins=wins, games=games)


def round_robin_ask(genomes: Genomes, seats: Sequence[Pair], pairs: Sequence[Pair], seeds: Seeds) -> Batch:
    """Two games per seed for each pair of players; each of them moves first once. A course is one game.

    Args:
        genomes: The genomes that players can use, one per row.
        seats: For each player, its genome when it moves first and when it moves second: numbers as in a batch.
        pairs: The players that meet, each pair once.
        seeds: The seeds.
    """
    ordered = _both_ways(pairs)
    repeated = len(seeds)
    first = np.repeat(np.array([seats[i][0] for i, _ in ordered], dtype=np.int32), repeated)
    second = np.repeat(np.array([seats[j][1] for _, j in ordered], dtype=np.int32), repeated)
    courses = tuple(Course(seed, seed) for seed in np.split(seeds, repeated))
    return matchups(genomes, courses, first, second, np.tile(np.arange(repeated, dtype=np.int32), len(ordered)))


def round_robin_of(pairs: Sequence[Pair], wins: npt.NDArray[np.int64]) -> RoundRobin:
    """The outcome of a batch from `round_robin_ask`."""
    ordered = _both_ways(pairs)
    return RoundRobin(dict(zip(ordered, wins.reshape(len(ordered), -1).astype(np.bool_), strict=True)))


def _both_ways(pairs: Sequence[Pair]) -> list[Pair]:
    return [ordered for i, j in pairs for ordered in ((i, j), (j, i))]
