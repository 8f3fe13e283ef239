"""The referee of any game: games between two programs, with the winner of each and the reason."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from deckatlas.errors import MatchError
from deckatlas.games.chance import check_seed
from deckatlas.play.external import ProgramPlayer
from deckatlas.play.records import Record
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.rates import independent_rate, paired_rate

NAMES = ("p1", "p2")


@dataclass(frozen=True)
class Refereed:
    """A game by seats: its record, both players' health at the end, and when it ended."""

    record: Record
    health: tuple[int, int]
    when: str


@dataclass(frozen=True)
class RefereedGame:
    """One game of a series: `first` is the program that moved first, 0 for p1 and 1 for p2."""

    number: int
    seed: int
    first: int
    game: Refereed

    @property
    def record(self) -> Record:
        """The record of the game, which can be printed and replayed exactly."""
        return self.game.record

    @property
    def winner(self) -> int | None:
        """The program that won; None if nobody did."""
        return None if self.record.winner is None else self.record.winner ^ self.first

    @property
    def reason(self) -> str:
        """Why it won, and when."""
        shown = 0 if self.winner is None else self.winner
        if self.record.forfeit is not None:
            return f"{NAMES[1 - shown]}: {self.record.forfeit}, {self.game.when}"
        health = [self.game.health[program ^ self.first] for program in (shown, 1 - shown)]
        return f"health {health[0]} to {health[1]}, {self.game.when}"

    def __str__(self) -> str:
        winner = "nobody" if self.winner is None else NAMES[self.winner]
        return f"game {self.number}, seed {self.seed}, {NAMES[self.first]} first: {winner} won ({self.reason})"


def series(play: Callable[[int, int], Refereed], *, seed: int, games: int, swap_seats: bool) -> Iterator[RefereedGame]:
    """Plays games one after another and yields each when it is over.

    Args:
        play: Plays a game, given its seed and the number of the program that moves first.
        seed: The seed of the first game; later games use the next numbers.
        games: The number of games.
        swap_seats: Play each seed twice, the second time with seats swapped; otherwise p1 always moves first.

    Raises:
        MatchError: If the games cannot be played with these arguments.
        StateError: If the seed is not valid.
    """
    if games < 1:
        raise MatchError(f"games must be a positive whole number, not {games}")
    first_seed = check_seed(seed)
    for game in range(games):
        first = game % 2 if swap_seats else 0
        game_seed = (first_seed + (game // 2 if swap_seats else game)) % 2**64
        yield RefereedGame(game + 1, game_seed, first, play(game_seed, first))


@contextmanager
def started(players: Sequence[ProgramPlayer[Any, Any]]) -> Iterator[None]:
    """Starts programs before their game, so that a failure to start is reported, and ends them after it.

    Raises:
        AgentError: If one cannot be started.
    """
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.close)
        for player in players:
            player.start()
        yield


def two(commands: Sequence[str]) -> tuple[str, str]:
    """The commands of two programs.

    Raises:
        MatchError: If there are not two.
    """
    if len(commands) != 2:
        raise MatchError(f"a game has two programs, not {len(commands)}")
    return commands[0], commands[1]


def referee_summary(games: Sequence[RefereedGame], *, swap_seats: bool) -> str:
    """Two lines, one per program: how often it won, with an interval, and how often it forfeited."""
    lines = []
    for program, name in enumerate(NAMES):
        forfeits = sum(game.record.forfeit is not None and game.winner != program for game in games)
        lines.append(f"{name} won {_rate(games, program, swap_seats)}, forfeited {forfeits}")
    return "\n".join(lines)


def _rate(games: Sequence[RefereedGame], program: int, swap_seats: bool) -> Estimate:
    won = [0.5 if game.winner is None else float(game.winner == program) for game in games]
    if not swap_seats:
        return independent_rate(sum(won), len(won))
    pairs = np.array([np.mean(won[i : i + 2]) for i in range(0, len(won), 2)])
    return paired_rate(pairs, wins=sum(won), games=len(won))
