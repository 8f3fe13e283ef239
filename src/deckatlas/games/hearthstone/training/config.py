"""The configuration of a training: a TOML file with its rounds, games, decks, model and steps."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from deckatlas.games.hearthstone.cards.editions import DEFAULT
from deckatlas.games.hearthstone.position_network import WIDTHS

WEIGHTS = "{weights}"  # in a pilot's text, the place of the file of weights
SHIPPED = "default"  # stands for the weights that come with the package

Share = Annotated[float, Field(ge=0, le=1)]


class Table(BaseModel):
    """A table of the configuration: frozen, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class GamesTable(Table):
    """The games of a round."""

    games: int = Field(default=100_000, ge=20, le=100_000_000, description="Games per round.")
    part: int = Field(
        default=10_000, ge=20, le=1_000_000, description="Games per stored part; a stop repeats one part."
    )
    share: Share = Field(default=0.25, description="The share of positions that are recorded.")
    explorer: str = Field(default="random", description="The agent that plays explored turns.")
    explored: Share = Field(default=0.02, description="The chance that a turn is explored.")
    first_pilot: str = Field(
        default="search",
        description=f"The pilot of the first round; {WEIGHTS} stands for the weights that the model starts with.",
    )
    pilot: str | None = Field(
        default=None,
        description=f"The pilot of later rounds and of strength; {WEIGHTS} stands for the last round's weights file.",
    )
    mulligan: Literal["own", "cheap", "inverted", "all"] = Field(
        default="own", description="Which opening cards are kept; the pilot's own choice by default."
    )


class DecksTable(Table):
    """The decks of games: how often each kind is drawn. The numbers are weights, and need not add up to 1."""

    library: float = Field(default=0.35, ge=0, description="Named decks, as they are.")
    mutated: float = Field(
        default=0.45,
        ge=0,
        description="Named decks, or as often as `further` says those of `files`, with some cards exchanged.",
    )
    transplanted: float = Field(
        default=0.0,
        ge=0,
        description="Named decks moved to another class: its cards replace all but the pool's neutral ones.",
    )
    random: float = Field(default=0.2, ge=0, description="Random legal decks of any class.")
    further: float = Field(default=0.2, ge=0, description="Decks of `files`, as they are, if there are any.")
    most_swaps: int = Field(default=10, ge=1, le=30, description="The most cards that are exchanged in a mutated deck.")
    files: tuple[str, ...] = Field(
        default=(),
        description="Files of further decks, such as elites of maps; the network does not remember them.",
    )
    featured: tuple[str, ...] = Field(default=(), description="Cards, by name or id, that mutated decks often have.")
    featured_share: Share = Field(
        default=0.5, description="The share of mutated decks that get copies of featured cards, if there are any."
    )
    left_out: tuple[str, ...] = Field(default=(), description="Names of decks that the training must not see.")
    games_per_deck: int = Field(default=5, ge=1, description="How often a drawn deck plays in a part, on average.")

    @model_validator(mode="after")
    def _something(self) -> Self:
        further = self.further if self.files else 0
        if not self.library + self.mutated + self.transplanted + self.random + further > 0:
            raise ValueError(
                "one of library, mutated, transplanted and random must be above 0, or further if there are files"
            )
        return self


class ModelTable(Table):
    """The size of the model, and what it starts with."""

    hidden: int = Field(default=64, description="Numbers in the row of a feature.")
    start: str | None = Field(
        default=None,
        description=f"The file of weights that training starts with, or {SHIPPED} for those of the package.",
    )

    @field_validator("hidden")
    @classmethod
    def _a_width(cls, hidden: int) -> int:
        if hidden not in WIDTHS:
            raise ValueError(f"must be one of {', '.join(map(str, WIDTHS))}")
        return hidden


class StepsTable(Table):
    """How the model is trained in each round."""

    epochs: int = Field(default=3, ge=1, le=1000, description="How often all positions are seen in a round.")
    batch: int = Field(default=2048, ge=1, le=1_000_000, description="Positions per step.")
    rate: float = Field(default=0.001, gt=0, le=1, description="The rate of learning at the start of a round.")
    final_rate: float = Field(default=0.00005, ge=0, le=1, description="The rate at the end of a round.")
    weight_decay: float = Field(default=0.5, ge=0, le=1, description="The decay of what features do not share.")
    rounds_kept: int = Field(default=2, ge=1, le=100, description="Train on the positions of so many last rounds.")
    outcome_share: Share = Field(
        default=1.0,
        description="The λ of λ-returns: below 1, targets are outcomes mixed with chances of later positions.",
    )
    held_out: int = Field(default=20, ge=2, le=1000, description="One game in so many is held out for measuring.")


class StrengthTable(Table):
    """The match after each round: the pilot with the new weights against another, the same deck on both sides."""

    opponent: str = Field(default="search", description="The pilot that the new one meets.")
    games: int = Field(default=200, ge=2, le=10_000_000, description="Games with each deck, in pairs.")
    decks: tuple[str, ...] = Field(
        default=(), description="Names of the decks; by default the fifteen of the field, if none are drawn."
    )
    drawn: int = Field(default=0, ge=0, le=10_000, description="Decks that are drawn like those of the games.")


class TrainingConfig(Table):
    """Everything that the weights of a training depend on."""

    game: Literal["hearthstone"] = Field(description="The game.")
    seed: int = Field(default=1, ge=0, le=2**63 - 1, description="The seed of everything random.")
    rounds: int = Field(default=1, ge=1, le=1000, description="How often to play and learn.")
    editions: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        default=(DEFAULT,),
        description="Editions that games are played with, in turn: names, or TOML files with patches.",
    )
    games: GamesTable = GamesTable()
    decks: DecksTable = DecksTable()
    model: ModelTable = ModelTable()
    steps: StepsTable = StepsTable()
    strength: StrengthTable = StrengthTable()

    @model_validator(mode="after")
    def _playable(self) -> Self:
        if self.rounds > 1 and self.games.pilot is None:
            raise ValueError(f"games.pilot must name the pilot of later rounds, such as expert:net={WEIGHTS}")
        if self.games.pilot is not None and WEIGHTS not in self.games.pilot:
            raise ValueError(f"games.pilot must have {WEIGHTS} in it, such as expert:net={WEIGHTS}")
        if WEIGHTS in self.games.first_pilot and self.model.start is None:
            raise ValueError(f"games.first_pilot has {WEIGHTS}, so model.start must name the weights to start with")
        if self.games.part > self.games.games:
            raise ValueError("games.part must not be above games.games")
        return self
