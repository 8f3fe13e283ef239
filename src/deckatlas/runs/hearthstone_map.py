"""The configuration of a map of Hearthstone decks."""

from functools import lru_cache
from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from deckatlas.cards.hearthstone.deck_codes import deck_code
from deckatlas.cards.hearthstone.decks import deck_cards
from deckatlas.errors import DeckatlasError, SearchError
from deckatlas.games.hearthstone_setup import edition_of
from deckatlas.maps.hearthstone import HearthstoneDecks, HearthstoneEvaluator
from deckatlas.maps.protocol import Solution
from deckatlas.play.hearthstone_suite_file import OpponentTable
from deckatlas.play.hearthstone_suites import SUITES, Suite, opponent_of, suite_of
from deckatlas.runs.config import Table
from deckatlas.runs.hashes import edition_hash
from deckatlas.runs.map_config import DeckLine, EvaluationTable, MapConfig, Trial, placed


class HearthstoneDeckTable(Table):
    """Decks of a class."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    kind: Literal["hearthstone-deck"]
    hero_class: str = Field(alias="class", description="The class.")
    edition: str = Field(default="2018-12", description="The edition of the cards.")
    pool: str = Field(default="basic-classic", description="The cards that decks are built from.")


class HearthstoneEvaluationTable(EvaluationTable):
    """How Hearthstone decks are rated."""

    pilot: str = Field(description="The agent that plays the decks, such as planner:score=aggro.")
    profile: str = Field(default="fair", description="How games are set up and counted: fair, evostone or evosabber.")
    suite: str = Field(default="starter", description="Whom decks meet: starter, elite, or a TOML file.")
    opponents: tuple[OpponentTable, ...] = Field(default=(), description="Opponents, where no suite is named.")


class HearthstoneMap(MapConfig):
    """A map of Hearthstone decks."""

    solution: HearthstoneDeckTable
    evaluation: HearthstoneEvaluationTable

    @model_validator(mode="after")
    def _has_its_opponents(self) -> Self:
        """Reads opponents from the file of a suite: the run must not depend on what becomes of it."""
        evaluation = self.evaluation
        if evaluation.opponents or evaluation.suite in SUITES:
            return self
        try:
            suite = suite_of(evaluation.suite, self.solution.edition)
        except DeckatlasError as error:
            raise SearchError(str(error), "evaluation.suite") from None
        cards = edition_of(self.solution.edition).by_id
        opponents = tuple(
            OpponentTable(deck=deck_code(each.deck, cards), pilot=each.pilot, portion=each.portion)
            for each in suite.opponents
        )
        named = evaluation.model_copy(update={"suite": suite.name, "opponents": opponents})
        return self.model_copy(update={"evaluation": named})

    def against(self, opponents: tuple[OpponentTable, ...], suite: str) -> Self:
        """The same map with other opponents, and what they are called together."""
        evaluation = self.evaluation.model_copy(update={"opponents": opponents, "suite": suite})
        return self.model_copy(update={"evaluation": evaluation})

    def trial(self) -> Trial:
        """The map, made ready; see the base class."""
        evaluation = self.evaluation
        with placed("solution.class", "solution.pool", "solution.edition"):
            space = self._space()
        with placed("evaluation.suite", "evaluation.opponents"):
            suite = self._suite()
        with placed("evaluation.pilot", "evaluation.profile"):
            evaluator = HearthstoneEvaluator(
                space, pilot=evaluation.pilot, suite=suite, profile=evaluation.profile, games=evaluation.games
            )
        return self._trial(space, evaluator, edition_hash(space.edition))

    def words_of(self, solution: Solution) -> str:
        """The deck code."""
        return self._space().code(solution)

    def in_words(self) -> str:
        """The class and its cards, the pilot and whom the decks meet."""
        solution, evaluation = self.solution, self.evaluation
        return (
            f"{solution.hero_class.title()} decks of Hearthstone (pool {solution.pool}, edition {solution.edition}), "
            f"played by {evaluation.pilot} against the suite {evaluation.suite} (profile {evaluation.profile})"
        )

    def deck_list(self, solution: Solution) -> tuple[DeckLine, ...]:
        """The cards of the deck."""
        space = self._space()
        cards = deck_cards(space.deck(solution), space.edition.by_id)
        lines = (DeckLine(count, card.name, card.cost, card.type.name) for card, count in cards)
        return tuple(sorted(lines, key=lambda line: (line.cost, line.name)))

    def _space(self) -> HearthstoneDecks:
        return _space(self.solution.hero_class, self.solution.edition, self.solution.pool)

    def _suite(self) -> Suite:
        evaluation = self.evaluation
        if not evaluation.opponents:
            return suite_of(evaluation.suite, self.solution.edition)
        opponents = (
            opponent_of(table, number, self.solution.edition) for number, table in enumerate(evaluation.opponents)
        )
        return Suite(evaluation.suite, tuple(opponents))


@lru_cache(maxsize=16)
def _space(hero_class: str, edition: str, pool: str) -> HearthstoneDecks:
    return HearthstoneDecks(hero_class, edition=edition, pool_name=pool)
