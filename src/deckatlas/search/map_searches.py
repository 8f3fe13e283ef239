"""Searches that fill a map: the options of each."""

from abc import abstractmethod
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.emitters import AnyOfVariations, Emitter, MapElitesEmitter, PlusEmitter, RandomEmitter
from deckatlas.search.map_search import MapPlan, MapSearch
from deckatlas.search.options import Asks, SearchOptions, SearchSetting, StartedOptions
from deckatlas.search.variation import AnyVariation, DeckVariation, Playsets, Variation
from deckatlas.search.vectors import bounds_of

SMOKE_EVALUATIONS = 60


class MapSearchOptions(SearchOptions):
    """The options that all searches for maps share."""

    asks: ClassVar[Asks] = "evaluations"

    objective: str = Field(
        default="",
        description="The column that elites maximise: one of the evaluations or of the solutions; if absent, the one "
        "that the configuration's class names.",
    )
    evaluations: int = Field(default=10_000, ge=1, le=100_000_000, description="The number of evaluations.")

    def search(self, setting: SearchSetting) -> MapSearch:
        """The search for a map; see the base class."""
        return MapSearch(self.plan(setting))

    def plan(self, setting: SearchSetting) -> MapPlan:
        """Everything that defines the map.

        Raises:
            SearchError: If these options do not fit the setting.
        """
        if setting.archive is None:
            raise SearchError(f"{self.algorithm} fills an archive: it needs the table [archive]", "algorithm")
        evaluations = self.evaluations
        if setting.budget is not None:
            evaluations = min(evaluations, setting.budget // setting.games)
            if evaluations < 1:
                raise SearchError(
                    f"an evaluation costs {setting.games} games, more than the budget of {setting.budget}",
                    "budget",
                    "evaluation.games",
                )
        return MapPlan(
            space=setting.space,
            columns=setting.columns,
            objective=self.objective,
            archive=setting.archive,
            emitter=self.emitter(setting, evaluations=evaluations),
            evaluations=evaluations,
            games=setting.games,
            seed=setting.seed,
            fresh=setting.fresh,
        )

    @property
    @abstractmethod
    def drawn_at_random(self) -> int:
        """The number of solutions at the start that are drawn at random; later ones depend on results."""

    @abstractmethod
    def emitter(self, setting: SearchSetting, *, evaluations: int) -> Emitter:
        """Makes the emitter of a search with this number of evaluations.

        Raises:
            SearchError: If these options do not fit the setting.
        """


class WindowedSearchOptions(MapSearchOptions):
    """The options of searches that keep a fixed number of evaluations running."""

    window: int = Field(
        default=32,
        ge=1,
        le=100_000,
        description="Evaluations that can run at once; a larger window keeps more cores busy, but learns later.",
    )


class MapElites(WindowedSearchOptions, StartedOptions):
    """MAP-Elites: known or random solutions, then variations of elites."""

    algorithm: Literal["map-elites"] = "map-elites"
    initial: int = Field(
        default=100,
        ge=1,
        le=100_000_000,
        description="The number of random solutions at the start; known ones take the place of the first.",
    )
    most_games: int | None = Field(
        default=None,
        ge=1,
        le=100_000_000,
        description="The most games of a solution where a cell's winner is in doubt; if absent, no extra games.",
    )
    variation: AnyVariation | None = Field(
        default=None,
        description="How solutions are varied: kind 'gaussian' or 'iso-line' for real vectors, 'playsets' for decks; "
        "if absent, as the space does it.",
    )

    @property
    def drawn_at_random(self) -> int:
        """See the base class: the initial ones, and all that are asked for before the first result."""
        return 0 if self.starts else max(self.initial, self.window)

    @model_validator(mode="after")
    def _begins_before_it_ends(self) -> Self:
        if self.initial > self.evaluations:
            message = f"initial must be at most evaluations, which is {self.evaluations}, not {self.initial}"
            raise SearchError(message, "initial", "evaluations")
        return self

    def emitter(self, setting: SearchSetting, *, evaluations: int) -> Emitter:
        """Elites and their variations.

        Raises:
            SearchError: If `most_games` leaves no room for extra games, or the variation does not fit the space.
        """
        games = setting.games
        check_most_games(self.most_games, games)
        return MapElitesEmitter(
            seed=setting.seed,
            initial=self.initial,
            window=self.window,
            objective=self.objective,
            games=games,
            most_games=self.most_games,
            variation=self._variation(setting.space),
            starts=setting.starts,
        )

    def _variation(self, space: Any) -> AnyOfVariations | None:
        if self.variation is None:
            return None
        if not isinstance(self.variation, Playsets):
            return Variation(self.variation, bounds_of(space, f"the variation {self.variation.kind}", "variation"))
        if not isinstance(space, DeckSpace):
            raise SearchError("the variation playsets needs decks, and this space has none", "variation")
        return DeckVariation(self.variation, space)

    def smoke(self) -> Self:
        """A few solutions."""
        evaluations = min(self.evaluations, SMOKE_EVALUATIONS)
        return self.model_copy(
            update={"evaluations": evaluations, "initial": min(self.initial, max(1, evaluations // 3))}
        )


class RandomSolutions(WindowedSearchOptions):
    """Random search: all solutions are drawn at random."""

    algorithm: Literal["random-solutions"] = "random-solutions"

    @property
    def drawn_at_random(self) -> int:
        """See the base class: all solutions."""
        return self.evaluations

    def emitter(self, setting: SearchSetting, *, evaluations: int) -> Emitter:
        """Random solutions."""
        return RandomEmitter(setting.seed, self.window)

    def smoke(self) -> Self:
        """A few solutions."""
        return self.model_copy(update={"evaluations": min(self.evaluations, SMOKE_EVALUATIONS)})


class MuPlusLambda(WindowedSearchOptions):
    """(μ+λ) evolution: the best of parents and offspring survive, wherever they are on the map."""

    algorithm: Literal["mu-plus-lambda"] = "mu-plus-lambda"
    parents: int = Field(default=100, ge=1, le=1_000_000, description="How many survive each generation (μ).")
    offspring: int = Field(default=100, ge=1, le=1_000_000, description="How many variations make a generation (λ).")

    @property
    def drawn_at_random(self) -> int:
        """See the base class: the first parents."""
        return self.parents

    def emitter(self, setting: SearchSetting, *, evaluations: int) -> Emitter:
        """The best and their variations."""
        return PlusEmitter(setting.seed, self.parents, self.offspring, self.objective, self.window)

    def smoke(self) -> Self:
        """A few small generations."""
        smaller = {"parents": min(self.parents, 10), "offspring": min(self.offspring, 10)}
        return self.model_copy(update={**smaller, "evaluations": min(self.evaluations, SMOKE_EVALUATIONS)})


def check_most_games(most_games: int | None, games: int) -> None:
    """Checks that there is room for extra games.

    Raises:
        SearchError: If there is none.
    """
    if most_games is not None and most_games < 2 * games:
        raise SearchError(
            f"most_games must be at least {2 * games}, twice the games of an evaluation, not {most_games}",
            "most_games",
            "evaluation.games",
        )
