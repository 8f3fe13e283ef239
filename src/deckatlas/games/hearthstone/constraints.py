"""What decks of a search must and must not have: cards, and limits on legendaries and dust."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.deck_lists import read_entry
from deckatlas.games.hearthstone.cards.decks import DECK_SIZE, most_copies
from deckatlas.games.hearthstone.cards.measures import SUMS
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.search.deck_space import Limit
from deckatlas.search.evaluation import Ints


class ConstraintError(DeckError):
    """A constraint that no deck can meet, or that makes no sense; `key` is its name."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True)
class DeckConstraints:
    """What decks of a search must and must not have.

    Attributes:
        contains: Cards that every deck has, by name or id, with copies as in lists: "2x Savannah Highmane".
        excludes: Cards that no deck has, by name or id.
        most_legendaries: The most legendary cards of a deck; None if there is no limit.
        most_dust: The most dust that a deck may cost; None if there is no limit.
    """

    contains: Sequence[str] = ()
    excludes: Sequence[str] = ()
    most_legendaries: int | None = None
    most_dust: int | None = None

    def least_copies(self, pool: Sequence[Card], by_id: Mapping[str, Card]) -> list[int]:
        """How many copies of each card of a pool a deck must have.

        Raises:
            ConstraintError: If a card is unknown, not in the pool or excluded, or there are too many copies.
        """
        least = dict.fromkeys((card.id for card in pool), 0)
        excluded = self._excluded(by_id)
        for text in self.contains:
            card, copies = _read("contains", text, by_id)
            if card.id not in least:
                raise ConstraintError("contains", f"{card.name} is not in the pool of the class")
            if card.id in excluded:
                raise ConstraintError("excludes", f"{card.name} is both in contains and in excludes")
            least[card.id] += copies
            if least[card.id] > (most := most_copies(card)):
                raise ConstraintError("contains", f"a deck has at most {most} of {card.name}, not {least[card.id]}")
        if (given := sum(least.values())) >= DECK_SIZE:
            raise ConstraintError("contains", f"{given} cards are given, which leaves none of {DECK_SIZE} to choose")
        return list(least.values())

    def most_copies(self, pool: Sequence[Card], by_id: Mapping[str, Card]) -> list[int]:
        """How many copies of each card of a pool a deck may have.

        Raises:
            ConstraintError: If a card is unknown, or too few are left for a deck.
        """
        excluded = self._excluded(by_id)
        most = [0 if card.id in excluded else most_copies(card) for card in pool]
        if excluded and sum(most) < DECK_SIZE:
            raise ConstraintError("excludes", f"a deck has {DECK_SIZE} cards, but only {sum(most)} copies are left")
        return most

    def limits(self, pool: Sequence[Card]) -> list[Limit]:
        """The limits on decks, as a space takes them; the key of each is `most_` and its name."""
        numbers: dict[str, Ints] = {
            "legendaries": np.array([card.rarity == "legendary" for card in pool], np.int64),
            "dust": np.array([SUMS["dust"](card) for card in pool], np.int64),
        }
        given = {"legendaries": self.most_legendaries, "dust": self.most_dust}
        return [Limit(name, numbers[name], most) for name, most in given.items() if most is not None]

    def _excluded(self, by_id: Mapping[str, Card]) -> set[str]:
        excluded = set()
        for text in self.excludes:
            card, copies = _read("excludes", text, by_id)
            if copies != 1:
                raise ConstraintError("excludes", f"a card is excluded with all its copies: write {card.name!r}")
            excluded.add(card.id)
        return excluded


def _read(key: str, text: str, by_id: Mapping[str, Card]) -> tuple[Card, int]:
    try:
        return read_entry(text, by_id)
    except DeckError as error:
        raise ConstraintError(key, str(error)) from None
