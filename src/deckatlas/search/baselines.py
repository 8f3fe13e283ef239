"""The baselines of active genes: plain evolution (E_b), and the best of random genomes (R_e, R_t).

In E_b and R_e every individual plays every other on every training draft; in R_t losers drop out. docs/search.md gives
the cost of each.
"""

from abc import abstractmethod
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.search.batches import Batch, Seeds
from deckatlas.search.operators import draw_tournaments, mutate, tournament_winners, uniform_crossover
from deckatlas.search.options import Even, MatchupOptions
from deckatlas.search.protocol import Generation, Genomes, Scores, World
from deckatlas.search.scripts import Script, Steps, ask_over, draw_seeds, games_won, generator_of, ranked
from deckatlas.search.spaces import GenomeSpace

COST = ("budget", "population", "score_games", "training_drafts")  # the options that decide whether the budget suffices


class EB(MatchupOptions):
    """E_b: evolution in which every generation plays on all training drafts."""

    algorithm: Literal["E_b"] = "E_b"
    population: int = Field(default=100, ge=2, le=1_000, description="Individuals in a population.")
    score_games: Even = Field(default=2, description="Games per ordered pair on each training draft.")
    training_drafts: int = Field(default=10, ge=1, le=10_000, description="The drafts that every individual plays.")
    tournament_size: int = Field(default=4, ge=1, description="Individuals in the tournament that selects a parent.")
    parents: Literal["a tournament each", "one tournament for both"] = Field(
        default="a tournament each",
        description="Whether a pair of parents is the winners of two tournaments or the two best of one.",
    )
    mutation: float = Field(default=0.05, ge=0, le=1, description="The probability that a gene mutates.")
    elitism: int = Field(default=2, ge=0, description="How many of the best survive unchanged.")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.tournament_size > self.population:
            message = (
                f"tournament_size must be at most population, which is {self.population}, not {self.tournament_size}"
            )
            raise SearchError(message, "tournament_size", "population")
        if self.tournament_size < 2 and self.parents == "one tournament for both":
            raise SearchError("a tournament of one individual cannot give two parents", "tournament_size", "parents")
        if self.elitism >= self.population:
            message = f"elitism must be below population, which is {self.population}, not {self.elitism}"
            raise SearchError(message, "elitism", "population")
        return self

    @property
    def evaluation_games(self) -> int:
        """The games to evaluate a population; g generations need 1 + g evaluations."""
        return self.population * (self.population - 1) * self.score_games * self.training_drafts

    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Script:
        """Makes the search, with as many generations as the budget allows."""
        if budget is None:
            raise SearchError("E_b does not end by itself: it needs a budget", "algorithm")
        generations = budget // self.evaluation_games - 1
        if generations < 1:
            raise SearchError(
                f"a generation of E_b and the population it comes from cost {2 * self.evaluation_games} games, "
                f"more than the budget of {budget}",
                *COST,
            )
        return Script(_evolve(self, space, generations, seed), games=(generations + 1) * self.evaluation_games)

    def smoke(self) -> Self:
        """Eight individuals, two drafts, two games."""
        smaller = {
            "population": min(self.population, 8),
            "score_games": 2,
            "training_drafts": min(self.training_drafts, 2),
            "tournament_size": min(self.tournament_size, 4),
            "elitism": min(self.elitism, 2),
        }
        return self.model_validate({**self.model_dump(), **smaller})


class RandomChoice(MatchupOptions):
    """The options that R_e and R_t share: games choose the best of random genomes."""

    population: int = Field(default=100, ge=2, le=1_000, description="The number of random individuals.")
    training_drafts: int = Field(default=10, ge=1, le=10_000, description="The drafts that each pair plays.")
    score_games: Even | None = Field(
        default=None, description="Games per pair on each draft; if absent, as many as the budget allows."
    )

    @property
    @abstractmethod
    def meetings(self) -> int:
        """The number of pairs that play."""

    def cost(self, score_games: int) -> int:
        """The games of the whole search."""
        return self.meetings * score_games * self.training_drafts

    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Script:
        """Makes the search: it ends with one generation."""
        games = self.score_games
        if games is None:
            if budget is None:
                raise SearchError(f"{self.algorithm} needs a budget, or score_games", "algorithm")
            games = max(2, budget // self.cost(1) // 2 * 2)
        if budget is not None and self.cost(games) > budget:
            message = f"{self.algorithm} costs {self.cost(games)} games, more than the budget of {budget}"
            raise SearchError(message, *COST)
        return Script(self._steps(space, games, generator_of(seed)), games=self.cost(games))

    @abstractmethod
    def _steps(self, space: GenomeSpace, games: int, rng: np.random.Generator) -> Steps:
        """The search as a script."""

    def smoke(self) -> Self:
        """Eight individuals, two drafts."""
        smaller = {
            "population": min(self.population, 8),
            "training_drafts": min(self.training_drafts, 2),
            "score_games": 2,
        }
        return self.model_validate({**self.model_dump(), **smaller})


class RE(RandomChoice):
    """R_e: every individual plays every other; they are ranked by games won."""

    algorithm: Literal["R_e"] = "R_e"

    @property
    def meetings(self) -> int:
        """All ordered pairs."""
        return self.population * (self.population - 1)

    def _steps(self, space: GenomeSpace, games: int, rng: np.random.Generator) -> Steps:
        drafts = draw_seeds(rng, self.training_drafts)
        population = space.random(rng, self.population)
        ask = _round_robin(rng, drafts, games, population)
        yield ranked(0, population, _shares(ask, games_won(ask, (yield ask))), {})


class RT(RandomChoice):
    """R_t: a knock-out tournament."""

    algorithm: Literal["R_t"] = "R_t"
    counted: Literal["games of the round", "all games"] = Field(
        default="games of the round",
        description="What decides a match. With 'all games', individuals are ranked by all games won, and one without "
        "an opponent drops out; otherwise they are ranked by the round they reach, and one without an opponent "
        "advances.",
    )

    @property
    def meetings(self) -> int:
        """Every match eliminates one individual until one is left; some may also drop out without a match."""
        if self.counted == "games of the round":
            return self.population - 1
        meetings, left = 0, self.population
        while left > 1:
            left //= 2
            meetings += left
        return meetings

    def _steps(self, space: GenomeSpace, games: int, rng: np.random.Generator) -> Steps:
        accumulates = self.counted == "all games"
        drafts = draw_seeds(rng, self.training_drafts)
        population = space.random(rng, self.population)
        won, played, rounds = np.zeros((3, self.population), dtype=np.int64)
        left = np.arange(self.population)
        while len(left) > 1:
            left = rng.permutation(left)  # new random pairs in every round
            meeting = left[: len(left) // 2 * 2]
            one, other = meeting.reshape(-1, 2).T
            sides = {"first": np.concatenate([one, other]), "second": np.concatenate([other, one])}
            ask = ask_over(rng, drafts, games // 2, genomes=population, **sides)
            round_won = games_won(ask, (yield ask))
            won += round_won
            played[meeting] += games * len(drafts)
            decisive = won if accumulates else round_won
            beaten = np.where(decisive[one] >= decisive[other], other, one)  # in a draw, the random order decides
            left = np.setdiff1d(meeting if accumulates else left, beaten)
            rounds[left] += 1
        shares = 100 * won / np.maximum(played, 1)  # an individual that drops out without a match has won nothing
        order = np.lexsort((-won,) if accumulates else (-shares, -rounds))
        yield Generation(0, population[order], shares[order])


def _evolve(options: EB, space: GenomeSpace, generations: int, seed: int) -> Steps:
    rng = generator_of(seed)
    drafts = draw_seeds(rng, options.training_drafts)
    population = space.random(rng, options.population)
    all_genes = np.ones(space.genes, dtype=np.bool_)
    pairs = -(-(options.population - options.elitism) // 2)
    for generation in range(generations + 1):
        ask = _round_robin(rng, drafts, options.score_games, population)
        won = games_won(ask, (yield ask))
        yield ranked(generation, population, _shares(ask, won), {})

        winners = 1 if options.parents == "a tournament each" else 2
        count = 2 * pairs // winners
        entrants = draw_tournaments(rng, options.population, count=count, size=options.tournament_size)
        one, other = tournament_winners(entrants, won[entrants], winners=winners).reshape(-1, 2).T
        children = np.concatenate(uniform_crossover(rng, population[one], population[other], all_genes))
        children = mutate(rng, children, all_genes, space=space, probability=options.mutation)
        elite = np.argsort(-won, kind="stable")[: options.elitism]
        population = np.concatenate([population[elite], children])[: options.population]


def _round_robin(rng: np.random.Generator, drafts: Seeds, games: int, population: Genomes) -> Batch:
    """Every ordered pair plays this number of games on each draft.

    Both orders of a pair are played, so each individual moves first in half of the pair's games.
    """
    first, second = np.nonzero(~np.eye(len(population), dtype=np.bool_))
    return ask_over(rng, drafts, games, genomes=population, first=first, second=second)


def _shares(ask: Batch, won: npt.NDArray[np.int64]) -> Scores:
    """The games won, in percent of the games that each individual plays in such a batch."""
    return 100 * won / (2 * (len(ask.genes) - 1) * len(ask.courses[0]))
