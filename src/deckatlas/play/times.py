"""Times of turns. They are separate from the columns of a match, since they differ between runs."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

TIMED_GAMES = 2000  # the first games of a match: enough for a mean, and cheap even if turns are very short


def room_for_times(games: int) -> npt.NDArray[np.float64]:
    """The array that runners write to: one row per game; for each entrant seconds, slowest turn and number of turns."""
    return np.zeros((games, 2, 3))


@dataclass(frozen=True)
class TurnTimes:
    """The times of both entrants' battle turns: one row per game, one entry per entrant.

    Agents inside this process are measured in CPU time of their thread, external programs in wall-clock time of their
    answers. The draft is not included.

    Attributes:
        seconds: All turns of a game together.
        slowest: The slowest turn of a game, in seconds.
        turns: The number of turns of a game.
    """

    seconds: npt.NDArray[np.float64]
    slowest: npt.NDArray[np.float64]
    turns: npt.NDArray[np.float64]

    @staticmethod
    def of(rows: npt.NDArray[np.float64]) -> "TurnTimes":
        """Makes the times from the array of `room_for_times`."""
        return TurnTimes(rows[:, :, 0], rows[:, :, 1], rows[:, :, 2])

    def total(self, entrant: int) -> tuple[float, float]:
        """Seconds and turns of entrant 0 or 1 in all games."""
        return float(self.seconds[:, entrant].sum()), float(self.turns[:, entrant].sum())

    def ms_per_turn(self, entrant: int) -> float | None:
        """Mean milliseconds per turn of entrant 0 or 1; None if it had no turns."""
        return ms_per_turn(*self.total(entrant))

    def slowest_ms(self, entrant: int) -> float | None:
        """Milliseconds of the slowest turn of entrant 0 or 1; None if it had no turns."""
        return 1000 * float(self.slowest[:, entrant].max()) if self.turns[:, entrant].any() else None


def ms_per_turn(seconds: float, turns: float) -> float | None:
    """Mean milliseconds per turn; None without turns."""
    return 1000 * seconds / turns if turns else None
