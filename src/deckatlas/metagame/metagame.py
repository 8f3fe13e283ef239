"""What a metagame is: decks with pilots and shares. A game reads it, and says how its decks meet."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import Self

import numpy as np
import numpy.typing as npt

from deckatlas.errors import GameError, MatchError
from deckatlas.runs.comparison import Players
from deckatlas.search.deck_space import DeckSpace
from deckatlas.shapes import show

Floats = npt.NDArray[np.float64]

MOST_DECKS = 100
MOST_PORTIONS = 1000  # of one opponent in a suite


@dataclass(frozen=True)
class Entrant:
    """A deck of a metagame.

    Attributes:
        name: Its name, unique in the metagame.
        deck: The deck as a text that commands of the game read.
        pilot: The agent that plays it.
        weight: Its share of today's games, up to a common factor.
    """

    name: str
    deck: str
    pilot: str
    weight: float = 1.0


@dataclass(frozen=True)
class DeckCards:
    """The cards of a deck.

    Attributes:
        cards: The copies of each card, by its id.
        space: All decks that could be played instead of it: those of its class, for example.
    """

    cards: Mapping[str, int]
    space: DeckSpace[str]


@dataclass(frozen=True)
class Metagame(ABC):
    """Decks with pilots, in an edition of the cards.

    Attributes:
        name: Its name.
        entrants: Its decks.
        source: How a command names it, if not by its name: the path of a file or of a run.

    Raises:
        MatchError: If there are fewer than two decks or too many, or two have the same name, or none has a share.
    """

    name: str
    entrants: tuple[Entrant, ...]
    source: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not 2 <= len(self.entrants) <= MOST_DECKS:
            raise MatchError(f"a metagame has 2 to {MOST_DECKS} decks, not {len(self.entrants)}")
        names = [each.name for each in self.entrants]
        for number, name in enumerate(names):
            if name in names[:number]:
                raise MatchError(f"two decks of the metagame are called {show(name)}")
        if not sum(each.weight for each in self.entrants) > 0:
            raise MatchError("no deck of the metagame has a share")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the decks."""
        return tuple(each.name for each in self.entrants)

    @property
    def shares(self) -> Floats:
        """Today's shares; all equal unless the metagame says otherwise."""
        return shares_of(self.entrants)

    @property
    def pilots(self) -> tuple[str, ...]:
        """The different pilots: one if all decks are played equally well."""
        return pilots_of(self.entrants)

    @property
    @abstractmethod
    def edition(self) -> str:
        """The edition of the cards, for people."""

    @abstractmethod
    def players(self) -> Players:
        """The decks as players of matchups: entrant k is player k."""

    @abstractmethod
    def joined_by(self, deck: str, *, name: str = "") -> "Metagame":
        """The same metagame with one more deck at its end, played by the pilot of the first deck.

        Args:
            deck: The deck, as a text that commands of the game read.
            name: Its name; by default that of the deck.

        Raises:
            DeckError: If it is not a deck, or not legal in the edition.
        """

    def deck_cards(self) -> tuple[DeckCards, ...]:
        """The cards of each deck.

        Raises:
            GameError: If the entrants have no fixed decks.
        """
        raise GameError(
            f"the entrants of the metagame {show(self.name)} have no fixed decks: there are no cards to count"
        )

    def played_by(self, pilot: str) -> Self:
        """The same metagame with one pilot for all decks."""
        return replace(self, entrants=tuple(replace(each, pilot=pilot) for each in self.entrants))

    @abstractmethod
    def to_toml(self, notes: Mapping[str, str]) -> str:
        """The metagame as a file that commands read.

        Args:
            notes: Comments on decks, by name.
        """

    @abstractmethod
    def suite(self, portions: Mapping[int, int]) -> str:
        """A file of opponents: some of the decks, by number, each with its portion."""


def shares_of(entrants: Sequence[Entrant]) -> Floats:
    """The shares of entrants, which add up to 1."""
    weights = np.array([each.weight for each in entrants], dtype=np.float64)
    return np.asarray(weights / weights.sum())


def pilots_of(entrants: Sequence[Entrant]) -> tuple[str, ...]:
    """The different pilots of entrants."""
    return tuple(dict.fromkeys(each.pilot for each in entrants))


def whole_parts(shares: Floats, total: int) -> npt.NDArray[np.int64]:
    """Shares as whole numbers that add up to a total, by largest remainders."""
    exact = np.round(shares / shares.sum() * total, 9)
    whole: npt.NDArray[np.int64] = np.floor(exact).astype(np.int64)
    order = np.lexsort((np.arange(len(exact)), -(exact - whole)))
    whole[order[: total - int(whole.sum())]] += 1
    return whole


def portions_of(shares: Floats, total: int) -> dict[int, int]:
    """Shares as whole portions of a total, in lowest terms; decks without one are left out."""
    whole = whole_parts(shares, total).tolist()
    common = gcd(*whole)
    return {number: count // common for number, count in enumerate(whole) if count}


def named_apart(name: str, taken: Sequence[str]) -> str:
    """A name that is not taken: the name itself, or with a number after it."""
    number, found = 2, name
    while found in taken:
        found, number = f"{name} ({number})", number + 1
    return found
