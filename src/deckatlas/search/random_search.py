"""Random search: genomes drawn uniformly, the best kept. What every other search has to beat."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.errors import SearchError
from deckatlas.search.fitness import FixedGames, FixedGamesOptions, Wins, spread_of, times
from deckatlas.search.options import ActiveGenes
from deckatlas.search.protocol import Ask, Generation, Genomes
from deckatlas.search.spaces import GenomeSpace

SOLUTIONS = 5100  # as many as DBGA-D rates: 100 in the initial population and in each of 50 generations
BATCH = 100
KEPT = 5


class RandomSearch:
    """The search: batches of random genomes. A generation holds the best so far; its facts are about its batch."""

    def __init__(self, *, space: GenomeSpace, solutions: int, games: FixedGames, rng: np.random.Generator) -> None:
        self._space = space
        self._left = solutions
        self._games = games
        self._rng = rng
        self._number = 0
        self._best: Genomes = np.empty((0, space.genes))
        self._wins: Wins = np.empty(0, dtype=np.int64)
        self._ask = self._next_batch()

    def ask(self) -> Ask | None:
        """The batch that is not rated yet."""
        return self._ask

    def tell(self, wins: npt.NDArray[np.integer[Any]]) -> Generation:
        """Rates the batch; among equals, those that came earlier are better.

        Raises:
            SearchError: If nothing was asked for, or this cannot be the outcome of it.
        """
        if self._ask is None:
            raise SearchError("the search is over: it asked for nothing")
        won = self._games.won(self._ask, wins)
        genomes, all_wins = np.concatenate([self._best, self._ask.genomes]), np.concatenate([self._wins, won])
        rows = np.argsort(-all_wins, kind="stable")[:KEPT]
        self._best, self._wins = genomes[rows], all_wins[rows]
        generation = Generation(
            self._number, self._best, self._games.scores(self._wins), spread_of(self._games.scores(won))
        )
        self._number += 1
        self._ask = self._next_batch()
        return generation

    def _next_batch(self) -> Ask | None:
        size = min(self._left, BATCH)
        self._left -= size
        return self._games.ask(self._space.random(self._rng, size)) if size else None


class RandomSearchOptions(FixedGamesOptions):
    """The options of random search."""

    algorithm: Literal["random-search"] = "random-search"
    solutions: int | None = Field(
        default=None,
        ge=1,
        description=f"at most so many genomes; by default {SOLUTIONS}, or all that the budget pays for",
    )

    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, active_genes: ActiveGenes) -> RandomSearch:
        """The search these options describe; see the base class."""
        rng = np.random.Generator(np.random.PCG64(seed))
        games = self.draw_games(rng)
        solutions = times(self.solutions, default=SOLUTIONS, cost=games.games, budget=budget, what="one genome")
        return RandomSearch(space=space, solutions=solutions, games=games, rng=rng)

    def smoke(self) -> Self:
        """Two batches and a bit, ten games each."""
        return self.model_copy(update={"solutions": 2 * BATCH + 10, "games": 10})
