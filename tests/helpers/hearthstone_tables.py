"""Reads compiled tables back: what a card's programs, triggers and auras say, entry by entry."""

from dataclasses import dataclass
from typing import NamedTuple

from deckatlas.games.hearthstone.cards.codes import Choice, Duration, Op, Side, Source
from deckatlas.games.hearthstone.cards.compile import Compiled

_PLAYS = {"play": 17, "combo": 28, "first": 39, "second": 50}  # the column where each begins


class PlayRow(NamedTuple):
    """One way to play a card."""

    minions: int
    heroes: int
    required: int
    side: int
    filter0: int
    value0: int
    filter1: int
    value1: int
    requirement: int
    requirement_value: int
    program: int


class InstructionRow(NamedTuple):
    """One instruction, its indices resolved to the entries they name."""

    op: Op
    side: Side
    source: Source
    choice: Choice
    duration: Duration
    skip: int
    selector: tuple[int, ...]
    selector2: tuple[int, ...]
    amount: tuple[int, ...]
    amount2: tuple[int, ...]
    condition: tuple[int, ...]
    card: int
    keywords: int


@dataclass(frozen=True)
class Reader:
    """What the tables of an edition say."""

    compiled: Compiled

    def entry(self, table: str, index: int) -> tuple[int, ...]:
        return tuple(int(value) for value in self.compiled.tables[table][index])

    def card(self, id: str) -> tuple[int, ...]:
        return self.entry("cards", self.compiled.index[id])

    def play(self, id: str, which: str = "play") -> PlayRow:
        start = _PLAYS[which]
        return PlayRow(*self.card(id)[start : start + 11])

    def program(self, start: int) -> list[InstructionRow]:
        """The instructions of a program without its end."""
        rows = []
        while self.entry("instructions", start)[0] != Op.end:
            op, side, source, choice, duration, *rest = self.entry("instructions", start)
            skip, selector, selector2, amount, amount2, condition, card, keywords = rest
            rows.append(
                InstructionRow(
                    Op(op),
                    Side(side),
                    Source(source),
                    Choice(choice),
                    Duration(duration),
                    skip,
                    self.entry("selectors", selector),
                    self.entry("selectors", selector2),
                    self.entry("numbers", amount),
                    self.entry("numbers", amount2),
                    self.entry("conditions", condition),
                    card,
                    keywords,
                )
            )
            start += 1
        return rows

    def deathrattle(self, id: str) -> list[InstructionRow]:
        return self.program(self.card(id)[61])

    def range(self, id: str, table: str) -> list[tuple[int, ...]]:
        column = {"triggers": 62, "auras": 64, "cost_auras": 66}[table]
        first, count = self.card(id)[column : column + 2]
        return [self.entry(table, index) for index in range(first, first + count)]
