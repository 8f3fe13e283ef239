"""Games written in Python alone: a base class with a few methods to implement.

It provides matches, gauntlets, records, stories, a space of decks and an evaluator. docs/your-own-game.md builds a
game.

States and actions can be any objects. A *pilot* is a function that takes its player's view, the legal actions and a
random generator, and returns one of the actions. Everything random comes from the generators that are passed in, so a
seed always gives the same game.
"""

import copy
import random
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np

from deckatlas.errors import AgentError, DeckError, MatchError
from deckatlas.games.chance import check_seed
from deckatlas.games.game import AgentList, CommandPart, Game, GameOption, PlayedGame
from deckatlas.games.python_table import Entrant, PythonRecord, narrate, play_match, play_seed, read_record
from deckatlas.play.gauntlet import GauntletProgress, GauntletResult, play_pairs
from deckatlas.play.limits import MAX_GAMES, positive, thread_count
from deckatlas.play.match import NOBODY, MatchResult
from deckatlas.play.runner import Progress
from deckatlas.play.spec import Entry, files_in, make_from_spec, numbered
from deckatlas.play.sprt import Sprt
from deckatlas.play.times import TIMED_GAMES
from deckatlas.search.deck_space import DeckColumn, DeckSpace
from deckatlas.shapes import nearest, show

if TYPE_CHECKING:
    from deckatlas.games.python_evaluator import PythonEvaluator

__all__ = ["NOBODY", "Deck", "Pilot", "PythonGame"]

AnyState = TypeVar("AnyState")
AnyAction = TypeVar("AnyAction")
Pilot: TypeAlias = Callable[[Any, list[Any], random.Random], Any]
Deck: TypeAlias = tuple[str, ...]  # one card id per copy, in the order of `cards`
DeckLike: TypeAlias = str | Sequence[str] | Mapping[str, int]
PilotLike: TypeAlias = str | Pilot
EntrantLike: TypeAlias = str | tuple[DeckLike, PilotLike]

_DECK_A = GameOption("deck_a", "The first agent's deck, by its name or its cards (needed).")
_DECK_B = GameOption("deck_b", "The second agent's deck (needed).")


class PythonGame(Game, Generic[AnyState, AnyAction]):
    """A card game for two players with decks, in Python.

    Attributes:
        deck_size: The number of cards in a deck.
        most_copies: The most copies of a card in a deck.
        most_actions: A game with more actions counts as endless, which is an error of the game.
        version: Change it when the rules change: older runs can then be shown, but not resumed.
    """

    deck_size: ClassVar[int]
    most_copies: ClassVar[int]
    most_actions: ClassVar[int] = 10_000
    version: ClassVar[str] = "1"

    # ---- what a game must implement ----------------------------------------------------------------------------------

    @abstractmethod
    def cards(self) -> Mapping[str, Any]:
        """All cards by their ids; a card can be any object that the rules need."""

    @abstractmethod
    def new_game(self, first: tuple[Any, ...], second: tuple[Any, ...], rng: random.Random) -> AnyState:
        """Starts a game: shuffles and deals two decks, which are given as all their cards in the order of `cards`."""

    @abstractmethod
    def player_to_move(self, state: AnyState) -> int:
        """The player that chooses the next action: 0 moves first in the game, 1 second."""

    @abstractmethod
    def legal_actions(self, state: AnyState) -> Sequence[AnyAction]:
        """The legal actions of the player to move: at least one until the game is over."""

    @abstractmethod
    def apply(self, state: AnyState, action: AnyAction, rng: random.Random) -> None:
        """Applies an action to the state."""

    @abstractmethod
    def winner(self, state: AnyState) -> int | None:
        """The player that has won, 0 or 1; `NOBODY` for a draw; None until the game is over."""

    @abstractmethod
    def pilots(self) -> Mapping[str, Pilot | Entry[Pilot]]:
        """The pilots by name: functions, or entries that make one from options (`deckatlas.play.spec`)."""

    # ---- what it may implement ---------------------------------------------------------------------------------------

    def decks(self) -> Mapping[str, DeckLike]:
        """Decks with a name."""
        return {}

    def view(self, state: AnyState, player: int) -> AnyState:
        """A player's view, as a copy that pilots may change; by default it shows everything."""
        return copy.deepcopy(state)

    def card_numbers(self) -> Mapping[str, Callable[[Any], int]]:
        """Whole numbers of a card by name, such as its cost; decks get columns for their sum, mean and variance."""
        return {}

    def measured(self) -> Mapping[str, Callable[[AnyState, int], int]]:
        """Whole numbers to measure in finished games by name, each a function of the last state and a player."""
        return {}

    def describe(self, state: AnyState) -> str:
        """A state on one line, for stories."""
        return str(state)

    def action_text(self, action: AnyAction) -> str:
        """An action as text that distinguishes it from other legal ones."""
        return str(action)

    # ---- decks and pilots --------------------------------------------------------------------------------------------

    def deck(self, given: DeckLike) -> Deck:
        """A deck from its name, a text such as "3 knight, 7 archer", the ids of its cards, or counts by id.

        Raises:
            DeckError: If it is not a deck, or not legal.
        """
        named = self.decks()
        if isinstance(given, str) and given in named:
            given = named[given]
        if isinstance(given, str):
            given = self._counts(given)
        if not isinstance(given, Mapping | Sequence):
            raise DeckError(f"a deck is a name, a text, card ids or counts of cards, not {show(given)}")
        counts = Counter(given)
        for card, copies in counts.items():
            if card not in self.cards():
                raise DeckError(f"unknown card {show(card)}: {nearest(card, self.cards())}")
            if not 1 <= copies <= self.most_copies:
                raise DeckError(f"a deck has 1 to {self.most_copies} copies of {card}, not {show(copies)}")
        if counts.total() != self.deck_size:
            raise DeckError(f"a deck has {self.deck_size} cards, this one has {counts.total()}")
        return tuple(card for card in self.cards() for _ in range(counts[card]))

    def deck_text(self, deck: Deck) -> str:
        """A deck as text that `deck` reads."""
        return ", ".join(f"{copies} {card}" for card, copies in Counter(deck).items())

    def pilot(self, given: PilotLike) -> tuple[str, Pilot]:
        """A pilot and its name, from a name with options or from a function.

        Raises:
            AgentError: If the pilot is unknown, or has no such option.
        """
        if isinstance(given, str):
            return given, make_from_spec(given, self._registry(), kind="pilot")
        if callable(given):
            return getattr(given, "__name__", type(given).__name__), given
        raise AgentError(f"a pilot is a name or a callable, not {show(given)}")

    def pilot_files(self, spec: str) -> list[str]:
        """The paths of the files that a pilot reads, given its name and options."""
        return files_in(spec, self._registry())

    def _counts(self, text: str) -> Counter[str]:
        counts: Counter[str] = Counter()
        for part in text.split(","):
            copies, _, card = part.strip().rpartition(" ")
            if copies and not copies.isdecimal():
                raise DeckError(f"unknown deck {show(text)}: write its name, or its cards such as '2 CARD, CARD'")
            counts[card] += int(copies or 1)
        return counts

    def _registry(self) -> dict[str, Entry[Pilot]]:
        return {
            name: pilot if isinstance(pilot, Entry) else Entry(lambda pilot=pilot: pilot, _first_line(pilot))
            for name, pilot in self.pilots().items()
        }

    # ---- what the base class provides --------------------------------------------------------------------------------

    @property
    def run_kinds(self) -> Mapping[str, str]:
        """Decks."""
        return {f"{self.name}-deck": "deckatlas.games.python_run:PythonDeckRun"}

    def command_part(self, command: str) -> CommandPart:
        """Options for the decks of a match."""
        return CommandPart((_DECK_A, _DECK_B)) if command in ("play", "game") else CommandPart()

    def play(
        self,
        a: PilotLike,
        b: PilotLike,
        *,
        deck_a: DeckLike | None = None,
        deck_b: DeckLike | None = None,
        games: int = 1000,
        seed: int = 0,
        swap_seats: bool = True,
        threads: int | None = None,
        timed_games: int = 0,
        sprt: Sprt | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> MatchResult:
        """Plays a match; the result depends on the seed, never on the number of threads.

        Columns of the result: `seed`, `first` (the entrant that moved first), `winner`, `turns` (half-turns),
        `actions`, and, with an entry for each entrant, the numbers of `measured`.

        Args:
            a: The first pilot, by name or as a function.
            b: The second pilot.
            deck_a: The deck of the first.
            deck_b: The deck of the second.
            games: The number of games, or the most games if a sequential test may end the match.
            seed: The seed of the match. Games 2k and 2k + 1 share a seed, with seats swapped.
            swap_seats: If false, `a` always moves first and every game has its own seed.
            threads: Ignored: games in Python use one thread. It exists because other games take it.
            timed_games: The number of games, from the first on, whose turns are timed.
            sprt: A sequential test that ends the match once it is decided.
            progress: Called with the number of games done.
            options: `time_factor`, which is ignored; other games take it.

        Raises:
            AgentError: If a pilot is unknown.
            DeckError: If a deck is not legal.
            MatchError: If the match cannot be played with these arguments.
        """
        self._check_options(options)
        decks = self._both_decks(deck_a, deck_b)
        (name_a, pilot_a), (name_b, pilot_b) = self.pilot(a), self.pilot(b)
        return play_match(
            self,
            Entrant(name_a, decks[0], pilot_a),
            Entrant(name_b, decks[1], pilot_b),
            games=positive("games", games, MAX_GAMES),
            seed=check_seed(seed),
            swap_seats=swap_seats,
            threads=thread_count(threads),
            timed_games=timed_games,
            sprt=sprt,
            progress=progress,
        )

    def gauntlet(
        self,
        entrants: Sequence[EntrantLike],
        *,
        games: int = 1000,
        seed: int = 0,
        threads: int | None = None,
        sprt: Sprt | None = None,
        progress: GauntletProgress | None = None,
        **options: Any,
    ) -> GauntletResult:
        """Plays every entrant against every other, with swapped seats and the same seeds.

        Args:
            entrants: At least two, all different: "DECK/PILOT", or pairs of a deck and a pilot.
            games: Games per pair, or the most games if a sequential test may end a match.
            seed: The seed of the gauntlet.
            threads: As in `play`.
            sprt: A sequential test that ends each match once it is decided.
            progress: Called with the number of games done, and the total as far as it is known.
            options: As in `play`.

        Raises:
            AgentError: If a pilot is unknown.
            DeckError: If a deck is not legal.
            MatchError: If there are fewer than two entrants, or two have the same name.
        """
        self._check_options(options)
        games, count, seed = positive("games", games, MAX_GAMES), thread_count(threads), check_seed(seed)
        made = [self._entrant(given) for given in entrants]
        names = numbered([each.name for each in made], [isinstance(given, str) for given in entrants])
        named = [Entrant(name, each.deck, each.pilot) for name, each in zip(names, made, strict=True)]

        def play_pair(i: int, j: int, report: Progress | None) -> MatchResult:
            return play_match(
                self,
                named[i],
                named[j],
                games=games,
                seed=seed,
                swap_seats=True,
                threads=count,
                timed_games=TIMED_GAMES,
                sprt=sprt,
                progress=report,
            )

        return play_pairs(names, play_pair, games=games, progress=progress)

    def play_one(
        self,
        first: PilotLike,
        second: PilotLike,
        *,
        deck_a: DeckLike | None = None,
        deck_b: DeckLike | None = None,
        seed: int = 0,
        **options: Any,
    ) -> PlayedGame:
        """Plays the game of a seed, such as one of a match's column `seed`; `first` moves first, with `deck_a`.

        Raises:
            AgentError: If a pilot is unknown.
            DeckError: If a deck is not legal.
            MatchError: If a deck is not given.
        """
        self._check_options(options)
        decks = self._both_decks(deck_a, deck_b)
        (name_a, pilot_a), (name_b, pilot_b) = self.pilot(first), self.pilot(second)
        outcome = play_seed(self, decks, (pilot_a, pilot_b), check_seed(seed))
        actions = tuple(map(self.action_text, outcome.actions))
        names = (name_a, name_b)
        record = PythonRecord(self, check_seed(seed), decks, names, actions, outcome.winner, outcome.forfeit)
        return PlayedGame(record, narrate(record))

    def read_record(self, text: str) -> "PythonRecord[AnyState, AnyAction]":
        """Reads a record from its text.

        Raises:
            TraceError: If the text is not a record of this game.
            DeckError: If a deck is not legal.
        """
        return read_record(self, text)

    def agents(self) -> tuple[AgentList, ...]:
        """The pilots."""
        return (AgentList("pilots", self._registry()),)

    @property
    def entrants_in_words(self) -> str:
        """How to write an entrant."""
        known = ", ".join(self.decks())
        return (
            "An entrant of a match is a pilot; options give the decks. An entrant of a gauntlet is DECK/PILOT. A deck "
            f"is {'a name (' + known + ') or ' if known else ''}its cards, such as '2 CARD, CARD'."
        )

    def deck_space(self) -> DeckSpace[str]:
        """The space of all legal decks, with columns for the sum, mean and variance of each number of the cards."""
        cards = self.cards()
        columns: dict[str, DeckColumn] = {}
        for (name, number), of in product(self.card_numbers().items(), ("sum", "mean", "variance")):
            numbers = np.array([number(card) for card in cards.values()], np.int64)
            columns[f"{name}_{of}"] = DeckColumn(numbers, of)
        return DeckSpace(tuple(cards), [self.most_copies] * len(cards), size=self.deck_size, columns=columns)

    def evaluator(self, opponents: Sequence[EntrantLike], pilot: PilotLike) -> "PythonEvaluator":
        """Plays decks of the space with a pilot against opponents; see `deckatlas.games.python_evaluator`.

        Raises:
            AgentError: If a pilot is unknown.
            DeckError: If a deck is not legal.
            MatchError: If there is no opponent.
        """
        from deckatlas.games.python_evaluator import PythonEvaluator

        met = [(each.deck, each.pilot) for each in map(self._entrant, opponents)]
        return PythonEvaluator(self, self.deck_space(), self.pilot(pilot)[1], met)

    def _entrant(self, given: EntrantLike) -> Entrant:
        if isinstance(given, str):
            deck, slash, pilot = given.rpartition("/")
            if not slash:
                raise MatchError(f"{show(given)} is not an entrant: write DECK/PILOT")
            return Entrant(given, self.deck(deck), self.pilot(pilot)[1])
        if not isinstance(given, tuple) or len(given) != 2:
            raise MatchError(f"an entrant is DECK/PILOT or a pair of a deck and a pilot, not {show(given)}")
        cards, (name, function) = self.deck(given[0]), self.pilot(given[1])
        title = given[0] if isinstance(given[0], str) else self.deck_text(cards)
        return Entrant(f"{title}/{name}", cards, function)

    def _both_decks(self, deck_a: DeckLike | None, deck_b: DeckLike | None) -> tuple[Deck, Deck]:
        decks = []
        for option, given in (("deck_a", deck_a), ("deck_b", deck_b)):
            if given is None:
                raise MatchError(f"{self.name} is played with decks: give --{option.replace('_', '-')}")
            decks.append(self.deck(given))
        return decks[0], decks[1]

    @staticmethod
    def _check_options(options: Mapping[str, Any]) -> None:
        for name in options:
            if name != "time_factor":
                raise TypeError(f"there is no option {name!r}")


def _first_line(function: Pilot) -> str:
    lines = (function.__doc__ or "").strip().splitlines()
    return lines[0].rstrip(".") if lines else ""
