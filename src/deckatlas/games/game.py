"""What a game is to everything that works for any game: a plug-in with a name, which plays and tells of itself.

A game derives from `Game` and overrides what it offers. Whatever it does not override is refused in one line.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

from deckatlas.errors import GameError

if TYPE_CHECKING:
    from deckatlas.games.reference_files import ReferenceFile
    from deckatlas.play.gauntlet import GauntletResult
    from deckatlas.play.match import MatchResult
    from deckatlas.play.measurement import Measurement
    from deckatlas.play.records import Record
    from deckatlas.play.referee import RefereedGame
    from deckatlas.play.runner import Columns
    from deckatlas.play.spec import Entry

# Answers one question of a stream: a line, or None at the end of the stream.
Answers = Callable[[TextIO], str | None]
Report = Callable[[str], object]


@dataclass(frozen=True)
class GameOption:
    """An option that a game adds to a command of the command line, and takes as a keyword of the same name.

    Attributes:
        name: The keyword; the option is `--name`, with hyphens for underscores.
        summary: One line for people. It says what holds if the option is not given, which the game is given None for.
        kind: What its value is: str, int, float, bool (a flag) or Path.
        several: Whether it may be given several times; its value is then a list.
        flag: What is typed instead of `--name`.
    """

    name: str
    summary: str
    kind: type = str
    several: bool = False
    flag: str | None = None

    @property
    def typed(self) -> str:
        """What is typed for it."""
        return self.flag or f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True)
class CommandPart:
    """What a game adds to one command of the command line: options, paragraphs of its help, and examples."""

    options: tuple[GameOption, ...] = ()
    notes: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class AgentList:
    """Agents of one kind, by name."""

    title: str
    agents: "Mapping[str, Entry[Any]]"


@dataclass(frozen=True)
class PlayedGame:
    """One game: its record, and its story for people."""

    record: "Record"
    story: str


@dataclass(frozen=True)
class Verified:
    """What replaying reference files gave.

    Attributes:
        rows: What was counted, each with its value.
        findings: Lists of differences, each with a title.
        holds: Whether all is as it should be.
    """

    rows: tuple[tuple[str, str], ...]
    findings: tuple[tuple[str, tuple[str, ...]], ...]
    holds: bool


@dataclass(frozen=True)
class PlainTable:
    """A table to be printed.

    Attributes:
        title: What stands above it.
        caption: What stands below it.
        columns: The names of the columns.
        left: Those whose cells stand on the left.
        sections: Groups of rows.
    """

    title: str
    caption: str
    columns: tuple[str, ...]
    left: frozenset[str]
    sections: tuple[tuple[tuple[str, ...], ...], ...]


class EvaluationReport(ABC):
    """What evaluations of decks gave, in all the forms it is shown in."""

    @abstractmethod
    def shown(self) -> Iterable[str | PlainTable]:
        """Tables and lines for people."""

    @abstractmethod
    def to_csv(self) -> str:
        """A row a deck as CSV."""

    @abstractmethod
    def to_json(self) -> Any:
        """All of it as plain data."""


class DeckEvaluation(ABC):
    """Decks, their pilot and their opponents, checked and ready."""

    @property
    @abstractmethod
    def decks(self) -> int:
        """How many decks there are."""

    @abstractmethod
    def play(self, *, games: int, threads: int | None, progress: Callable[[int], object] | None) -> EvaluationReport:
        """Plays so many games of each deck."""

    @abstractmethod
    def story(self, game: int) -> str:
        """Tells one game of the only deck."""


class Game(ABC):
    """A game. Methods take the options that the game adds to the command of that name as keywords; None: not given.

    Attributes:
        name: What it is called on the command line and in configurations.
        title: What people call it.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    def offers(self, method: str) -> bool:
        """Whether the game has a method of its own, such as "referee"."""
        return getattr(type(self), method) is not getattr(Game, method)

    @property
    def run_kinds(self) -> Mapping[str, str]:
        """What can be searched in it: for each kind of space the class of its runs, as "module:class"."""
        return {}

    def command_part(self, command: str) -> CommandPart:
        """What the game adds to a command of the command line."""
        return CommandPart()

    def play(self, a: Any, b: Any, **options: Any) -> "MatchResult":
        """Plays a match. Common options: games, seed, threads, time_factor, timed_games, sprt, progress."""
        raise self._not_offered("matches")

    def gauntlet(self, entrants: Sequence[Any], **options: Any) -> "GauntletResult":
        """Plays all entrants against all. Common options: games, seed, threads, time_factor, sprt, progress."""
        raise self._not_offered("gauntlets")

    def play_one(self, first: Any, second: Any, **options: Any) -> PlayedGame:
        """Plays one game. Common option: seed."""
        raise self._not_offered("stories of single games")

    def agents(self) -> tuple[AgentList, ...]:
        """All that can play the game by name."""
        raise self._not_offered("agents with a name")

    @property
    def entrants_in_words(self) -> str:
        """How an entrant of a match or a gauntlet is written."""
        return "An entrant is an agent."

    def referee(self, commands: Sequence[str], **options: Any) -> "Iterator[RefereedGame]":
        """Lets two programs play. Common options: seed, games, swap_seats, time_factor."""
        raise self._not_offered("a referee for programs")

    def bot(self, agent: str, *, seed: int) -> Answers:
        """An agent as a program that answers the questions of the game's text protocol."""
        raise self._not_offered("a text protocol")

    def verify(self, files: "Sequence[ReferenceFile]", **options: Any) -> Verified:
        """Replays files of other engines. Common option: progress."""
        raise self._not_offered("reference files of other engines")

    def evaluation(self, decks: Sequence[str], **options: Any) -> DeckEvaluation:
        """Makes an evaluation of decks ready. Common options: pilot, seed, time_factor."""
        raise self._not_offered("evaluations of decks")

    def measurements(self, report: Report) -> "list[Measurement]":
        """What `deckatlas bench` measures of the game; `report` hears what is measured next."""
        return []

    def signature_parts(self) -> "Iterator[Columns]":
        """Columns of fixed games that the bench signature is made of."""
        return iter(())

    def _not_offered(self, what: str) -> GameError:
        return GameError(f"{self.name} has no {what.removeprefix('a ')}")
