"""A match of any game: two entrants play many games, in pairs with the same seed and swapped seats.

Each game has a function `play` in its own folder, which makes a runner and passes it to `play_parts`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import MatchError
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.play.runner import Array, Columns, Progress, Runner
from deckatlas.play.sprt import GAMES_PER_LOOK, Sprt, SprtState, pair_counts
from deckatlas.play.times import TurnTimes, room_for_times
from deckatlas.shapes import nearest, show
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.rates import independent_rate, paired_rate

NOBODY = 2  # in the column `winner`, for games with draws


def shares(winner: Array) -> npt.NDArray[np.float64]:
    """Entrant 0's share of each game: 1, 0, or ½ if nobody won."""
    return np.where(winner == NOBODY, 0.5, winner == 0)


@dataclass(frozen=True)
class MatchResult:
    """The result of a match. Entrant 0 is `a`, entrant 1 is `b`; columns have one row per game.

    Columns of every game: `seed`, `first` (the entrant that moved first), `winner` (2 if nobody won), `turns`
    (half-turns) and `actions` (decisions). Games add more; those with an entry for each entrant are two wide.

    Attributes:
        a: Name of entrant 0.
        b: Name of entrant 1.
        columns: The columns.
        swapped_seats: Whether games come in pairs with the same seed.
        forfeits: Which entrant forfeited games, why, and how often.
        times: The times of turns in the timed games.
        sprt: The final state of the sequential test, if there was one.
    """

    a: str
    b: str
    columns: Mapping[str, Array]
    swapped_seats: bool
    forfeits: Mapping[str, int] = field(default_factory=dict)
    times: TurnTimes = field(default_factory=lambda: TurnTimes.of(room_for_times(0)))
    sprt: SprtState | None = None

    def __getitem__(self, column: str) -> Array:
        """A column by its name.

        Raises:
            MatchError: If there is no column of that name.
        """
        if not isinstance(column, str) or column not in self.columns:
            raise MatchError(f"there is no column {show(column)}: {nearest(column, self.columns)}")
        return self.columns[column]

    @property
    def headings(self) -> tuple[str, str]:
        """What texts call the entrants."""
        return self.a, self.b

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.columns["winner"])

    @property
    def wins(self) -> int:
        """The number of games that `a` won."""
        return int(np.sum(self.columns["winner"] == 0))

    @property
    def losses(self) -> int:
        """The number of games that `b` won."""
        return int(np.sum(self.columns["winner"] == 1))

    @property
    def pair_outcomes(self) -> npt.NDArray[np.float64]:
        """The share of each seed's games that `a` won: 0, ½ or 1 if seats were swapped and no game was a draw."""
        return self._by_seed(shares(self.columns["winner"]))

    def _by_seed(self, share: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        if not self.swapped_seats:
            return share
        pairs = share[: self.games // 2 * 2].reshape(-1, 2).mean(axis=1)
        return np.append(pairs, share[len(pairs) * 2 :])  # an odd last game is the only one of its seed

    @property
    def games_of_seeds(self) -> npt.NDArray[np.float64]:
        """The number of games behind each entry of `pair_outcomes`."""
        games = np.full(len(self.pair_outcomes), 2.0 if self.swapped_seats else 1.0)
        if self.swapped_seats and self.games % 2:
            games[-1] = 1.0
        return games

    def _rate(self, share: npt.NDArray[np.float64]) -> Estimate:
        wins = float(share.sum())
        if not self.swapped_seats:
            return independent_rate(wins, self.games)
        return paired_rate(self._by_seed(share), wins=wins, games=self.games)

    @property
    def rate(self) -> Estimate:
        """How often `a` won, with an interval from pairs if seats were swapped; a draw counts as half a win."""
        return self._rate(shares(self.columns["winner"]))

    def rate_in_seat(self, seat: int) -> Estimate | None:
        """How often `a` won moving first (seat 0) or second (seat 1); None if it never had that seat."""
        here = self.columns["first"] == seat
        if not here.any():
            return None
        return independent_rate(float(shares(self.columns["winner"][here]).sum()), int(np.sum(here)))

    @property
    def first_seat_outcomes(self) -> npt.NDArray[np.float64]:
        """The share of each seed's games that the first player won."""
        return self._by_seed(self._shares_of_first)

    @property
    def first_seat_rate(self) -> Estimate:
        """How often the first player won."""
        return self._rate(self._shares_of_first)

    @property
    def _shares_of_first(self) -> npt.NDArray[np.float64]:
        winner, first = self.columns["winner"], self.columns["first"]
        return shares(np.where(winner == NOBODY, NOBODY, winner ^ first))

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, from the view of `a`."""
        data = {
            "a": self.a,
            "b": self.b,
            "games": self.games,
            "wins": self.wins,
            **self.rate.cells("rate", prefix=""),
            "first_seat": self.first_seat_rate.cells("rate", prefix=""),
            "ms_per_turn": {"a": self.times.ms_per_turn(0), "b": self.times.ms_per_turn(1)},
            "slowest_ms": {"a": self.times.slowest_ms(0), "b": self.times.slowest_ms(1)},
            "forfeits": dict(self.forfeits),
        }
        if self.sprt is not None:
            test = self.sprt.test
            data["sprt"] = {
                "accepted": self.sprt.accepted,
                "llr": self.sprt.llr,
                "lower": test.lower,
                "upper": test.upper,
                "elo0": test.elo0,
                "elo1": test.elo1,
            }
        return data

    def __str__(self) -> str:
        lines = [f"{' against '.join(self.headings)}: {self.rate}"]
        for seat, name in enumerate(("first", "second")):
            rate = self.rate_in_seat(seat)
            if rate is not None:
                lines.append(f"  moving {name + ':':<7} {rate}")
        turns, actions = self.columns["turns"].mean(), self.columns["actions"].mean()
        lines.append(f"  half-turns per game {turns:.2f}, decisions {actions:.2f}")
        taken = [self.times.ms_per_turn(entrant) for entrant in (0, 1)]
        if taken[0] is not None and taken[1] is not None:
            lines.append(f"  ms per turn {taken[0]:.3g} against {taken[1]:.3g}")
        if self.sprt is not None:
            lines.append(f"  sequential test: {self.sprt}")
        lines += [f"  forfeits: {count} x {reason}" for reason, count in self.forfeits.items()]
        return "\n".join(lines)


def play_parts(
    runner: Runner[Any],
    games: int,
    *,
    timed_games: int,
    sprt: Sprt | None,
    progress: Progress | None,
) -> tuple[Columns, dict[str, int], TurnTimes, SprtState | None]:
    """Plays a match in parts, and checks the sequential test after each; without a test, there is one part.

    Returns:
        The columns, the reasons of forfeits, the times of turns, and the state of the test.

    Raises:
        MatchError: If the match cannot be played with these arguments.
    """
    if sprt is not None and not runner.swap_seats:
        raise MatchError("a sequential test compares pairs of games: it needs swapped seats")
    times = room_for_times(min(positive("timed_games", timed_games, MAX_GAMES), games) if timed_games else 0)
    parts: list[Columns] = []
    forfeits: Counter[str] = Counter()
    pairs = np.zeros(3)
    test = None
    step = games if sprt is None else GAMES_PER_LOOK
    for start in range(0, games, step):
        part = range(start, min(start + step, games))
        report = None if progress is None else lambda done, before=start: progress(before + done)
        columns, reasons = runner.play(part, times[part.start : part.stop], report)
        parts.append(columns)
        forfeits += reasons
        if sprt is not None:
            won = shares(columns["winner"][: len(part) // 2 * 2])
            pairs += pair_counts(won.reshape(-1, 2).mean(axis=1))
            test = sprt.look(pairs.tolist())
            if test.accepted is not None:
                break
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts[1:] else parts[0]
    return joined, dict(forfeits), TurnTimes.of(times[: len(joined["winner"])]), test
