"""Suites: the opponents that decks of Hearthstone are evaluated against, from TOML files or those that are shipped.

A suite is a list of tables `[[opponent]]` with a deck (its name, code or text), a pilot and a portion: how many games
in a row it has when all opponents take turns.
"""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.agents.hearthstone_pilots import pilot
from deckatlas.cards.hearthstone.decks import Deck, named_decks
from deckatlas.cards.hearthstone.editions import DEFAULT
from deckatlas.errors import AgentError, DeckatlasError, RunError
from deckatlas.games.hearthstone_setup import EditionLike, deck_of, edition_of

if TYPE_CHECKING:
    from deckatlas.play.hearthstone_suite_file import OpponentTable

SUITES = ("starter", "elite")


@dataclass(frozen=True)
class Opponent:
    """Who a deck meets: a deck, the spec of its pilot, and how many games in a row it has."""

    name: str
    deck: Deck
    pilot: str
    portion: int = 1


@dataclass(frozen=True)
class Course:
    """The games that every deck of an evaluation plays, with an entry a game.

    Attributes:
        opponent: Number of the opponent in its suite.
        seat: Seat of the deck that is evaluated; 0 moves first.
        seed: Seed of the game. The deck is not in it, so all decks meet the same draws.
    """

    opponent: npt.NDArray[np.int32]
    seat: npt.NDArray[np.uint8]
    seed: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.seed)


@dataclass(frozen=True)
class Suite:
    """Opponents, met in turn."""

    name: str
    opponents: tuple[Opponent, ...]

    def course(self, games: int, *, seed: int, swap_seats: bool, first_game: int = 0) -> Course:
        """The games from `first_game` on.

        The opponents take turns, each with as many games in a row as its portion. The seed of a game comes from the
        run's seed, the number of the opponent, and how often the opponent was met before; where seats are swapped, two
        meetings share a seed, and the deck moves first in the first of them.
        """
        turns = [(number, i) for number, each in enumerate(self.opponents) for i in range(each.portion)]
        seeds = [core.game_seed(seed, number, False) for number in range(len(self.opponents))]
        opponent, seat, game_seed = [], [], []
        for game in range(first_game, first_game + games):
            lap, at = divmod(game, len(turns))
            number, place = turns[at]
            meeting = lap * self.opponents[number].portion + place
            opponent.append(number)
            seat.append(meeting % 2 if swap_seats else 0)
            game_seed.append(core.game_seed(seeds[number], meeting, swap_seats))
        return Course(np.array(opponent, np.int32), np.array(seat, np.uint8), np.array(game_seed, np.uint64))


SuiteLike = Suite | Path | str


def suite_of(given: SuiteLike, edition: EditionLike = DEFAULT) -> Suite:
    """A suite given by itself, by its name (`starter` or `elite`) or by the path of a TOML file.

    Raises:
        CardError: If there is no such edition.
        RunError: If there is no such suite, or the file has a mistake: the message says on which line.
    """
    if isinstance(given, Suite):
        return given
    if given in SUITES:
        with resources.as_file(resources.files(__package__) / "suites" / f"{given}.toml") as file:
            return _read_suite(file, str(given), edition)
    file = Path(given)
    if not file.exists():
        raise RunError(f"there is no suite {given}: use {' or '.join(SUITES)}, or the path of a TOML file")
    return _read_suite(file, file.stem, edition)


def _read_suite(file: Path, name: str, edition: EditionLike) -> Suite:
    from deckatlas.documents.document import read_document  # with pydantic, which takes long to import
    from deckatlas.play.hearthstone_suite_file import SuiteFile

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
    """An opponent from a table of a suite.

    Raises:
        AgentError: If its pilot is unknown.
        DeckError: If its deck is not legal.
    """
    deck = deck_of(table.deck, edition_of(edition))
    pilot(table.pilot)
    return Opponent(_name_of(table.deck, deck, number), deck, table.pilot, table.portion)


def _name_of(text: str, deck: Deck, number: int) -> str:
    """What an opponent is called in tables: the name of its deck, or its number and class."""
    return text if text in named_decks() else f"{number + 1}: {deck.hero_class.title()}"
