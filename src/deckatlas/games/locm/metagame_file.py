"""The pydantic model of a metagame file of Legends of Code and Magic."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from deckatlas.games.locm.editions import DEFAULT

PILOT = "planner"


class MetagameEntrantTable(BaseModel):
    """One draft policy."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    draft: str = Field(description="A draft policy, such as icebox or genome:file=mine.json.")
    name: str = Field(default="", description="Its name here; by default the policy, and the pilot if it has its own.")
    pilot: str = Field(default="", description="The battle agent that plays its decks; by default the metagame's.")
    share: float = Field(default=1.0, ge=0, description="Its share of today's games, up to a common factor.")


class MetagameFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: Literal["locm"]
    edition: str = Field(default=DEFAULT, description="The edition of the cards: 1.2, or a TOML file with a patch.")
    patch: str = Field(default="", description="A patch on the edition, as TOML text.")
    format: Literal["referee", "distinct"] = Field(default="referee", description="How drafts offer cards.")
    pilot: str = Field(default=PILOT, description="The battle agent that plays all decks without one of their own.")
    entrant: list[MetagameEntrantTable] = Field(min_length=1, max_length=1000, description="The draft policies.")
