"""The deck-building genetic algorithm: a small population, blended, mutated at random, and kept by an elite share.

DBGA-D, DBGA-A and DBGA-AP of the paper are this one algorithm over 160 integer priorities, attribute weights, and
attribute weights with a mana pattern. What the paper leaves open is decided in docs/decisions/0010-dbga.md.
"""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.errors import SearchError
from deckatlas.search.fitness import FixedGames, FixedGamesOptions, Wins, spread_of, times
from deckatlas.search.operators import Indexes, roulette
from deckatlas.search.options import ActiveGenes
from deckatlas.search.protocol import Ask, Generation, Genomes
from deckatlas.search.spaces import GenomeSpace

GENERATIONS = 50
# Blends of whole numbers that are halves come out of binary arithmetic a little off: 0.7 * 35 is less than 24.5.
ROUNDING_ERROR = 1e-9


def round_half_away(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The nearest whole numbers; of two equally near, the one farther from zero."""
    return np.copysign(np.floor(np.abs(values) + (0.5 + ROUNDING_ERROR)), values) + 0.0  # no negative zeros


def blend(space: GenomeSpace, one: Genomes, other: Genomes, alpha: float) -> Genomes:
    """Arithmetic crossover (eq. 3 and 4) of two parents a row; the two offspring of a row follow each other."""
    pairs = np.stack([alpha * one + (1 - alpha) * other, (1 - alpha) * one + alpha * other], axis=1)
    offspring = pairs.reshape(-1, space.genes)
    return np.clip(round_half_away(offspring) if space.integer else offspring, space.low, space.high)


def mutate_some(rng: np.random.Generator, space: GenomeSpace, genomes: Genomes, probability: float) -> Genomes:
    """Mutates each genome with this probability; each gene of a mutant is then kept or drawn anew, equally likely."""
    mutants = rng.random((len(genomes), 1)) < probability
    drawn = rng.random(genomes.shape) < 0.5
    return np.where(mutants & drawn, space.random(rng, len(genomes)), genomes)


def survivors(rng: np.random.Generator, wins: Wins, *, count: int, elites: int) -> Indexes:
    """Environmental selection: rows of the best and, for the rest, of others drawn without replacement.

    The rows come best first. Among equals those that stand earlier are better: they are older.
    """
    ranked = np.argsort(-wins, kind="stable")
    others = rng.choice(ranked[elites:], count - elites, replace=False)
    by_age = np.sort(np.concatenate([ranked[:elites], others]))
    return by_age[np.argsort(-wins[by_age], kind="stable")]


class Dbga:
    """The search: the initial population, then a population of offspring a generation. Nobody is rated twice."""

    def __init__(
        self,
        options: "DbgaOptions",
        *,
        space: GenomeSpace,
        population: int,
        generations: int,
        games: FixedGames,
        rng: np.random.Generator,
    ) -> None:
        self._options = options
        self._space = space
        self._size = population
        self._elites = int(round_half_away(np.array(population * options.elites)))
        self._generations = generations
        self._games = games
        self._rng = rng
        self._number = 0
        self._population: Genomes = np.empty((0, space.genes))
        self._wins: Wins = np.empty(0, dtype=np.int64)
        self._ask: Ask | None = games.ask(space.random(rng, population))

    def ask(self) -> Ask | None:
        """The candidates that are not rated yet."""
        return self._ask

    def tell(self, wins: npt.NDArray[np.integer[Any]]) -> Generation:
        """Rates the candidates of the last ask; every outcome completes a generation.

        Raises:
            SearchError: If nothing was asked for, or this cannot be the outcome of it.
        """
        if self._ask is None:
            raise SearchError("the search is over: it asked for nothing")
        genomes = np.concatenate([self._population, self._ask.genomes])
        won = np.concatenate([self._wins, self._games.won(self._ask, wins)])
        rows = survivors(self._rng, won, count=self._size, elites=self._elites)
        self._population, self._wins = genomes[rows], won[rows]
        scores = self._games.scores(self._wins)
        generation = Generation(self._number, self._population, scores, spread_of(scores))
        self._number += 1
        self._ask = self._games.ask(self._offspring()) if self._number <= self._generations else None
        return generation

    def _offspring(self) -> Genomes:
        pairs = (self._size + 1) // 2
        one = self._population[roulette(self._rng, self._wins.astype(np.float64), pairs)]
        other = self._population[self._rng.integers(self._size, size=pairs)]
        offspring = blend(self._space, one, other, self._options.alpha)[: self._size]
        return mutate_some(self._rng, self._space, offspring, self._options.mutation)


class DbgaOptions(FixedGamesOptions):
    """The options of the deck-building genetic algorithm; table I of the paper gives the defaults."""

    algorithm: Literal["dbga"] = "dbga"
    population: int | None = Field(
        default=None,
        ge=2,
        description="candidates in a population; by default 100 for priorities, 50 for other genomes",
    )
    generations: int | None = Field(
        default=None,
        ge=0,
        description=f"at most so many after the initial one; by default {GENERATIONS}, or all that the budget pays for",
    )
    alpha: float = Field(default=0.3, ge=0, le=1, description="how much of one parent goes into the blend")
    mutation: float = Field(default=0.1, ge=0, le=1, description="probability that an offspring mutates")
    elites: float = Field(
        default=0.7, ge=0, le=1, description="share of survivors that are the best; others are random"
    )

    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, active_genes: ActiveGenes) -> Dbga:
        """The search these options describe; see the base class."""
        population = self.population or (100 if space.kind == "priorities" else 50)
        rng = np.random.Generator(np.random.PCG64(seed))
        games = self.draw_games(rng)
        populations = times(
            None if self.generations is None else self.generations + 1,
            default=GENERATIONS + 1,
            cost=population * games.games,
            budget=budget,
            what="the initial population",
        )
        return Dbga(self, space=space, population=population, generations=populations - 1, games=games, rng=rng)

    def smoke(self) -> Self:
        """Ten candidates, two generations, ten games each."""
        return self.model_copy(update={"population": 10, "generations": 2, "games": 10})
