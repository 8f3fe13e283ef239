"""Draft policies with battle agents that meet each other, as players of a comparison: stored and resumed like a run."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np
from pydantic import Field

from deckatlas.games.locm.editions import Edition, edition_from_text, official
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDecks
from deckatlas.runs.config import ConfigTable
from deckatlas.runs.description import Description
from deckatlas.runs.encoding import GeneLayout

_ABSENT = ("patch", "files")  # left out of a stored configuration while they are empty


class PolicyPlayers(ConfigTable):
    """Entrants that meet: player k is participant -1 - k of a batch, which has no genes."""

    patch: str = Field(default="", description="A patch on the official cards, as TOML text.")
    format: str = Field(description="How drafts offer cards.")
    players: tuple[str, ...] = Field(min_length=2, description="Entrants, written DRAFT/BATTLE.")
    files: dict[str, str] = Field(default={}, description="The files that agents read, with hashes of their contents.")

    def to_json(self) -> dict[str, Any]:
        """Everything the games depend on beside the batch."""
        values = self.model_dump(mode="json")
        given = {key: value for key, value in values.items() if value or key not in _ABSENT}
        return {"space": {"kind": "locm-draft"}, "evaluation": given}

    @classmethod
    def from_json(cls, config: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        return cls.model_validate(config["evaluation"])

    @cached_property
    def edition(self) -> Edition:
        """The edition of the cards."""
        return edition_from_text(self.patch) if self.patch else official()

    @property
    def cards(self) -> str:
        """A hash of the cards."""
        return self.edition.hash

    def evaluator(self) -> LocmMatchups:
        """The evaluator that plays the games; no solution is searched, so any space will do."""
        return LocmMatchups(LocmDecks(), opponents=self.players, format=self.format, edition=self.edition)

    def describe(self) -> Description:
        """The description in a store; the entrants themselves are in the configuration."""
        layout = GeneLayout(0, np.dtype(np.float64))
        return Description("draft policies that meet each other", "locm-draft", (), layout)
