"""What the configurations of all runs of Hearthstone share: an edition, opponents, a profile."""

from abc import ABC
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

from pydantic import ConfigDict, Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.games.health import OBJECTIVE, health_scoring
from deckatlas.games.hearthstone.agents import agent_files
from deckatlas.games.hearthstone.cards.deck_codes import code_or_text
from deckatlas.games.hearthstone.cards.editions import (
    DEFAULT,
    EDITIONS,
    Edition,
    Patch,
    edition_of,
    edition_with,
    patch_text,
)
from deckatlas.games.hearthstone.evaluator import SuiteEvaluator
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.games.hearthstone.suites import SUITES, Suite, opponent_of, suite_of
from deckatlas.play.spec import EXEC
from deckatlas.runs.config import EvaluationTable, RunConfig, SpaceTable, placed
from deckatlas.runs.hashes import canonical_json, text_hash
from deckatlas.search.archive_statistics import Scoring
from deckatlas.search.evaluation import Evaluator

_OWN = "its own opponents"


class EditionTable(SpaceTable):
    """What is searched in an edition of the cards."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    edition: str = Field(default=DEFAULT, description="The edition of the cards, or a TOML file with a patch.")
    patch: str = Field(default="", description="A patch on the edition, as TOML text.")

    @model_validator(mode="after")
    def _has_its_patch(self) -> Self:
        """Reads a patch from its file: the run must not depend on later changes of the file."""
        if not self.edition.endswith(".toml"):
            return self
        with placed("edition"):
            edition_of(self.edition)  # raises the error of the file
            text = patch_text(Path(self.edition))
        return self._become(self.model_copy(update={"edition": Patch.from_toml(text).base, "patch": text}))

    @cached_property
    def cards(self) -> Edition:
        """The edition with the patch."""
        return edition_with(self.edition, self.patch)


class SuiteGamesTable(EvaluationTable):
    """Games against opponents, and how they are set up and counted."""

    profile: str = Field(default="fair", description="How games are set up and counted: fair, evostone or evosabber.")
    suite: str = Field(
        default="",
        description=(
            "The opponents: starter (the default), elite, a shipped metagame or a TOML file; or a name for `opponents`."
        ),
    )
    opponents: tuple[OpponentTable, ...] = Field(default=(), description="Opponents, instead of a suite.")

    @model_validator(mode="after")
    def _has_opponents(self) -> Self:
        if self.opponents and self.suite in SUITES:
            raise SearchError(f"give either the suite {self.suite} or opponents, not both", "suite", "opponents")
        suite = self.suite or (_OWN if self.opponents else "starter")
        return self._become(self.model_copy(update={"suite": suite}))


class HearthstoneRun(RunConfig, ABC):
    """A run of Hearthstone."""

    default_objective: ClassVar[str] = OBJECTIVE

    space: EditionTable
    evaluation: SuiteGamesTable

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

    def pilots(self) -> Sequence[str]:
        """The pilots that the configuration names."""
        return [each.pilot for each in self.evaluation.opponents]

    def agent_files(self) -> list[str]:
        """The files of the pilots; see the base class."""
        return [path for pilot in self.pilots() for path in agent_files(pilot)]

    def cards_hash(self) -> str:
        """A hash of the edition's cards, their effects and its rules."""
        return edition_hash(self.space.cards)

    def scorings(self, evaluator: Evaluator) -> dict[str, Scoring]:
        """Health differences count from -30."""
        assert isinstance(evaluator, SuiteEvaluator)
        return {OBJECTIVE: health_scoring(), "fitness": health_scoring(evaluator.fitness_games)}

    def suite(self) -> Suite:
        """The opponents; all of them play inside the core.

        Raises:
            SearchError: If there is no such suite, or one of its pilots does not play inside the core.
        """
        with placed("evaluation.suite", "evaluation.opponents"):
            suite = self._suite()
        with placed("evaluation.opponents", "evaluation.suite"):
            for each in suite.opponents:
                check_in_core(each.pilot)
        return suite

    def _suite(self) -> Suite:
        evaluation = self.evaluation
        if not evaluation.opponents:
            return suite_of(evaluation.suite, self.space.cards)
        opponents = (opponent_of(table, number, self.space.cards) for number, table in enumerate(evaluation.opponents))
        return Suite(evaluation.suite, tuple(opponents))


def edition_table(edition: Edition) -> dict[str, str]:
    """An edition as files and runs write it: the name of a shipped one, and the patch on it.

    Raises:
        CardError: If this edition was not made by patching a shipped edition.
    """
    if edition.name in EDITIONS and edition == edition_of(edition.name):
        return {"edition": edition.name}
    patch = edition.as_patch()
    return {"edition": patch.base, "patch": patch.to_toml()}


def edition_hash(edition: Edition) -> str:
    """A hash of an edition's cards, their effects and its rules."""
    return text_hash(canonical_json(edition.compiled.for_core)).hex()


def opponent_tables(suite: Suite, edition: Edition) -> tuple[OpponentTable, ...]:
    """The opponents of a suite, as in a configuration."""
    return tuple(
        OpponentTable(deck=code_or_text(each.deck, edition.by_id), pilot=each.pilot, portion=each.portion)
        for each in suite.opponents
    )


def check_in_core(pilot: str) -> None:
    """Checks that a pilot plays inside the core, where the same seed always gives the same game.

    Raises:
        SearchError: If it does not.
    """
    if pilot.startswith(EXEC):
        raise SearchError(f"{pilot!r} cannot play in a map: it does not play inside the core")
