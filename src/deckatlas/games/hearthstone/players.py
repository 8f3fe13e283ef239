"""Players of Hearthstone: see `deckatlas.play.players`. Beside their actions they tell of their plans and searches."""

from collections.abc import Callable

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.state import Action, Rng, State
from deckatlas.play.players import FunctionPlayer, Player

AgentFunction = Callable[[State, list[Action]], Action]


class HearthstonePlayer(Player[State, Action]):
    """Plays one seat of one game, and tells what is noted of it."""

    def planned(self, *, turn_begins: bool) -> int | None:
        """How it rates the plan that its last choice began; None if it went on with one.

        A player that makes no plans it could tell of has one a turn, worth nothing.
        """
        return 0 if turn_begins else None

    def after_action(self, *, random: bool) -> None:
        """Hears whether anything in its last action was random."""

    @property
    def nodes(self) -> int:
        """States that its searches made in this game."""
        return 0


class CorePlayer(HearthstonePlayer):
    """An agent of the core, with the random stream of its seat; what it keeps of its opening hand is given."""

    def __init__(self, agent: core.Agent, rng: Rng, mulligan: core.Mulligan) -> None:
        self._agent = agent.fresh()  # what it remembers of one game must not reach another
        self._rng = rng
        self._mulligan = mulligan
        self._plans = 0

    def choose(self, state: State) -> Action:
        """Asks the agent."""
        if state.phase == "mulligan":
            return core.choose_kept(state, self._mulligan)
        return self._agent.choose_told(state, self._rng)

    def planned(self, *, turn_begins: bool) -> int | None:
        """The agent's rating of its plan, if it makes plans and has made one."""
        plans = self._agent.plans
        if plans is None:
            return super().planned(turn_begins=turn_begins)
        made, score = plans
        is_new, self._plans = made != self._plans, made
        return score if is_new else None

    def after_action(self, *, random: bool) -> None:
        """Tells the agent."""
        self._agent.after_action(random)

    @property
    def nodes(self) -> int:
        """States that the agent's searches made."""
        return self._agent.nodes


class CallablePlayer(FunctionPlayer[State, Action], HearthstonePlayer):
    """A Python callable that sees what its player sees; an illegal answer loses the game."""

    def __init__(self, function: AgentFunction) -> None:
        super().__init__(function, Action)
