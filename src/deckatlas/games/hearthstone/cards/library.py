"""The library of decks: every deck that commands and calls know by name.

`decks.toml` has the starter decks, the elite decks of a paper and two published Rogue decks; `library.toml` has lists
that people played with these cards. Names are unique, and `deck_called` is the one place that finds a deck by its name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from deckatlas.errors import DeckError
from deckatlas.files.plain_data import toml_values
from deckatlas.files.reading import package_text
from deckatlas.games.hearthstone.cards.decks import Deck, build_deck, check_deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition
from deckatlas.shapes import nearest, show

_MOST_SHOWN = 5  # names in one message
_WORD = re.compile(r"[\w':]+")


@dataclass(frozen=True)
class NamedDeck:
    """A deck with a name.

    Attributes:
        name: Its name.
        deck: Its class and cards.
        archetype: What people call decks of its kind; empty for decks that nobody played.
        era: The year in which people played it, if they did.
        source: Where the list is from, in a word; empty for decks that nobody played.
        in_field: Whether it stands for its archetype in the field.
    """

    name: str
    deck: Deck
    archetype: str = ""
    era: int | None = None
    source: str = ""
    in_field: bool = False


@cache
def library() -> Mapping[str, NamedDeck]:
    """All decks that have names, by name.

    Tempo Rogue has cards of later sets, which no edition here has: it can be viewed but not played. The list that
    people played with Classic cards is Tempo Rogue (Classic).
    """
    plain = (NamedDeck(name, Deck.parse(text)) for name, text in _tables("decks.toml"))
    return MappingProxyType({each.name: each for each in (*plain, *_played())})


@cache
def named_decks() -> Mapping[str, Deck]:
    """All decks that have names: their classes and cards, by name."""
    return MappingProxyType({name: each.deck for name, each in library().items()})


@cache
def field_decks() -> tuple[NamedDeck, ...]:
    """The fifteen archetypes of the Classic format that people report on, one list each."""
    return tuple(each for each in library().values() if each.in_field)


def lists_of_people(cards: Edition) -> list[NamedDeck]:
    """The lists that people played and that are legal in an edition."""
    return [each for each in library().values() if each.archetype and _is_legal(each.deck, cards)]


def _is_legal(deck: Deck, cards: Edition) -> bool:
    try:
        check_deck(deck, cards)
    except DeckError:
        return False
    return True


def deck_called(name: str) -> NamedDeck | None:
    """The deck of that name, in upper or lower case and with any spaces between the words; None if there is none."""
    return _by_folded().get(_folded(name))


def named_deck(name: str) -> Deck:
    """The deck of that name, as `deck_called` finds it.

    Raises:
        DeckError: If there is no such deck; the message has the names that were probably meant.
    """
    found = deck_called(name)
    if found is None:
        raise DeckError(f"unknown deck {show(name)}: {_hint(name)}")
    return found.deck


def deck_label(deck: Deck) -> str:
    """What to call a deck in headings: its name if a deck with these cards has one, otherwise its class."""
    return name_of_deck(deck) or f"{deck.hero_class.title()} deck"


def name_of_deck(deck: Deck) -> str | None:
    """The name of the deck with these cards; None if none has one."""
    return _names().get(deck)


@cache
def _names() -> Mapping[Deck, str]:
    """The names of decks by their cards; the first of equal decks gives its name."""
    return {each.deck: name for name, each in reversed(tuple(library().items()))}


def _tables(file: str) -> Iterator[tuple[str, Any]]:
    yield from toml_values(package_text(str(__package__), file)).items()


def _played() -> Iterator[NamedDeck]:
    """The decks of `library.toml`, whose cards have their names in the default edition."""
    for name, table in _tables("library.toml"):
        entries = (entry.split(maxsplit=1) for entry in table["cards"].split(","))
        counts = {card.strip(): int(count) for count, card in entries}
        deck = build_deck(counts, DEFAULT, hero_class=table["class"])
        yield NamedDeck(name, deck, table["archetype"], table["era"], table["source"], table.get("field", False))


@cache
def _by_folded() -> Mapping[str, NamedDeck]:
    return {_folded(name): each for name, each in library().items()}


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _hint(name: str) -> str:
    """The decks whose name, archetype and class have all words of the text, short names first; or the nearest name."""
    asked = _words(name)
    fitting = sorted((each.name for each in library().values() if asked and asked <= _words_of(each)), key=len)
    return f"did you mean {_listed(fitting)}?" if fitting else nearest(name, library())


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _words_of(each: NamedDeck) -> set[str]:
    return _words(f"{each.name} {each.archetype} {each.deck.hero_class}")


def _listed(names: Sequence[str]) -> str:
    shown = [show(name) for name in names[:_MOST_SHOWN]]
    if len(names) > _MOST_SHOWN:
        return f"{', '.join(shown)} or one of {len(names) - _MOST_SHOWN} more"
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
