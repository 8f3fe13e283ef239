"""Players of Legends of Code and Magic: one interface for agents of the core, Python callables and external programs.

Matches between agents of the core run inside the core. Whenever someone else sits at the table, games are played one
action at a time through this interface, from the same seeds and with the same results. What a callable may answer is
the same in every game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

from deckatlas._core import locm as core
from deckatlas.games.locm.state import Action, Rng, State
from deckatlas.shapes import show

AgentFunction = Callable[[State, list[Action]], Action]
AnyAction = TypeVar("AnyAction")


class Forfeit(Exception):  # noqa: N818 - an event of the game, not a mistake of the caller
    """A player lost the game by breaking its rules; the text says how."""


class Playable(Protocol[AnyAction]):
    """What a state of any game offers to who chooses an action."""

    @property
    def player_to_move(self) -> int: ...  # noqa: D102 - as in the states
    def view(self, player: int) -> Self: ...  # noqa: D102
    def legal_actions(self) -> list[AnyAction]: ...  # noqa: D102
    def is_legal(self, action: AnyAction) -> bool: ...  # noqa: D102


AnyState = TypeVar("AnyState", bound=Playable[Any])


def ask_function(
    function: Callable[[AnyState, list[AnyAction]], AnyAction], state: AnyState, kind: type[AnyAction]
) -> AnyAction:
    """Lets a Python callable choose from what its player can see.

    Args:
        function: Takes a player's view and the legal actions, and returns one.
        state: Where it is to choose.
        kind: What an action is in this game.

    Raises:
        Forfeit: If its answer is not a legal action, which loses the game.
    """
    action = function(state.view(state.player_to_move), state.legal_actions())
    if not isinstance(action, kind):
        raise Forfeit(f"answered {show(action)}, which is not an action")
    if not state.is_legal(action):
        raise Forfeit(f"answered {action}, which is not a legal action")
    return action


@dataclass(frozen=True)
class LoggedAction:
    """An action of the battle that was carried out: in which half-turn, by whom, and with which card (0 for PASS)."""

    turn: int
    player: int
    card: int
    action: Action


Chooser = Callable[[State, Sequence[LoggedAction]], Action]


class Player(Protocol):
    """Someone who plays one seat of one game."""

    def choose(self, state: State, log: Sequence[LoggedAction]) -> Action:
        """Returns a legal action for the player to move; `log` holds the battle's actions so far.

        Raises:
            Forfeit: If the player loses at once instead.
        """

    def close(self) -> None:
        """Ends the player when its game is over."""


class InProcessPlayer:
    """A player that lives in this process: one chooser for the draft, one for the battle."""

    def __init__(self, draft: Chooser, battle: Chooser) -> None:
        self._draft, self._battle = draft, battle

    def choose(self, state: State, log: Sequence[LoggedAction]) -> Action:
        """Asks the chooser of the phase."""
        return (self._battle if state.in_battle else self._draft)(state, log)

    def close(self) -> None:
        """Nothing to end."""


def core_chooser(agent: core.DraftPolicy | core.BattleAgent, rng: Rng) -> Chooser:
    """Lets an agent of the core choose, with the random stream of its seat."""
    return lambda state, log: agent.choose(state, rng)


def function_chooser(function: AgentFunction) -> Chooser:
    """Lets a Python callable choose from what its player can see; an illegal answer loses the game."""
    return lambda state, log: ask_function(function, state, Action)
