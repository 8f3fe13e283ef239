"""The configuration of a map of Hearthstone decks."""

from functools import cached_property
from pathlib import Path
from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.games.hearthstone.agents import agent_files
from deckatlas.games.hearthstone.cards.deck_codes import deck_code
from deckatlas.games.hearthstone.cards.decks import deck_cards
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition, Patch, edition_of
from deckatlas.games.hearthstone.evaluator import HearthstoneDecks, HearthstoneEvaluator
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.games.hearthstone.suites import SUITES, Suite, opponent_of, suite_of
from deckatlas.play.spec import EXEC
from deckatlas.runs.config import Table
from deckatlas.runs.hashes import edition_hash
from deckatlas.runs.map_config import DeckLine, EvaluationTable, MapConfig, Trial, placed
from deckatlas.search.archive_statistics import health_scoring
from deckatlas.search.evaluation import Solution

_OWN = "its own opponents"
_OF_PLANS = "strategy_alignment"


class HearthstoneDeckTable(Table):
    """Decks of a class."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    kind: Literal["hearthstone-deck"]
    hero_class: str = Field(alias="class", description="The class.")
    edition: str = Field(default=DEFAULT, description="The edition of the cards, or a TOML file with a patch.")
    patch: str = Field(default="", description="A patch on the edition, as TOML text.")
    pool: str = Field(default="basic-classic", description="The cards that decks are built from.")

    @model_validator(mode="after")
    def _has_its_patch(self) -> Self:
        """Reads a patch from its file: the run must not depend on what becomes of it."""
        if not self.edition.endswith(".toml"):
            return self
        with placed("edition"):
            edition_of(self.edition)  # whatever is wrong with the file
        text = Path(self.edition).read_text(encoding="utf-8")
        return self.model_copy(update={"edition": Patch.from_toml(text).base, "patch": text})

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
        description="Whom decks meet: starter (the default), elite, or a TOML file; or what `opponents` are called.",
    )
    opponents: tuple[OpponentTable, ...] = Field(default=(), description="Opponents, in place of a suite.")

    @model_validator(mode="after")
    def _meets_somebody(self) -> Self:
        if self.opponents and self.suite in SUITES:
            raise SearchError(f"there can be the suite {self.suite} or opponents, not both", "suite", "opponents")
        return self.model_copy(update={"suite": self.suite or (_OWN if self.opponents else "starter")})


class HearthstoneMap(MapConfig):
    """A map of Hearthstone decks."""

    solution: HearthstoneDeckTable
    evaluation: HearthstoneEvaluationTable

    def _with_suite(self) -> Self:
        """Reads opponents from the file of a suite: the run must not depend on what becomes of it."""
        evaluation = self.evaluation
        if evaluation.opponents or evaluation.suite in SUITES:
            return self
        with placed("evaluation.suite"):
            suite = suite_of(evaluation.suite, self.solution.cards)
        opponents = opponent_tables(suite, self.solution.cards)
        named = evaluation.model_copy(update={"suite": suite.name, "opponents": opponents})
        return self.model_copy(update={"evaluation": named})

    def against(self, opponents: tuple[OpponentTable, ...], suite: str) -> Self:
        """The same map with other opponents, and what they are called together."""
        evaluation = self.evaluation.model_copy(update={"opponents": opponents, "suite": suite})
        return self.model_copy(update={"evaluation": evaluation})._with_files()

    def agent_files(self) -> list[str]:
        """Of the pilots; see the base class."""
        evaluation = self.evaluation
        pilots = (evaluation.pilot, *(each.pilot for each in evaluation.opponents))
        return [path for pilot in pilots for path in agent_files(pilot)]

    def trial(self) -> Trial:
        """The map, made ready; see the base class."""
        evaluation = self.evaluation
        with placed("solution.class", "solution.pool", "solution.edition"):
            space = self.space
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
        scorings = {"avg_health_diff": health_scoring(), "fitness": health_scoring(evaluator.fitness_games)}
        self._check_plans(evaluator)
        return self._trial(space, evaluator, edition_hash(space.edition), scorings)

    def _check_plans(self, evaluator: HearthstoneEvaluator) -> None:
        """Makes sure that the ratings of plans are asked for only of a pilot that plans."""
        agent = evaluator.setting.own_pilot.agent_of_core()
        if agent is not None and agent.plans is not None:
            return
        for key, names in (("search.objective", (self.search.objective,)), ("archive.measures", self.archive.measures)):
            if _OF_PLANS in names:
                raise SearchError(
                    f"{_OF_PLANS} is of pilots that rate plans, and {self.evaluation.pilot} rates none", key
                )

    def words_of(self, solution: Solution) -> str:
        """The deck code."""
        return self.space.code(solution)

    def in_words(self) -> str:
        """The class and its cards, the pilot and whom the decks meet."""
        solution, evaluation = self.solution, self.evaluation
        return (
            f"{solution.hero_class.title()} decks of Hearthstone (pool {solution.pool}, "
            f"edition {solution.cards.name}), played by {evaluation.pilot} against "
            f"the suite {evaluation.suite} (profile {evaluation.profile})"
        )

    def deck_list(self, solution: Solution) -> tuple[DeckLine, ...]:
        """The cards of the deck."""
        space = self.space
        cards = deck_cards(space.deck(solution), space.edition.by_id)
        lines = (DeckLine(count, card.name, card.cost, card.type.name) for card, count in cards)
        return tuple(sorted(lines, key=lambda line: (line.cost, line.name)))

    @cached_property
    def space(self) -> HearthstoneDecks:
        """The decks."""
        return HearthstoneDecks(self.solution.hero_class, edition=self.solution.cards, pool_name=self.solution.pool)

    def _suite(self) -> Suite:
        evaluation = self.evaluation
        if not evaluation.opponents:
            return suite_of(evaluation.suite, self.solution.cards)
        opponents = (
            opponent_of(table, number, self.solution.cards) for number, table in enumerate(evaluation.opponents)
        )
        return Suite(evaluation.suite, tuple(opponents))


def opponent_tables(suite: Suite, edition: Edition) -> tuple[OpponentTable, ...]:
    """The opponents of a suite, as a configuration has them."""
    return tuple(
        OpponentTable(deck=deck_code(each.deck, edition.by_id), pilot=each.pilot, portion=each.portion)
        for each in suite.opponents
    )


def _in_core(pilot: str) -> None:
    """Makes sure that a pilot plays inside the core, where the same seed is the same game.

    Raises:
        SearchError: If it does not.
    """
    if pilot.startswith(EXEC):
        raise SearchError(f"{pilot!r} cannot play in a map: it does not play inside the core")
