"""Players: one interface for agents of the core, Python callables and external programs, for any game.

Matches between agents of the core run inside the core. If another kind of player takes part, games are played one
action at a time through this interface, with the same seeds and the same results.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, Protocol, Self, TypeVar

from deckatlas.shapes import show

AnyAction = TypeVar("AnyAction")


class Forfeit(Exception):  # noqa: N818 - an event of the game, not a mistake of the caller
    """A player lost the game by breaking the rules; the text says how."""


class Playable(Protocol[AnyAction]):
    """The part of a state that a player needs to choose an action, for any game."""

    @property
    def player_to_move(self) -> int: ...  # noqa: D102 - as in the states
    def view(self, player: int) -> Self: ...  # noqa: D102
    def legal_actions(self) -> list[AnyAction]: ...  # noqa: D102
    def is_legal(self, action: AnyAction) -> bool: ...  # noqa: D102


PlayableState = TypeVar("PlayableState", bound=Playable[Any])
AnyState = TypeVar("AnyState")


class Player(ABC, Generic[AnyState, AnyAction]):
    """Plays one seat of one game."""

    # The clock for decisions: CPU time of this thread, unless the player runs elsewhere.
    clock: Callable[[], float] = staticmethod(time.thread_time)

    @abstractmethod
    def choose(self, state: AnyState) -> AnyAction:
        """Returns a legal action for the player to move.

        Raises:
            Forfeit: If the player forfeits instead.
        """

    def watch(self, state: AnyState, action: AnyAction) -> None:
        """Called with every action of either player, just before it changes the state."""

    def close(self) -> None:
        """Ends the player when its game is over."""


class FunctionPlayer(Player[PlayableState, AnyAction]):
    """A Python callable as a player; it gets its player's view, and an illegal answer loses the game."""

    def __init__(self, function: Callable[[PlayableState, list[AnyAction]], AnyAction], kind: type[AnyAction]) -> None:
        """Takes a callable, which gets a player's view and the legal actions, and the class of this game's actions."""
        self._function, self._kind = function, kind

    def choose(self, state: PlayableState) -> AnyAction:
        """Asks the callable.

        Raises:
            Forfeit: If its answer is not a legal action.
        """
        action = self._function(state.view(state.player_to_move), state.legal_actions())
        if not isinstance(action, self._kind):
            raise Forfeit(f"answered {show(action)}, which is not an action")
        if not state.is_legal(action):
            raise Forfeit(f"answered {action}, which is not a legal action")
        return action
