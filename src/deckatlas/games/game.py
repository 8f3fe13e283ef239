"""The interface of a game: a named plug-in that plays matches and offers what else it can.

A game derives from `Game` and overrides the methods it offers. Every other method raises an error of one line.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TextIO

from deckatlas.errors import GameError

if TYPE_CHECKING:
    from deckatlas.balancing.knobs import Rebalancer
    from deckatlas.balancing.subject import Subject
    from deckatlas.balancing.targets_file import TargetsFile
    from deckatlas.documents.document import Document
    from deckatlas.games.patch_desk import PatchDesk, PatchedCards
    from deckatlas.games.reference_files import ReferenceFile
    from deckatlas.games.sheets import CardFacts, DeckFacts, DeckName, ReplayChoices
    from deckatlas.metagame.growth import Searches
    from deckatlas.metagame.metagame import Entrant, Metagame
    from deckatlas.play.gauntlet import GauntletResult
    from deckatlas.play.match import MatchResult
    from deckatlas.play.measurement import Measurement
    from deckatlas.play.paired import PairedGames
    from deckatlas.play.records import Record
    from deckatlas.play.referee import RefereedGame
    from deckatlas.play.replays import Replay
    from deckatlas.play.runner import Columns
    from deckatlas.play.spec import Entry


class ShowStage(Protocol):
    """Shows the progress of a stage of long work."""

    def __call__(self, description: str, total: int, *, unit: str) -> AbstractContextManager[Callable[[int], object]]:
        """Shows it while a block runs; yields a function that takes the number of steps done."""


# Answers one question of a stream: a line, or None at the end of the stream.
Answers = Callable[[TextIO], str | None]
ReportLine = Callable[[str], object]


@dataclass(frozen=True)
class GameOption:
    """An option that a game adds to a command of the command line, and takes as a keyword of the same name.

    Attributes:
        name: The keyword; the option is `--name`, with hyphens for underscores.
        summary: One line for people. It names the default; the game gets None if the option is not given.
        kind: The type of its value: str, int, float, bool (a flag) or Path.
        several: Whether it may be given several times; its value is then a list.
        flag: The option's name on the command line, if it is not `--name`.
    """

    name: str
    summary: str
    kind: type = str
    several: bool = False
    flag: str | None = None

    @property
    def typed(self) -> str:
        """The option's name on the command line."""
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
    """One game.

    Attributes:
        record: Its record.
        story: Its story for people.
        replay: Plays it again as frames, with the lines of the coach of this name, or of the players themselves if it
            is empty; None if the game has no frames. Programs may play otherwise.
    """

    record: "Record"
    story: str
    replay: "Callable[[str], Replay] | None" = None


@dataclass(frozen=True)
class Verified:
    """The result of replaying reference files.

    Attributes:
        rows: Counts, each with its name.
        findings: Lists of differences, each with a title.
        holds: Whether everything agrees.
    """

    rows: tuple[tuple[str, str], ...]
    findings: tuple[tuple[str, tuple[str, ...]], ...]
    holds: bool


@dataclass(frozen=True)
class PlainTable:
    """A table to print.

    Attributes:
        title: The text above it.
        caption: The text below it.
        columns: The names of the columns.
        left: The columns that are aligned to the left.
        sections: Groups of rows.
    """

    title: str
    caption: str
    columns: tuple[str, ...]
    left: frozenset[str]
    sections: tuple[tuple[tuple[str, ...], ...], ...]


@dataclass(frozen=True)
class Listing:
    """What a game answers to a question about its cards or decks.

    Attributes:
        shown: Tables and lines for people.
        data: The same as plain data.
    """

    shown: tuple[str | PlainTable, ...]
    data: Any


class EvaluationReport(ABC):
    """The results of evaluations of decks, in all output formats."""

    @abstractmethod
    def shown(self) -> Iterable[str | PlainTable]:
        """Tables and lines for people."""

    @abstractmethod
    def to_csv(self) -> str:
        """One row per deck as CSV."""

    @abstractmethod
    def to_json(self) -> Any:
        """Everything as plain data."""

    def cards_csv(self) -> str:
        """One row per deck and card as CSV, for games that report on cards."""
        raise GameError("these evaluations have no statistics of cards")


class DeckEvaluation(ABC):
    """Decks, their pilot and their opponents, checked and ready to play."""

    @property
    @abstractmethod
    def decks(self) -> int:
        """The number of decks."""

    def total_games(self, games: int) -> int:
        """The number of all games that `play` plays."""
        return self.decks * games

    @abstractmethod
    def play(self, *, games: int, threads: int | None, progress: Callable[[int], object] | None) -> EvaluationReport:
        """Plays this number of games with each deck."""

    @abstractmethod
    def story(self, game: int) -> str:
        """The story of one game of the only deck."""

    @abstractmethod
    def first_game(self, outcome: str, *, games: int, threads: int | None) -> int | None:
        """The number of the first game of the only deck that it "won" or "lost"; None if there is none."""


class Game(ABC):
    """A game. Methods take the options that the game adds to the matching command as keywords; None means not given.

    Attributes:
        name: Its name on the command line and in configurations.
        title: Its name for people.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    def offers(self, method: str) -> bool:
        """Whether the game overrides a method, such as "referee"."""
        return getattr(type(self), method) is not getattr(Game, method)

    @property
    def run_kinds(self) -> Mapping[str, str]:
        """The kinds of spaces that can be searched, each with the class of its runs, as "module:class"."""
        return {}

    def command_part(self, command: str) -> CommandPart:
        """The options, notes and examples that the game adds to a command."""
        return CommandPart()

    def play(self, a: Any, b: Any, **options: Any) -> "MatchResult":
        """Plays a match. Common options: games, seed, threads, time_factor, timed_games, sprt, progress."""
        raise self._not_offered("matches")

    def gauntlet(self, entrants: Sequence[Any], **options: Any) -> "GauntletResult":
        """Plays a gauntlet. Common options: games, seed, threads, time_factor, sprt, progress."""
        raise self._not_offered("gauntlets")

    def play_one(self, first: Any, second: Any, **options: Any) -> PlayedGame:
        """Plays one game. Common option: seed."""
        raise self._not_offered("stories of single games")

    def replay(
        self,
        first: str,
        second: str,
        *,
        pilots: tuple[str, str] = ("", ""),
        seed: int = 0,
        coach: str = "",
        edition: str = "",
    ) -> "Replay":
        """Plays one game as frames, for anybody: it reads no file that is named, runs no program, and ends soon.

        Args:
            first: What moves first: one of the players of `replay_choices`, or the code of a deck.
            second: What moves second.
            pilots: The agents that play them; the usual one if empty.
            seed: The seed.
            coach: A coach of `replay_choices`, whose lines are shown instead of the pilots' own.
            edition: The name of an edition; the usual one if empty.
        """
        raise self._not_offered("games to show turn by turn")

    def replay_choices(self) -> "ReplayChoices":
        """What a game of `replay` can be made of."""
        raise self._not_offered("games to show turn by turn")

    def card_facts(self, space: "Mapping[str, Any] | None" = None) -> "tuple[CardFacts, ...]":
        """All cards that decks can have: of the usual edition, or of the table [space] of a run."""
        raise self._not_offered("cards to show")

    def deck_names(self) -> "tuple[DeckName, ...]":
        """The decks that have a name."""
        return ()

    def deck_facts(self, given: str, space: "Mapping[str, Any] | None" = None) -> "DeckFacts":
        """A deck by its name, its code or its text, for anybody: it reads no file.

        Args:
            given: The name, code or text.
            space: The table [space] of a run, whose cards it has; None for the usual ones.
        """
        raise self._not_offered("decks to show")

    def agents(self) -> tuple[AgentList, ...]:
        """All agents that have a name."""
        raise self._not_offered("agents with a name")

    @property
    def entrants_in_words(self) -> str:
        """How to write an entrant of a match or a gauntlet."""
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
        """Prepares an evaluation of decks. Common options: pilot, seed, time_factor, cards, swap_out."""
        raise self._not_offered("evaluations of decks")

    def list_decks(self, **options: Any) -> Listing:
        """The decks that have a name."""
        raise self._not_offered("decks with a name")

    def show_deck(self, given: str, **options: Any) -> Listing:
        """One deck, by its name or in another form that the game reads, or from a file; `-` is standard input."""
        raise self._not_offered("decks to show")

    def find_cards(self, words: Sequence[str], **options: Any) -> Listing:
        """The cards that have all these words."""
        raise self._not_offered("cards to search")

    @property
    def metagames(self) -> tuple[str, ...]:
        """The names of the metagames that ship."""
        return ()

    def metagame(self, given: str, **options: Any) -> "Metagame":
        """Reads a metagame: the name of a shipped one, a TOML file, or a run with elites.

        Options: pilot, edition, elites (how many of a run), store (the folder of runs).
        """
        raise self._not_offered("metagames")

    def stored_entrants(self, config: Mapping[str, Any]) -> "tuple[Entrant, ...]":
        """The decks and pilots of stored games among them, from the configuration of the run; nothing else is read."""
        raise self._not_offered("metagames")

    def comparison(self, a: str, b: str, **options: Any) -> "PairedGames":
        """Prepares a comparison of two decks, pilots, editions or whatever else has a name.

        Common options: seed, paired (whether both sides play the same seeds), threads, store (the folder of runs).
        """
        raise self._not_offered("comparisons")

    def improvement(self, deck: str, **options: Any) -> Listing:
        """The best swaps of cards of a deck, confirmed on fresh games.

        Options: games, confirm_games, meta, edition, pilot, search_pilot, seed, threads, store, show (a `ShowStage`).
        """
        raise self._not_offered("decks to improve")

    def searches_against(self, metagame: "Metagame", **options: Any) -> "Searches":
        """Searches for decks that win against the mix of a metagame, checked before the first game.

        Options: classes, search (the file of a configuration), games (of one search), finalists.
        """
        raise self._not_offered("searches against a metagame")

    def balance_subject(self, patch: Any, **options: Any) -> "Subject":
        """What a balance study of a patch is about, checked before the first game.

        Options: base, meta, pilot, classes, search_pilots, store (the folder of runs).
        """
        raise self._not_offered("balance studies")

    def patch_desk(self, edition: str | None = None) -> "PatchDesk":
        """The cards of an edition, by default the usual one, with the values that patches can change."""
        raise self._not_offered("cards that can be patched")

    def patched_cards(self, values: Mapping[str, Any]) -> "PatchedCards":
        """What a patch, given as the plain data of its file, does.

        Raises:
            CardError: If it has a mistake.
        """
        raise self._not_offered("cards that can be patched")

    def rebalancer(self, file: "TargetsFile", document: "Document", *, store: Path | None = None) -> "Rebalancer":
        """The numbers of cards that a rebalancing may change, checked before the first game.

        Args:
            file: What is wanted.
            document: The same with the places of its values.
            store: The folder of runs, if the metagame is a run.
        """
        raise self._not_offered("cards that can be rebalanced")

    def train(self, document: "Document", *, folder: Path, threads: int | None, show: ShowStage) -> Iterator[str]:
        """Trains the game's rating of positions as a configuration says, in a folder; yields lines for people."""
        raise self._not_offered("a rating of positions that can be trained")

    def adapt(self, patch: str, *, show: ShowStage, **options: Any) -> Iterator[str]:
        """Adapts the rating of positions to a patch; yields lines for people.

        Options: base, games, folder, seed, threads.
        """
        raise self._not_offered("a rating of positions that can be adapted")

    def measurements(self, report: ReportLine) -> "list[Measurement]":
        """The game's part of `deckatlas bench`; `report` is called with the name of the next measurement."""
        return []

    def signature_parts(self) -> "Iterator[Columns]":
        """Columns of fixed games for the bench signature."""
        return iter(())

    def golden_game(self) -> tuple[str, str]:
        """The text of one fixed game, played now, and as it ships with the package; empty without such a game."""
        return "", ""

    def _not_offered(self, what: str) -> GameError:
        return GameError(f"{self.name} has no {what.removeprefix('a ')}")
