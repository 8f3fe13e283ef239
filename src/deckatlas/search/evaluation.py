"""What a map is made of, in the words of pyribs: solutions, an objective, measures, an archive; ask and tell.

A *space* draws and varies solutions, which are arrays of numbers. An *evaluator* plays a solution and gives its
*outcome*: an average, its standard error and its weight for each of the evaluator's columns. The *objective* and the
*measures* of a map are columns, of an evaluation or of the solution itself, by name. Nothing here knows a game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from deckatlas.stats.averages import Sample

Solution = npt.NDArray[Any]  # of the space's length and type of number
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Stop = Callable[[], bool]


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
        """What is known of a solution without a game, by name."""
        ...

    def random(self, rng: np.random.Generator) -> Solution:
        """A solution drawn at random."""
        ...

    def mutate(self, solution: Solution, rng: np.random.Generator) -> Solution:
        """A variation of a solution; the given one stays as it is."""
        ...

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """The columns of solutions: a row a solution."""
        ...


@dataclass(frozen=True)
class Outcome:
    """What evaluations of one solution gave: an entry for each of the evaluator's columns.

    Attributes:
        games: How many games it rests on.
        value: The averages.
        error: Their standard errors; not a number where there are too few games to tell.
        weight: What each was averaged over: games, or turns.
    """

    games: int
    value: Floats
    error: Floats
    weight: Floats

    @classmethod
    def merged(cls, outcomes: Sequence[Self]) -> Self:
        """The outcome of several evaluations, over different games, together."""
        weight = np.array([each.weight for each in outcomes])
        total = weight.sum(axis=0)
        share = weight / np.where(total > 0, total, 1)
        return cls(
            games=sum(each.games for each in outcomes),
            value=(share * [each.value for each in outcomes]).sum(axis=0),
            error=np.sqrt(((share * [each.error for each in outcomes]) ** 2).sum(axis=0)),
            weight=total,
        )


class Evaluator(Protocol):
    """Who rates solutions. Calls from several threads at once are allowed."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of what it measures."""
        ...

    def evaluate(self, solution: Solution, *, seed: int, first_game: int, games: int, stop: Stop) -> Outcome:
        """Plays games `first_game` and on of a seed's; the same every time.

        Raises:
            Stopped: If `stop` says, while games are played, that nobody waits for the outcome any more.
        """
        ...

    def sample(self, *, first_game: int, games: int) -> Sample:
        """What the averages of such an evaluation rest on, whatever the seed."""
        ...


class Stopped(Exception):  # noqa: N818 - not an error
    """An evaluation was given up, since it was told to stop."""
