"""The configuration of a run over Hearthstone decks."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.games.health import OBJECTIVE, health_scoring
from deckatlas.games.hearthstone.agents import agent_files
from deckatlas.games.hearthstone.cards.deck_codes import HALL_OF_FAME, code_of_numbers, deck_code, hero_dbf
from deckatlas.games.hearthstone.cards.decks import DECK_SIZE
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition, Patch, edition_of
from deckatlas.games.hearthstone.evaluator import HearthstoneEvaluator
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.games.hearthstone.suite_export import best_opponents, suite_toml
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.games.hearthstone.suites import SUITES, Suite, opponent_of, suite_of
from deckatlas.play.spec import EXEC
from deckatlas.runs.config import EvaluationTable, RunConfig, SpaceTable, placed
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.encoding import GeneLayout
from deckatlas.runs.hashes import canonical_json, text_hash
from deckatlas.runs.view import RunView
from deckatlas.search.archive_statistics import Scoring
from deckatlas.search.evaluation import Evaluator, Solution

_OWN = "its own opponents"
_OF_PLANS = "strategy_alignment"


class HearthstoneDeckTable(SpaceTable):
    """Decks of a class."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    kind: Literal["hearthstone-deck"]
    hero_class: str = Field(alias="class", description="The class.")
    edition: str = Field(default=DEFAULT, description="The edition of the cards, or a TOML file with a patch.")
    patch: str = Field(default="", description="A patch on the edition, as TOML text.")
    pool: str = Field(default="basic-classic", description="The cards that decks are built from.")

    @model_validator(mode="after")
    def _has_its_patch(self) -> Self:
        """Reads a patch from its file: the run must not depend on later changes of the file."""
        if not self.edition.endswith(".toml"):
            return self
        with placed("edition"):
            edition_of(self.edition)  # raises the error of the file
        text = Path(self.edition).read_text(encoding="utf-8")
        return self._become(self.model_copy(update={"edition": Patch.from_toml(text).base, "patch": text}))

    @cached_property
    def cards(self) -> Edition:
        """The edition with the patch."""
        edition = edition_of(self.edition)
        return edition.patched(Patch.from_toml(self.patch)) if self.patch else edition


class HearthstoneEvaluationTable(EvaluationTable):
    """How Hearthstone decks are rated."""

    pilot: str = Field(description="The agent that plays the decks, such as planner:score=aggro.")
    profile: str = Field(default="fair", description="How games are set up and counted: fair, evostone or evosabber.")
    suite: str = Field(
        default="",
        description="The opponents: starter (the default), elite, or a TOML file; or a name for `opponents`.",
    )
    opponents: tuple[OpponentTable, ...] = Field(default=(), description="Opponents, instead of a suite.")

    @model_validator(mode="after")
    def _has_opponents(self) -> Self:
        if self.opponents and self.suite in SUITES:
            raise SearchError(f"give either the suite {self.suite} or opponents, not both", "suite", "opponents")
        suite = self.suite or (_OWN if self.opponents else "starter")
        return self._become(self.model_copy(update={"suite": suite}))


class HearthstoneDeckRun(RunConfig):
    """A run over Hearthstone decks."""

    title: ClassVar[str] = "decks of Hearthstone"
    default_objective: ClassVar[str] = OBJECTIVE

    space: HearthstoneDeckTable
    evaluation: HearthstoneEvaluationTable

    def resolved(self) -> Self:
        """Reads opponents from the file of a suite: the run must not depend on later changes of the file."""
        config, evaluation = super().resolved(), self.evaluation
        if evaluation.opponents or evaluation.suite in SUITES:
            return config
        with placed("evaluation.suite"):
            suite = suite_of(evaluation.suite, self.space.cards)
        opponents = opponent_tables(suite, self.space.cards)
        named = evaluation.model_copy(update={"suite": suite.name, "opponents": opponents})
        return config.model_copy(update={"evaluation": named})

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

    def agent_files(self) -> list[str]:
        """The files of the pilots; see the base class."""
        evaluation = self.evaluation
        pilots = (evaluation.pilot, *(each.pilot for each in evaluation.opponents))
        return [path for pilot in pilots for path in agent_files(pilot)]

    def cards_hash(self) -> str:
        """A hash of the edition's cards, their effects and its rules."""
        return edition_hash(self.space.cards)

    def make_space(self) -> HearthstoneDecks:
        """The decks of the class."""
        with placed("space.class", "space.pool", "space.edition"):
            return HearthstoneDecks(self.space.hero_class, edition=self.space.cards, pool_name=self.space.pool)

    def make_evaluator(self, space: HearthstoneDecks) -> HearthstoneEvaluator:
        """Games against the suite; see the base class."""
        evaluation = self.evaluation
        if self.search.asks == "matchups":
            raise SearchError(
                f"{self.search.algorithm} searches genomes of numbers, but the space has decks", "algorithm"
            )
        with placed("evaluation.suite", "evaluation.opponents"):
            suite = self._suite()
        with placed("evaluation.opponents", "evaluation.suite"):
            for each in suite.opponents:
                _in_core(each.pilot)
        with placed("evaluation.pilot", "evaluation.profile"):
            _in_core(evaluation.pilot)
            evaluator = HearthstoneEvaluator(
                space, pilot=evaluation.pilot, suite=suite, profile=evaluation.profile, games=evaluation.games
            )
        self._check_plans(evaluator)
        return evaluator

    def scorings(self, evaluator: Evaluator) -> dict[str, Scoring]:
        """Health differences count from -30."""
        assert isinstance(evaluator, HearthstoneEvaluator)
        return {OBJECTIVE: health_scoring(), "fitness": health_scoring(evaluator.fitness_games)}

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
        hero = hero_dbf(space.hero_class, by_id)
        return Description(
            title, self.space.kind, genes, layout, space.columns, space.whole_columns, facts={"hero": hero}
        )

    @classmethod
    def code_of(cls, description: Description, solution: Solution) -> str:
        """The deck code; or the ids of all cards, if one of them, such as a custom card, has no dbf id."""
        held = [(gene.facts, int(copies)) for gene, copies in zip(description.genes, solution, strict=True) if copies]
        if not all(facts["dbf"] for facts, _ in held):
            return description.text_of(solution)
        return code_of_numbers(
            int(description.facts["hero"]),
            [(int(facts["dbf"]), copies) for facts, copies in held],
            is_wild=any(facts["hall_of_fame"] for facts, _ in held),
        )

    def _suite(self) -> Suite:
        evaluation = self.evaluation
        if not evaluation.opponents:
            return suite_of(evaluation.suite, self.space.cards)
        opponents = (opponent_of(table, number, self.space.cards) for number, table in enumerate(evaluation.opponents))
        return Suite(evaluation.suite, tuple(opponents))


def edition_hash(edition: Edition) -> str:
    """A hash of an edition's cards, their effects and its rules."""
    return text_hash(canonical_json(edition.compiled.for_core)).hex()


def opponent_tables(suite: Suite, edition: Edition) -> tuple[OpponentTable, ...]:
    """The opponents of a suite, as in a configuration."""
    return tuple(
        OpponentTable(deck=deck_code(each.deck, edition.by_id), pilot=each.pilot, portion=each.portion)
        for each in suite.opponents
    )


def _in_core(pilot: str) -> None:
    """Checks that a pilot plays inside the core, where the same seed always gives the same game.

    Raises:
        SearchError: If it does not.
    """
    if pilot.startswith(EXEC):
        raise SearchError(f"{pilot!r} cannot play in a map: it does not play inside the core")
