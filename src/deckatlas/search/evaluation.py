"""Evaluations: what is searched (a space), what rates it (an evaluator), and what an evaluation gives (outcomes).

The words are those of pyribs: solutions, an objective, measures, an archive. A *space* draws and varies solutions,
which are arrays of numbers. An *evaluator* takes a batch of evaluations and returns a total, a weight and a standard
error for each of its columns, and the outcome and margin of each game. Nothing here depends on a game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from deckatlas.play.runner import Progress
from deckatlas.search.batches import Batch
from deckatlas.stats.averages import Sample

Solution = npt.NDArray[Any]  # of the space's length and type of number
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Outcomes of single games, from the first participant's view.
LOST, WON, NOBODY, VOID = range(4)
MOST_MARGIN = 127


class Space(Protocol):
    """What is searched."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of a solution's numbers."""
        ...

    @property
    def length(self) -> int:
        """How many numbers a solution has."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that are known without playing."""
        ...

    def random(self, rng: np.random.Generator) -> Solution:
        """A solution drawn at random."""
        ...

    def mutate(self, solution: Solution, rng: np.random.Generator) -> Solution:
        """A variation of a solution; the given one does not change."""
        ...

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """The columns of solutions: one row per solution."""
        ...


@dataclass(frozen=True)
class Column:
    """What an evaluator measures.

    Attributes:
        name: Its name.
        unit: Its unit, for people.
        storage: How its total is stored: a whole number of 4 or 8 bytes, or a float if totals are not whole numbers.
        over: What the total is divided by: `games`, another count such as `turns`, or nothing for a plain number.
        of: Another column that this one is a multiple of; such a column is not stored.
        scale: The multiple.
    """

    name: str
    unit: str = ""
    storage: Literal["i4", "i8", "f8"] = "i4"
    over: str = "games"
    of: str = ""
    scale: float = 1.0


def measured(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns that evaluations measure; the others are multiples of these."""
    return tuple(column for column in columns if not column.of)


@dataclass(frozen=True)
class Outcomes:
    """The results of a batch: one row per evaluation, one column per measured column.

    Attributes:
        games: The number of games of each evaluation.
        total: Sums over games or turns; NaN where nothing is known.
        weight: What each sum is divided by to give the average.
        error: Standard errors of the averages; NaN where there are too few games.
        outcome: The outcome of each game, all evaluations one after the other: LOST, WON, NOBODY or VOID. Empty if the
            evaluator has no games.
        margin: By how much each game was won, clamped to -127 ... 127; as long as `outcome`.
        cards: For each evaluation, the answer to a question about cards, if one was asked: see `card_questions`.
    """

    games: Ints
    total: Floats
    weight: Floats
    error: Floats
    outcome: npt.NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))
    margin: npt.NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    cards: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.games)

    @cached_property
    def all_games(self) -> int:
        """The number of games of all evaluations."""
        return int(self.games[0]) if len(self.games) == 1 else int(self.games.sum())

    @cached_property
    def value(self) -> Floats:
        """The averages."""
        with np.errstate(divide="ignore", invalid="ignore"):  # if all games are forfeited at once, there are no turns
            return self.total / self.weight

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The outcomes of parts of a batch, one after the other."""
        if len(parts) == 1:
            return parts[0]
        fields = ("games", "total", "weight", "error", "outcome", "margin")
        arrays: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in fields}
        return cls(**arrays, cards=tuple(text for part in parts for text in part.cards))


def merged(outcomes: Sequence[tuple[Floats, Floats, Floats]]) -> tuple[Floats, Floats, Floats]:
    """Total, weight and error of several evaluations of one solution over different games, combined."""
    total = np.sum([each[0] for each in outcomes], axis=0)
    weight = np.array([each[1] for each in outcomes])
    whole = weight.sum(axis=0)
    share = weight / np.where(whole > 0, whole, 1)
    error = np.sqrt(((share * [each[2] for each in outcomes]) ** 2).sum(axis=0))
    return total, whole, error


def clamped_margins(differences: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
    """Margins as the log stores them."""
    margins: npt.NDArray[np.int8] = np.clip(differences, -MOST_MARGIN, MOST_MARGIN).astype(np.int8)
    return margins


class Evaluator(Protocol):
    """Rates solutions. Several threads may call it at once."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What it measures."""
        ...

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """Makes all evaluations of a batch; the result is the same every time, on any number of threads.

        Args:
            batch: What to evaluate.
            threads: How many threads play.
            progress: Called about ten times a second with the number of games done; an exception in it ends the call.
        """
        ...

    def sample(self, *, first_game: int, games: int) -> Sample:
        """The number of independent units behind the averages of such an evaluation; the seed does not matter."""
        ...


@runtime_checkable
class PartlyKnown(Protocol):
    """An evaluator that knows some outcomes without playing."""

    def unknown(self, batch: Batch) -> Batch | None:
        """The evaluations that have to be made; None if all outcomes are known."""
        ...

    def completed(self, batch: Batch, played: Outcomes | None) -> Outcomes:
        """All outcomes of a batch, from those of its unknown evaluations."""
        ...
