"""All searches that fill a map: the options of each, told apart by `algorithm`."""

from abc import ABC, abstractmethod
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.search.emitters import Emitter, MapElitesEmitter, PlusEmitter, RandomEmitter

_SMOKE_EVALUATIONS = 60


class MapSearchOptions(BaseModel, ABC):
    """The options that all searches for maps have."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    algorithm: str
    objective: str = Field(
        default="avg_health_diff", description="What elites are best in: a column of evaluations or of solutions."
    )
    evaluations: int = Field(default=10_000, ge=1, le=100_000_000, description="How many evaluations there are.")
    window: int = Field(
        default=32,
        ge=1,
        le=100,
        description="Evaluations that can be under way at once; more of them keep more cores busy, and learn later.",
    )

    @abstractmethod
    def emitter(self, *, seed: int, games: int) -> Emitter:
        """Who says what to evaluate, with so many games an evaluation."""

    @abstractmethod
    def smoke(self) -> Self:
        """The smallest version of these options that still does everything, for a run of seconds."""


class MapElites(MapSearchOptions):
    """MAP-Elites: random solutions, then variations of elites."""

    algorithm: Literal["map-elites"] = "map-elites"
    initial: int = Field(default=100, ge=1, le=100_000_000, description="How many solutions are drawn at random.")
    most_games: int | None = Field(
        default=None,
        ge=1,
        le=100_000_000,
        description="Games that a solution can get where a cell's winner is in doubt; absent: the same for all.",
    )

    @model_validator(mode="after")
    def _begins_before_it_ends(self) -> Self:
        if self.initial > self.evaluations:
            message = f"initial must be at most evaluations, which is {self.evaluations}, not {self.initial}"
            raise SearchError(message, "initial", "evaluations")
        return self

    def emitter(self, *, seed: int, games: int) -> Emitter:
        """Elites and their variations.

        Raises:
            SearchError: If nobody could be given more games.
        """
        if self.most_games is not None and self.most_games < 2 * games:
            raise SearchError(
                f"most_games must be at least {2 * games}, twice the games of an evaluation, not {self.most_games}",
                "most_games",
                "evaluation.games",
            )
        return MapElitesEmitter(seed, self.initial, self.window, self.objective, games, self.most_games)

    def smoke(self) -> Self:
        """A few solutions."""
        evaluations = min(self.evaluations, _SMOKE_EVALUATIONS)
        return self.model_copy(
            update={"evaluations": evaluations, "initial": min(self.initial, max(1, evaluations // 3))}
        )


class RandomSolutions(MapSearchOptions):
    """Random search: all solutions are drawn at random."""

    algorithm: Literal["random-solutions"] = "random-solutions"

    def emitter(self, *, seed: int, games: int) -> Emitter:
        """Random solutions."""
        return RandomEmitter(seed, self.window)

    def smoke(self) -> Self:
        """A few solutions."""
        return self.model_copy(update={"evaluations": min(self.evaluations, _SMOKE_EVALUATIONS)})


class MuPlusLambda(MapSearchOptions):
    """(μ+λ) evolution: of parents and offspring the best survive, wherever on the map they are."""

    algorithm: Literal["mu-plus-lambda"] = "mu-plus-lambda"
    parents: int = Field(default=100, ge=1, le=1_000_000, description="How many survive each generation (μ).")
    offspring: int = Field(default=100, ge=1, le=1_000_000, description="How many variations make a generation (λ).")

    def emitter(self, *, seed: int, games: int) -> Emitter:
        """The best and their variations."""
        return PlusEmitter(seed, self.parents, self.offspring, self.objective, self.window)

    def smoke(self) -> Self:
        """A few small generations."""
        smaller = {"parents": min(self.parents, 10), "offspring": min(self.offspring, 10)}
        return self.model_copy(update={**smaller, "evaluations": min(self.evaluations, _SMOKE_EVALUATIONS)})


AnyMapSearch = Annotated[MapElites | RandomSolutions | MuPlusLambda, Field(discriminator="algorithm")]
