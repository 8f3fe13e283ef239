"""The configuration of a run over pilots: it searches a planner's rating of positions for one deck."""

from functools import cached_property
from typing import ClassVar, Literal

from pydantic import Field

from deckatlas.errors import SearchError
from deckatlas.games.hearthstone.cards.deck_codes import code_or_text
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.evaluator import PilotEvaluator
from deckatlas.games.hearthstone.pilot_space import LARGEST, PilotWeights, pilot_file
from deckatlas.games.hearthstone.run_base import EditionTable, HearthstoneRun, SuiteGamesTable
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.runs.config import placed
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.encoding import GeneLayout
from deckatlas.search.evaluation import Evaluator, Solution


class HearthstonePilotTable(EditionTable):
    """Pilots that play one deck."""

    kind: Literal["hearthstone-pilot"]
    deck: str = Field(description="The deck that the pilots play: a name, a deck code, or the ids of its cards.")
    hidden: tuple[int, ...] = Field(
        default=(5, 4),
        description="The neurons of each hidden layer of the network that rates positions; none for a weighted sum.",
    )
    spread: float = Field(default=1.0, gt=0, le=LARGEST, description="Random weights are between minus this and this.")
    noise: float = Field(
        default=0.05, gt=0, le=LARGEST, description="The standard deviation of the noise that a mutation adds."
    )

    @cached_property
    def list(self) -> Deck:
        """The deck."""
        with placed("space.deck"):
            return deck_of(self.deck, self.cards)


class HearthstonePilotRun(HearthstoneRun):
    """A run over pilots."""

    title: ClassVar[str] = "pilots of Hearthstone"
    has_policies: ClassVar[bool] = True

    space: HearthstonePilotTable
    evaluation: SuiteGamesTable

    def make_space(self) -> PilotWeights:
        """The weights."""
        table = self.space
        with placed("space.hidden"):
            return PilotWeights(table.hidden, spread=table.spread, noise=table.noise)

    def make_evaluator(self, space: PilotWeights) -> PilotEvaluator:
        """Games of the deck against the suite; see the base class."""
        if self.search.asks == "matchups":
            raise SearchError(
                f"{self.search.algorithm} lets solutions play against each other, but pilots cannot", "algorithm"
            )
        suite, evaluation = self.suite(), self.evaluation
        with placed("evaluation.profile", "space.deck"):
            return PilotEvaluator(
                space,
                deck=self.space.list,
                edition=self.space.cards,
                suite=suite,
                profile=evaluation.profile,
                games=evaluation.games,
            )

    def describe(self, space: PilotWeights, evaluator: Evaluator) -> Description:
        """The weights by name; see the base class."""
        deck = self.space.list
        form = f"networks {'-'.join(map(str, space.layers))}" if space.layers else "weighted sums of features"
        title = (
            f"{self.title} ({form}, edition {self.space.cards.name}) with the {deck.hero_class.title()} deck "
            f"{code_or_text(deck, self.space.cards.by_id)} against the suite {self.evaluation.suite} "
            f"(profile {self.evaluation.profile})"
        )
        genes = tuple(Gene(name, name) for name in space.names)
        layout = GeneLayout(space.length, space.dtype, 0)
        return Description(title, self.space.kind, genes, layout, facts={"layers": list(space.layers)})

    @classmethod
    def code_of(cls, description: Description, solution: Solution) -> str:
        """The text of a file for `planner:net=` or `planner:weights=`."""
        return pilot_file(description.facts["layers"], solution)
