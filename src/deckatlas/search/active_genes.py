"""Evolution by active genes: E_a, E_aw and E_all, and their variants with several or repeated drafts.

A generation learns from one draft (or a few). A gene is active if it affects that draft, and the operators change only
active genes. Children are merged into the population instead of replacing it. docs/search.md derives the cost of a
generation.
"""

from abc import abstractmethod
from typing import Annotated, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.search.batches import Batch, Seeds
from deckatlas.search.operators import (
    draw_tournaments,
    merge,
    mutate,
    roulette,
    tournament_winners,
    uniform_crossover,
)
from deckatlas.search.options import Even, MatchupOptions
from deckatlas.search.protocol import Genomes, Indexes, World
from deckatlas.search.scripts import (
    Script,
    Steps,
    Wins,
    ask_over,
    draw_seeds,
    games_won,
    generator_of,
    ranked,
)
from deckatlas.search.spaces import GenomeSpace

COST = (
    *("budget", "population", "parents", "tournament_size", "tournament_games", "score_rounds", "score_games"),
    *("scored_on", "active_drafts", "repeats"),
)  # the options that decide whether the budget suffices
Share = Annotated[float, Field(ge=0, le=1)]


class ActiveGenesOptions(MatchupOptions):
    """The options that E_a, E_aw and E_all share."""

    population: int = Field(default=100, ge=2, le=4_000, multiple_of=2, description="Individuals in a population.")
    tournament_size: int = Field(
        default=4, ge=2, le=32, description="Individuals in the tournament that selects a parent."
    )
    tournament_games: int = Field(
        default=10, ge=1, le=10_000, description="Games per ordered pair of a tournament, on each draft."
    )
    parents: Literal["a tournament each", "one tournament for both"] = Field(
        default="a tournament each", description="Whether a pair of parents comes from two tournaments or from one."
    )
    points: Literal["games won", "wins in the first seat"] = Field(
        default="games won", description="How points are counted in a tournament."
    )
    operators: Literal["active", "all"] = Field(
        default="active", description="Which genes crossover and mutation change."
    )
    mutation: Share = Field(default=0.05, description="The probability that a gene mutates.")
    score_rounds: int = Field(default=2, ge=1, le=1_000, description="Scoring rounds of the children.")
    score_games: Even = Field(default=50, description="Games per pair of children in a round, on each draft.")
    scored_on: Literal["all drafts", "one draft"] = Field(
        default="all drafts", description="Which of a generation's drafts score the children."
    )
    child_share: Share = Field(default=0.1, description="The child's share in the score of a merged individual.")
    initial_score: float = Field(
        default=50.0, ge=0, le=100, description="The score of a random individual, in percent."
    )
    active_drafts: int = Field(default=1, ge=1, le=1_000, description="Drafts per generation (the K of E_aw/Kd).")
    repeats: int = Field(
        default=1,
        ge=1,
        le=10_000,
        description="How often the list of drafts is repeated, with fewer games each time (the K of E_aw/Kg).",
    )
    training_drafts: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="The number of different drafts; if absent, as many as the generations need.",
    )
    bests: int = Field(
        default=5, ge=1, le=10_000, description="How many individuals of a generation are reported as its best."
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.tournament_size > self.population:
            message = (
                f"tournament_size must be at most population, which is {self.population}, not {self.tournament_size}"
            )
            raise SearchError(message, "tournament_size", "population")
        if self.training_drafts is not None and self.training_drafts < self.active_drafts:
            message = f"training_drafts must be at least active_drafts, which is {self.active_drafts}"
            raise SearchError(message, "training_drafts", "active_drafts")
        return self

    @property
    def tournaments(self) -> int:
        """Tournaments per generation: one for every parent, or one for every two."""
        return self.population if self.parents == "a tournament each" else self.population // 2

    @property
    def games_of_tournament_pair(self) -> int:
        """Games per ordered pair on a draft: its part of `tournament_games`, rounded down, at least one."""
        return max(1, self.tournament_games // self.repeats)

    @property
    def score_drafts(self) -> int:
        """The number of drafts that score the children."""
        return self.active_drafts if self.scored_on == "all drafts" else 1

    @property
    def games_of_score_pair(self) -> int:
        """Games per pair of children on a draft in a round: its part of `score_games`, rounded down to even."""
        return max(2, self.score_games // self.repeats // 2 * 2)

    @property
    def generation_games(self) -> int:
        """The games of one generation."""
        pairs = self.tournament_size * (self.tournament_size - 1)
        selecting = self.tournaments * pairs * self.games_of_tournament_pair
        scoring = self.population // 2 * self.score_rounds * self.games_of_score_pair
        return self.active_drafts * selecting + self.score_drafts * scoring

    @property
    @abstractmethod
    def keeps_inactive(self) -> bool:
        """Whether inactive genes stay unchanged; if so, each generation reports the share of active genes."""

    @abstractmethod
    def parent_weights(self, shown: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The parent's weight in each gene of a merged individual.

        Args:
            shown: For each gene, the number of drafts of the generation in which it is active.
        """

    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Script:
        """Makes the search, with as many generations as the budget allows."""
        if budget is None:
            raise SearchError(f"{self.algorithm} does not end by itself: it needs a budget", "algorithm")
        generations = budget // self.generation_games
        if generations < 1:
            raise SearchError(
                f"a generation of {self.algorithm} costs {self.generation_games} games, "
                f"more than the budget of {budget}",
                *COST,
            )
        return Script(_evolve(self, space, generations, seed, world), games=generations * self.generation_games)

    def smoke(self) -> Self:
        """Eight individuals, few drafts and a handful of games; never more than these options play."""
        repeats = min(self.repeats, 4)
        smaller = {
            "population": min(self.population, 8),
            "tournament_size": min(self.tournament_size, 3),
            "tournament_games": min(self.games_of_tournament_pair, 2) * repeats,
            "score_rounds": min(self.score_rounds, 2),
            "score_games": min(self.games_of_score_pair, 4) * repeats,
            "active_drafts": min(self.active_drafts, 4),
            "repeats": repeats,
        }
        return self.model_validate({**self.model_dump(), **smaller})


class WeightedMergeOptions(ActiveGenesOptions):
    """The options that E_a and E_aw share: only active genes change, blended with the child once per draft."""

    parent_weight: Share

    @property
    def keeps_inactive(self) -> bool:
        """Inactive genes stay the parent's."""
        return True

    def parent_weights(self, shown: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """A gene is blended once for each draft in which it is active."""
        return np.power(self.parent_weight, shown)


class EA(WeightedMergeOptions):
    """E_a: active genes come from the child, all others from the parent."""

    algorithm: Literal["E_a"] = "E_a"
    parent_weight: Share = Field(default=0.0, description="The parent's weight in an active gene.")


class EAW(WeightedMergeOptions):
    """E_aw: active genes move a part of the way from the parent to the child."""

    algorithm: Literal["E_aw"] = "E_aw"
    parent_weight: Share = Field(default=0.75, description="The parent's weight in an active gene.")


class EAll(ActiveGenesOptions):
    """E_all: the child's whole genome, for comparison."""

    algorithm: Literal["E_all"] = "E_all"
    operators: Literal["active", "all"] = Field(default="all", description="Which genes crossover and mutation change.")

    @property
    def keeps_inactive(self) -> bool:
        """All genes are the child's."""
        return False

    def parent_weights(self, shown: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Zero: nothing comes from the parent."""
        return np.zeros(len(shown))


def _evolve(options: ActiveGenesOptions, space: GenomeSpace, generations: int, seed: int, world: World) -> Steps:
    rng = generator_of(seed)
    different = options.training_drafts or options.active_drafts * -(-generations // options.repeats)
    training = draw_seeds(rng, different)
    population = space.random(rng, options.population)
    scores = np.full(options.population, options.initial_score)
    yield ranked(0, population, scores, {"bests": options.initial_score})

    for generation in range(generations):
        numbers = generation * options.active_drafts + np.arange(options.active_drafts)
        drafts = training[numbers % different]
        shown = np.stack([world.active_genes(int(draft)) for draft in drafts]).sum(axis=0, dtype=np.int64)
        active = shown > 0
        touched = active if options.operators == "active" else np.ones_like(active)

        entrants = draw_tournaments(rng, options.population, count=options.tournaments, size=options.tournament_size)
        ask = _tournaments_ask(options, rng, drafts, population, entrants)
        one, other = _parents(options, entrants, ask, (yield ask))
        pairs = uniform_crossover(rng, population[one], population[other], touched)
        offspring = np.stack(pairs, axis=1).reshape(-1, space.genes)  # siblings side by side
        children = mutate(rng, offspring, touched, space=space, probability=options.mutation)

        won = np.zeros(options.population, dtype=np.int64)
        for _ in range(options.score_rounds):
            ask = _scoring_ask(options, rng, drafts[: options.score_drafts], children, won)
            won += games_won(ask, (yield ask))
        games = options.score_rounds * options.games_of_score_pair * options.score_drafts
        child_scores = 100 * won / games

        parent = roulette(rng, scores, options.population)
        child = roulette(rng, child_scores, options.population)
        weights = options.parent_weights(shown)
        population = merge(population[parent], children[child], weights, space=space)
        scores = (1 - options.child_share) * scores[parent] + options.child_share * child_scores[child]
        facts = {"bests": float(np.sort(scores)[-options.bests :].mean())}
        if options.keeps_inactive:
            facts["active"] = float(active.mean())
        yield ranked(generation + 1, population, scores, facts)


def _ordered_pairs(size: int) -> tuple[Indexes, Indexes]:
    one, other = np.nonzero(~np.eye(size, dtype=np.bool_))
    return one, other


def _tournaments_ask(
    options: ActiveGenesOptions, rng: np.random.Generator, drafts: Seeds, population: Genomes, entrants: Indexes
) -> Batch:
    """Every ordered pair of every tournament."""
    one, other = _ordered_pairs(options.tournament_size)
    games = options.games_of_tournament_pair
    first, second = entrants[:, one].ravel(), entrants[:, other].ravel()
    return ask_over(rng, drafts, games, genomes=population, first=first, second=second)


def _parents(options: ActiveGenesOptions, entrants: Indexes, ask: Batch, wins: Wins) -> tuple[Indexes, Indexes]:
    """The two parents of every pair of children."""
    one, other = _ordered_pairs(options.tournament_size)
    seat = np.eye(options.tournament_size, dtype=np.int64)
    won = wins.astype(np.int64).reshape(options.tournaments, -1)
    points = won @ seat[one]
    if options.points == "games won":
        points += (len(ask.courses[0]) - won) @ seat[other]
    winners = tournament_winners(entrants, points, winners=options.population // options.tournaments)
    first, second = winners.reshape(-1, 2).T
    return first, second


def _scoring_ask(
    options: ActiveGenesOptions, rng: np.random.Generator, drafts: Seeds, children: Genomes, won: Indexes
) -> Batch:
    """Children are sorted by games won so far and neighbours play each other; each moves first in half of the games."""
    one, other = np.argsort(-won, kind="stable").reshape(-1, 2).T
    first, second = np.concatenate([one, other]), np.concatenate([other, one])
    return ask_over(rng, drafts, options.games_of_score_pair // 2, genomes=children, first=first, second=second)
