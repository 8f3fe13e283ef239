"""What came out of a search for better swaps in a Hearthstone deck, for people and as data."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from deckatlas.games.game import Listing, PlainTable
from deckatlas.games.hearthstone.cards.deck_codes import code_or_text
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.swaps import Swap
from deckatlas.play.paired import BETTER, Comparison, in_points

_WIDTH = 80
_NAME_WIDTH = 20


@dataclass(frozen=True)
class Confirmed:
    """A swap that was compared with the deck on fresh games.

    Attributes:
        swap: What goes and what comes.
        deck: The deck after the swap.
        comparison: The swapped deck against the deck itself; its interval is corrected for the number of swaps.
    """

    swap: Swap
    deck: Deck
    comparison: Comparison

    @property
    def is_better(self) -> bool:
        """Whether the deck is better after the swap, beyond chance."""
        return self.comparison.verdict == BETTER


@dataclass(frozen=True)
class Improvement:
    """The best swaps of a deck.

    Attributes:
        name: The deck's name.
        deck: The deck.
        edition: The edition.
        against: The opponents, in a few words.
        possible: How many swaps of one card are legal.
        tried: How many swaps of one and of two cards were played in the search.
        search_games: The games of the search.
        swaps: The finalists on fresh games, the largest difference first.
    """

    name: str
    deck: Deck
    edition: Edition = field(repr=False)
    against: str
    possible: int
    tried: tuple[int, int]
    search_games: int
    swaps: tuple[Confirmed, ...]

    @property
    def confirmed(self) -> tuple[Confirmed, ...]:
        """The swaps that make the deck better beyond chance."""
        return tuple(each for each in self.swaps if each.is_better)

    @property
    def sentence(self) -> str:
        """What came out, in one sentence."""
        count = len(self.swaps)
        if not self.confirmed:
            least = max(each.comparison.detectable for each in self.swaps)
            return (
                f"No swap is confirmed: on fresh games, none of the best {count} makes {self.name} better beyond "
                "chance. "
                f"A gain of {100 * least:.1f} points would have been found in 4 of 5 cases."
            )
        best = self.confirmed[0]
        gone, come = best.swap.in_words(self.edition)
        value, ends = in_points(best.comparison.difference)
        return (
            f"{len(self.confirmed)} of {count} swaps are confirmed on fresh games; the best is {come} for {gone}: "
            f"{value} points {ends} against {self.against}."
        )

    def __str__(self) -> str:
        return self.sentence

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "deck": self.name,
            "code": code_or_text(self.deck, self.edition),
            "against": self.against,
            "possible": self.possible,
            "tried_single": self.tried[0],
            "tried_double": self.tried[1],
            "search_games": self.search_games,
            "confirmed": len(self.confirmed),
            "sentence": self.sentence,
            "swaps": [self._swap_json(each) for each in self.swaps],
        }

    def _swap_json(self, each: Confirmed) -> dict[str, Any]:
        compared = each.comparison
        return {
            "out": [self.edition.by_id[card].name for card in each.swap.cut],
            "in": [self.edition.by_id[card].name for card in each.swap.added],
            **compared.difference.cells("difference", n="games", prefix=""),
            "confidence": compared.confidence,
            "verdict": compared.verdict,
            "code": code_or_text(each.deck, self.edition),
        }


def improvement_listing(found: Improvement) -> Listing:
    """The swaps as a table, what came out in a sentence, and the code of the best confirmed deck."""
    return Listing(tuple(_parts(found)), found.to_json())


def _parts(found: Improvement) -> Iterator[str | PlainTable]:
    yield f"{found.name} against {found.against}"
    yield (
        f"{found.possible:,} swaps of one card are legal; tried in {found.search_games:,} games: "
        f"{found.tried[0]} of one, {found.tried[1]} of two"
    )
    yield f"each of the best {len(found.swaps)}: {found.swaps[0].comparison.games:,} fresh games"
    rows = tuple(row for each in found.swaps for row in _rows(each, found.edition))
    columns = ("out", "in", "points", "interval", "verdict")
    yield PlainTable("", "", columns, frozenset(("out", "in", "verdict")), (rows,))
    yield from wrap(found.sentence, _WIDTH)
    if found.confirmed:
        yield f"The deck after the best swap: {code_or_text(found.confirmed[0].deck, found.edition)}"


def _rows(each: Confirmed, cards: Edition) -> Iterator[tuple[str, ...]]:
    """A swap of two cards takes two rows."""
    gone, come = (_shown(ids, cards) for ids in (each.swap.cut, each.swap.added))
    numbers = (*in_points(each.comparison.difference), each.comparison.verdict)
    for number, (one, other) in enumerate(zip(gone, come, strict=True)):
        yield (one, other, *(numbers if number == 0 else ("",) * len(numbers)))


def _shown(ids: tuple[str, ...], cards: Edition) -> list[str]:
    names = [cards.by_id[card].name for card in ids]
    return [name if len(name) <= _NAME_WIDTH else f"{name[: _NAME_WIDTH - 1]}…" for name in names]
