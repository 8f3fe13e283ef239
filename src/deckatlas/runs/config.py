"""The configuration of a run: what is searched, how, and where it is played."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from deckatlas.documents.document import Document
from deckatlas.errors import DeckatlasError, RunError, SearchError
from deckatlas.games.locm import arena as locm
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.entrants import entrant
from deckatlas.runs.hashes import locm_cards_hash
from deckatlas.search.algorithms import AnySearch
from deckatlas.search.protocol import Search
from deckatlas.search.spaces import GenomeSpace

SMOKE_GAMES = 3000
NAME_CHARACTERS = frozenset("._+- ")


class Table(BaseModel):
    """A table of a configuration: it does not change, and has no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class GenomeTable(Table, ABC):
    """What a genome is."""

    @abstractmethod
    def space(self) -> GenomeSpace:
        """The space of these genomes.

        Raises:
            SearchError: If there is none.
        """

    @model_validator(mode="after")
    def _has_a_space(self) -> Self:
        self.space()
        return self


class Priorities(GenomeTable):
    """160 priorities of cards."""

    kind: Literal["priorities"] = "priorities"
    low: float = Field(default=0.0, description="The least priority.")
    high: float = Field(default=1.0, description="The greatest priority.")
    integer: bool = Field(default=False, description="Whether priorities are whole numbers.")

    def space(self) -> GenomeSpace:
        """The space of these genomes; see the base class."""
        return locm.priorities(self.low, self.high, integer=self.integer)


class Attributes(GenomeTable):
    """Nine weights of what a card has."""

    kind: Literal["attributes"]
    low: int = Field(default=-10, description="The least weight.")
    high: int = Field(default=10, description="The greatest weight.")

    def space(self) -> GenomeSpace:
        """The space of these genomes; see the base class."""
        return locm.attributes(self.low, self.high)


class AttributePattern(GenomeTable):
    """Cards wanted of each cost, and nine weights."""

    kind: Literal["attribute-pattern"]
    low: int = Field(default=-10, description="The least weight.")
    high: int = Field(default=10, description="The greatest weight.")
    most_wanted: int = Field(default=10, ge=1, le=30, description="The most cards that can be wanted of a cost.")

    def space(self) -> GenomeSpace:
        """The space of these genomes; see the base class."""
        return locm.attribute_pattern(self.low, self.high, most_wanted=self.most_wanted)


class Curve(GenomeTable):
    """What cards are worth in each seat, and how that bends with the cards of a kind."""

    kind: Literal["curve"]

    def space(self) -> GenomeSpace:
        """The space of these genomes; see the base class."""
        return locm.curve()


def _accepted(by: Callable[[str], object], text: str) -> str:
    try:
        by(text)
    except DeckatlasError as error:
        reason = str(error)
    else:
        return text
    raise ValueError(reason)  # a new one: pydantic would keep the other, and with it all that its frames hold


def file_name(name: str) -> str:
    """A name that files can have, or a ValueError that says why not."""
    if not name[:1].isalnum() or not all(letter.isalnum() or letter in NAME_CHARACTERS for letter in name):
        raise ValueError("a name begins with a letter or digit, and has only these, blanks and . _ + - in it")
    if len(name) > 100:
        raise ValueError("a name has at most 100 characters")
    return name


class ArenaTable(Table):
    """Where genomes are tried."""

    pilot: Annotated[str, AfterValidator(partial(_accepted, battle_agent))] = Field(
        default="random", description="The battle agent that plays the decks of all genomes."
    )
    opponents: tuple[Annotated[str, AfterValidator(partial(_accepted, entrant))], ...] = Field(
        default=(), description="Entrants that genomes can be asked to meet, as on the command line."
    )
    format: Literal["referee", "distinct"] = Field(default="referee", description="How drafts offer cards.")

    def make_arena(self, space: GenomeSpace, *, threads: int | None = None) -> locm.Arena:
        """Where genomes of this space play."""
        return locm.make_arena(space, pilot=self.pilot, opponents=self.opponents, format=self.format, threads=threads)


def paths_of(error: SearchError, search: BaseModel) -> list[tuple[str, ...]]:
    """Where options are that do not go together: those of the search in its table, others outside of it."""
    own = type(search).model_fields
    return [*(("search", key) if key in own else tuple(key.split(".")) for key in error.keys), ("search",)]


class RunConfig(Table):
    """All that a run's result depends on, and its name."""

    name: Annotated[str, AfterValidator(file_name)] = Field(description="What the run is called; its file's name.")
    seed: int = Field(default=0, ge=0, le=2**63 - 1, description="Where everything random comes from.")
    budget: int | None = Field(
        default=None,
        ge=1,
        le=2**63 - 1,
        description="The most games to play; may be absent where a search ends by itself.",
    )
    genome: Annotated[Priorities | Attributes | AttributePattern | Curve, Field(discriminator="kind")] = Priorities()
    search: AnySearch
    arena: ArenaTable = ArenaTable()

    @property
    def cards(self) -> str:
        """A hash of the cards that are played with."""
        return locm_cards_hash()

    def to_json(self) -> dict[str, Any]:
        """The resolved configuration, all defaults filled in, as plain data."""
        return self.model_dump(mode="json")

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The inverse of `to_json`.

        Raises:
            RunError: If this is no configuration.
        """
        return Document("the stored configuration", values).check(cls)

    def make_arena(self, *, threads: int | None = None) -> locm.Arena:
        """Where the run's games are played."""
        return self.arena.make_arena(self.genome.space(), threads=threads)

    def make_search(self, arena: locm.Arena) -> Search:
        """The search, before its first ask.

        Raises:
            SearchError: If there is none with these options.
        """
        return self.search.make(space=arena.space, budget=self.budget, seed=self.seed, world=arena)

    def prepare(self, *, threads: int | None = None) -> tuple[locm.Arena, Search]:
        """Where the games are played, and the search before its first ask."""
        arena = self.make_arena(threads=threads)
        return arena, self.make_search(arena)

    def smoke(self) -> Self:
        """The same run, shrunk to seconds."""
        budget = None if self.budget is None else min(self.budget, SMOKE_GAMES)
        return self.model_copy(update={"search": self.search.smoke(), "budget": budget})

    def check_playable(self, document: Document) -> None:
        """Makes sure that there is such a search, and that all whom it wants to meet are there.

        Raises:
            RunError: If not; the message has the place in the document.
        """
        try:
            ask = self.make_search(self.make_arena()).ask()
        except SearchError as error:
            raise RunError(f"{document.likeliest_place(paths_of(error, self.search))}: {error}") from None
        opponents = 0 if ask is None else -min(0, int(ask.first.min()), int(ask.second.min()))
        if opponents > len(self.arena.opponents):
            paths = ("arena", "opponents"), ("arena",), ("search", "algorithm")
            raise RunError(
                f"{document.likeliest_place(paths)}: arena.opponents must have {opponents} or more for "
                f"{self.search.algorithm} to meet, not {len(self.arena.opponents)}"
            )
