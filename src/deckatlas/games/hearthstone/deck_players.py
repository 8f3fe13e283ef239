"""Decks of Hearthstone that meet each other, as players of a comparison: stored and resumed like a run."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np
from pydantic import Field

from deckatlas.games.hearthstone.cards.editions import Edition, edition_with
from deckatlas.games.hearthstone.matchups import HearthstoneMatchups
from deckatlas.games.hearthstone.run_base import edition_hash
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.games.hearthstone.suites import opponent_of
from deckatlas.runs.config import ConfigTable
from deckatlas.runs.description import Description
from deckatlas.runs.encoding import GeneLayout

_ABSENT = ("patch", "files")  # left out of a stored configuration while they are empty


class DeckPlayers(ConfigTable):
    """Decks that meet, with their pilots: player k is participant -1 - k of a batch, which has no genes."""

    edition: str = Field(description="The edition of the cards.")
    patch: str = Field(default="", description="A patch on the edition, as TOML text.")
    profile: str = Field(description="The setup of games; the batch decides which player moves first.")
    players: tuple[OpponentTable, ...] = Field(min_length=2, description="Decks with their pilots.")
    files: dict[str, str] = Field(default={}, description="The files that pilots read, with hashes of their contents.")

    def to_json(self) -> dict[str, Any]:
        """Everything the games depend on beside the batch."""
        values = self.model_dump(mode="json")
        given = {key: value for key, value in values.items() if value or key not in _ABSENT}
        return {"space": {"kind": "hearthstone-deck"}, "evaluation": given}

    @classmethod
    def from_json(cls, config: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        return cls.model_validate(config["evaluation"])

    @cached_property
    def cards_in_play(self) -> Edition:
        """The edition with the patch."""
        return edition_with(self.edition, self.patch)

    @property
    def cards(self) -> str:
        """A hash of the cards."""
        return edition_hash(self.cards_in_play)

    def evaluator(self) -> HearthstoneMatchups:
        """The evaluator that plays the games."""
        cards = self.cards_in_play
        players = [opponent_of(table, number, cards) for number, table in enumerate(self.players)]
        return HearthstoneMatchups(players, profile=self.profile, edition=cards)

    def describe(self) -> Description:
        """The description in a store; the decks themselves are in the configuration."""
        layout = GeneLayout(0, np.dtype(np.float64))
        return Description("decks of Hearthstone that meet each other", "hearthstone-deck", (), layout)
