"""Metagames that can be played at once: a table says how often each deck beats each, and seeds decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Self

import numpy as np

from deckatlas.metagame.growth import SearchOrder
from deckatlas.metagame.metagame import Entrant, Metagame
from deckatlas.play.runner import Progress
from deckatlas.runs.description import Description
from deckatlas.runs.encoding import GeneLayout
from deckatlas.search.batches import Batch, Course
from deckatlas.search.evaluation import LOST, WON, Column, Outcomes
from deckatlas.stats.averages import Sample

WINS = 0.9
BEATS = {"paper": ("rock", "well"), "scissors": ("paper",), "rock": ("scissors",), "well": ("rock", "scissors")}


def rate(first: str, second: str) -> float:
    """How often a deck beats another one."""
    return WINS if second in BEATS[first] else 1 - WINS if first in BEATS[second] else 0.5


@dataclass
class RuledEvaluator:
    """Plays by the table.

    Attributes:
        decks: The decks.
        played: The number of games that were played, in a list that others can read.
        most: Evaluations that play more than this many games in all are interrupted.
    """

    decks: Sequence[str]
    played: list[int]
    most: list[int]
    columns = (Column("won", unit="games"),)

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        courses = [each for each in batch.courses if isinstance(each, Course)]
        won = []
        for (first, second), course in zip((-1 - batch.participants).tolist(), batch.course.tolist(), strict=True):
            a, b = self.decks[first], self.decks[second]
            text = f"{courses[course].game_seeds[0]} {a} {b}"
            chance = int.from_bytes(sha256(text.encode()).digest()[:6], "big") / 2**48
            won.append(float(chance < rate(a, b)))
            self.played[0] += 1
            if self.played[0] > self.most[0]:
                raise KeyboardInterrupt
        total = np.array(won)[:, np.newaxis]
        outcome = np.where(total[:, 0] > 0, WON, LOST).astype(np.uint8)
        margin = np.zeros(len(batch), np.int8)
        return Outcomes(batch.lengths, total, np.ones_like(total), np.full_like(total, np.nan), outcome, margin)

    def sample(self, *, first_game: int, games: int) -> Sample:
        return Sample(games, games - 1)


@dataclass(frozen=True)
class RuledPlayers:
    """The decks as players."""

    decks: tuple[str, ...]
    made: RuledEvaluator

    def to_json(self) -> dict[str, Any]:
        return {"space": {"kind": "ruled"}, "evaluation": {"decks": list(self.decks)}}

    @classmethod
    def from_json(cls, config: Mapping[str, Any]) -> Self:
        raise NotImplementedError("the table counts its games, which only this process can")

    @property
    def cards(self) -> str:
        return "none"

    def evaluator(self) -> RuledEvaluator:
        return self.made

    def describe(self) -> Description:
        return Description("decks that meet by a table", "ruled", (), GeneLayout(0, np.dtype(np.float64)))


@dataclass(frozen=True)
class RuledMetagame(Metagame):
    """Decks that meet by the table."""

    played: list[int] = field(default_factory=lambda: [0], kw_only=True)
    most: list[int] = field(default_factory=lambda: [10**9], kw_only=True)

    @property
    def edition(self) -> str:
        return "none"

    def players(self) -> RuledPlayers:
        decks = tuple(each.deck for each in self.entrants)
        return RuledPlayers(decks, RuledEvaluator(decks, self.played, self.most))

    def joined_by(self, deck: str, *, name: str = "") -> "RuledMetagame":
        named = name or f"{deck} {len(self.entrants)}"
        return replace(self, entrants=(*self.entrants, Entrant(named, deck, "nobody")))

    def suite(self, portions: Mapping[int, int]) -> str:
        raise NotImplementedError

    def to_toml(self, notes: Mapping[str, str]) -> str:
        return "\n".join(f"{each.name} = {each.deck}  # {notes.get(each.name, '')}" for each in self.entrants)


def ruled(*decks: str) -> RuledMetagame:
    """A metagame of these decks."""
    return RuledMetagame("ruled", tuple(Entrant(deck.title(), deck, "nobody") for deck in decks))


@dataclass(frozen=True)
class TableSearches:
    """Searches that know the table: they return all decks that are not in the field, the best first.

    Attributes:
        kinds: The names of the searches.
        hidden: The decks that they can find.
        orders: The names and seeds that were asked for.
    """

    kinds: tuple[str, ...] = ("hidden",)
    hidden: tuple[str, ...] = tuple(BEATS)
    orders: list[tuple[str, int]] = field(default_factory=list)
    games: int = 1
    finalists: int = 4
    pilot: str = "nobody"

    def best_responses(self, order: SearchOrder) -> Sequence[str]:
        self.orders.append((order.name, order.seed))
        entrants, shares = order.field.metagame.entrants, order.field.mix.shares
        known = {each.deck for each in entrants}

        def won(deck: str) -> float:
            return sum(float(share) * rate(deck, each.deck) for each, share in zip(entrants, shares, strict=True))

        return sorted((deck for deck in self.hidden if deck not in known), key=won, reverse=True)
