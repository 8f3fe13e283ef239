"""What the options of all searches have in common: a frozen model that makes the search."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from deckatlas.errors import SearchError
from deckatlas.search.archive_options import AnyArchive
from deckatlas.search.evaluation import Column
from deckatlas.search.protocol import Search, World
from deckatlas.search.scripts import Script
from deckatlas.search.spaces import GenomeSpace

Even = Annotated[int, Field(ge=2, le=10_000, multiple_of=2)]
Asks = Literal["matchups", "evaluations"]


@dataclass(frozen=True)
class Setting:
    """What a search is made for.

    Attributes:
        space: What is searched.
        columns: What the evaluator measures.
        archive: How an archive is to be kept, if the run has one.
        games: The games of an evaluation.
        fresh: Whether each evaluation plays games of its own; otherwise all solutions play the same.
        budget: The most games to ask for, if there is a limit.
        seed: Where everything random comes from.
    """

    space: Any
    columns: tuple[Column, ...]
    archive: AnyArchive | None
    games: int
    fresh: bool
    budget: int | None
    seed: int


class SearchOptions(BaseModel, ABC):
    """The options of one algorithm; `algorithm` names it, and tells the classes apart in a configuration.

    Attributes:
        asks: Whether the search lets solutions meet each other, or has each evaluated against the opponents.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    asks: ClassVar[Asks]
    algorithm: str

    @abstractmethod
    def search(self, setting: Setting) -> Search:
        """The search, before its first ask.

        Raises:
            SearchError: If the search cannot be made so.
        """

    @abstractmethod
    def smoke(self) -> Self:
        """The smallest version of these options that still does everything, for a run of seconds."""


class MatchupOptions(SearchOptions):
    """The options of a search whose genomes meet each other or named opponents in matchups."""

    asks: ClassVar[Asks] = "matchups"

    def search(self, setting: Setting) -> Search:
        """The search over the genomes of a space.

        Raises:
            SearchError: If the solutions of the space are no genomes, or the search cannot be made so.
        """
        if setting.archive is not None:
            raise SearchError(f"{self.algorithm} keeps populations and no archive", "archive", "algorithm")
        genomes = getattr(setting.space, "genomes", None)
        if not isinstance(genomes, GenomeSpace):
            raise SearchError(f"{self.algorithm} searches genomes of numbers, and this space has none", "algorithm")
        return self.make(space=genomes, budget=setting.budget, seed=setting.seed, world=setting.space)

    @abstractmethod
    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Script:
        """The search these options describe.

        Args:
            space: What it searches.
            budget: The most games it may ask for; None where it ends by itself.
            seed: Where all its randomness comes from.
            world: What it may know of the game beyond wins; most searches need little of it or nothing.

        Raises:
            SearchError: If the search cannot be made so.
        """
