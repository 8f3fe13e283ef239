"""The table: plays one game at a time, of any kind, between any two players, action by action."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from deckatlas.errors import MatchError
from deckatlas.play.players import Forfeit, Player

AnyState = TypeVar("AnyState")
AnyAction = TypeVar("AnyAction")


@dataclass(frozen=True)
class TableOutcome(Generic[AnyState, AnyAction]):
    """How a game ended.

    Attributes:
        final: The last state.
        actions: All actions of both players in order.
        winner: The seat that won, or None if nobody did.
        forfeit: Why the other player forfeited, if it did.
        turn_seconds: The time of each turn, for the first seat and for the second.
    """

    final: AnyState
    actions: tuple[AnyAction, ...]
    winner: int | None
    forfeit: str | None
    turn_seconds: tuple[tuple[float, ...], tuple[float, ...]]

    @property
    def loser(self) -> int | None:
        """The seat that lost, if one did."""
        return None if self.winner is None else 1 - self.winner


class Table(ABC, Generic[AnyState, AnyAction]):
    """A state, the players of both seats, and the loop that plays the game.

    Attributes:
        state: The current state.
        players: The players of the first and the second seat.
        most_seconds: The time that the whole game may take; None for any.
    """

    most_seconds: float | None = None

    def __init__(self, state: AnyState, players: Sequence[Player[AnyState, AnyAction]]) -> None:
        """Takes the initial state, which the game changes in place, and the players."""
        self.state = state
        self.players = players

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the game has ended by its rules."""

    @property
    @abstractmethod
    def winner(self) -> int | None:
        """The seat that has won by the rules, if one has."""

    @property
    @abstractmethod
    def player_to_move(self) -> int:
        """The seat that chooses the next action."""

    @property
    @abstractmethod
    def turn(self) -> int | None:
        """The number of the current turn; None where time is not measured, as in a draft."""

    @abstractmethod
    def apply(self, action: AnyAction) -> None:
        """Applies an action to the state."""

    def play(self) -> TableOutcome[AnyState, AnyAction]:
        """Plays the game to its end; the players are closed in any case.

        Raises:
            MatchError: If it takes longer than it may.
        """
        with ExitStack() as stack:
            for player in self.players:
                stack.callback(player.close)
            return self._play_out()

    def _play_out(self) -> TableOutcome[AnyState, AnyAction]:
        actions: list[AnyAction] = []
        turn_seconds: tuple[dict[int, float], dict[int, float]] = ({}, {})
        forfeit = None
        loser = 0
        begun = monotonic()
        while not self.is_over:
            if self.most_seconds is not None and monotonic() - begun > self.most_seconds:
                raise MatchError(f"the game takes longer than {self.most_seconds:g} seconds: choose quicker agents")
            mover, turn = self.player_to_move, self.turn
            player = self.players[mover]
            asked = player.clock()
            try:
                action = player.choose(self.state)
            except Forfeit as reason:
                forfeit, loser = str(reason), mover
                break
            finally:
                if turn is not None:
                    times, taken = turn_seconds[mover], player.clock() - asked
                    times[turn] = times.get(turn, 0.0) + taken
            for each in self.players:
                each.watch(self.state, action)
            actions.append(action)
            self.apply(action)
        return TableOutcome(
            final=self.state,
            actions=tuple(actions),
            winner=self.winner if forfeit is None else 1 - loser,
            forfeit=forfeit,
            turn_seconds=(tuple(turn_seconds[0].values()), tuple(turn_seconds[1].values())),
        )
