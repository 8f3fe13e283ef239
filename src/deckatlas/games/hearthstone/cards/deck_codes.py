"""Reads and writes Hearthstone's deck codes and clipboard blocks.

A code is base64 over variable-length numbers: a zero, version 1, the format, the heroes, the cards with one copy, with
two and with more (the last with their counts), and whether a sideboard follows. Cards are dbf ids in ascending order.
Older codes lack the last number; both forms are read.
"""

import base64
import re
from collections.abc import Iterable, Iterator

from deckatlas.arguments import checked
from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.codes import CardType
from deckatlas.games.hearthstone.cards.deck_lists import is_deck_list, parse_deck_list
from deckatlas.games.hearthstone.cards.decks import (
    Deck,
    build_deck,
    card_label,
    check_deck_class,
    class_of,
    deck_cards,
    obstacle,
)
from deckatlas.games.hearthstone.cards.editions import CardsLike, cards_of
from deckatlas.games.hearthstone.cards.library import named_deck
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.shapes import show

VERSION = 1
FORMATS = ("Unknown", "Wild", "Standard", "Classic", "Twist")

HALL_OF_FAME = "hall-of-fame"
_LONGEST_NUMBER = 5  # bytes: dbf ids fit 32 bits
_ID_MARK = "_"  # in ids, and in no name of a card
_HEADINGS = "class|name|deck|format|archetype|cost|dust|year|code"  # words that start lines of pasted lists
_DECK_TEXT = re.compile(rf"\s*(?!(?:{_HEADINGS})\b)[A-Za-z]+\s*:(?:[ \t]*\S|\s*$)", re.IGNORECASE)


@checked
def read_deck(text: str, cards: CardsLike, *, hero_class: str | None = None) -> Deck:
    """Reads a deck in any form.

    Args:
        text: A deck code, a clipboard block, a list of card names as `parse_deck_list` reads it, a deck's own text, the
            ids of its cards separated by spaces, or the name of a deck.
        cards: The edition, its name or its cards by their ids.
        hero_class: The class that the deck must have; required if the text is a list of neutral cards only.

    Raises:
        CardError: If there is no such edition.
        DeckError: If the text has none of these forms, or the deck has another class.
    """
    if not isinstance(text, str):
        raise DeckError(f"a deck must be a code, a text or a name, not {show(text)}")
    by_id = cards_of(cards)
    words = text.split()
    is_list = is_deck_list(text, by_id)
    if _DECK_TEXT.match(text) and (_ID_MARK in text or not is_list):
        deck = Deck.parse(text)
    elif is_list:
        return parse_deck_list(text, by_id, hero_class=hero_class)
    elif words and words[0].startswith("#"):
        deck = deck_from_code(text, by_id)
    elif any(_ID_MARK in word or word in by_id for word in words):  # no deck code or name of a deck has such words
        return build_deck(words, by_id, hero_class=hero_class)
    elif words and words[0].startswith("AA"):  # every code starts with a zero, which is AA in base64
        deck = deck_from_code(text, by_id)
    else:
        deck = named_deck(" ".join(words))
    return check_deck_class(deck, hero_class)


def deck_from_code(text: str, cards: CardsLike) -> Deck:
    """Reads a deck code, alone or in a clipboard block.

    The hero gives the class. Alternative portraits are heroes too, and no edition lists them: with an unknown hero, the
    cards give the class. The format is dropped. The deck may be incomplete; `check_deck` checks it.

    Raises:
        DeckError: If there is no code, the code is broken, or the edition or the hero's class lacks one of its cards.
    """
    hero_dbf, counts = _decode(_code_line(text))
    by_dbf = {card.dbf_id: card for card in cards_of(cards).values() if card.dbf_id}
    for dbf, _ in counts:
        if dbf not in by_dbf:
            raise DeckError(f"the deck code has the dbf id {dbf}, but this edition has no card with that id")
    included = [(by_dbf[dbf], count) for dbf, count in counts]
    hero = by_dbf.get(hero_dbf)
    if hero is not None and hero.type is not CardType.hero:
        raise DeckError(f"the deck code's hero is {card_label(hero)}, which is not a hero")
    hero_class = hero.hero_class.name.upper() if hero else class_of(card for card, _ in included)
    for card, _ in included:
        if why := obstacle(card, hero_class):
            raise DeckError(f"{card_label(card)} {why}")
    return Deck(hero_class, tuple((card.id, count) for card, count in included))


@checked
def deck_code(deck: Deck, cards: CardsLike) -> str:
    """The deck's code, with the original hero of its class. Equal decks have equal codes.

    The format is Wild if a card is in the Hall of Fame, else Standard.

    Raises:
        DeckError: If the edition lacks a card of the deck, or one has no dbf id (custom cards may have none).
    """
    included = deck_cards(deck, cards)
    for card, _ in included:
        if not card.dbf_id:
            raise DeckError(f"{card_label(card)} has no dbf id, so a deck code cannot contain it")
    counts = [(card.dbf_id, count) for card, count in included]
    return code_of_numbers(hero_dbf(deck.hero_class, cards), counts, is_wild=_is_wild(included))


def code_or_text(deck: Deck, cards: CardsLike) -> str:
    """The deck's code; or its text, if a card has no dbf id or is not in the edition. `read_deck` reads both."""
    try:
        return deck_code(deck, cards)
    except DeckError:
        return str(deck)


def code_of_numbers(hero: int, counts: Iterable[tuple[int, int]], *, is_wild: bool) -> str:
    """The code of a deck given by dbf ids.

    Args:
        hero: The hero's dbf id.
        counts: The dbf id and the number of copies of each card.
        is_wild: Whether a card is in the Hall of Fame.
    """
    ordered = sorted(counts)
    numbers = [0, VERSION, FORMATS.index("Wild" if is_wild else "Standard"), 1, hero]
    for times in (1, 2):
        group = [dbf for dbf, count in ordered if count == times]
        numbers += [len(group), *group]
    rest = [entry for entry in ordered if entry[1] > 2]
    numbers += [len(rest), *(number for entry in rest for number in entry)]
    numbers.append(0)  # no sideboard
    return base64.b64encode(b"".join(map(_written, numbers))).decode("ascii")


@checked
def clipboard_block(deck: Deck, cards: CardsLike, *, name: str) -> str:
    """The deck as Hearthstone copies it to the clipboard: name, class, format and cards as comments, then the code.

    Raises:
        DeckError: If the deck has no code (see `deck_code`), or the name is not a single line.
    """
    if not isinstance(name, str) or not name.isprintable():
        raise DeckError(f"a deck's name must be one printable line, not {show(name)}")
    included = deck_cards(deck, cards)
    by_cost = sorted(included, key=lambda entry: (entry[0].cost, entry[0].name))
    remarks = [f"Class: {deck.hero_class.title()}", f"Format: {'Wild' if _is_wild(included) else 'Standard'}", ""]
    remarks += [f"{count}x ({card.cost}) {card.name}" for card, count in by_cost]
    lines = [f"### {name}", *(f"# {remark}" for remark in [*remarks, ""])]
    return "\n".join(line.rstrip() for line in lines) + f"\n{deck_code(deck, cards)}\n"


def _is_wild(included: Iterable[tuple[Card, int]]) -> bool:
    return any(card.set == HALL_OF_FAME for card, _ in included)


def hero_dbf(hero_class: str, cards: CardsLike) -> int:
    """The dbf id of the original hero of a class.

    Raises:
        DeckError: If the edition has no such hero.
    """
    for card in cards_of(cards).values():
        if card.type is CardType.hero and card.set != "token" and card.hero_class.name.upper() == hero_class:
            return card.dbf_id
    raise DeckError(f"this edition has no {hero_class.title()} hero")


def _code_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines()]
    codes = [line for line in lines if line and not line.startswith("#")]
    if len(codes) != 1:
        raise DeckError(f"expected one line with a deck code, found {len(codes)}")
    return codes[0]


def _decode(code: str) -> tuple[int, list[tuple[int, int]]]:
    """The dbf id of the hero, and the dbf ids of the cards with their counts."""
    try:
        data = base64.b64decode(code, validate=True)
    except ValueError:
        raise DeckError(f"a deck code must be base64, not {show(code)}") from None
    numbers = _numbers(data)
    if _next(numbers) != 0:
        raise DeckError("a deck code starts with a zero, but this one does not")
    if (version := _next(numbers)) != VERSION:
        raise DeckError(f"the deck code has version {version}, but only version {VERSION} is supported")
    if (format_number := _next(numbers)) >= len(FORMATS):
        raise DeckError(f"the deck code has the unknown format {format_number}")
    if (heroes := _next(numbers)) != 1:
        raise DeckError(f"the deck code has {heroes} heroes, but a deck has one")
    hero = _next(numbers)
    counts = [(_next(numbers), 1) for _ in range(_next(numbers))]
    counts += [(_next(numbers), 2) for _ in range(_next(numbers))]
    counts += [(_next(numbers), _next(numbers)) for _ in range(_next(numbers))]
    sideboard = next(numbers, 0)
    if sideboard == 1:
        raise DeckError("the deck code has a sideboard, but decks of these cards have none")
    if sideboard != 0 or any(True for _ in numbers):
        raise DeckError("the deck code continues after its last card")
    return hero, counts


def _numbers(data: bytes) -> Iterator[int]:
    """The numbers, seven bits per byte, lowest first; the highest bit of a byte says that more bytes follow."""
    number = length = 0
    for byte in data:
        number |= (byte & 0x7F) << (7 * length)
        length += 1
        if length > _LONGEST_NUMBER:
            raise DeckError("the deck code has a number that is too large")
        if not byte & 0x80:
            yield number
            number = length = 0
    if length:
        raise DeckError("the deck code is cut short")


def _next(numbers: Iterator[int]) -> int:
    number = next(numbers, None)
    if number is None:
        raise DeckError("the deck code is cut short")
    return number


def _written(number: int) -> bytes:
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)
