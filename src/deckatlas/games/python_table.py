"""Playing games written in Python: players, one game, the games of a match, records and stories."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from deckatlas.errors import GameError, TraceError
from deckatlas.play.match import NOBODY, MatchResult, play_parts
from deckatlas.play.players import Forfeit, Player
from deckatlas.play.records import SEATS, as_line, from_line
from deckatlas.play.runner import Columns, Progress, Runner
from deckatlas.play.sprt import Sprt
from deckatlas.play.table import Table, TableOutcome
from deckatlas.shapes import show

if TYPE_CHECKING:
    from deckatlas.games.python_game import Deck, Pilot, PythonGame

AnyState = TypeVar("AnyState")
AnyAction = TypeVar("AnyAction")

_STREAMS = 4  # per seed: one for each player's random choices, one for the game
_GAME_STREAM = 2
_NOBODY_IN_WORDS = "nobody"
_HEADER = ("seed", *(key for seat in SEATS for key in (seat, f"{seat} deck")), "winner")


def stream(seed: int, number: int) -> random.Random:
    """A random generator of a seed; different numbers and different seeds give independent generators."""
    return random.Random(_STREAMS * seed + number)


class PilotPlayer(Player[AnyState, AnyAction]):
    """A pilot with the random generator of its seat; an illegal answer loses the game."""

    def __init__(self, game: "PythonGame[AnyState, AnyAction]", pilot: "Pilot", rng: random.Random) -> None:
        self._game, self._pilot, self._rng = game, pilot, rng

    def choose(self, state: AnyState) -> AnyAction:
        """Asks the pilot.

        Raises:
            Forfeit: If its answer is not a legal action.
            GameError: If there is no legal action.
        """
        legal = list(self._game.legal_actions(state))
        if not legal:
            raise GameError(f"{self._game.name}: there is no legal action, but the game is not over")
        view = self._game.view(state, self._game.player_to_move(state))
        action: AnyAction = self._pilot(view, list(legal), self._rng)
        if action not in legal:
            raise Forfeit(f"answered {show(str(action))}, which is not a legal action")
        return action


@dataclass(frozen=True)
class PythonOutcome(TableOutcome[AnyState, AnyAction]):
    """How a game ended, and after how many turns; a turn ends when the other player is to move."""

    turns: int


class PythonTable(Table[AnyState, AnyAction]):
    """A game in Python, with the random generator of the game itself."""

    def __init__(
        self,
        game: "PythonGame[AnyState, AnyAction]",
        state: AnyState,
        players: Sequence[Player[AnyState, AnyAction]],
        rng: random.Random,
    ) -> None:
        super().__init__(state, players)
        self.turns = 1
        self._game, self._rng = game, rng
        self._actions = 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._game.winner(self.state) is not None

    @property
    def winner(self) -> int | None:
        """The player that has won; None for a draw."""
        winner = self._game.winner(self.state)
        return None if winner == NOBODY else winner

    @property
    def player_to_move(self) -> int:
        """The player that chooses the next action."""
        return self._game.player_to_move(self.state)

    @property
    def turn(self) -> int | None:
        """The number of turns that have started."""
        return self.turns

    def apply(self, action: AnyAction) -> None:
        """Applies an action to the state.

        Raises:
            GameError: If the game does not end.
        """
        mover = self.player_to_move
        self._game.apply(self.state, action, self._rng)
        self._actions += 1
        if self._actions > self._game.most_actions:
            raise GameError(f"{self._game.name}: a game has not ended after {self._game.most_actions:,} actions")
        if not self.is_over and self.player_to_move != mover:
            self.turns += 1


def begin(
    game: "PythonGame[AnyState, AnyAction]", decks: "Sequence[Deck]", seed: int
) -> tuple[AnyState, random.Random]:
    """The initial state of the game of a seed, and the random generator for the rest of the game."""
    rng = stream(seed, _GAME_STREAM)
    cards = game.cards()
    first, second = (tuple(cards[card] for card in deck) for deck in decks)
    return game.new_game(first, second, rng), rng


def play_seed(
    game: "PythonGame[AnyState, AnyAction]", decks: "Sequence[Deck]", pilots: "Sequence[Pilot]", seed: int
) -> PythonOutcome[AnyState, AnyAction]:
    """Plays the game of a seed to its end, with the decks and pilots of the first and the second seat."""
    players = [PilotPlayer(game, pilot, stream(seed, seat)) for seat, pilot in enumerate(pilots)]
    state, rng = begin(game, decks, seed)
    table = PythonTable(game, state, players, rng)
    ended = table.play()
    return PythonOutcome(ended.final, ended.actions, ended.winner, ended.forfeit, ended.turn_seconds, table.turns)


@dataclass(frozen=True)
class PythonRunner(Runner[PythonOutcome[Any, Any]]):
    """Plays any games of one match, one after another.

    Attributes:
        game: The game.
        decks: The decks of both entrants.
        pilots: Their pilots.
    """

    game: "PythonGame[Any, Any]"
    decks: "tuple[Deck, Deck]"
    pilots: "tuple[Pilot, Pilot]"

    @property
    def _has_callables(self) -> bool:
        return True

    def _play_game(self, game: int) -> PythonOutcome[Any, Any]:
        seats = (self._first(game), 1 - self._first(game))
        decks, pilots = [self.decks[each] for each in seats], [self.pilots[each] for each in seats]
        return play_seed(self.game, decks, pilots, self._game_seed(game))

    def _row(self, game: int, outcome: PythonOutcome[Any, Any]) -> Columns:
        first = self._first(game)
        return {
            "seed": np.array([self._game_seed(game)], np.uint64),
            "first": np.array([first], np.uint8),
            "winner": np.array([NOBODY if outcome.winner is None else outcome.winner ^ first], np.uint8),
            "turns": np.array([outcome.turns], np.int32),
            "actions": np.array([len(outcome.actions)], np.int32),
            **{
                name: np.array([[number(outcome.final, seat) for seat in (first, 1 - first)]], np.int64)
                for name, number in self.game.measured().items()
            },
        }


@dataclass(frozen=True)
class Entrant:
    """A deck and its pilot, with a name."""

    name: str
    deck: "Deck"
    pilot: "Pilot"


def play_match(
    game: "PythonGame[Any, Any]",
    a: Entrant,
    b: Entrant,
    *,
    games: int,
    seed: int,
    swap_seats: bool,
    threads: int,
    timed_games: int,
    sprt: Sprt | None,
    progress: Progress | None,
) -> MatchResult:
    """Plays the match of two entrants; see `PythonGame.play`."""
    names = (a.name, b.name)
    runner = PythonRunner(names, seed, bool(swap_seats), threads, game, (a.deck, b.deck), (a.pilot, b.pilot))
    columns, forfeits, times, test = play_parts(runner, games, timed_games=timed_games, sprt=sprt, progress=progress)
    return MatchResult(*names, columns, runner.swap_seats, forfeits, times, test)


# ---- records and stories ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PythonRecord(Generic[AnyState, AnyAction]):
    """A record: the seed, decks, players, actions and winner of one game, and the reason of a forfeit.

    Attributes:
        game: The game that was played.
        seed: The seed of everything random except the pilots' random choices.
        decks: The decks of the first and the second player.
        players: Names of the first and the second player.
        actions: All actions of both players in order, as texts.
        winner: 0 or 1, or None if nobody won.
        forfeit: Why the other player forfeited; None if the game was played to its end.
    """

    game: "PythonGame[AnyState, AnyAction]" = field(repr=False)
    seed: int
    decks: "tuple[Deck, Deck]"
    players: tuple[str, str]
    actions: tuple[str, ...]
    winner: int | None
    forfeit: str | None = None

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """The game as text for `PythonGame.read_record`: a header of `key: value`, then one line per action."""
        lines = [_title(self.game), f"seed: {self.seed}"]
        for seat, name, deck in zip(SEATS, self.players, self.decks, strict=True):
            lines += [f"{seat}: {as_line(name)}", f"{seat} deck: {self.game.deck_text(deck)}"]
        lines.append(f"winner: {_NOBODY_IN_WORDS if self.winner is None else SEATS[self.winner]}")
        if self.forfeit is not None:
            lines.append(f"forfeit: {as_line(self.forfeit)}")
        return "\n".join([*lines, "", *map(as_line, self.actions), ""])

    def replay(self) -> Iterator[PythonTable[AnyState, AnyAction]]:
        """Yields the game at the start and after each action; it is the same object each time.

        Raises:
            TraceError: If an action is not legal, or the game does not end as recorded.
        """
        state, rng = begin(self.game, self.decks, self.seed)
        table = PythonTable(self.game, state, (), rng)
        yield table
        for number, text in enumerate(self.actions, start=1):
            legal = (
                {} if table.is_over else {self.game.action_text(each): each for each in self.game.legal_actions(state)}
            )
            if text not in legal:
                raise TraceError(f"action {number} of the record: {show(text)} is not legal")
            table.apply(legal[text])
            yield table
        if self.forfeit is None and (not table.is_over or table.winner != self.winner):
            raise TraceError("the game does not end as the record says")


def _title(game: "PythonGame[Any, Any]") -> str:
    return f"deckatlas game of {game.name}"


def read_record(game: "PythonGame[AnyState, AnyAction]", text: str) -> PythonRecord[AnyState, AnyAction]:
    """Reads what `to_text` writes; replaying it checks that the actions are legal.

    Raises:
        TraceError: If the text is not a record; the message names the line or the key.
        DeckError: If a deck is not legal.
    """
    title, *lines = text.splitlines() or [""]
    if title != _title(game) or "" not in lines:
        raise TraceError(f"a record of this game begins with the line '{_title(game)}' and has an empty line")
    end = lines.index("")
    header = dict(line.partition(": ")[::2] for line in lines[:end])
    missing = [key for key in _HEADER if key not in header]
    if missing:
        raise TraceError(f"the record has no line '{missing[0]}: ...'")
    winners = {SEATS[0]: 0, SEATS[1]: 1, _NOBODY_IN_WORDS: None}
    if header["winner"] not in winners or not header["seed"].isdecimal():
        raise TraceError(f"winner {show(header['winner'])} or seed {show(header['seed'])} is not valid")
    return PythonRecord(
        game=game,
        seed=int(header["seed"]),
        decks=(game.deck(header["first deck"]), game.deck(header["second deck"])),
        players=(from_line("first", header["first"]), from_line("second", header["second"])),
        actions=tuple(from_line("action", line) for line in lines[end + 1 :]),
        winner=winners[header["winner"]],
        forfeit=from_line("forfeit", header["forfeit"]) if "forfeit" in header else None,
    )


def narrate(record: PythonRecord[Any, Any]) -> str:
    """The story of a game for people: the state at the start of each turn, and the actions.

    Raises:
        TraceError: If the record cannot be replayed.
    """
    game, names = record.game, [as_line(name) for name in record.players]
    lines = [f"{names[0]} (first) against {names[1]} (second)"]
    last_turn, table = 0, None
    for table, action in zip(record.replay(), (*record.actions, None), strict=True):
        if table.turns > last_turn and not table.is_over:
            last_turn = table.turns
            lines += ["", f"Turn {last_turn}, {SEATS[table.player_to_move]}: {game.describe(table.state)}"]
        if action is not None:
            lines.append(f"  {action}")
    assert table is not None
    lines += ["", game.describe(table.state)]
    if record.winner is None:
        return "\n".join([*lines, "Nobody wins."])
    winner, loser = (f"{SEATS[seat]} ({names[seat]})" for seat in (record.winner, 1 - record.winner))
    how = f" in turn {table.turns}" if record.forfeit is None else f": {loser} forfeits, {as_line(record.forfeit)}"
    return "\n".join([*lines, f"{winner} wins{how}."])
