"""Random search: genomes drawn uniformly, the best kept. It is the baseline of DBGA."""

from typing import Literal, Self

import numpy as np
from pydantic import Field

from deckatlas.search.fitness import FixedGames, FixedGamesOptions, spread_of, times
from deckatlas.search.protocol import Generation, World
from deckatlas.search.scripts import Script, Steps, games_won, generator_of
from deckatlas.search.spaces import GenomeSpace

SOLUTIONS = 5100  # as many as DBGA rates with 160 priorities: 100 at first, and 100 in each of 50 generations
BATCH = 100
KEPT = 5


class RandomSearch(FixedGamesOptions):
    """Random search in batches. A generation is the best so far; its facts describe its batch."""

    algorithm: Literal["random-search"] = "random-search"
    solutions: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000_000,
        description=f"The most genomes; if absent, {SOLUTIONS}, or all that the budget allows.",
    )

    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Script:
        """Makes the search: batches of random genomes."""
        solutions = times(self.solutions, default=SOLUTIONS, cost=self.games, budget=budget, what="one genome")
        rng = generator_of(seed)
        return Script(_draw(space, solutions, self.draw_games(rng), rng), games=solutions * self.games)

    def smoke(self) -> Self:
        """A little more than one batch, ten games each."""
        solutions = BATCH + 10
        smaller = {"solutions": min(self.solutions or solutions, solutions), "games": min(self.games, 10)}
        return self.model_validate({**self.model_dump(), **smaller})


def _draw(space: GenomeSpace, solutions: int, games: FixedGames, rng: np.random.Generator) -> Steps:
    best, best_won = np.empty((0, space.genes)), np.empty(0, dtype=np.int64)
    for number, start in enumerate(range(0, solutions, BATCH)):
        ask = games.ask(space.random(rng, min(BATCH, solutions - start)))
        batch_won = games_won(ask, (yield ask))
        best, best_won = np.concatenate([best, ask.genes]), np.concatenate([best_won, batch_won])
        order = np.argsort(-best_won, kind="stable")[:KEPT]  # among equals, those drawn earlier
        best, best_won = best[order], best_won[order]
        yield Generation(number, best, games.scores(best_won), spread_of(games.scores(batch_won)))
