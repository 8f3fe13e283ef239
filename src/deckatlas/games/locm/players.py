"""Players of Legends of Code and Magic inside this process: see `deckatlas.play.players`."""

from collections.abc import Callable

from deckatlas._core import locm as core
from deckatlas.games.locm.state import Action, Rng, State
from deckatlas.play.players import FunctionPlayer, Player

AgentFunction = Callable[[State, list[Action]], Action]
LocmPlayer = Player[State, Action]


class CorePlayer(LocmPlayer):
    """A draft policy or a battle agent of the core, with the random stream of its seat."""

    def __init__(self, agent: core.DraftPolicy | core.BattleAgent, rng: Rng) -> None:
        # A battle agent must not remember anything of an earlier game.
        self._agent = agent.fresh() if isinstance(agent, core.BattleAgent) else agent
        self._rng = rng

    def choose(self, state: State) -> Action:
        """Asks the agent."""
        return self._agent.choose(state, self._rng)


class DraftAndBattle(LocmPlayer):
    """A player that combines two: one for the draft, one for the battle."""

    def __init__(self, draft: LocmPlayer, battle: LocmPlayer) -> None:
        self._draft, self._battle = draft, battle

    def choose(self, state: State) -> Action:
        """Asks the player of the current phase."""
        return (self._battle if state.in_battle else self._draft).choose(state)


def seated(agent: core.DraftPolicy | core.BattleAgent | AgentFunction, rng: Rng) -> LocmPlayer:
    """An agent of the core or a Python callable as a player of one game, with the random stream of its seat."""
    if isinstance(agent, core.DraftPolicy | core.BattleAgent):
        return CorePlayer(agent, rng)
    return FunctionPlayer(agent, Action)
