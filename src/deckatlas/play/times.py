"""What turns took. Times are kept apart from the columns of a match, since no two runs agree on them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

TIMED_GAMES = 2000  # of a match, from its first on: enough for a mean, and cheap also where a turn takes no time


def room_for_times(games: int) -> npt.NDArray[np.float64]:
    """An array that runners write to: a row a game, for each entrant seconds, slowest turn and number of turns."""
    return np.zeros((games, 2, 3))


@dataclass(frozen=True)
class TurnTimes:
    """What the battle turns of both entrants took, with a row a game and an entry for each entrant.

    Agents inside this process are measured in CPU time of their thread, external programs by how long their answers
    took. The draft is not in it.

    Attributes:
        seconds: All turns of a game together.
        slowest: The slowest turn of a game, in seconds.
        turns: How many turns a game had.
    """

    seconds: npt.NDArray[np.float64]
    slowest: npt.NDArray[np.float64]
    turns: npt.NDArray[np.float64]

    @staticmethod
    def of(rows: npt.NDArray[np.float64]) -> "TurnTimes":
        """Reads what runners wrote to `room_for_times`."""
        return TurnTimes(rows[:, :, 0], rows[:, :, 1], rows[:, :, 2])

    def total(self, entrant: int) -> tuple[float, float]:
        """Seconds and turns of entrant 0 or 1 in all games."""
        return float(self.seconds[:, entrant].sum()), float(self.turns[:, entrant].sum())

    def ms_per_turn(self, entrant: int) -> float | None:
        """Mean milliseconds of a turn of entrant 0 or 1; None if it had none."""
        return ms_per_turn(*self.total(entrant))

    def slowest_ms(self, entrant: int) -> float | None:
        """Milliseconds of the slowest turn of entrant 0 or 1; None if it had none."""
        return 1000 * float(self.slowest[:, entrant].max()) if self.turns[:, entrant].any() else None


def ms_per_turn(seconds: float, turns: float) -> float | None:
    """Mean milliseconds of a turn; None without turns."""
    return 1000 * seconds / turns if turns else None
