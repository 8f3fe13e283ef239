"""Questions about cards that games share: words that cards must have, ranges of costs, and names that are near."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deckatlas.errors import CardError
from deckatlas.games.game import GameOption
from deckatlas.shapes import show

COST = GameOption("cost", "The cost of the cards, such as 4, or a range such as 2-4 or 7+.")

NEAR = 0.75

_WORD = re.compile(r"[\w']+")
_COST = re.compile(r"([0-9]{1,3})(?:(\+)|-([0-9]{1,3}))?")
_LONGEST = 100  # characters of a name that are compared: longer texts are slow, and no names
_MOST_SHOWN = 3


def query_text(query: str | Iterable[str]) -> str:
    """A query as one text, from a text or from words.

    Raises:
        CardError: If it is neither.
    """
    words = [query] if isinstance(query, str) or not isinstance(query, Iterable) else list(query)
    for word in words:
        if not isinstance(word, str):
            raise CardError(f"a query consists of words, not of {show(word)}")
    return " ".join(words)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in lower case; all but letters, digits and apostrophes separates them."""
    return tuple(_WORD.findall(text.casefold()))


def has_words(text: str, asked: Iterable[str]) -> bool:
    """Whether each of these words starts a word of the text: `beast` is in "Beasts", and `age` is not in "damage"."""
    present = words_of(text)
    return all(any(word.startswith(each) for word in present) for each in asked)


@dataclass(frozen=True)
class CostRange:
    """Costs from `low` to `high`, or without an upper end."""

    low: int
    high: int | None

    def __contains__(self, cost: object) -> bool:
        return isinstance(cost, int) and self.low <= cost and (self.high is None or cost <= self.high)

    @classmethod
    def read(cls, given: int | str) -> "CostRange":
        """Reads one cost (`4`), a range with both ends (`2-4`), or one without an upper end (`7+`).

        Raises:
            CardError: If it is none of these.
        """
        match = None if isinstance(given, bool) else _COST.fullmatch(str(given).strip())
        if match is None:
            raise CardError(f"a cost is a number such as 4, or a range such as 2-4 or 7+, not {show(given)}")
        low = int(match[1])
        return cls(low, None if match[2] else int(match[3]) if match[3] else low)


def near_names(asked: str, names: Iterable[str], *, similarity: float = NEAR) -> tuple[str, ...]:
    """The few names that are near a text, the nearest first; if none is, those with a word that is near.

    Args:
        asked: The text.
        names: All names.
        similarity: How similar they must be; 1 is equal.
    """
    known = sorted({*names})
    wanted = asked[:_LONGEST].casefold()
    near: list[str] = []
    for parts_of in (lambda name: (name.casefold(),), words_of):
        by_part: dict[str, list[str]] = {}
        for name in known:
            for part in parts_of(name):
                by_part.setdefault(part, []).append(name)
        close = difflib.get_close_matches(wanted, by_part, cutoff=similarity)
        near = near or [name for part in close for name in by_part[part]]
    return tuple(dict.fromkeys(near))[:_MOST_SHOWN]


def did_you_mean(names: Sequence[str]) -> str:
    """These names as a question at the end of an error message."""
    shown = [show(name) for name in names]
    return f"did you mean {' or '.join(filter(None, (', '.join(shown[:-1]), shown[-1])))}?"


def in_words(asked: str, options: Mapping[str, object]) -> str:
    """What was asked for, for an error message: the words, and the options that are given."""
    given = [f"{name} {show(value)}" for name, value in options.items() if value is not None]
    return " and ".join([*([show(asked)] if asked else []), *given])
