"""Hearthstone, Basic and Classic."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Final

import numpy
from numpy.typing import NDArray

import deckatlas._core
import deckatlas._core.locm


class CardSet:
    """An edition of cards, compiled."""

    def __init__(self, tables: dict, edition: str = '') -> None: ...

    @property
    def edition(self) -> str:
        """The name of the edition in texts."""

    def name_of(self, id: str) -> str:
        """The readable name of a card."""

    def __len__(self) -> int: ...

class ActionKind(enum.Enum):
    end_turn = 0

    play = 1

    power = 2

    attack = 3

    choose = 4

    keep = 5

class Action:
    """
    An action of a player, such as 'play 2 at enemy hero', 'attack 0 at enemy 1', 'end'.
    """

    def __init__(self, kind: ActionKind, *, source: int = 0, choice: int = 0, target: int = 0, position: int = 7) -> None: ...

    @staticmethod
    def from_text(text: str) -> Action:
        """Parses an action in words."""

    @staticmethod
    def from_number(number: int) -> Action: ...

    @property
    def kind(self) -> ActionKind: ...

    @property
    def source(self) -> int:
        """
        Place in the hand; for an attack 0 for the hero, 1 to 7 for minions; place among the cards to choose from; the places in the hand to keep, as bits.
        """

    @property
    def choice(self) -> int:
        """1 or 2 for a card with two options, otherwise 0."""

    @property
    def target(self) -> int:
        """
        0 no target, 1 the own hero, 2 to 8 own minions from the left, 9 the enemy hero, 10 to 16 its minions.
        """

    @property
    def position(self) -> int:
        """Where on the board a minion goes; 7 is the right end."""

    @property
    def number(self) -> int:
        """From 0 to ACTION_NUMBERS - 1, the same in every state."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

ACTION_NUMBERS: int = 4181

class State:
    """A whole game of Hearthstone as a plain value."""

    @staticmethod
    def make(cards: CardSet, first: dict, second: dict, *, active: int, turn: int) -> State: ...

    @staticmethod
    def new_game(cards: CardSet, decks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], rng: deckatlas._core.locm.Rng) -> State:
        """
        A new game; the player of the first deck moves first and must choose which cards to keep.
        """

    @staticmethod
    def from_text(cards: CardSet, text: str) -> State: ...

    def to_text(self) -> str:
        """The state as one line that `from_text` reads."""

    def describe(self) -> dict: ...

    @property
    def cards(self) -> CardSet: ...

    @property
    def hash(self) -> int:
        """A hash of everything that matters for the rest of the game."""

    def apply_recorded(self, action: Action, draws: Sequence[tuple[int, int, int]]) -> bool: ...

    def apply(self, action: Action, rng: deckatlas._core.locm.Rng) -> None:
        """Carries out a legal action; `rng` decides everything random."""

    def copy(self) -> State:
        """An independent copy."""

    def __copy__(self) -> State: ...

    def __deepcopy__(self, memo: dict) -> State: ...

    def __eq__(self, other: object, /) -> bool: ...

    __hash__: None = None

    def legal_actions(self) -> list[Action]:
        """
        All legal actions; played minions go to the right end, though any place is legal.
        """

    def is_legal(self, action: Action) -> bool: ...

    def action_mask(self) -> Annotated[NDArray[numpy.bool_], dict(shape=(4181))]:
        """Which action numbers are in `legal_actions`."""

    def side(self, player: int) -> Side: ...

    @property
    def phase(self) -> str:
        """mulligan, main, choice or over."""

    @property
    def turn(self) -> int:
        """Half-turns begun; odd ones belong to player 0."""

    @property
    def player_to_move(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def is_void(self) -> bool:
        """Whether the game ended because a capacity of the core was passed."""

    @property
    def winner(self) -> int | None:
        """0 or 1; None while the game goes on, and if nobody won."""

    @property
    def choices(self) -> list[str]:
        """Ids of the cards to choose from; empty if there is no choice."""

    @property
    def viewer(self) -> int | None:
        """The player whose view this is; None for the whole state."""

    def view(self, player: int) -> State:
        """
        What a player knows: hidden cards are `?`, and its own deck is in the order of the card table.
        """

    def resample(self, player: int, seed: int, candidates: Sequence[str] | None = None) -> State:
        """
        A whole state that the player could be in. The opponent's hidden cards are drawn from the candidates, given by the ids of copies: the unseen ones of its deck list, or all that its class may have.
        """

class Minion:
    """A minion in play."""

    @property
    def card(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def attack(self) -> int: ...

    @property
    def health(self) -> int: ...

    @property
    def max_health(self) -> int: ...

    @property
    def keywords(self) -> list[str]: ...

    @property
    def spell_damage(self) -> int: ...

    @property
    def can_attack(self) -> bool: ...

    @property
    def instance(self) -> int:
        """
        Its number in the order of play; it stays the same while the minion is in play as the same card.
        """

class HandCard:
    """
    A card in hand; card `?` is hidden from the viewer, and its cost is None.
    """

    @property
    def card(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def cost(self) -> int | None: ...

    @property
    def made(self) -> bool:
        """Whether an effect created it and the opponent does not know it."""

    @property
    def revealed(self) -> bool:
        """Whether the opponent knows it."""

class Weapon:
    """A weapon in play."""

    @property
    def card(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def attack(self) -> int: ...

    @property
    def durability(self) -> int: ...

class Side:
    """One player in a game."""

    @property
    def hero(self) -> str: ...

    @property
    def hero_name(self) -> str: ...

    @property
    def hero_class(self) -> str: ...

    @property
    def health(self) -> int: ...

    @property
    def max_health(self) -> int: ...

    @property
    def armor(self) -> int: ...

    @property
    def attack(self) -> int: ...

    @property
    def frozen(self) -> bool: ...

    @property
    def immune(self) -> bool: ...

    @property
    def can_attack(self) -> bool: ...

    @property
    def power(self) -> str: ...

    @property
    def power_name(self) -> str: ...

    @property
    def power_cost(self) -> int: ...

    @property
    def power_used(self) -> bool: ...

    @property
    def mana(self) -> int: ...

    @property
    def crystals(self) -> int: ...

    @property
    def overload_locked(self) -> int: ...

    @property
    def overload_owed(self) -> int: ...

    @property
    def fatigue(self) -> int: ...

    @property
    def cards_played(self) -> int:
        """This turn."""

    @property
    def spell_damage(self) -> int: ...

    @property
    def weapon(self) -> Weapon | None: ...

    @property
    def board(self) -> list[Minion]: ...

    @property
    def hand(self) -> list[HandCard]: ...

    @property
    def deck(self) -> list[str]:
        """
        Card ids, the next one to be drawn first; in the own view in the order of the card table, `?` in the opponent's.
        """

    @property
    def secrets(self) -> list[str]:
        """Card ids; in the opponent's view `?` and the class."""

    @property
    def died(self) -> list[str]:
        """Ids of the minions that died this turn."""

    @property
    def seen(self) -> list[str]:
        """
        Ids of the cards that its opponent has seen: played, discarded and burned cards of its deck, and revealed secrets.
        """

class Unseen:
    """Cards of a player's deck that its opponent has not seen yet."""

    def __init__(self, state: State, owner: int, candidates: Sequence[str] | None = None) -> None:
        """
        Starts with these copies: the deck list if it is known, else all that its class may have.
        """

    def note(self, before: State, after: State) -> None:
        """
        Removes the cards that an action showed; call it for every action of the game.
        """

    @property
    def cards(self) -> list[str]:
        """The ids of the remaining copies, unordered."""

STATE_BYTES: int = 2520

class Score(enum.Enum):
    """The published ratings of positions."""

    aggro = 0

    control = 1

    fatigue = 2

    midrange = 3

    ramp = 4

class Rating:
    """A rating of positions for a player."""

    def __init__(self, score: Score) -> None: ...

    @staticmethod
    def linear(weights: Sequence[float]) -> Rating:
        """Thousandths of a weighted sum of the features."""

    @staticmethod
    def network(network: deckatlas._core.Network) -> Rating:
        """Millionths of the output of a network over the features."""

    def rate(self, state: State, player: int) -> int: ...

def features(state: State, player: int) -> list[float]:
    """The features that weights and networks rate."""

class Information(enum.Enum):
    """What a planner knows."""

    honest = 0

    perfect = 1

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

class PlanLine:
    """A way to play the rest of a turn that an agent considered."""

    @property
    def rating(self) -> int:
        """The agent's rating of it."""

    @property
    def chance(self) -> float | None:
        """
        The chance to win, as the agent's player sees it; none if the agent's ratings are not chances.
        """

    @property
    def actions(self) -> list[Action]:
        """Its actions, as they are carried out with one guess of the luck."""

    @property
    def names(self) -> list[tuple[str | None, str | None]]:
        """
        For each action the names of the card or minion that acts, and of the minion it aims at, if any.
        """

    @property
    def complete(self) -> bool:
        """Whether these are all actions; false if luck decides how it continues."""

class Agent:
    """Plays turns."""

    def choose(self, state: State, rng: deckatlas._core.locm.Rng) -> Action:
        """
        An action for a state. A plan is continued as long as the state is the one it led to.
        """

    def choose_told(self, state: State, rng: deckatlas._core.locm.Rng) -> Action:
        """
        The next action of its game, as in a match of the core, for callers that report the result of the last.
        """

    def plan(self, state: State, rng: deckatlas._core.locm.Rng) -> Plan:
        """The plan that a planner makes for a state."""

    def explain(self, state: State, rng: deckatlas._core.locm.Rng) -> list[PlanLine]:
        """
        The lines that it compares for its plan, or for the cards to keep, with the same stream; the best first, which it plays. Empty for agents that do not plan.
        """

    def after_action(self, random: bool) -> None:
        """Reports whether anything in its last action was random."""

    @property
    def plans(self) -> tuple[int, int] | None:
        """The number of plans it made in this game, and the rating of the last."""

    @property
    def nodes(self) -> int:
        """The number of states in its searches of this game."""

    def fresh(self) -> Agent:
        """A copy for a new game."""

def random_agent(active: bool = False) -> Agent: ...

def pass_agent() -> Agent: ...

def planner_agent(rating: Rating, *, width: int, depth: int, information: Information, replan: bool) -> Agent: ...

def search_agent(width: int, finalists: int, weights: Sequence[int] | None = None) -> Agent: ...

def expert_agent(rating: LearnedRating, *, width: int, finalists: int, luck: int, considered: int, replies: int, reply_width: int, openings: int) -> Agent: ...

def mcts_agent(playouts: int, c: float, weights: Sequence[int] | None = None) -> Agent: ...

def greedy_agent() -> Agent: ...

def fmc_agent(playouts: int) -> Agent: ...

def dfs_agent(nodes: int) -> Agent: ...

def best_first_agent(nodes: int) -> Agent: ...

def mcts0_agent(playouts: int, c: float) -> Agent: ...

class Mulligan(enum.Enum):
    """Which cards of an opening hand are kept."""

    own = 0

    cheap = 1

    inverted = 2

    all = 3

def game_seed(match_seed: int, game: int, swap_seats: bool) -> int:
    """The seed of one game of a match."""

def play_match(cards: CardSet, agent_a: Agent, decks_a: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], agent_b: Agent, decks_b: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, first_game: int = 0, games: int, seed: int, mulligan: Mulligan, swap_seats: bool, threads: int, times: Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3), order='C', device='cpu')] | None = None, progress: Callable[[int], object] | None = None) -> dict[str, NDArray]:
    """
    Columns of the games from `first_game` on. Decks are rows of a hero and its cards; seed k uses deck k of each entrant, and starts again after the last. `times` receives the turn times of as many games as it has rows.
    """

def count_game(cards: CardSet, decks_a: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], decks_b: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], actions: Sequence[Action], *, game: int, seed: int, swap_seats: bool) -> dict[str, NDArray]:
    """
    The columns of one game of a match that was played outside the core, up to its last action; `nodes` are 0.
    """

def choose_kept(state: State, mulligan: Mulligan, agent: Agent | None = None, rng: deckatlas._core.locm.Rng | None = None) -> Action:
    """
    The cards of the opening hand that a mulligan keeps for the player to move, whose agent may have a choice.
    """

def copy_nanoseconds(state: State, copies: int) -> float:
    """Time to copy a state."""

NOTED: tuple = ...

CARD_EVENTS: tuple = ('offered', 'kept', 'drawn', 'turn_played')

MOST_RETRIES: int = 10

def meeting_seeds(seed: int, opponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], meeting: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], swap_seats: bool) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """
    The seed of each game of a course, from the run's seed, the number of the opponent and the number of earlier games with it; with swapped seats two games share a seed.
    """

MOST_CARDS: int = 30

def evaluate_decks(cards: CardSet, pilot: Agent, decks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], opponent_pilots: Sequence[Agent], opponent_decks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, opponent: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seat: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], mulligan: Mulligan, threads: int, card_events: bool = False, progress: Callable[[int], object] | None = None) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None, None, None))], Annotated[NDArray[numpy.int64], dict(shape=(None, None))], Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None))] | None]:
    """
    For each deck and each game of a course, the numbers that NOTED names; for each place of each deck how often its card was played; and, if requested, for each deck, game and place the numbers that CARD_EVENTS names. A game of the course has an opponent, the seat of the deck, and a seed.
    """

def note_game(cards: CardSet, decks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], actions: Sequence[tuple[Action, int | None]], *, seat: int, seed: int, retries: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]]:
    """
    The same for one game that was played outside the core, up to its last action. Decks are those of both seats. If a plan was made before an action, its rating comes with the action.
    """

class Moment(enum.Enum):
    """Who moves next in a position: the enemy, or the player who sees it."""

    turn_ended = 0

    turn_begins = 1

class FeatureZone:
    """A zone of features, such as the own hand."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str:
        """Its entries: flags, numbers, grid, classes, pairings or cards."""

    @property
    def first(self) -> int:
        """Its first feature."""

    @property
    def size(self) -> int:
        """The number of its features."""

class PositionFeatures:
    """The features of positions of an edition."""

    def __init__(self, cards: CardSet) -> None: ...

    @property
    def count(self) -> int: ...

    capacity: Final[int] = ...
    """The most features of a position."""

    @property
    def zones(self) -> list[FeatureZone]:
        """All zones, in the order of their features."""

    def name_of(self, feature: int) -> str:
        """A feature in words: its zone, and a card's title or a number."""

    def list(self, state: State, player: int, moment: Moment) -> NDArray[numpy.uint16]:
        """
        The features of a position as a player sees it. A position in the middle of a turn is seen as if the turn ended now and the next had begun.
        """

    def attributes(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.int8]]:
        """
        What every feature is, as a sparse matrix with a row per feature: offsets of rows, columns and values. FEATURE_ATTRIBUTES names the columns, which are the same in every edition.
        """

def card_attributes(cards: CardSet) -> NDArray[numpy.int8]:
    """
    What every card is: one row per number of a card, with the columns that CARD_ATTRIBUTES names.
    """

CARD_ATTRIBUTES: tuple = ...

FEATURE_ATTRIBUTES: tuple = ...

class LearnedRating:
    """A learned rating of positions for any edition."""

    def __init__(self, width: int, cards: Sequence[str], arrays: dict, decks: Sequence[tuple[str, Sequence[str]]]) -> None:
        """
        The arrays are own numbers of features that are no cards (`own_numbers`) and of cards by card and zone (`own_cards`), shared numbers of features, the bias of their sums, and the dense layers for both moments: first, second, last and their biases. Decks are classes with ids of cards: those that opponents may play.
        """

    @property
    def width(self) -> int: ...

    def network_for(self, cards: CardSet) -> PositionNetwork:
        """The network of an edition."""

    def guess(self, state: State, player: int, seed: int) -> State:
        """
        A state that this player could be in, where the opponent has one of the known decks.
        """

class PositionNetwork:
    """A learned rating of positions of an edition, in whole numbers."""

    @property
    def rows(self) -> NDArray[numpy.int16]:
        """The row of each feature."""

    @property
    def direct(self) -> NDArray[numpy.int32]:
        """What each feature adds to the output directly."""

    def rate(self, state: State, player: int, moment: Moment, portable: bool = False) -> int:
        """
        The logit of the chance to win, in 1024ths; the largest and the smallest 32-bit number for decided games. With `portable` by the code for any machine, which gives the same.
        """

    def rate_all(self, states: Sequence[State], player: int, moment: Moment) -> NDArray[numpy.int32]:
        """
        The same for many states, one after the other: faster if they share their decks.
        """

def chance_of_logit(logit: int) -> float:
    """The chance to win that a rating says."""

MOST_KNOWN_DECKS: int = 64

NETWORK_SCALES: dict = ...

NETWORK_HIDDEN: int = 32

NETWORK_BLOCK: int = 32

WIDEST_NETWORK: int = 128

MOST_DENSE: int = 16000

MOST_NETWORK_BIAS: int = 16777216

MOST_SHARED: int = 134217728

def record_positions(cards: CardSet, pilots: Sequence[Agent], decks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], pilots_of_game: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], decks_of_game: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, mulligan: Mulligan, share: float = 1.0, explorer: Agent | None = None, explored: float = 0.0, threads: int, progress: Callable[[int], object] | None = None) -> dict[str, NDArray]:
    """
    Plays games and records positions where turns change. `pilots_of_game` and `decks_of_game` have a pair for each game, by number; the first moves first. `share` of the positions is recorded, and `explorer` plays a turn with the chance `explored`; positions before such a turn are dropped. Columns with a row for each position: `offsets` (of its `features`, with one row more), `moment`, `outcome` (0 lost, 1 won, 2 nobody won), `game`, `half_turn` and `plan_score`. Columns with a row for each game: `winner`, `void` and `turns`.
    """

def rate_recorded(network: PositionNetwork, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], moments: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int32]:
    """
    The ratings of recorded positions, as `PositionNetwork.rate` gives them.
    """
