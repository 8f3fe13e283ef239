"""What a player considered before an action: lines in words with the chance to win, and their form in records.

A record has a text line for each of them, below the turn of the action:

    turn 5: play 0; attack 1 at enemy hero; end
    plan 5.1: 62.09% play Azure Drake; Knife Juggler attacks the enemy hero
    plan 5.1: 60.35% play Azure Drake

`plan 5.1` stands before action 1 of turn 5, and turn 0 is the mulligan. The best line is the first, and the one that is
played. A line of an agent whose ratings are not chances begins with a whole number instead.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from deckatlas._core import hearthstone as core
from deckatlas.errors import TraceError
from deckatlas.games.hearthstone.state import ENEMY_HERO, Action, ActionKind, State
from deckatlas.play import replays
from deckatlas.play.records import as_line, from_line
from deckatlas.play.replays import MOST_LINES

PLAN = "plan "  # begins the key of a line in a record

_WORTH = re.compile(r"(?:(\d{1,3}\.\d\d)%|(-?\d{1,10})) (.+)", re.ASCII)


class Line(replays.Line):
    """A way to play the rest of a turn."""

    def to_text(self) -> str:
        """The line as it is in a record."""
        worth = str(self.rating) if self.chance is None else f"{100 * self.chance:.2f}%"
        return f"{worth} {as_line(self.words)}"

    @classmethod
    def from_text(cls, key: str, text: str) -> "Line":
        """Reads the text that `to_text` writes.

        Raises:
            TraceError: If the text does not have that form; the message names the key.
        """
        found = _WORTH.fullmatch(text)
        if found is None or (found[1] and float(found[1]) > 100):
            raise TraceError(f"{key}: {text[:80]!a} is not a chance or a rating with a plan")
        words = from_line(key, found[3])
        return cls(words, round(float(found[1]) / 100, 4)) if found[1] else cls(words, rating=int(found[2]))


@dataclass(frozen=True)
class Explanation:
    """The lines that a player compared before an action; the action begins the first, which is the best.

    Attributes:
        action: The number of the action in the record, from 0. The lines also cover the player's next actions, up to
            the next explanation or the end of the turn.
        lines: The best few lines.
    """

    action: int
    lines: tuple[Line, ...]


def lines_in_words(state: State, lines: Sequence[core.PlanLine]) -> tuple[Line, ...]:
    """The best few of the lines that an agent of the core considers in a state."""
    return tuple(_in_words(state, line) for line in lines[:MOST_LINES])


def _in_words(state: State, line: core.PlanLine) -> Line:
    done = [
        _deed(state, action, source, target)
        for action, (source, target) in zip(line.actions, line.names, strict=True)
        if action.kind != ActionKind.end_turn
    ]
    words = "; ".join([*done, *["…"] * (not line.complete)]) or "end the turn"
    return Line(words, rating=line.rating) if line.chance is None else Line(words, round(line.chance, 4))


def _deed(state: State, action: Action, source: str | None, target: str | None) -> str:
    if action.kind == ActionKind.keep:
        hand = state.side(state.player_to_move).hand
        return f"keep {', '.join(card.name for i, card in enumerate(hand) if action.source >> i & 1) or 'nothing'}"
    if action.kind == ActionKind.attack:
        return f"{source or 'hero'} attacks {target or 'the enemy hero'}"
    if action.kind == ActionKind.choose:
        return f"choose {source}"
    side = "enemy" if action.target >= ENEMY_HERO else "own"
    at = "" if action.target == 0 else f" on the {side} {target or 'hero'}"
    if action.kind == ActionKind.power:
        return f"use the hero power{at}"
    return f"play {source}{f', option {action.choice}' if action.choice else ''}{at}"


# ---- in records ------------------------------------------------------------------------------------------------------


def check_explanations(explanations: Sequence[Explanation], actions: int) -> None:
    """Checks that every explanation has lines and an action of its own, in order.

    Raises:
        TraceError: If not.
    """
    numbers = [each.action for each in explanations]
    if numbers != sorted({*numbers}) or any(not 0 <= number < actions for number in numbers):
        raise TraceError("each explanation must belong to another action of the record, in the order of the actions")
    if not all(each.lines for each in explanations):
        raise TraceError("an explanation has at least one line")


def plan_lines(explanations: Iterable[Explanation], turn: int, first: int, actions: int) -> Iterator[str]:
    """The text lines below a turn whose first action has this number in the record."""
    for each in explanations:
        if first <= each.action < first + actions:
            yield from (f"{PLAN}{turn}.{each.action - first + 1}: {line.to_text()}" for line in each.lines)


def read_explanations(lines: Iterable[tuple[str, str]], turns: Iterable[tuple[int, int]]) -> Iterator[Explanation]:
    """Reads the explanations of a record.

    Args:
        lines: The keys and values of its lines.
        turns: The number of each turn, and how many actions it has.

    Raises:
        TraceError: If a line is malformed, or there is no such action.
    """
    keys = [f"{PLAN}{turn}.{i + 1}" for turn, actions in turns for i in range(actions)]
    numbers = {key: number for number, key in enumerate(keys)}
    for key, group in groupby(lines, key=lambda line: line[0]):
        if key not in numbers:
            raise TraceError(f"{key[:80]!a}: there is no such action")
        yield Explanation(numbers[key], tuple(Line.from_text(key, value.removeprefix(" ")) for _, value in group))
