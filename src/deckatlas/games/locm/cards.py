"""The 160 cards of Legends of Code and Magic 1.2, and checks for decks."""

import copyreg
import csv
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.errors import CardError, DeckError
from deckatlas.files.reading import package_text
from deckatlas.shapes import show

TYPES = ("creature", "green", "red", "blue")
KEYWORDS = "BCDGLW"
DECK_SIZE = 30


@dataclass(frozen=True)
class Card:
    """One card; `type` is creature or the colour of an item."""

    id: int
    name: str
    type: str
    cost: int
    attack: int
    defense: int
    keywords: str
    player_health: int
    enemy_health: int
    draw: int

    def __repr__(self) -> str:
        return f"Card({self.id}, {self.name!r})"

    def __str__(self) -> str:
        stats = f"{self.attack}/{self.defense}"
        extras = [self.keywords.replace("-", "")] if self.keywords != "------" else []
        effects = (("own health", self.player_health), ("enemy health", self.enemy_health), ("draw", self.draw))
        extras += [f"{label} {value:+d}" for label, value in effects if value]
        return " ".join([f"#{self.id} {self.name} ({self.cost}) {stats}", *extras])


def _row(card: Card) -> tuple[int, ...]:
    keywords = sum(1 << i for i, letter in enumerate(card.keywords) if letter != "-")
    _, _, kind, cost, attack, defense, _, player_health, enemy_health, draw = astuple(card)
    return (TYPES.index(kind), cost, attack, defense, keywords, player_health, enemy_health, draw)


def card_table(cards: Sequence[Card], *, edition: str = "") -> core.CardTable:
    """Compiles cards for the core; texts of states contain the label of their edition, unless it is empty.

    Raises:
        CardError: If they are not the ids 1 to 160 in order, or a card has an impossible value.
    """
    if [card.id for card in cards] != list(range(1, 161)):
        raise CardError("a card table needs the ids 1 to 160 in order")
    for card in cards:
        if card.type not in TYPES:
            raise CardError(f"card {card.id}: unknown type '{card.type}', use one of {', '.join(TYPES)}")
        if len(card.keywords) != len(KEYWORDS) or any(
            letter not in ("-", KEYWORDS[i]) for i, letter in enumerate(card.keywords)
        ):
            raise CardError(f"card {card.id}: keywords must be six characters like 'BC-G--', not '{card.keywords}'")
    return core.CardTable(np.array([_row(card) for card in cards], dtype=np.int32), edition)


@cache
def cards() -> tuple[Card, ...]:
    """All cards in the order of their ids (card `i` is at index `i - 1`)."""
    lines = package_text(str(__package__), "cards.csv").splitlines()
    return tuple(
        Card(
            id=int(row["id"]),
            name=row["name"],
            type=row["type"],
            cost=int(row["cost"]),
            attack=int(row["attack"]),
            defense=int(row["defense"]),
            keywords=row["keywords"],
            player_health=int(row["player_health"]),
            enemy_health=int(row["enemy_health"]),
            draw=int(row["draw"]),
        )
        for row in csv.DictReader(lines)
    )


@cache
def official_table() -> core.CardTable:
    """The official cards, compiled for the core."""
    return card_table(cards())


@lru_cache(16)
def _labelled_table(rows: bytes, edition: str) -> core.CardTable:
    return core.CardTable(np.frombuffer(rows, np.int32).reshape(len(cards()), -1), edition)


def _reduced(table: core.CardTable) -> tuple[Any, ...]:
    if table is official_table():
        return official_table, ()
    return _labelled_table, (table.rows.tobytes(), table.edition)


copyreg.pickle(core.CardTable, _reduced)
setattr(core.CardTable, "__deepcopy__", lambda table, memo: table)  # noqa: B010 - it never changes


def card_name(card: int) -> str:
    """Name of a card, or "?" for card 0, which the viewer cannot see."""
    return cards()[card - 1].name if card else "?"


def check_deck(deck: Sequence[int]) -> npt.NDArray[np.int32]:
    """Returns a deck as an array of thirty card ids; any number of copies is allowed.

    Raises:
        DeckError: If it does not have thirty cards, or a card is unknown.
    """
    try:
        ids = list(deck)
    except TypeError:
        raise DeckError(f"a deck must be {DECK_SIZE} card ids, not {type(deck).__name__}") from None
    if len(ids) != DECK_SIZE:
        raise DeckError(f"a deck has {DECK_SIZE} cards, but this one has {len(ids)}")
    for card in ids:
        if isinstance(card, bool) or not isinstance(card, int | np.integer) or not 1 <= card <= len(cards()):
            raise DeckError(f"unknown card {show(card)}: card ids run from 1 to {len(cards())}")
    return np.array(ids, dtype=np.int32)
