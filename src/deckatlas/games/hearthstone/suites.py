"""Suites: the opponents that decks of Hearthstone are evaluated against, shipped or from TOML files.

A suite is a list of tables `[[opponent]]` with a deck (its name, code or text), a pilot and a portion: the number of
games in a row when all opponents take turns.
"""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.arguments import checked
from deckatlas.errors import AgentError, DeckatlasError, RunError
from deckatlas.files.programs import programs_allowed
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT
from deckatlas.games.hearthstone.cards.library import deck_called, name_of_deck
from deckatlas.games.hearthstone.pilots import pilot
from deckatlas.games.hearthstone.setup import EditionLike, deck_of, edition_of
from deckatlas.play.limits import positive
from deckatlas.shapes import nearest, show

if TYPE_CHECKING:
    from deckatlas.games.hearthstone.suite_file import OpponentTable

SUITES = ("starter", "elite")
MOST_IN_A_ROW = 1000
MOST_GAMES = 10_000_000  # per deck at once: the recorded numbers take some gigabytes


@dataclass(frozen=True)
class Opponent:
    """An opponent: a deck, the spec of its pilot, and the number of games in a row."""

    name: str
    deck: Deck
    pilot: str
    portion: int = 1


@dataclass(frozen=True)
class Schedule:
    """The games that every deck of an evaluation plays, with one entry per game.

    Attributes:
        opponent: Number of the opponent in its suite.
        seat: Seat of the evaluated deck; 0 moves first.
        seed: Seed of the game. It does not depend on the deck, so all decks meet the same draws.
    """

    opponent: npt.NDArray[np.int32]
    seat: npt.NDArray[np.uint8]
    seed: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.seed)


@dataclass(frozen=True)
class Suite:
    """Opponents, met in turn.

    Raises:
        MatchError: If a portion is not a whole number from 1 to 1,000.
        RunError: If there are no opponents.
    """

    name: str
    opponents: tuple[Opponent, ...]

    def __post_init__(self) -> None:
        if not self.opponents:
            raise RunError(f"the suite {self.name} has no opponents")
        for each in self.opponents:
            positive(f"the portion of {each.name}", each.portion, MOST_IN_A_ROW)

    def course(self, games: int, *, seed: int, swap_seats: bool, first_game: int = 0) -> Schedule:
        """The games from `first_game` on.

        The opponents take turns; an opponent's portion is its number of games in a row. The seed of a game depends on
        the run's seed, the number of the opponent, and the number of earlier games against this opponent. If seats are
        swapped, two games share a seed. Against one opponent the deck moves first in the first of the two, against the
        next opponent in the second, and so on, so that it moves first about half the time even in few games.

        Raises:
            MatchError: If there are no games, or too many to keep at once.
        """
        positive("games", games, MOST_GAMES)
        turns = np.repeat(np.arange(len(self.opponents)), [each.portion for each in self.opponents])
        lap, at = np.divmod(np.arange(first_game, first_game + games), len(turns))
        opponent = turns[at].astype(np.int32)
        portion = np.array([each.portion for each in self.opponents])[opponent]
        meeting = lap * portion + at - np.searchsorted(turns, opponent)
        seat = (meeting + opponent) % 2 if swap_seats else np.zeros(games)
        return Schedule(opponent, seat.astype(np.uint8), core.meeting_seeds(seed, opponent, meeting, swap_seats))


SuiteLike = Suite | Path | str


@checked
def suite_of(given: SuiteLike, edition: EditionLike = DEFAULT, *, allow_exec: bool = False) -> Suite:
    """A suite, given as a `Suite`, by its name (`starter` or `elite`), a shipped metagame, or the path of a TOML file.

    Args:
        given: The suite.
        edition: The edition of the cards.
        allow_exec: Whether the file may name programs (`exec:CMD`), which then play.

    Raises:
        CardError: If there is no such edition.
        RunError: If there is no such suite, or the file has a mistake; the message names the line.
    """
    if isinstance(given, Suite):
        return given
    if not isinstance(given, str | Path):
        raise RunError(f"a suite must be a Suite, a name or the path of a TOML file, not {show(given)}")
    if given in SUITES:
        with resources.as_file(resources.files(__package__) / "suites" / f"{given}.toml") as file:
            return _read_suite(file, str(given), edition)
    from deckatlas.games.hearthstone.metagame import METAGAMES, metagame_of  # which itself makes suites

    if given in METAGAMES:
        return metagame_of(given, edition=edition).opponents()
    file = Path(given)
    if not str(given) or not _exists(file):
        known = nearest(str(given), (*SUITES, *METAGAMES))
        raise RunError(f"there is no suite and no file {show(str(given))}: {known}")
    with programs_allowed(allow_exec):
        return _read_suite(file, file.stem, edition)


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except (OSError, ValueError):  # too long for a path, or with a zero
        return False


def _read_suite(file: Path, name: str, edition: EditionLike) -> Suite:
    from deckatlas.documents.document import read_document  # imports pydantic, which is slow
    from deckatlas.games.hearthstone.suite_file import SuiteFile

    cards = edition_of(edition)
    document = read_document(file)
    opponents = []
    for number, table in enumerate(document.check(SuiteFile).opponent):
        try:
            opponents.append(opponent_of(table, number, cards))
        except DeckatlasError as error:
            key = "pilot" if isinstance(error, AgentError) else "deck"
            raise RunError(f"{document.place(('opponent', number, key))}: {error}") from None
    return Suite(name, tuple(opponents))


def opponent_of(table: "OpponentTable", number: int, edition: EditionLike) -> Opponent:
    """Makes an opponent from a table of a suite file.

    Raises:
        AgentError: If its pilot is unknown.
        DeckError: If its deck is not legal.
    """
    deck = deck_of(table.deck, edition_of(edition))
    pilot(table.pilot)
    return Opponent(_name_of(table.deck, deck, number), deck, table.pilot, table.portion)


def _name_of(text: str, deck: Deck, number: int) -> str:
    """The name of an opponent in tables: the name of its deck, however it is given, or its number and class."""
    known = deck_called(text)
    return known.name if known else name_of_deck(deck) or f"{number + 1} {deck.hero_class.title()}"
