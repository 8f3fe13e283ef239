"""Games of a report among decks of Hearthstone, carried out and stored like a run."""

from typing import Any

import numpy as np
from pydantic import Field

from deckatlas.games.hearthstone.matchups import HearthstoneMatchups
from deckatlas.games.hearthstone.run_base import edition_hash
from deckatlas.games.hearthstone.setup import edition_of
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.games.hearthstone.suites import opponent_of
from deckatlas.runs.config import ConfigTable
from deckatlas.runs.description import Description
from deckatlas.runs.encoding import GeneLayout


class DeckPlayers(ConfigTable):
    """Decks that meet, with their pilots: player k is participant -1 - k of a batch, which has no genes."""

    edition: str = Field(description="The edition of the cards.")
    profile: str = Field(description="The setup of games; the batch decides which player moves first.")
    players: tuple[OpponentTable, ...] = Field(min_length=2, description="Decks with their pilots.")

    def to_json(self) -> dict[str, Any]:
        """Everything the games depend on beside the batch."""
        return {"space": {"kind": "hearthstone-deck"}, "evaluation": self.model_dump(mode="json")}

    @property
    def cards(self) -> str:
        """A hash of the cards."""
        return edition_hash(edition_of(self.edition))

    def evaluator(self) -> HearthstoneMatchups:
        """The evaluator that plays the games."""
        players = [opponent_of(table, number, self.edition) for number, table in enumerate(self.players)]
        return HearthstoneMatchups(players, profile=self.profile, edition=self.edition)

    def describe(self) -> Description:
        """The description in a store; the decks themselves are in the configuration."""
        layout = GeneLayout(0, np.dtype(np.float64))
        return Description("decks of Hearthstone that meet each other", "hearthstone-deck", (), layout)
