"""The configuration of a run over Hearthstone decks."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT
from deckatlas.games.hearthstone.cards.deck_codes import HALL_OF_FAME, code_of_numbers, hero_dbf
from deckatlas.games.hearthstone.cards.decks import DECK_SIZE, Deck
from deckatlas.games.hearthstone.constraints import ConstraintError, DeckConstraints
from deckatlas.games.hearthstone.evaluator import HearthstoneEvaluator
from deckatlas.games.hearthstone.run_base import EditionTable, HearthstoneRun, SuiteGamesTable, check_in_core
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.games.hearthstone.starts import start_codes
from deckatlas.games.hearthstone.suite_export import best_opponents, suite_toml
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.runs.config import RunConfig, placed
from deckatlas.runs.description import CONSTRAINED, Description, Gene
from deckatlas.runs.encoding import GeneLayout
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Evaluator, Solution
from deckatlas.search.options import StartedOptions

_OF_PLANS = "strategy_alignment"


class HearthstoneDeckTable(EditionTable):
    """Decks of a class."""

    kind: Literal["hearthstone-deck"]
    hero_class: str = Field(alias="class", description="The class.")
    pool: str = Field(
        default="basic-classic",
        description="The cards that decks are built from: basic-classic, or all of the edition.",
    )
    contains: tuple[str, ...] = Field(
        default=(), description='Cards that every deck has, by name or id, with copies: "2x Savannah Highmane".'
    )
    excludes: tuple[str, ...] = Field(default=(), description="Cards that no deck has, by name or id.")
    most_legendaries: int | None = Field(
        default=None, ge=0, le=DECK_SIZE, description="The most legendary cards of a deck; if absent, no limit."
    )
    most_dust: int | None = Field(
        default=None, ge=0, le=1_000_000, description="The most dust that a deck may cost; if absent, no limit."
    )

    @property
    def constraints(self) -> DeckConstraints:
        """What decks must and must not have."""
        return DeckConstraints(self.contains, self.excludes, self.most_legendaries, self.most_dust)


class HearthstoneEvaluationTable(SuiteGamesTable):
    """How Hearthstone decks are rated."""

    pilot: str = Field(default=DEFAULT_PILOT, description="The agent that plays the decks, such as fast.")

    @model_validator(mode="before")
    @classmethod
    def _with_pilots(cls, values: Any) -> Any:
        """Opponents that name no pilot have that of the decks; whatever else is wrong is found later."""
        given = values.get("opponents") if isinstance(values, Mapping) else None
        if not isinstance(given, list | tuple):
            return values
        pilot = values.get("pilot")
        own = {"pilot": pilot if isinstance(pilot, str) else DEFAULT_PILOT}
        opponents = [own | dict(each) if isinstance(each, Mapping) else each for each in given]
        return {**values, "opponents": tuple(opponents)}


class HearthstoneDeckRun(HearthstoneRun):
    """A run over Hearthstone decks."""

    title: ClassVar[str] = "decks of Hearthstone"
    default_search: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "search": {"algorithm": "dsa-me"},
        "evaluation": {"games": 50},
    }

    space: HearthstoneDeckTable
    evaluation: HearthstoneEvaluationTable

    def against(self, opponents: tuple[OpponentTable, ...], suite: str) -> Self:
        """The same run with other opponents, and a name for them."""
        evaluation = self.evaluation.model_copy(update={"opponents": opponents, "suite": suite})
        return self.model_copy(update={"evaluation": evaluation}).with_files()

    def takes_opponents_of(self, other: RunConfig) -> bool:
        """Whether the other run has decks, too, and keeps an archive."""
        return isinstance(other, HearthstoneDeckRun) and other.archive is not None

    def against_bests(self, views: Sequence[RunView]) -> Self:
        """The same run against the best decks of other runs; see the base class."""
        return self.against(best_opponents(views), "the best of " + ", ".join(view.name for view in views))

    @classmethod
    def suite_of(cls, views: Sequence[RunView]) -> str:
        """The best decks with their pilots; see the base class."""
        return suite_toml(views)

    def pilots(self) -> Sequence[str]:
        """The pilot of the decks, and those of the opponents."""
        return [self.evaluation.pilot, *super().pilots()]

    def make_space(self) -> HearthstoneDecks:
        """The decks of the class."""
        space = self.space
        with placed("space.class", "space.pool", "space.edition"):
            try:
                return HearthstoneDecks(
                    space.hero_class, edition=space.cards, pool_name=space.pool, constraints=space.constraints
                )
            except ConstraintError as error:
                raise SearchError(str(error), f"space.{error.key}") from None

    def resolved(self) -> Self:
        """Reads the decks to start from: the run must not depend on later changes of files; see the base class."""
        config = super().resolved()
        search = config.search
        if not isinstance(search, StartedOptions) or not search.starts:
            return config
        with placed("search.starts"):
            codes = start_codes(search.starts, self._space)
        return config.model_copy(update={"search": search.model_copy(update={"starts": codes})})

    def make_starts(self, space: HearthstoneDecks, starts: tuple[str, ...]) -> tuple[Solution, ...]:
        """The decks to start from; see the base class."""
        with placed("search.starts"):
            return tuple(space.solution(deck_of(start, space.edition, hero_class=space.hero_class)) for start in starts)

    def make_evaluator(self, space: HearthstoneDecks) -> HearthstoneEvaluator:
        """Games against the suite; see the base class."""
        evaluation = self.evaluation
        if self.search.asks == "matchups":
            raise SearchError(
                f"{self.search.algorithm} searches genomes of numbers, but the space has decks", "algorithm"
            )
        with placed("evaluation.pilot"):  # first, since opponents may have it, too
            check_in_core(evaluation.pilot)
        suite = self.suite()
        with placed("evaluation.pilot", "evaluation.profile"):
            evaluator = HearthstoneEvaluator(
                space, pilot=evaluation.pilot, suite=suite, profile=evaluation.profile, games=evaluation.games
            )
        self._check_plans(evaluator)
        return evaluator

    def _check_plans(self, evaluator: HearthstoneEvaluator) -> None:
        """Checks that ratings of plans are only used with a pilot that plans."""
        agent = evaluator.setting.own_pilot.agent_of_core()
        if agent is not None and agent.plans is not None:
            return
        measures = () if self.archive is None else self.archive.measures
        objective = getattr(self.search, "objective", "")
        for key, names in (("search.objective", (objective,)), ("archive.measures", measures)):
            if _OF_PLANS in names:
                raise SearchError(
                    f"{_OF_PLANS} needs a pilot that rates plans, and {self.evaluation.pilot} does not", key
                )

    def describe(self, space: HearthstoneDecks, evaluator: Evaluator) -> Description:
        """The cards by name, with what a deck code needs; see the base class."""
        by_id = space.edition.by_id
        cards = [by_id[card_id] for card_id in space.ids]
        genes = tuple(
            Gene(
                card.name,
                card.id,
                {
                    "cost": card.cost,
                    "type": card.type.name,
                    "dbf": card.dbf_id,
                    "most": most,
                    "hall_of_fame": card.set == HALL_OF_FAME,
                },
            )
            for card, most in zip(cards, space.most_copies.tolist(), strict=True)
        )
        evaluation = self.evaluation
        title = (
            f"{self.space.hero_class.title()} decks of Hearthstone (pool {self.space.pool}, "
            f"edition {self.space.cards.name}), played by {evaluation.pilot} against "
            f"the suite {evaluation.suite} (profile {evaluation.profile})"
        )
        layout = GeneLayout(space.length, space.dtype, DECK_SIZE)
        facts = {"hero": hero_dbf(space.hero_class, by_id), "class": space.hero_class}
        if space.has_constraints:
            facts[CONSTRAINED] = True
        return Description(title, self.space.kind, genes, layout, space.columns, space.whole_columns, facts=facts)

    @classmethod
    def code_of(cls, description: Description, solution: Solution) -> str:
        """The deck code; or the deck's text, if one of its cards, such as a custom card, has no dbf id."""
        held = [(gene, int(copies)) for gene, copies in zip(description.genes, solution, strict=True) if copies]
        if not all(gene.facts["dbf"] for gene, _ in held):
            if "class" not in description.facts:  # stores of earlier versions
                return description.text_of(solution)
            return str(Deck(str(description.facts["class"]), tuple((gene.id, copies) for gene, copies in held)))
        return code_of_numbers(
            int(description.facts["hero"]),
            [(int(gene.facts["dbf"]), copies) for gene, copies in held],
            is_wild=any(gene.facts["hall_of_fame"] for gene, _ in held),
        )
