"""Players of Hearthstone: see `deckatlas.play.players`. They also report their plans and searches, and explain them."""

from collections.abc import Callable

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.explanation import Line, lines_in_words
from deckatlas.games.hearthstone.state import Action, Rng, State
from deckatlas.play.players import FunctionPlayer, Player

AgentFunction = Callable[[State, list[Action]], Action]


class HearthstonePlayer(Player[State, Action]):
    """Plays one seat of one game, and reports its plans and searches."""

    def planned(self, *, turn_begins: bool) -> int | None:
        """Its rating of the plan that began with its last choice; None if that choice continued a plan.

        A player that reports no plans counts as having one plan per turn, with rating zero.
        """
        return 0 if turn_begins else None

    def explain(self, state: State) -> tuple[Line, ...]:
        """The lines it compared for its last choice, which it made in this state; the first is the one it plays.

        Empty if that choice continued a plan, and for players that do not say what they consider.
        """
        return ()

    def after_action(self, *, random: bool) -> None:
        """Called after its action, with whether anything in it was random."""

    @property
    def nodes(self) -> int:
        """The number of states that its searches made in this game."""
        return 0


class CorePlayer(HearthstonePlayer):
    """An agent of the core, with the random stream of its seat and a mulligan rule."""

    def __init__(self, agent: core.Agent, rng: Rng, mulligan: core.Mulligan) -> None:
        self._agent = agent.fresh()  # it must not remember anything of an earlier game
        self._rng = rng
        self._mulligan = mulligan
        self._plans = 0
        self._asked = rng.state  # the stream before the last choice

    def choose(self, state: State) -> Action:
        """Asks the agent."""
        self._asked = self._rng.state
        if state.phase == "mulligan":
            return core.choose_kept(state, self._mulligan, self._agent, self._rng)
        return self._agent.choose_told(state, self._rng)

    def planned(self, *, turn_begins: bool) -> int | None:
        """The agent's rating of its plan, if it makes plans and has made one."""
        plans = self._agent.plans
        if plans is None:
            return super().planned(turn_begins=turn_begins)
        made, score = plans
        is_new, self._plans = made != self._plans, made
        return score if is_new else None

    def explain(self, state: State) -> tuple[Line, ...]:
        """The lines of the agent, which searches again with the same stream; a choice without search draws nothing."""
        if self._rng.state == self._asked:
            return ()
        return lines_in_words(state, self._agent.explain(state, Rng.from_state(self._asked)))

    def after_action(self, *, random: bool) -> None:
        """Tells the agent."""
        self._agent.after_action(random)

    @property
    def nodes(self) -> int:
        """The number of states that the agent's searches made."""
        return self._agent.nodes


class CallablePlayer(FunctionPlayer[State, Action], HearthstonePlayer):
    """A Python callable as a player; it gets its player's view, and an illegal answer loses the game."""

    def __init__(self, function: AgentFunction) -> None:
        super().__init__(function, Action)
