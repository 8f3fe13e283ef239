"""Everything that follows from the matchups of a field: ratings, the mix, cycles, and how shares change."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.cycles import Cycle, cycles_of, decided_pairs
from deckatlas.metagame.equilibrium import SAMPLES, Mix, mix_of
from deckatlas.metagame.matchups import Matchups, Pair
from deckatlas.metagame.replicator import Course, replicate
from deckatlas.search.batches import seed_of
from deckatlas.search.scripts import generator_of
from deckatlas.stats.estimate import Estimate

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Standings:
    """How the decks of a field stand.

    Attributes:
        matchups: Their games: those of every pair.
        mix: The equilibrium mix, with its uncertainty.
        shares: Today's shares.
    """

    matchups: Matchups
    mix: Mix
    shares: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the decks."""
        return self.matchups.names

    @cached_property
    def order(self) -> list[int]:
        """The decks from the highest rating to the lowest."""
        return [int(i) for i in np.argsort(-self.matchups.ratings.value, kind="stable")]

    @cached_property
    def decided(self) -> dict[Pair, float]:
        """The pairs with a favourite beyond chance, the favourite first, each with its adjusted p value."""
        return decided_pairs(self.matchups)

    @cached_property
    def cycles(self) -> list[Cycle]:
        """Triples of which each deck beats the next, all beyond chance; the strongest first."""
        return cycles_of(self.matchups, self.decided)

    @cached_property
    def course(self) -> Course:
        """How shares change from today's, if decks that win are copied."""
        return replicate(self.matchups.gains, self.shares)

    def score(self, i: int) -> Estimate:
        """How often a deck wins against today's shares; against its own copies it wins half."""
        return self.matchups.score(i, self.shares)


def mix_by_seed(matchups: Matchups, seed: int, *, samples: int = SAMPLES) -> Mix:
    """The equilibrium mix of games that were played with a seed, which decides about the resampled matrices, too."""
    return mix_of(matchups, generator_of(seed_of(seed, "mix")), samples=samples)
