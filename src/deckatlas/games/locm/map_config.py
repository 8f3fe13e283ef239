"""The configuration of a map of Legends of Code and Magic: of decks, or of draft policies."""

from typing import Annotated, Literal

from pydantic import Field

from deckatlas.games.locm.agents import BATTLE_AGENTS
from deckatlas.games.locm.cards import cards
from deckatlas.games.locm.entrants import entrant_files
from deckatlas.games.locm.evaluator import (
    DRAFTS,
    MOST_COPIES,
    MUTATION,
    LocmDecks,
    LocmDrafts,
    LocmEvaluator,
    MakesPolicies,
)
from deckatlas.games.locm.genomes import policy_text
from deckatlas.play.spec import files_in
from deckatlas.runs.config import AttributePattern, Attributes, Priorities, Table
from deckatlas.runs.hashes import locm_cards_hash
from deckatlas.runs.map_config import DeckLine, EvaluationTable, MapConfig, Trial, placed
from deckatlas.search.archive_statistics import health_scoring
from deckatlas.search.evaluation import Solution

_SCORINGS = {"avg_health_diff": health_scoring()}


class LocmEvaluationTable(EvaluationTable):
    """How decks and draft policies are rated."""

    pilot: str = Field(default="greedy", description="The battle agent that plays the decks.")
    opponents: tuple[str, ...] = Field(
        default=("icebox/greedy",), min_length=1, description="Whom they meet, as on the command line."
    )
    format: Literal["referee", "distinct"] = Field(default="referee", description="How drafts offer cards.")

    def in_words(self) -> str:
        """Who plays the decks against whom."""
        return f"played by {self.pilot} against {', '.join(self.opponents)} (format {self.format})"

    def agent_files(self) -> list[str]:
        """The paths of the files that agents are made of.

        Raises:
            AgentError: If an agent cannot be read.
        """
        of_opponents = [path for opponent in self.opponents for path in entrant_files(opponent)]
        return [*files_in(self.pilot, BATTLE_AGENTS), *of_opponents]

    def evaluator(self, space: MakesPolicies) -> LocmEvaluator:
        """Who rates solutions of a space.

        Raises:
            SearchError: If an agent is unknown, or an opponent does not live in the core.
        """
        with placed("evaluation.pilot", "evaluation.opponents"):
            return LocmEvaluator(space, pilot=self.pilot, opponents=self.opponents, format=self.format)


class LocmDeckTable(Table):
    """Decks of any cards."""

    kind: Literal["locm-deck"]
    most_copies: int = Field(default=MOST_COPIES, ge=1, le=30, description="Copies of a card that a deck may have.")


class LocmDeckMap(MapConfig):
    """A map of decks."""

    solution: LocmDeckTable
    evaluation: LocmEvaluationTable = LocmEvaluationTable()

    def agent_files(self) -> list[str]:
        """Of the pilot and the opponents; see the base class."""
        return self.evaluation.agent_files()

    def trial(self) -> Trial:
        """The map, made ready; see the base class."""
        space = LocmDecks(most_copies=self.solution.most_copies)
        return self._trial(space, self.evaluation.evaluator(space), locm_cards_hash(), _SCORINGS)

    def words_of(self, solution: Solution) -> str:
        """The ids of the cards."""
        return " ".join(map(str, LocmDecks(most_copies=self.solution.most_copies).cards(solution)))

    def in_words(self) -> str:
        """The pilot and whom the decks meet."""
        return f"decks of Legends of Code and Magic, {self.evaluation.in_words()}"

    def deck_list(self, solution: Solution) -> tuple[DeckLine, ...]:
        """The cards of the deck."""
        lines = (
            DeckLine(int(copies), card.name, card.cost, card.type)
            for card, copies in zip(cards(), solution, strict=True)
            if copies
        )
        return tuple(sorted(lines, key=lambda line: (line.cost, line.name)))


class LocmDraftTable(Table):
    """Draft policies."""

    kind: Literal["locm-draft"]
    genome: Annotated[Priorities | Attributes | AttributePattern, Field(discriminator="kind")] = Priorities()
    drafts: int = Field(default=DRAFTS, ge=1, le=100_000, description="Drafts that a policy is known by.")
    mutation: float = Field(default=MUTATION, ge=0, le=1, description="The chance of a gene to be drawn anew.")


class LocmDraftMap(MapConfig):
    """A map of draft policies, by the decks they draft."""

    solution: LocmDraftTable
    evaluation: LocmEvaluationTable = LocmEvaluationTable()

    def agent_files(self) -> list[str]:
        """Of the pilot and the opponents; see the base class."""
        return self.evaluation.agent_files()

    def trial(self) -> Trial:
        """The map, made ready; see the base class."""
        evaluation = self.evaluation
        space = LocmDrafts(
            self.solution.genome.space(),
            format=evaluation.format,
            drafts=self.solution.drafts,
            mutation=self.solution.mutation,
        )
        return self._trial(space, evaluation.evaluator(space), locm_cards_hash(), _SCORINGS)

    def words_of(self, solution: Solution) -> str:
        """What a policy file holds; all digits of the genes, so that it drafts as it did."""
        return policy_text(self.solution.genome.kind, solution).strip()

    def in_words(self) -> str:
        """The pilot and whom the policies meet."""
        return (
            f"draft policies ({self.solution.genome.kind}) of Legends of Code and Magic, {self.evaluation.in_words()}"
        )

    def deck_list(self, solution: Solution) -> tuple[DeckLine, ...]:
        """Nothing: each draft gives another deck."""
        return ()
