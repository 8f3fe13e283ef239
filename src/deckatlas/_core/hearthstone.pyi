"""Hearthstone, Basic and Classic."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray

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

    keep = 5

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

    @staticmethod
    def from_number(number: int) -> Action: ...

    @property
    def number(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

class State:
    """A game of Hearthstone."""

    @staticmethod
    def make(cards: CardSet, first: dict, second: dict, *, active: int, turn: int) -> State: ...

    @staticmethod
    def new_game(cards: CardSet, decks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], rng: deckatlas._core.locm.Rng) -> State:
        """
        A new game; the player of the first deck moves first, and is to choose which cards to keep.
        """

    def describe(self) -> dict: ...

    def hash(self) -> int: ...

    def legal_actions(self) -> list[Action]: ...

    def apply_recorded(self, action: Action, draws: Sequence[tuple[int, int, int]]) -> bool: ...

    def apply(self, action: Action, rng: deckatlas._core.locm.Rng) -> None: ...

    def copy(self) -> State: ...

STATE_BYTES: int = 2400

ACTION_NUMBERS: int = 4181

class Mulligan(enum.Enum):
    """Which cards of an opening hand are kept."""

    cheap = 0

    inverted = 1

    all = 2

def game_seed(match_seed: int, game: int, swap_seats: bool) -> int:
    """The seed of one game of a match."""

def play_match(cards: CardSet, agent_a: str, decks_a: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], agent_b: str, decks_b: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, first_game: int = 0, games: int, seed: int, mulligan: Mulligan, swap_seats: bool, threads: int, progress: Callable[[int], object] | None = None) -> dict[str, NDArray]:
    """
    Columns of the games from `first_game` on. Decks are rows of a hero and its cards; seed k takes deck k of each entrant, and begins anew after the last.
    """

def copy_nanoseconds(state: State, copies: int) -> float:
    """Time to copy a state."""
