"""The configurations of runs of Legends of Code and Magic: over decks, or over draft policies."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from deckatlas.errors import DeckatlasError, SearchError
from deckatlas.games.health import OBJECTIVE, health_scoring
from deckatlas.games.locm.agents import BATTLE_AGENTS, DRAFT_POLICIES, battle_agent, draft_policy
from deckatlas.games.locm.cards import DECK_SIZE, cards
from deckatlas.games.locm.editions import DEFAULT, Edition, edition_from_text, edition_of, official, patch_text
from deckatlas.games.locm.entrants import entrant, entrant_files
from deckatlas.games.locm.evaluator import LocmEvaluator
from deckatlas.games.locm.genomes import ATTRIBUTES, CURVE, GENOME_KINDS, KIND_NAMES, policy_text
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import (
    DRAFTS,
    MOST_COPIES,
    MUTATION,
    LocmDecks,
    LocmDrafts,
    attribute_pattern,
    attributes,
    curve,
    priorities,
)
from deckatlas.play.spec import files_in
from deckatlas.runs.config import ConfigTable, EvaluationTable, RunConfig, SpaceTable, placed
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.encoding import GeneLayout
from deckatlas.search.archive_statistics import Scoring
from deckatlas.search.evaluation import Evaluator, Solution
from deckatlas.search.options import StartedOptions
from deckatlas.search.protocol import Search
from deckatlas.search.spaces import GenomeSpace


def cards_hash() -> str:
    """A hash of all official cards and their effects."""
    return official().hash


class LocmSpaceTable(SpaceTable):
    """What is searched in an edition of the cards."""

    edition: str = Field(default=DEFAULT, description="The edition of the cards: 1.2, or a TOML file with a patch.")
    patch: str = Field(default="", description="A patch on the edition, as TOML text.")

    @model_validator(mode="after")
    def _has_its_patch(self) -> Self:
        """Reads a patch from its file: the run must not depend on later changes of the file."""
        with placed("edition", "patch"):
            if not self.edition.endswith(".toml"):
                self.cards.table  # noqa: B018 - finds mistakes
                return self
            edition_of(self.edition)  # raises the error of the file
            text = patch_text(Path(self.edition))
        return self._become(self.model_copy(update={"edition": DEFAULT, "patch": text}))

    @model_serializer(mode="wrap")
    def _without_official_cards(self, dumped: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out what is not given: runs with the official cards are stored as before there were editions."""
        values: dict[str, Any] = dumped(self)
        absent = {"edition": DEFAULT, "patch": ""}
        return {key: value for key, value in values.items() if absent.get(key) != value}

    @cached_property
    def cards(self) -> Edition:
        """The edition with the patch."""
        return edition_from_text(self.patch) if self.patch else edition_of(self.edition)


class GenomeTable(ConfigTable, ABC):
    """The meaning of a genome."""

    @abstractmethod
    def genomes(self) -> GenomeSpace:
        """The space of these genomes.

        Raises:
            SearchError: If there is no such space.
        """

    @model_validator(mode="after")
    def _has_a_space(self) -> Self:
        self.genomes()
        return self


class Priorities(GenomeTable):
    """160 priorities of cards."""

    kind: Literal["priorities"] = "priorities"
    low: float = Field(default=0.0, description="The lowest priority.")
    high: float = Field(default=1.0, description="The highest priority.")
    integer: bool = Field(default=False, description="Whether priorities are whole numbers.")

    def genomes(self) -> GenomeSpace:
        """The space of these genomes; see the base class."""
        return priorities(self.low, self.high, integer=self.integer)


class Attributes(GenomeTable):
    """Nine weights of a card's attributes."""

    kind: Literal["attributes"]
    low: int = Field(default=-10, description="The lowest weight.")
    high: int = Field(default=10, description="The highest weight.")
    integer: bool = Field(
        default=True,
        description="Whether weights are whole numbers; searches over real vectors, such as cma-me, need real ones.",
    )

    @model_serializer(mode="wrap")
    def _without_the_default(self, dumped: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out that weights are whole: such runs are stored as before weights could be real."""
        values: dict[str, Any] = dumped(self)
        return {key: value for key, value in values.items() if key != "integer" or not value}

    def genomes(self) -> GenomeSpace:
        """The space of these genomes; see the base class."""
        return attributes(self.low, self.high, integer=self.integer)


class AttributePattern(GenomeTable):
    """The number of cards wanted of each cost, and nine weights."""

    kind: Literal["attribute-pattern"]
    low: int = Field(default=-10, description="The lowest weight.")
    high: int = Field(default=10, description="The highest weight.")
    most_wanted: int = Field(default=10, ge=1, le=30, description="The most cards that can be wanted of a cost.")

    def genomes(self) -> GenomeSpace:
        """The space of these genomes; see the base class."""
        return attribute_pattern(self.low, self.high, most_wanted=self.most_wanted)


class Curve(GenomeTable):
    """The value of each card in each seat, and how it bends with the number of cards of a kind."""

    kind: Literal["curve"]

    def genomes(self) -> GenomeSpace:
        """The space of these genomes; see the base class."""
        return curve()


AnyGenome = Annotated[Priorities | Attributes | AttributePattern | Curve, Field(discriminator="kind")]


def accepted(by: Callable[[str], object], text: str) -> str:
    """Returns the text if a function accepts it; otherwise raises a ValueError that says why not."""
    try:
        by(text)
    except DeckatlasError as error:
        reason = str(error)
    else:
        return text
    raise ValueError(reason)  # a new error: pydantic would keep the original, and everything in its frames


class LocmEvaluationTable(EvaluationTable):
    """How decks and draft policies are rated."""

    pilot: Annotated[str, AfterValidator(partial(accepted, battle_agent))] = Field(
        default="", description="The battle agent that plays the decks; if absent, greedy, or random in matchups."
    )
    opponents: tuple[Annotated[str, AfterValidator(partial(accepted, entrant))], ...] | None = Field(
        default=None,
        description="The opponents, as on the command line; if absent, icebox/greedy, or none in matchups.",
    )
    format: Literal["referee", "distinct"] = Field(default="referee", description="How drafts offer cards.")


class LocmRun(RunConfig):
    """The part that runs over decks and over draft policies share."""

    default_objective: ClassVar[str] = OBJECTIVE

    space: LocmSpaceTable
    evaluation: LocmEvaluationTable = LocmEvaluationTable()

    def resolved(self) -> Self:
        """Fills in the pilot and the opponents, which depend on whether solutions play each other."""
        in_matchups = self.search.asks == "matchups"
        given = self.evaluation
        pilot = given.pilot or ("random" if in_matchups else "greedy")
        opponents = given.opponents
        if opponents is None:
            opponents = () if in_matchups else ("icebox/greedy",)
        evaluation = given.model_copy(update={"pilot": pilot, "opponents": opponents})
        return super().resolved().model_copy(update={"evaluation": evaluation})

    @property
    def opponents(self) -> tuple[str, ...]:
        """The opponents."""
        return self.evaluation.opponents or ()

    def cards_hash(self) -> str:
        """A hash of the edition's cards."""
        return self.space.cards.hash

    def agent_files(self) -> list[str]:
        """The files of the pilot and the opponents; see the base class."""
        of_opponents = [path for opponent in self.opponents for path in entrant_files(opponent)]
        return [*files_in(self.evaluation.pilot, BATTLE_AGENTS), *of_opponents]

    def make_evaluator(self, space: LocmDecks | LocmDrafts) -> Evaluator:
        """Games against the opponents in turn, or matchups; see the base class."""
        evaluation = self.evaluation
        agents: dict[str, Any] = {"pilot": evaluation.pilot, "opponents": self.opponents}
        setup: dict[str, Any] = {"format": evaluation.format, "edition": self.space.cards}
        with placed("evaluation.pilot", "evaluation.opponents"):
            if self.search.asks == "matchups":
                return LocmMatchups(space, **agents, **setup)
            return LocmEvaluator(space, **agents, **setup)

    def scorings(self, evaluator: Evaluator) -> dict[str, Scoring]:
        """Health differences count from -30."""
        return {OBJECTIVE: health_scoring()}

    def check_first_batch(self, search: Search) -> None:
        """Checks that every opponent of the first batch exists; see the base class."""
        batch = search.ask()
        wanted = 0 if batch is None else -min(0, int(batch.participants.min()))
        if wanted > len(self.opponents):
            raise SearchError(
                f"evaluation.opponents must have {wanted} or more entries for {self.search.algorithm}, "
                f"not {len(self.opponents)}",
                "evaluation.opponents",
                "evaluation",
                "algorithm",
            )

    def _played(self) -> str:
        evaluation = self.evaluation
        opponents = f" against {', '.join(self.opponents)}" if self.opponents else ""
        cards = self.space.cards
        edition = "" if cards.is_official else f", edition {cards.name}"
        return f"played by {evaluation.pilot}{opponents} (format {evaluation.format}{edition})"


class LocmDeckTable(LocmSpaceTable):
    """Decks of any cards."""

    kind: Literal["locm-deck"]
    most_copies: int = Field(default=MOST_COPIES, ge=1, le=30, description="The most copies of a card in a deck.")


class LocmDeckRun(LocmRun):
    """A run over decks."""

    title: ClassVar[str] = "decks of Legends of Code and Magic"

    space: LocmDeckTable

    def make_space(self) -> LocmDecks:
        """The decks."""
        return LocmDecks(most_copies=self.space.most_copies, edition=self.space.cards)

    def describe(self, space: LocmDecks, evaluator: Evaluator) -> Description:
        """The cards by name; see the base class."""
        genes = tuple(
            Gene(card.name, str(number), {"cost": card.cost, "type": card.type, "most": self.space.most_copies})
            for number, card in enumerate(self.space.cards.cards, start=1)
        )
        layout = GeneLayout(space.length, space.dtype, DECK_SIZE)
        title = f"{self.title}, {self._played()}"
        return Description(title, self.space.kind, genes, layout, space.columns, space.whole_columns)

    @classmethod
    def code_of(cls, description: Description, solution: Solution) -> str:
        """The ids of the cards."""
        return description.text_of(solution)


class LocmDraftTable(LocmSpaceTable):
    """Draft policies."""

    kind: Literal["locm-draft"]
    genome: AnyGenome = Priorities()
    drafts: int = Field(
        default=DRAFTS, ge=1, le=100_000, description="The drafts over which a policy's columns are averaged."
    )
    mutation: float = Field(default=MUTATION, ge=0, le=1, description="The probability that a gene is drawn again.")


class LocmDraftRun(LocmRun):
    """A run over draft policies, described by the decks they draft."""

    title: ClassVar[str] = "draft policies of Legends of Code and Magic"
    has_policies: ClassVar[bool] = True

    space: LocmDraftTable

    def make_space(self) -> LocmDrafts:
        """The policies."""
        return LocmDrafts(
            self.space.genome.genomes(),
            format=self.evaluation.format,
            drafts=self.space.drafts,
            mutation=self.space.mutation,
            edition=self.space.cards,
        )

    def make_starts(self, space: LocmDrafts, starts: tuple[str, ...]) -> tuple[Solution, ...]:
        """Priorities that come near to known policies; see the base class."""
        with placed("search.starts"):
            return tuple(space.nearest(draft_policy(each)) for each in starts)

    def agent_files(self) -> list[str]:
        """The files of known policies, too; see the base class."""
        starts = self.search.starts if isinstance(self.search, StartedOptions) else ()
        return [*super().agent_files(), *(path for each in starts for path in files_in(each, DRAFT_POLICIES))]

    def describe(self, space: LocmDrafts, evaluator: Evaluator) -> Description:
        """What the genes mean; see the base class."""
        kind = self.space.genome.kind
        title = f"draft policies ({kind}) of Legends of Code and Magic, {self._played()}"
        genes = tuple(Gene(name) for name in gene_names(kind))
        layout = GeneLayout(space.length, space.dtype)
        # Evolutions make thousands of genomes per second: the columns of their decks are only computed when needed.
        measures = space.columns if self.archive is not None else ()
        return Description(title, self.space.kind, genes, layout, measures, facts={"genome": kind})

    @classmethod
    def code_of(cls, description: Description, solution: Solution) -> str:
        """The content of a policy file, with all digits of the genes, so that it drafts exactly the same."""
        return policy_text(str(description.facts["genome"]), solution).strip()

    @classmethod
    def words_of(cls, description: Description, solution: Solution) -> list[str]:
        """The preferences of the policy; if cards have scores, the ten highest."""
        return GENOME_KINDS[str(description.facts["genome"])].in_words(solution)


def gene_names(kind: str) -> list[str]:
    """The names of the genes of a kind."""
    names = [card.name for card in cards()]
    wanted = [f"wanted {each}" for each in KIND_NAMES[:7]]
    if kind == "priorities":
        return names
    if kind == "attributes":
        return list(ATTRIBUTES)
    if kind == "attribute-pattern":
        return [*wanted, *ATTRIBUTES]
    of_seat = [*names, *(f"bend {each}" for each in KIND_NAMES), *(f"usual number {each}" for each in KIND_NAMES)]
    assert len(of_seat) == CURVE
    return [f"moving {seat}: {name}" for seat in ("first", "second") for name in of_seat]
