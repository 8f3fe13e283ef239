"""The referee: games between two programs of the contest kind, with who won each one and why."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np

from deckatlas.agents.external import ExternalPlayer
from deckatlas.errors import MatchError
from deckatlas.games.locm import State, check_seed, new_game
from deckatlas.play.stats import Rate, independent_rate, paired_rate
from deckatlas.play.table import GameOutcome, play_game

NAMES = ("p1", "p2")


@dataclass(frozen=True)
class RefereedGame:
    """One game: `first` is the program that moved first and `winner` the one that won, 0 for p1 and 1 for p2."""

    number: int
    seed: int
    first: int
    start: State
    outcome: GameOutcome

    @property
    def winner(self) -> int:
        """The program that won."""
        return self.outcome.winner ^ self.first

    @property
    def reason(self) -> str:
        """Why it won, and when."""
        final = self.outcome.final
        loser = 1 - self.winner
        when = f"turn {final.turn}" if final.in_battle else f"pick {len(final.chosen(final.player_to_move)) + 1}"
        if self.outcome.forfeit is not None:
            return f"{NAMES[loser]}: {self.outcome.forfeit}, {when}"
        health = [final.side(program ^ self.first).health for program in (self.winner, loser)]
        return f"health {health[0]} to {health[1]}, {when}"

    def __str__(self) -> str:
        first, winner = NAMES[self.first], NAMES[self.winner]
        return f"game {self.number}, seed {self.seed}, {first} first: {winner} won ({self.reason})"


def referee(
    commands: Sequence[str], *, seed: int = 0, games: int = 1, swap_seats: bool = True, time_factor: float = 1.0
) -> Iterator[RefereedGame]:
    """Lets two programs play and yields each game when it is over. Programs are started anew for each game.

    Args:
        commands: How to start p1, who moves first in the first game, and p2.
        seed: The official referee's seed of the first game; later games take the numbers after it.
        games: How many games.
        swap_seats: Play two games a seed, the second with seats swapped; otherwise p1 always moves first.
        time_factor: Multiplies the official time limits.

    Raises:
        AgentError: If a program cannot be started.
        MatchError: If the games cannot be played as asked for.
        StateError: If the seed is not valid.
    """
    if len(commands) != 2:
        raise MatchError(f"a game has two programs, not {len(commands)}")
    if games < 1:
        raise MatchError(f"games must be a positive whole number, not {games}")
    first_seed = check_seed(seed)
    for game in range(games):
        first = game % 2 if swap_seats else 0
        game_seed = (first_seed + (game // 2 if swap_seats else game)) % 2**64
        start = new_game(seed=game_seed)
        seats = (commands[first], commands[1 - first])
        yield RefereedGame(game + 1, game_seed, first, start, _play(start, seats, time_factor))


def _play(start: State, seats: Sequence[str], time_factor: float) -> GameOutcome:
    players = [ExternalPlayer(command, time_factor=time_factor) for command in seats]
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.close)
        for player in players:
            player.start()
        return play_game(start, players)


def summary(games: Sequence[RefereedGame], *, swap_seats: bool) -> str:
    """Two lines, one a program: how often it won, with an interval, and how often it forfeited."""
    lines = []
    for program, name in enumerate(NAMES):
        forfeits = sum(game.outcome.forfeit is not None and game.winner != program for game in games)
        lines.append(f"{name} won {_rate(games, program, swap_seats)}, forfeited {forfeits}")
    return "\n".join(lines)


def _rate(games: Sequence[RefereedGame], program: int, swap_seats: bool) -> Rate:
    won = [game.winner == program for game in games]
    if not swap_seats:
        return independent_rate(sum(won), len(won))
    pairs = np.array([np.mean(won[i : i + 2]) for i in range(0, len(won), 2)])
    return paired_rate(pairs, wins=sum(won), games=len(won))
