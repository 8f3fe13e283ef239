"""A whole game of Hearthstone as text that replays exactly.

The text has a header of `key: value` lines, the cards that the players keep in the mulligan, and one line per turn:

    deckatlas hearthstone game
    start: hearthstone edition=2018-12 phase=mulligan ...
    draws: 9367162512187420418
    first: random
    second: random
    winner: first
    mulligan: keep 0 2; keep nothing
    turn 1: play 0; end
    turn 2: ...

`draws` is the state of the random stream (`Rng.from_state`) at the start; it gives everything random after that. The
winner is `first`, `second` or `nobody`. A forfeited game has another line in the header, `forfeit: REASON`. A name or
reason that is not one printable line is written as a JSON string.

A record may also say what the players considered, in lines that begin with `plan`: see
`deckatlas.games.hearthstone.explanation`. They change nothing in the game.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from deckatlas.arguments import checked
from deckatlas.errors import DeckatlasError, IllegalActionError, StateError, TraceError
from deckatlas.games.hearthstone.explanation import (
    PLAN,
    Explanation,
    check_explanations,
    plan_lines,
    read_explanations,
)
from deckatlas.games.hearthstone.setup import EditionLike
from deckatlas.games.hearthstone.state import Action, ActionKind, Rng, State, read_state
from deckatlas.play.records import SEATS, as_line, from_line
from deckatlas.shapes import show

TITLE = "deckatlas hearthstone game"
_NOBODY = "nobody"
_KEEPS = "mulligan"
_FORFEIT = "forfeit"
_HEADER = ("start", "draws", *SEATS, "winner")


@dataclass(frozen=True)
class GameRecord:
    """A game: its start, random stream, players, actions and winner, and the reason for a forfeit.

    Attributes:
        start: The starting state as its line of text.
        draws: The state of the random stream at the start.
        players: Names of the first and the second player.
        actions: All actions of both players in order, including the mulligan and ends of turns.
        winner: 0 or 1, or None if nobody won.
        forfeit: Why the other player lost before the game was over; None if the game was played to the end.
        edition: The edition, if it is a custom one; the start names the shipped ones.
        explanations: What the players considered before their actions, if the record has it.

    Raises:
        TraceError: If the start is not the text of a state, or the winner, the draws or the explanations are
            impossible.
    """

    start: str
    draws: int
    players: tuple[str, str]
    actions: tuple[Action, ...]
    winner: int | None
    forfeit: str | None = None
    edition: EditionLike | None = field(default=None, compare=False)
    explanations: tuple[Explanation, ...] = ()

    def __post_init__(self) -> None:
        if self.winner not in (0, 1, None):
            raise TraceError(f"a winner must be 0, 1 or None, not {show(self.winner)}")
        if self.winner is None and self.forfeit is not None:
            raise TraceError("if one player forfeits, the other has won")
        if not isinstance(self.draws, int) or not 0 <= self.draws < 2**64:
            raise TraceError(f"draws must be a whole number of 64 bits, not {show(self.draws)}")
        check_explanations(self.explanations, len(self.actions))
        try:
            printable = self.start.isascii() and self.start.isprintable()
            if not printable or self.begin().to_text() != self.start:
                raise StateError("not the text of a state")
        except StateError as error:
            raise TraceError(f"start: {error}") from None

    def begin(self) -> State:
        """The starting state."""
        return read_state(self.start, edition=self.edition)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """The game as text that `from_text` reads."""
        keeps = list(takewhile(lambda action: action.kind == ActionKind.keep, self.actions))
        lines = [TITLE, f"start: {self.start}", f"draws: {self.draws}"]
        lines += [f"{seat}: {as_line(name)}" for seat, name in zip(SEATS, self.players, strict=True)]
        lines.append(f"winner: {_NOBODY if self.winner is None else SEATS[self.winner]}")
        if self.forfeit is not None:
            lines.append(f"{_FORFEIT}: {as_line(self.forfeit)}")
        if keeps:
            lines.append(f"{_KEEPS}: {'; '.join(map(str, keeps))}")
            lines += plan_lines(self.explanations, 0, 0, len(keeps))
        done = len(keeps)
        for turn, actions in enumerate(_turns(self.actions[done:]), start=_first_turn(self.begin())):
            lines.append(f"turn {turn}: {'; '.join(map(str, actions))}")
            lines += plan_lines(self.explanations, turn, done, len(actions))
            done += len(actions)
        return "\n".join([*lines, ""])

    @classmethod
    @checked
    def from_text(cls, text: str, *, edition: EditionLike | None = None) -> "GameRecord":
        """Reads the text that `to_text` writes. Replaying the record checks whether the actions are legal.

        Raises:
            TraceError: If the text does not have that form; the message names the line or the key.
        """
        if not isinstance(text, str):
            raise TraceError(f"a game is read from a text, not from {show(text)}")
        header, turns, plans = _split_lines(text)
        for key in _HEADER:
            if key not in header:
                raise TraceError(f"the record has no line '{key}: ...'")
        winners = {SEATS[0]: 0, SEATS[1]: 1, _NOBODY: None}
        if header["winner"] not in winners:
            raise TraceError(f"winner: {header['winner'][:80]!a} is neither 'first', 'second' nor '{_NOBODY}'")
        if not (header["draws"].isascii() and header["draws"].isdecimal() and len(header["draws"]) <= 20):
            raise TraceError(f"draws: {header['draws'][:80]!a} is not a whole number of 64 bits")
        unfilled = cls(
            start=header["start"],
            draws=int(header["draws"]),
            players=(from_line("first", header["first"]), from_line("second", header["second"])),
            actions=(),
            winner=winners[header["winner"]],
            forfeit=from_line(_FORFEIT, header[_FORFEIT]) if _FORFEIT in header else None,
            edition=edition,
        )
        keeps = [_read_action(_KEEPS, part) for part in header.get(_KEEPS, "").split(";") if _KEEPS in header]
        if any(action.kind != ActionKind.keep for action in keeps):
            raise TraceError(f"{_KEEPS}: only 'keep' actions are allowed here")
        first = _first_turn(unfilled.begin())
        played = _read_turns(turns, first)
        lengths = [(0, len(keeps)), *((first + i, len(turn)) for i, turn in enumerate(played))]
        actions = (*keeps, *(action for turn in played for action in turn))
        return replace(unfilled, actions=actions, explanations=tuple(read_explanations(plans, lengths)))

    def replay(self) -> Iterator[State]:
        """Yields the starting state and the state after each action, each as a separate copy.

        Raises:
            TraceError: If an action is illegal, or the game does not end as recorded.
        """
        state = self.begin()
        rng = Rng.from_state(self.draws)
        yield state.copy()
        for i, action in enumerate(self.actions):
            try:
                state.apply(action, rng)
            except DeckatlasError as error:
                raise TraceError(f"action {i} of the record: {error}") from None
            yield state.copy()
        if self.forfeit is not None:
            if state.is_over:
                raise TraceError("the record has a forfeit, but the game was played to the end")
            return
        if not state.is_over:
            raise TraceError("the record ends before the game is over")
        if state.winner != self.winner:
            raise TraceError(f"the record says that {_won(self.winner)}, but {_won(state.winner)}")


def _won(winner: int | None) -> str:
    return "nobody has won" if winner is None else f"the {SEATS[winner]} player has won"


def _first_turn(start: State) -> int:
    """The turn of the first action after the mulligan."""
    return max(1, start.turn)


def _turns(actions: Iterable[Action]) -> Iterator[list[Action]]:
    """Actions turn by turn; the last turn may lack its end."""
    turn: list[Action] = []
    for action in actions:
        turn.append(action)
        if action.kind == ActionKind.end_turn:
            yield turn
            turn = []
    if turn:
        yield turn


def _split_lines(text: str) -> tuple[dict[str, str], list[tuple[str, str]], list[tuple[str, str]]]:
    """The header, the lines of turns, and the lines of plans."""
    lines = text.splitlines()
    if not lines or lines[0] != TITLE:
        raise TraceError(f"a record of a game starts with the line '{TITLE}'")
    header: dict[str, str] = {}
    turns: list[tuple[str, str]] = []
    plans: list[tuple[str, str]] = []
    for number, line in enumerate(lines[1:], start=2):
        key, colon, value = line.partition(":")
        in_header = key in (*_HEADER, _FORFEIT, _KEEPS) and key not in header and not turns
        if not colon or not (key.startswith(("turn ", PLAN)) or in_header):
            raise TraceError(f"line {number} of the record: {line[:80]!a} is out of place")
        if key.startswith("turn "):
            turns.append((key, value))
        elif key.startswith(PLAN):
            plans.append((key, value))
        else:
            header[key] = value.removeprefix(" ")
    return header, turns, plans


def _read_action(key: str, text: str) -> Action:
    try:
        return Action.from_text(text.strip())
    except IllegalActionError:
        raise TraceError(f"{key}: malformed action {text.strip()[:80]!a}") from None


def _read_turns(turns: Sequence[tuple[str, str]], first: int) -> list[list[Action]]:
    played: list[list[Action]] = []
    for number, (key, value) in enumerate(turns, start=first):
        if key != f"turn {number}":
            raise TraceError(f"{key[:80]!a}: expected 'turn {number}'")
        turn = [_read_action(key, part) for part in value.split(";")]
        ends = [action.kind == ActionKind.end_turn for action in turn]
        if any(ends[:-1]) or not (ends[-1] or len(turns) == number - first + 1):
            raise TraceError(f"{key}: a turn must have 'end' as its last action, and nowhere else")
        played.append(turn)
    return played
