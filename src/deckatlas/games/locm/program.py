"""External programs that play Legends of Code and Magic with the official protocol."""

from collections import deque

from deckatlas.games.locm.protocol import LoggedAction, acting_card, parse_pick, parse_turn, player_input, time_limit
from deckatlas.games.locm.state import Action, State
from deckatlas.play.external import ProgramPlayer


class LocmProgram(ProgramPlayer[State, Action]):
    """A program that speaks the contest's protocol, as a player with the official time limits."""

    def __init__(self, command: str, *, time_factor: float = 1.0) -> None:
        """Prepares a program; see `ProgramPlayer`.

        Raises:
            AgentError: If the command or the time factor is not valid.
        """
        super().__init__(command, time_factor=time_factor)
        self._log: list[LoggedAction] = []  # the battle so far; the program is shown its last turn
        self._turn = -1
        self._actions: deque[Action] = deque()  # the rest of the answer for this turn

    def choose(self, state: State) -> Action:
        """Asks the program for a pick or a turn, or continues its turn; illegal actions are skipped.

        Raises:
            Forfeit: If the program forfeits instead.
        """
        if not state.in_battle:
            return parse_pick(self._asked(state), state)
        if state.turn != self._turn:
            self._turn, self._actions = state.turn, deque(parse_turn(self._asked(state)))
        while self._actions:
            action = self._actions.popleft()
            if state.is_legal(action):
                return action
        return Action.from_text("PASS")

    def watch(self, state: State, action: Action) -> None:
        """Records an action of the battle."""
        if state.in_battle:
            self._log.append(LoggedAction(state.turn, state.player_to_move, acting_card(state, action), action))

    def _asked(self, state: State) -> str:
        return self.ask(player_input(state, self._log), time_limit(state))
