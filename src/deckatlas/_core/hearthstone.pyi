"""Hearthstone, Basic and Classic."""

from collections.abc import Sequence
import enum

import deckatlas._core.locm


class CardSet:
    """An edition of cards, compiled."""

    def __init__(self, tables: dict) -> None: ...

    def __len__(self) -> int: ...

class ActionKind(enum.Enum):
    end_turn = 0

    play = 1

    power = 2

    attack = 3

    choose = 4

class Action:
    """What a player does."""

    def __init__(self, kind: ActionKind, *, source: int = 0, choice: int = 0, target: int = 0, position: int = 7) -> None: ...

    @property
    def kind(self) -> ActionKind: ...

    @property
    def source(self) -> int: ...

    @property
    def choice(self) -> int: ...

    @property
    def target(self) -> int: ...

    @property
    def position(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

class State:
    """A game of Hearthstone."""

    @staticmethod
    def make(cards: CardSet, first: dict, second: dict, *, active: int, turn: int) -> State: ...

    def describe(self) -> dict: ...

    def legal_actions(self) -> list[Action]: ...

    def apply_recorded(self, action: Action, draws: Sequence[tuple[int, int, int]]) -> bool: ...

    def apply(self, action: Action, rng: deckatlas._core.locm.Rng) -> None: ...

    def copy(self) -> State: ...

STATE_BYTES: int = 2048
