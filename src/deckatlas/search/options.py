"""What every search's options have in common: a frozen model that makes the search."""

from abc import ABC, abstractmethod
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from deckatlas.search.protocol import Search, World
from deckatlas.search.spaces import GenomeSpace

Even = Annotated[int, Field(ge=2, le=10_000, multiple_of=2)]


class SearchOptions(BaseModel, ABC):
    """The options of one algorithm; `algorithm` names it, and tells the classes apart in a configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    algorithm: str

    @abstractmethod
    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Search:
        """The search these options describe.

        Args:
            space: What it searches.
            budget: The most games it may ask for; None where it ends by itself.
            seed: Where all its randomness comes from.
            world: What it may know of the game beyond wins; most searches need little of it or nothing.

        Raises:
            SearchError: If the search cannot be made so.
        """

    @abstractmethod
    def smoke(self) -> Self:
        """The smallest version of these options that still does everything, for a run of seconds."""
