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

STATE_BYTES: int = 2184

ACTION_NUMBERS: int = 4181

class Score(enum.Enum):
    """The published ratings of positions."""

    aggro = 0

    control = 1

    fatigue = 2

    midrange = 3

    ramp = 4

class Rating:
    """What a position is worth to a player."""

    def __init__(self, score: Score) -> None: ...

    @staticmethod
    def linear(weights: Sequence[float]) -> Rating:
        """Thousandths of a weighted sum of the features."""

    @staticmethod
    def network(layers: Sequence[int], weights_then_biases: Sequence[float]) -> Rating:
        """
        Millionths of the output of a network over the features, with tanh after every layer.
        """

    def rate(self, state: State, player: int) -> int: ...

def features(state: State, player: int) -> list[float]:
    """What weights and networks rate by."""

class Information(enum.Enum):
    """What a planner knows."""

    perfect = 0

class Plan:
    """A plan for the rest of a turn."""

    @property
    def score(self) -> int: ...

    @property
    def end_nodes(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def random(self) -> bool: ...

    @property
    def actions(self) -> list[Action]: ...

class Agent:
    """Plays turns."""

    def choose(self, state: State, rng: deckatlas._core.locm.Rng) -> Action: ...

    def plan(self, state: State, rng: deckatlas._core.locm.Rng) -> Plan:
        """The plan that a planner makes for a state."""

    def fresh(self) -> Agent:
        """A copy for a new game."""

def random_agent(active: bool = False) -> Agent: ...

def pass_agent() -> Agent: ...

def planner_agent(rating: Rating, *, width: int, depth: int, information: Information, replan: bool) -> Agent: ...

class Mulligan(enum.Enum):
    """Which cards of an opening hand are kept."""

    cheap = 0

    inverted = 1

    all = 2

def game_seed(match_seed: int, game: int, swap_seats: bool) -> int:
    """The seed of one game of a match."""

def play_match(cards: CardSet, agent_a: Agent, decks_a: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], agent_b: Agent, decks_b: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, first_game: int = 0, games: int, seed: int, mulligan: Mulligan, swap_seats: bool, threads: int, progress: Callable[[int], object] | None = None) -> dict[str, NDArray]:
    """
    Columns of the games from `first_game` on. Decks are rows of a hero and its cards; seed k takes deck k of each entrant, and begins anew after the last.
    """

def copy_nanoseconds(state: State, copies: int) -> float:
    """Time to copy a state."""

NOTED: tuple = ...

def evaluate_decks(cards: CardSet, pilot: Agent, decks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], opponent_pilots: Sequence[Agent], opponent_decks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, opponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seat: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], mulligan: Mulligan, threads: int, progress: Callable[[int], object] | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, None, None))], Annotated[NDArray[numpy.int32], dict(shape=(None, None))]]:
    """
    For each deck, and each game of a course, the numbers that NOTED names; and for each place of each deck how often its card was played. A game of the course has an opponent, the seat of the deck, and a seed.
    """

def record_game(cards: CardSet, first: Agent, second: Agent, decks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, seed: int, mulligan: Mulligan) -> tuple[int, list[Action]]:
    """
    A game by its seed: the seed it was played with in the end, and every action from the mulligans on.
    """
