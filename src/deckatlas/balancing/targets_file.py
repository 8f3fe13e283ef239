"""The pydantic model of a file of targets: what may change, what is wanted, and how much is played."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from deckatlas.balancing.plan import effort_of
from deckatlas.balancing.subject import Effort
from deckatlas.runs.config import ConfigTable, file_name

BUDGET = 40_000

_EFFORT = "normal"  # of each confirmation, unless a size is given


class TargetTable(ConfigTable):
    """A number in a wanted range."""

    intent: str = Field(description='The number and its range, such as "hunter win rate in 48..52".')
    weight: float = Field(default=1.0, gt=0, le=1000, description="How much a point outside of the range counts.")


class ConfirmTable(ConfigTable):
    """How the best patches are confirmed: decks are searched again under each. Sizes are those of `balance`."""

    patches: int = Field(
        default=3, ge=0, le=50, description="The patches of each round to confirm, the nearest to the targets."
    )
    rounds: int = Field(
        default=2, ge=1, le=10, description="How often patches are searched; from the second time on, found decks play."
    )
    games: int | None = Field(default=None, ge=1, description="The games of the known decks, of both editions.")
    trials: int | None = Field(default=None, ge=2, le=1000, description="How often decks are searched again.")
    evaluations: int | None = Field(default=None, ge=1, description="The decks that one search evaluates.")
    evaluation_games: int | None = Field(default=None, ge=1, description="The games of each of them.")
    resolution: int | None = Field(default=None, ge=1, le=100, description="The cells of a map along each measure.")
    mix_games: int | None = Field(default=None, ge=2, description="The games per pair of a trial's metagame.")

    def effort(self, efforts: Sequence[Effort]) -> Effort:
        """The sizes of each study.

        Args:
            efforts: Those that studies of the game can have.

        Raises:
            MatchError: If a number is impossible.
        """
        return effort_of(_EFFORT, efforts, **self.model_dump(exclude={"patches", "rounds"}))


class TargetsFile(ConfigTable):
    """The whole file; what the tables of `knobs` may have, the game says."""

    name: Annotated[str, AfterValidator(file_name)] = Field(description="The name of the patches.")
    game: str = Field(default="hearthstone", description="The game.")
    base: str | None = Field(default=None, description="The edition that is changed, or a TOML file with a patch.")
    meta: str | None = Field(default=None, description="The known decks: a metagame.")
    pilot: str | None = Field(default=None, description="The agent that plays them.")
    classes: list[str] | None = Field(default=None, min_length=1, description="The classes that are searched again.")
    search_pilots: list[str] | None = Field(
        default=None, min_length=1, description="The agents that play in these searches."
    )
    budget: int = Field(default=BUDGET, ge=1, le=10**9, description="The games of the search for patches.")
    knobs: dict[str, dict[str, Any]] = Field(min_length=1, description="The cards, and the values of their numbers.")
    target: list[TargetTable] = Field(min_length=1, max_length=50, description="What is wanted.")
    confirm: ConfirmTable = ConfirmTable()
