"""The configuration of a run over decks of a game written in Python; the kind of its space is `NAME-deck`."""

from typing import Any, ClassVar

from pydantic import Field

from deckatlas.errors import SearchError
from deckatlas.games import find
from deckatlas.games.python_evaluator import PythonEvaluator
from deckatlas.games.python_game import PythonGame
from deckatlas.runs.config import EvaluationTable, RunConfig, SpaceTable, placed
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.encoding import GeneLayout
from deckatlas.runs.hashes import canonical_json, text_hash
from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.evaluation import Evaluator, Solution

KIND_SUFFIX = "-deck"


class PythonDeckTable(SpaceTable):
    """All legal decks of the game."""

    kind: str = Field(description="The game's name and `-deck`.")


class PythonEvaluationTable(EvaluationTable):
    """How decks are rated."""

    pilot: str = Field(description="The pilot that plays the decks.")
    opponents: tuple[str, ...] = Field(min_length=1, description="The opponents, each as DECK/PILOT.")


class PythonDeckRun(RunConfig):
    """A run over the decks of a game written in Python."""

    title: ClassVar[str] = "decks of a game in Python"
    default_objective: ClassVar[str] = "win_rate"

    space: PythonDeckTable
    evaluation: PythonEvaluationTable

    @property
    def game(self) -> PythonGame[Any, Any]:
        """The game that the kind of the space names.

        Raises:
            GameError: If the game is unknown.
        """
        game = find(self.space.kind.removesuffix(KIND_SUFFIX))
        assert isinstance(game, PythonGame)
        return game

    def make_space(self) -> DeckSpace[str]:
        """All legal decks."""
        return self.game.deck_space()

    def make_evaluator(self, space: DeckSpace[str]) -> PythonEvaluator:
        """Games against the opponents; see the base class."""
        if self.search.asks == "matchups":
            raise SearchError(
                f"{self.search.algorithm} searches genomes of numbers, but the space has decks", "algorithm"
            )
        with placed("evaluation.pilot"):
            self.game.pilot(self.evaluation.pilot)
        with placed("evaluation.opponents"):
            return self.game.evaluator(self.evaluation.opponents, self.evaluation.pilot)

    def cards_hash(self) -> str:
        """A hash of the cards' ids and numbers, of the rules of decks and of the game's version."""
        game = self.game
        numbers = {
            name: [int(number(card)) for card in game.cards().values()] for name, number in game.card_numbers().items()
        }
        rules = [list(game.cards()), numbers, game.deck_size, game.most_copies, game.version]
        return text_hash(canonical_json(rules)).hex()

    def agent_files(self) -> list[str]:
        """The files in the options of pilots; see the base class."""
        pilots = (self.evaluation.pilot, *(each.rpartition("/")[2] for each in self.evaluation.opponents))
        return [path for pilot in pilots for path in self.game.pilot_files(pilot)]

    def describe(self, space: DeckSpace[str], evaluator: Evaluator) -> Description:
        """The cards with their numbers; see the base class."""
        game = self.game
        numbers = game.card_numbers()
        genes = tuple(
            Gene(
                name,
                name,
                {"cost": 0, **{key: int(number(card)) for key, number in numbers.items()}, "most": int(most)},
            )
            for (name, card), most in zip(game.cards().items(), space.most_copies, strict=True)
        )
        title = (
            f"decks of {game.title}, played by {self.evaluation.pilot} against {', '.join(self.evaluation.opponents)}"
        )
        layout = GeneLayout(space.length, space.dtype, game.deck_size)
        return Description(title, self.space.kind, genes, layout, space.columns)

    @classmethod
    def code_of(cls, description: Description, solution: Solution) -> str:
        """The deck as a text that the game can read."""
        held = zip(solution.tolist(), description.genes, strict=True)
        return ", ".join(f"{copies} {gene.id}" for copies, gene in held if copies)
