"""The matchups of a field: for each pair, the outcome of every seed; rates, scores, ratings, and resampled matrices.

A seed is played twice by a pair, with seats swapped; its outcome is the share of the two games that the first of the
pair won. All pairs play the same seeds from the first on, but not all play the same number.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from deckatlas.play.ratings import Ratings, SeedScores, rate_all
from deckatlas.stats.distributions import Z95
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.rates import paired_rate

Floats = npt.NDArray[np.float64]
Pair = tuple[int, int]

GAMES_PER_SEED = 2
PRIOR = 0.5  # the weight of one win and of one loss that are added to every pair, each with a seed of its own


def all_pairs(count: int) -> list[Pair]:
    """Every pair of a field, in the order in which matchups are kept."""
    return list(combinations(range(count), 2))


@dataclass(frozen=True)
class Matchups:
    """The games of every pair of a field.

    Attributes:
        names: The names of the decks.
        outcomes: For each pair (i, j) with i < j, the share of each seed's games that i won.
    """

    names: tuple[str, ...]
    outcomes: Mapping[Pair, Floats]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def games(self) -> int:
        """The number of all games."""
        return GAMES_PER_SEED * sum(len(each) for each in self.outcomes.values())

    def of(self, i: int, j: int) -> Floats:
        """The outcome of each seed of i against j, seen from i."""
        return self.outcomes[i, j] if i < j else 1 - self.outcomes[j, i]

    def rate(self, i: int, j: int) -> Estimate:
        """How often i won against j."""
        return rate_of(self.of(i, j)) if i < j else rate_of(self.of(j, i)).mirrored()

    @cached_property
    def rates(self) -> Floats:
        """How often the row won against the column; a half on the diagonal."""
        return self._matrix({pair: float(won.mean()) for pair, won in self.outcomes.items()})

    @property
    def gains(self) -> Floats:
        """How far each rate is above a half: the payoff of a symmetric game."""
        return self.rates - 0.5

    def score(self, i: int, shares: Floats) -> Estimate:
        """How often i wins against a field with these shares; its own share counts as games that it wins half of."""
        met = {j: self.of(i, j) for j in range(len(self)) if j != i}
        return weighted_rate(met, shares, own=float(shares[i]))

    @cached_property
    def ratings(self) -> Ratings:
        """Ratings on the Elo scale, with intervals from seeds."""
        scores = [
            SeedScores(i, j, GAMES_PER_SEED * won, np.full(len(won), float(GAMES_PER_SEED)))
            for (i, j), won in self.outcomes.items()
        ]
        return rate_all(len(self), scores)

    def resampled(self, rng: np.random.Generator, samples: int) -> Iterator[Floats]:
        """Matrices of rates that could as well be true: each weighs the seeds at random.

        This is the Bayesian bootstrap over seeds. A seed has the same weight in all pairs that played it, since its
        shuffles are the same for all of them. A win and a loss of their own are added to every pair, with a mean
        weight of a half, so that a pair that was always won does not count as certain.
        """
        seeds = max(len(won) for won in self.outcomes.values())
        pairs = list(self.outcomes)
        for _ in range(samples):
            weights = rng.standard_exponential(seeds)
            added = rng.standard_gamma(PRIOR, (len(pairs), 2))
            drawn = {}
            for pair, (win, loss) in zip(pairs, added.tolist(), strict=True):
                won = self.outcomes[pair]
                own = weights[: len(won)]
                drawn[pair] = (float((own * won).sum()) + win) / (float(own.sum()) + win + loss)
            yield self._matrix(drawn)

    def _matrix(self, rates: Mapping[Pair, float]) -> Floats:
        matrix = np.full((len(self), len(self)), 0.5)
        for (i, j), rate in rates.items():
            matrix[i, j], matrix[j, i] = rate, 1 - rate
        return matrix


def rate_of(outcomes: Floats) -> Estimate:
    """A rate with its interval, from the outcomes of seeds."""
    games = GAMES_PER_SEED * len(outcomes)
    return paired_rate(outcomes, wins=float(outcomes.sum()) * GAMES_PER_SEED, games=games)


def weighted_rate(met: Mapping[int, Floats], shares: Floats, *, own: float = 0.0, z: float = Z95) -> Estimate:
    """The rate against opponents with different shares; the variances of its parts add up seed by seed.

    Args:
        met: The outcomes against each opponent, by its number.
        shares: The share of each opponent.
        own: The share of games that are won half of the time, without playing them.
        z: Half of the interval's length, in standard errors.
    """
    seeds = max(len(each) for each in met.values())
    value, residual, games = 0.5 * own, np.zeros(seeds), 0
    for number, outcomes in met.items():
        count, rate = len(outcomes), float(outcomes.mean())
        value += float(shares[number]) * rate
        # What each seed adds to the error of the weighted sum: all pairs play the same seeds.
        residual[:count] += shares[number] * (outcomes - rate) / count
        games += GAMES_PER_SEED * count
    few = seeds / max(1, seeds - 1)
    least = sum(float(shares[number]) ** 2 * _prior_variance(each) for number, each in met.items())
    half = z * float(np.sqrt(few * float((residual**2).sum()) + least))
    return Estimate(value, max(0.0, value - half), min(1.0, value + half), games, is_share=True)


def _prior_variance(outcomes: Floats) -> float:
    """What the added win and loss contribute to the variance of a rate, so that no rate counts as certain."""
    n = len(outcomes) + 2 * PRIOR
    rate = (float(outcomes.sum()) + PRIOR) / n
    return PRIOR * (rate**2 + (1 - rate) ** 2) / n**2
