"""The base classes of search options: a frozen model that makes the search."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from deckatlas.errors import SearchError
from deckatlas.search.archive_options import AnyArchive
from deckatlas.search.evaluation import Column, Solution
from deckatlas.search.protocol import Search, World
from deckatlas.search.scripts import Script
from deckatlas.search.spaces import GenomeSpace

Even = Annotated[int, Field(ge=2, le=10_000, multiple_of=2)]
Asks = Literal["matchups", "evaluations"]


@dataclass(frozen=True)
class SearchSetting:
    """What a search is made for.

    Attributes:
        space: What is searched.
        columns: What the evaluator measures.
        archive: The options of the archive, if the run has one.
        games: The games per evaluation.
        fresh: Whether each evaluation plays its own games; otherwise all solutions play the same games.
        budget: The most games to ask for, if there is a limit.
        seed: The seed of everything random.
        starts: Known solutions to start from, if the options name any.
        cards: A hash of the cards in play; empty if there are none.
    """

    space: Any
    columns: tuple[Column, ...]
    archive: AnyArchive | None
    games: int
    fresh: bool
    budget: int | None
    seed: int
    starts: tuple[Solution, ...] = ()
    cards: str = ""


class SearchOptions(BaseModel, ABC):
    """The options of one algorithm; `algorithm` names it, and selects the class in a configuration.

    Attributes:
        asks: Whether the search lets solutions play each other, or has each evaluated against the opponents.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    asks: ClassVar[Asks]
    algorithm: str

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the search reads."""
        return ()

    @abstractmethod
    def search(self, setting: SearchSetting) -> Search:
        """Makes the search.

        Raises:
            SearchError: If these options do not fit the setting.
        """

    @abstractmethod
    def smoke(self) -> Self:
        """The smallest version of these options that still does everything, for a run of seconds."""


class StartedOptions(SearchOptions):
    """The options of a search that can start from known solutions."""

    starts: tuple[str, ...] = Field(
        default=(),
        description="Known solutions to start from; for decks of Hearthstone: names, codes, files, runs, or 'library'.",
    )


class MatchupOptions(SearchOptions):
    """The options of a search whose genomes play each other or named opponents in matchups."""

    asks: ClassVar[Asks] = "matchups"

    def search(self, setting: SearchSetting) -> Search:
        """Makes the search over the genomes of a space.

        Raises:
            SearchError: If the solutions of the space are not genomes, or these options do not fit the setting.
        """
        if setting.archive is not None:
            raise SearchError(f"{self.algorithm} keeps populations and no archive", "archive", "algorithm")
        genomes = getattr(setting.space, "genomes", None)
        if not isinstance(genomes, GenomeSpace):
            raise SearchError(f"{self.algorithm} searches genomes of numbers, and this space has none", "algorithm")
        return self.make(space=genomes, budget=setting.budget, seed=setting.seed, world=setting.space)

    @abstractmethod
    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Script:
        """Makes the search that these options describe.

        Args:
            space: What it searches.
            budget: The most games it may ask for; None if it ends by itself.
            seed: The seed of everything random.
            world: What it may know of the game beyond wins; most searches need little or nothing of it.

        Raises:
            SearchError: If these options do not fit the space or the budget.
        """
