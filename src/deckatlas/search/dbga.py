"""The deck-building genetic algorithm: a small population with blend crossover, random mutation and an elite share.

DBGA-D, DBGA-A and DBGA-AP of the paper are this one algorithm over 160 integer priorities, attribute weights, and
attribute weights with a mana pattern. docs/decisions/0010-dbga.md decides what the paper leaves open.
"""

from typing import Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.search.fitness import FixedGames, FixedGamesOptions, spread_of, times
from deckatlas.search.operators import roulette, round_half_away
from deckatlas.search.protocol import Generation, Genomes, Indexes, World
from deckatlas.search.scripts import Script, Steps, games_won, generator_of
from deckatlas.search.spaces import GenomeSpace

GENERATIONS = 50


class Dbga(FixedGamesOptions):
    """DBGA; table I of the paper gives the defaults."""

    algorithm: Literal["dbga"] = "dbga"
    population: int | None = Field(
        default=None,
        ge=2,
        le=10_000,
        description="Candidates in a population; if absent, 100 for priorities and 50 for other genomes.",
    )
    generations: int | None = Field(
        default=None,
        ge=0,
        le=1_000_000,
        description=f"The most generations after the first; if absent, {GENERATIONS}, or all that the budget allows.",
    )
    alpha: float = Field(default=0.3, ge=0, le=1, description="The weight of one parent in a blend.")
    mutation: float = Field(default=0.1, ge=0, le=1, description="The probability that an offspring mutates.")
    elites: float = Field(
        default=0.7, ge=0, le=1, description="The share of survivors that are the best; the others are random."
    )

    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Script:
        """Makes the search: an initial population, then one population of offspring per generation.

        No candidate is rated twice.
        """
        size = self.population or (100 if space.kind == "priorities" else 50)
        populations = times(
            None if self.generations is None else self.generations + 1,
            default=GENERATIONS + 1,
            cost=size * self.games,
            budget=budget,
            what="the initial population",
        )
        rng = generator_of(seed)
        steps = _evolve(self, space, size, populations, self.draw_games(rng), rng)
        return Script(steps, games=populations * size * self.games)

    def smoke(self) -> Self:
        """Ten candidates, two generations, ten games each."""
        smaller = {
            "population": min(self.population or 10, 10),
            "generations": 2 if self.generations is None else min(self.generations, 2),
            "games": min(self.games, 10),
        }
        return self.model_validate({**self.model_dump(), **smaller})


def _evolve(
    options: Dbga, space: GenomeSpace, size: int, populations: int, games: FixedGames, rng: np.random.Generator
) -> Steps:
    elites = int(round_half_away(np.array(size * options.elites)))
    population, won = np.empty((0, space.genes)), np.empty(0, dtype=np.int64)
    candidates = space.random(rng, size)
    for number in range(populations):
        ask = games.ask(candidates)
        union = np.concatenate([population, candidates])
        union_won = np.concatenate([won, games_won(ask, (yield ask))])
        rows = survivors(rng, union_won, count=size, elites=elites)
        population, won = union[rows], union_won[rows]
        scores = games.scores(won)
        yield Generation(number, population, scores, spread_of(scores))

        pairs = -(-size // 2)
        one = population[roulette(rng, won.astype(np.float64), pairs)]
        other = population[rng.integers(size, size=pairs)]
        offspring = blend(one, other, options.alpha, space=space)[:size]
        candidates = mutate_some(rng, offspring, space=space, probability=options.mutation)


def blend(one: Genomes, other: Genomes, alpha: float, *, space: GenomeSpace) -> Genomes:
    """Arithmetic crossover (eq. 3 and 4) of two parents per row; the two offspring of a row follow each other."""
    pairs = np.stack([alpha * one + (1 - alpha) * other, (1 - alpha) * one + alpha * other], axis=1)
    offspring = pairs.reshape(-1, space.genes)
    return np.clip(round_half_away(offspring) if space.integer else offspring, space.low, space.high)


def mutate_some(rng: np.random.Generator, genomes: Genomes, *, space: GenomeSpace, probability: float) -> Genomes:
    """Mutates each genome with this probability; each of its genes is then kept or drawn again, equally likely."""
    mutants = rng.random((len(genomes), 1)) < probability
    drawn = rng.random(genomes.shape) < 0.5
    return np.where(mutants & drawn, space.random(rng, len(genomes)), genomes)


def survivors(rng: np.random.Generator, won: npt.NDArray[np.int64], *, count: int, elites: int) -> Indexes:
    """Environmental selection: the best, and random others drawn without replacement.

    The result is sorted, best first. Among equals the earlier ones, which are older, come first.
    """
    order = np.argsort(-won, kind="stable")
    others = rng.choice(order[elites:], count - elites, replace=False)
    by_age = np.sort(np.concatenate([order[:elites], others]))
    return by_age[np.argsort(-won[by_age], kind="stable")]
