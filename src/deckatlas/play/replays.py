"""A game that was played, moment by moment, as plain data: what a page needs to show it turn by turn.

Every game fills the same frames; only what is inside `state` differs from game to game.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas.errors import AgentError
from deckatlas.play.records import SEATS
from deckatlas.play.spec import EXEC, Entry, given_options
from deckatlas.shapes import nearest, show

MOST_SECONDS = 30.0  # that a game may take if somebody waits for it
MOST_LINES = 3  # shown before an action
MOST_WORK = 8  # times the usual value of an option, such as the playouts of a search


@dataclass(frozen=True)
class Line:
    """A way to play on that a player compared with others.

    Attributes:
        words: Its actions; `…` at the end if luck decides how it continues.
        chance: The chance to win as the player sees it, to four decimals; None if the player gives ratings instead.
        rating: The player's own rating where it is not a chance.
    """

    words: str
    chance: float | None = None
    rating: int | None = None

    @property
    def worth(self) -> str:
        """The chance or the rating, for people."""
        return f"rating {self.rating}" if self.chance is None else f"{self.chance:.0%}".replace("%", " %")


@dataclass(frozen=True)
class Frame:
    """A moment of a game: the state before an action, and the action.

    Attributes:
        seat: The player who acts, 0 or 1; None in the last frame, when the game is over.
        turn: The turn for people, from 1; 0 before the first, as in a draft.
        words: What is done and what comes of it.
        seen: The same as each player sees it.
        state: The state as plain data.
        lines: What the player compared before the action, the best first; empty if it continues a plan.
        chance: The chance that the first player wins, by the plan that the action begins or continues.
    """

    seat: int | None
    turn: int
    words: str
    seen: tuple[str, str]
    state: Mapping[str, Any]
    lines: tuple[Line, ...] = ()
    chance: float | None = None


@dataclass(frozen=True)
class Seat:
    """Who plays: the agent, and what it plays."""

    pilot: str
    deck: str


@dataclass(frozen=True)
class Replay:
    """A whole game.

    Attributes:
        game: The name of the game.
        seats: The first and the second player.
        seed: The seed.
        winner: 0 or 1; None if nobody won.
        ending: How it ended, in words.
        frames: All moments in order; the last has the final state.
        cards: The cards that appear, by id, as plain data with `name`, `cost` and `text`.
        record: The game as a text that replays exactly.
        command: The words of a command that plays the same game; empty if no command can.
        coach: The agent whose lines and chances these are; empty if they are each player's own.
    """

    game: str
    seats: tuple[Seat, Seat]
    seed: int
    winner: int | None
    ending: str
    frames: tuple[Frame, ...]
    cards: Mapping[str, Mapping[str, Any]]
    record: str
    command: tuple[str, ...] = ()
    coach: str = ""

    def result_of(self, seat: int) -> str:
        """How it ended for a player: "won", "lost", "nobody won" or "void"."""
        if self.winner is None:
            return "void" if self.frames[-1].state.get("void") else "nobody won"
        return "won" if self.winner == seat else "lost"

    def silent(self) -> Iterator[str]:
        """Says which players do not say what they consider, or how they rate their chances."""
        for number, seat in enumerate(self.seats):
            own = [frame for frame in self.frames if frame.seat == number and frame.lines]
            if not own:
                yield f"{seat.pilot} ({SEATS[number]}) does not say what it considers."
            elif any(frame.lines[0].chance is None for frame in own):  # a sure win may still be a chance
                yield f"{seat.pilot} ({SEATS[number]}) rates positions in points, not by the chance to win."


@dataclass(frozen=True)
class Meeting:
    """One game of an evaluation, before it is played.

    Attributes:
        opponent: The opponent's name.
        pilot: The agent that plays the opponent.
        seat: The seat of the evaluated solution; 0 moves first.
        seed: The seed of the game.
    """

    opponent: str
    pilot: str
    seat: int
    seed: int


def check_coach(coach: str, coaches: Sequence[str]) -> None:
    """Checks that a coach is one of those that a game has, or that none is asked for.

    Raises:
        AgentError: If there is no such coach.
    """
    if coach and coach not in coaches:
        raise AgentError(f"unknown coach {show(coach)}: {nearest(coach, coaches)}")


def check_quick(spec: str, registries: Sequence[Mapping[str, Entry[Any]]], *, files: bool = False) -> None:
    """Checks that an agent plays inside the core, and not much slower than it usually does.

    Args:
        spec: The agent, such as `mcts:playouts=400`.
        registries: The lists that may have it.
        files: Whether it may read files.

    Raises:
        AgentError: If it is a program, reads a file that it may not, or is asked for much more work than usual.
    """
    if spec.startswith(EXEC):
        raise AgentError("only agents of the core can play here, not programs")
    name, options = given_options(spec)
    for registry in registries:
        known = registry[name].options if name in registry else {}
        for key, text in options.items():
            option = known.get(key)
            if option is None:
                continue
            if option.is_file and not files:
                raise AgentError(f"{name}: {key} names a file, but this game cannot read files")
            usual = option.default
            if type(usual) is not int:
                continue
            value = option.value_of(key, text)
            if isinstance(value, int) and value > MOST_WORK * max(1, usual):
                raise AgentError(f"{name}: {key} is at most {MOST_WORK * max(1, usual):,} here, not {value:,}")
