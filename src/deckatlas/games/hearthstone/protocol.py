"""The text protocol by which external programs play Hearthstone: the referee's side and the program's side.

A program is asked for one action at a time. It receives two lines: its player's view, as the text of a state, and the
legal actions in words, separated by `; `. It answers with one line: one of these actions, or one that puts a minion in
another place (`play 2 to 0`). The first question of a game is which cards of the opening hand to keep. The input ends
when the game is over.

    hearthstone edition=2018-12 phase=main view=0 ...
    end; play 0 at enemy hero; play 2; power at enemy hero
"""

from typing import TextIO

from deckatlas._core import hearthstone as core
from deckatlas.errors import IllegalActionError, StateError
from deckatlas.games.chance import check_seed
from deckatlas.games.hearthstone.players import CorePlayer, HearthstonePlayer
from deckatlas.games.hearthstone.state import Action, Rng, State, read_state
from deckatlas.play.external import ProgramPlayer
from deckatlas.play.players import Forfeit
from deckatlas.shapes import show

FIRST_SECONDS = 1.0  # for the mulligan: the program may still be starting
SECONDS = 0.2  # for every other answer

_BETWEEN = "; "
_MAX_LINE = 100_000


def question(state: State) -> str:
    """The question to a program: the view of the player to move, and its legal actions."""
    view = state.view(state.player_to_move)
    return f"{view.to_text()}\n{_BETWEEN.join(map(str, state.legal_actions()))}\n"


def time_limit(state: State) -> float:
    """The time limit for the program's next answer, in seconds."""
    return FIRST_SECONDS if state.phase == "mulligan" else SECONDS


def parse_answer(line: str, state: State) -> Action:
    """Parses a program's answer.

    Raises:
        Forfeit: If it is not a legal action.
    """
    try:
        action = Action.from_text(line.strip())
    except IllegalActionError:
        raise Forfeit(f"malformed action {show(line.strip())}") from None
    if not state.is_legal(action):
        raise Forfeit(f"answered {action}, which is not a legal action")
    return action


def read_question(stream: TextIO) -> State | None:
    """Reads one question, on the program's side; None if the stream ends before it, as it does after a game.

    Raises:
        StateError: If it is malformed or cut off.
    """
    line = stream.readline(_MAX_LINE)
    if not line:
        return None
    view = read_state(line)
    if view.viewer != view.player_to_move or view.is_over:
        raise StateError("protocol input: expected the view of the player to move")
    if not stream.readline(_MAX_LINE).endswith("\n"):
        raise StateError("protocol input: the input ends where legal actions should be")
    return view


class ProgramPilot(ProgramPlayer[State, Action], HearthstonePlayer):
    """A player that is a program, started at its first decision."""

    def choose(self, state: State) -> Action:
        """Asks the program.

        Raises:
            Forfeit: If the program loses instead.
        """
        return parse_answer(self.ask(question(state), time_limit(state)), state)


class ProtocolAgent:
    """An agent of the core as an external program: takes views, returns the lines that answer them.

    The protocol does not say what was random, so a planner that plans again after random events does so after every
    action. Perfect information is not available.
    """

    def __init__(self, agent: core.Agent, *, seed: int = 0) -> None:
        self._agent, self._seed = agent, check_seed(seed)
        self._player: CorePlayer | None = None

    def answer(self, view: State) -> str:
        """The line that answers a question.

        Raises:
            StateError: If the agent cannot play from a view.
        """
        if self._player is None:  # the same random stream of the seat as for an agent inside the process
            self._player = CorePlayer(self._agent, Rng(self._seed, view.player_to_move), core.Mulligan.own)
        action = self._player.choose(view)
        self._player.after_action(random=True)
        return str(action)
