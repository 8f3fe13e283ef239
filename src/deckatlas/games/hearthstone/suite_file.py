"""The pydantic model of a suite file."""

from pydantic import BaseModel, ConfigDict, Field


class OpponentTable(BaseModel):
    """One opponent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deck: str = Field(description="A deck's name, code or text.")
    pilot: str = Field(description="The agent that plays it.")
    portion: int = Field(default=1, ge=1, le=1000, description="Games in a row, when all opponents take turns.")


class SuiteFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    opponent: list[OpponentTable] = Field(min_length=1, max_length=1000, description="The opponents.")
