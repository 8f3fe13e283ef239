"""The pydantic model of a metagame file."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from deckatlas.games.hearthstone.agents import DEFAULT_PILOT
from deckatlas.games.hearthstone.cards.editions import DEFAULT


class MetagameDeckTable(BaseModel):
    """One deck."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deck: str = Field(description="A deck's name, code or text.")
    name: str = Field(default="", description="Its name here; by default that of the deck.")
    pilot: str = Field(default="", description="The agent that plays it; by default that of the metagame.")
    share: float = Field(default=1.0, ge=0, description="Its share of today's games, up to a common factor.")


class MetagameFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: Literal["hearthstone"] = "hearthstone"
    edition: str = Field(default=DEFAULT, description="The edition of the cards, or a TOML file with a patch.")
    patch: str = Field(default="", description="A patch on the edition, as TOML text.")
    pilot: str = Field(default=DEFAULT_PILOT, description="The agent that plays all decks that name no other.")
    deck: list[MetagameDeckTable] = Field(min_length=1, max_length=1000, description="The decks.")
