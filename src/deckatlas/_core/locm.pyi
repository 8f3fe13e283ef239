"""Legends of Code and Magic 1.2."""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import deckatlas._core


class CardTable:
    """The 160 cards of an edition in the core's form."""

    def __init__(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(160, 8), order='C', device='cpu', writable=False)], edition: str = '') -> None:
        """
        Builds a table from 160 rows of type, cost, attack, defense, keyword bits, player_health, enemy_health, draw.
        """

    @property
    def edition(self) -> str:
        """The label of the edition in texts of states."""

    @property
    def rows(self) -> Annotated[NDArray[numpy.int32], dict(shape=(160, 8))]:
        """The rows that the table was built from."""

ACTION_NUMBERS: int = 148

STATE_BYTES: int = 488

BATTLE_BYTES: int = 100

class Action:
    """
    One action, in the words of the official protocol: 'SUMMON 3 0', 'ATTACK 11 -1', 'PICK 2'.
    """

    @staticmethod
    def from_text(text: str) -> Action:
        """Parses an action; text after its arguments is a comment."""

    @property
    def verb(self) -> str:
        """PICK, PASS, SUMMON, ATTACK or USE."""

    @property
    def id(self) -> int:
        """The choice of a PICK, otherwise the instance id of the acting card."""

    @property
    def target(self) -> int:
        """
        The lane of a SUMMON, otherwise the target's instance id, -1 for the player.
        """

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

class HandCard:
    """A card in hand; card 0 is hidden from the viewer."""

    @property
    def card(self) -> int: ...

    @property
    def instance(self) -> int: ...

class Creature:
    """A creature on the board."""

    @property
    def card(self) -> int: ...

    @property
    def instance(self) -> int: ...

    @property
    def lane(self) -> int: ...

    @property
    def attack(self) -> int: ...

    @property
    def defense(self) -> int: ...

    @property
    def keywords(self) -> str: ...

    @property
    def can_attack(self) -> bool: ...

    @property
    def has_attacked(self) -> bool: ...

    @property
    def touched(self) -> bool: ...

class Side:
    """One player in a battle."""

    @property
    def health(self) -> int: ...

    @property
    def runes(self) -> int: ...

    @property
    def mana(self) -> int: ...

    @property
    def max_mana(self) -> int: ...

    @property
    def bonus_mana(self) -> int: ...

    @property
    def next_draw(self) -> int: ...

    @property
    def shown_draw(self) -> int: ...

    @property
    def drawn(self) -> int: ...

    @property
    def deck_left(self) -> int: ...

    @property
    def hand(self) -> list[HandCard]: ...

    @property
    def creatures(self) -> list[Creature]: ...

class State:
    """A whole game as a plain value: draft and battle."""

    @staticmethod
    def new_game(cards: CardTable, draft_seed: int, seed: int, format: str) -> State: ...

    @staticmethod
    def from_decks(cards: CardTable, decks: Annotated[NDArray[numpy.int32], dict(shape=(2, 30), order='C', device='cpu', writable=False)], seed: int) -> State: ...

    @staticmethod
    def from_text(cards: CardTable, text: str) -> State: ...

    def to_text(self) -> str:
        """The state as one line that `from_text` reads."""

    def copy(self) -> State:
        """An independent copy."""

    def __copy__(self) -> State: ...

    def __deepcopy__(self, memo: dict) -> State: ...

    def __eq__(self, other: object, /) -> bool: ...

    @property
    def cards(self) -> CardTable: ...

    @property
    def hash(self) -> int: ...

    @property
    def battle_hash(self) -> int:
        """
        A hash of everything that matters for the rest of the battle, except the order of hidden cards.
        """

    @property
    def in_battle(self) -> bool: ...

    @property
    def turn(self) -> int:
        """
        Half-turns since the start of the battle; even ones belong to player 0.
        """

    @property
    def player_to_move(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def winner(self) -> int | None:
        """0 or 1, or None while the game continues."""

    @property
    def viewer(self) -> int | None:
        """The player whose view this is; None for the whole state."""

    @property
    def offers(self) -> list[list[int]]:
        """
        The thirty triples of the draft, seen or not; empty in a game with given decks.
        """

    def chosen(self, player: int) -> list[int]:
        """
        Card ids that a player has picked, or the list of its given deck; 0 where hidden.
        """

    def deck(self, player: int) -> list[int]:
        """
        The shuffled deck in draw order, including drawn cards; 0 where hidden.
        """

    def side(self, player: int) -> Side: ...

    def legal_actions(self) -> list[Action]: ...

    def is_legal(self, action: Action) -> bool: ...

    def apply(self, action: Action) -> None:
        """Carries out a legal action; PASS ends the turn and starts the next."""

    def view(self, player: int) -> State:
        """What a player knows; hidden cards are card 0."""

    def resample(self, player: int, seed: int, weights: Sequence[float] | NDArray[numpy.float64] | None = None) -> State:
        """
        A whole state that the player could be in; the prior of a pick is proportional to its weight, by default uniform.
        """

    def action_number(self, action: Action) -> int: ...

    def numbered_action(self, number: int) -> Action: ...

    def action_mask(self) -> Annotated[NDArray[numpy.bool_], dict(shape=(148))]: ...

    __hash__: None = None

class Rng:
    """A random stream."""

    def __init__(self, game_seed: int, seat: int) -> None:
        """The stream of a seat in the game of a seed."""

    def below(self, bound: int) -> int: ...

    @staticmethod
    def from_state(state: int) -> Rng:
        """The stream in that state."""

    @property
    def state(self) -> int:
        """The current state, which determines all following numbers."""

    def copy(self) -> Rng:
        """An independent copy."""

class DraftPolicy:
    """Picks cards."""

    def choose(self, state: State, rng: Rng) -> Action: ...

def random_draft() -> DraftPolicy: ...

def ranking_draft(scores: Annotated[NDArray[numpy.float64], dict(shape=(160), order='C', device='cpu', writable=False)]) -> DraftPolicy: ...

def seat_ranking_draft(scores: Annotated[NDArray[numpy.float64], dict(shape=(2, 2, 160), order='C', device='cpu', writable=False)], *, last_on_ties: bool = False) -> DraftPolicy:
    """
    Rankings by seat and by whether fewer than two in five picks are creatures.
    """

def baseline1_draft() -> DraftPolicy: ...

def baseline2_draft() -> DraftPolicy: ...

def uji1_draft() -> DraftPolicy: ...

def uji2_draft() -> DraftPolicy: ...

def pattern_draft(scores: Annotated[NDArray[numpy.float64], dict(shape=(2, 160), order='C', device='cpu', writable=False)], wanted: Annotated[NDArray[numpy.int32], dict(shape=(2, 7), order='C', device='cpu', writable=False)]) -> DraftPolicy: ...

def curve_draft(values: Annotated[NDArray[numpy.float64], dict(shape=(2, 160), order='C', device='cpu', writable=False)], bends: Annotated[NDArray[numpy.float64], dict(shape=(2, 8), order='C', device='cpu', writable=False)], usual: Annotated[NDArray[numpy.float64], dict(shape=(2, 8), order='C', device='cpu', writable=False)]) -> DraftPolicy: ...

def net_draft(first: deckatlas._core.Network, second: deckatlas._core.Network) -> DraftPolicy: ...

def fixed_deck(deck: Annotated[NDArray[numpy.int32], dict(shape=(30), order='C', device='cpu', writable=False)]) -> DraftPolicy: ...

class BattleAgent:
    """Plays battles."""

    def choose(self, state: State, rng: Rng, seconds: float | None = None) -> Action:
        """
        A legal action; with a clock, a search has `seconds` for the rest of the turn.
        """

    def explain(self, state: State, rng: Rng) -> list[tuple[bool, int, list[Action]]]:
        """
        The lines that an agent compares before a turn, the best first: whether one wins, its rating, its actions. Empty if the agent does not compare whole turns.
        """

    def fresh(self) -> BattleAgent:
        """A copy for a new game."""

def pass_agent() -> BattleAgent: ...

def random_agent(active: bool = False) -> BattleAgent: ...

def greedy_agent() -> BattleAgent: ...

def baseline1_agent() -> BattleAgent: ...

def baseline2_agent() -> BattleAgent: ...

def coac_agent(nodes: int, original: bool = False) -> BattleAgent: ...

def rg_agent(nodes: int, merge: bool = False) -> BattleAgent: ...

def onelane_agent(nodes: int) -> BattleAgent: ...

def chad_agent(playouts: int) -> BattleAgent: ...

def fmc_agent(playouts: int) -> BattleAgent: ...

def dfs_agent(nodes: int) -> BattleAgent: ...

def mcts0_agent(playouts: int, c: float) -> BattleAgent: ...

def mcts_agent(playouts: int, c: float) -> BattleAgent: ...

def mctsp_agent(playouts: int, c: float) -> BattleAgent: ...

def bbmcts_agent(playouts: int, c: float) -> BattleAgent: ...

def planner_agent(width: int, finalists: int, weights: Sequence[int] | None = None) -> BattleAgent: ...

def game_seed(match_seed: int, game: int, swap_seats: bool) -> int:
    """The seed of one game of a match."""

def play_match(cards: CardTable, draft_a: DraftPolicy, battle_a: BattleAgent, draft_b: DraftPolicy, battle_b: BattleAgent, *, first_game: int = 0, games: int, seed: int, format: str, swap_seats: bool, threads: int, times: Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3), order='C', device='cpu')] | None = None, progress: Callable[[int], object] | None = None) -> dict[str, NDArray]:
    """
    Columns of the games from `first_game` on; `times` receives the turn times of as many games as it has rows.
    """

def copy_nanoseconds(state: State, copies: int) -> tuple[float, float]:
    """Time to copy a whole state, and to copy the battle in it."""

class CourseResults:
    """The results of matchups over courses, seen by the first player."""

    @property
    def wins(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """For each matchup, the number of games its first player won."""

    @property
    def outcome(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """
        For each game, in the order of the matchup's course: 0 lost, 1 won, 2 nobody won, 3 void.
        """

    @property
    def margin(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """
        For each game, the player's health minus the opponent's at the end, between -127 and 127.
        """

def play_courses(cards: CardTable, drafts: Sequence[DraftPolicy], battles: Sequence[BattleAgent], *, first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], course: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], draft_seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], game_seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], format: str, threads: int, progress: Callable[[int], object] | None = None) -> CourseResults:
    """Plays matchups over courses and returns the results of each game."""

def draft_offers(seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, format: str) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None))]:
    """The thirty triples of the drafts of these games."""

def draft_decks(cards: CardTable, draft: DraftPolicy, seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, seat: int, format: str) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]:
    """
    The thirty cards that a policy picks in a seat in the drafts of these games: one row per seed.
    """
