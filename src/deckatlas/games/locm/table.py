"""One game of Legends of Code and Magic at a time, between any two players, action by action."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from deckatlas.games.locm.entrants import EntrantLike, entrant
from deckatlas.games.locm.players import Forfeit, LoggedAction, Player
from deckatlas.games.locm.record import GameRecord
from deckatlas.games.locm.state import Action, Rng, State, check_seed, new_game
from deckatlas.play.external import ProgramPlayer


@dataclass(frozen=True)
class GameOutcome:
    """How a game ended: its last state, its actions, who won, and why if somebody forfeited.

    `turn_seconds` has what the battle's turns took, for the first seat and for the second.
    """

    final: State
    actions: tuple[Action, ...]
    decisions: int
    winner: int
    forfeit: str | None
    turn_seconds: tuple[tuple[float, ...], tuple[float, ...]]

    @property
    def loser(self) -> int:
        """The seat that lost."""
        return 1 - self.winner


def acting_card(state: State, action: Action) -> int:
    """Card id behind an action of the battle, 0 for PASS."""
    side = state.side(state.player_to_move)
    cards = {card.instance: card.card for card in side.hand} | {c.instance: c.card for c in side.creatures}
    return 0 if action.verb == "PASS" else cards[action.id]


def play_game(start: State, players: Sequence[Player]) -> GameOutcome:
    """Plays a game to its end.

    Args:
        start: Where to begin; it is not changed.
        players: Who sits in the first and the second seat. They are closed in any case.
    """
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.close)
        return _play_out(start.copy(), players)


def clock_of(player: object) -> Callable[[], float]:
    """What a player's decisions are measured with: an external program's answers take time, ours CPU time."""
    return time.monotonic if isinstance(player, ProgramPlayer) else time.thread_time


def _play_out(state: State, players: Sequence[Player]) -> GameOutcome:
    log: list[LoggedAction] = []
    actions: list[Action] = []
    decisions = 0
    turn_seconds: tuple[dict[int, float], dict[int, float]] = ({}, {})
    forfeit = None
    winner = state.winner
    while winner is None:
        player = state.player_to_move
        clock = clock_of(players[player])
        start = clock()
        try:
            action = players[player].choose(state, log)
        except Forfeit as reason:
            winner, forfeit = 1 - player, str(reason)
            break
        finally:
            if state.in_battle:
                times, taken = turn_seconds[player], clock() - start
                times[state.turn] = times.get(state.turn, 0.0) + taken
        if state.in_battle:
            decisions += 1
            log.append(LoggedAction(state.turn, player, acting_card(state, action), action))
        actions.append(action)
        state.apply(action)
        winner = state.winner
    seconds = (tuple(turn_seconds[0].values()), tuple(turn_seconds[1].values()))
    return GameOutcome(state, tuple(actions), decisions, winner, forfeit, seconds)


def play_one(
    first: EntrantLike, second: EntrantLike, *, seed: int = 0, format: str = "referee", time_factor: float = 1.0
) -> GameRecord:
    """Plays one game and returns it as a record that prints itself and replays exactly.

    Args:
        first: Who moves first: see `deckatlas.games.locm.entrants`.
        second: Who moves second.
        seed: The official referee's seed of the game, such as one of a match's column `seed`.
        format: Draft format, "referee" or "distinct".
        time_factor: Multiplies the official time limits of external programs.

    Raises:
        AgentError: If an entrant is unknown.
        StateError: If the seed or the format is not valid.
    """
    start = new_game(seed=seed, format=format)
    entrants = (entrant(first), entrant(second))
    streams = (Rng(check_seed(seed), seat) for seat in range(2))
    players = [each.player(rng, time_factor=time_factor) for each, rng in zip(entrants, streams, strict=True)]
    outcome = play_game(start, players)
    names = (entrants[0].name, entrants[1].name)
    return GameRecord(start.to_text(), names, outcome.actions, outcome.winner, outcome.forfeit)
