"""Pilots, which play decks of Hearthstone, and all the ways to write one.

| written as | means |
|---|---|
| `"planner:score=aggro"` | an agent of the core by name |
| `"exec:CMD"` | an external program that speaks the text protocol |
| a callable | takes a player's view and the legal actions, returns one |
| a `Pilot` | itself |

For agents of the core, the match decides which cards of the opening hand to keep. Programs and callables decide
themselves.
"""

from dataclasses import dataclass
from typing import TypeAlias

from deckatlas._core import hearthstone as core
from deckatlas.errors import AgentError
from deckatlas.games.hearthstone.agents import agent
from deckatlas.games.hearthstone.players import AgentFunction, CallablePlayer, CorePlayer, HearthstonePlayer
from deckatlas.games.hearthstone.state import Rng
from deckatlas.play.spec import EXEC
from deckatlas.shapes import show


@dataclass(frozen=True)
class Pilot:
    """A named pilot, ready to play: an agent of the core, a callable, or the command of a program."""

    name: str
    plays: core.Agent | AgentFunction | str

    def agent_of_core(self) -> core.Agent | None:
        """The agent if it is part of the core, which can then run whole matches."""
        return self.plays if isinstance(self.plays, core.Agent) else None

    @property
    def is_callable(self) -> bool:
        """Whether it is a Python callable."""
        return not isinstance(self.plays, core.Agent | str)

    def player(self, rng: Rng, *, mulligan: core.Mulligan, time_factor: float = 1.0) -> HearthstonePlayer:
        """A player for one game, with the random stream of its seat."""
        if isinstance(self.plays, core.Agent):
            return CorePlayer(self.plays, rng, mulligan)
        if isinstance(self.plays, str):
            return _program(self.plays, time_factor)
        return CallablePlayer(self.plays)


PilotLike: TypeAlias = str | AgentFunction | Pilot


def _program(command: str, time_factor: float = 1.0) -> HearthstonePlayer:
    from deckatlas.games.hearthstone.protocol import ProgramPilot  # processes and pipes: imported when used

    return ProgramPilot(command, time_factor=time_factor)


def pilot(description: PilotLike) -> Pilot:
    """Makes a pilot from a description.

    Raises:
        AgentError: If the description names something unknown or is not a description.
    """
    if isinstance(description, Pilot):
        return description
    if isinstance(description, str):
        if not description.startswith(EXEC):
            return Pilot(description, agent(description))
        command = description[len(EXEC) :]
        _program(command)  # refuses a program that cannot be started, before the first game
        return Pilot(description, command)
    if callable(description):
        return Pilot(getattr(description, "__name__", type(description).__name__), description)
    raise AgentError(f"a pilot must be a name or a callable, not {show(description)}")
