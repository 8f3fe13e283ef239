"""Files of Hearthstone decks: CSV with one row per deck, or text with a deck on each line or as a list of card names.

A CSV file has a column `deck_card_ids`, `deck` or `code` with card ids separated by spaces (or a deck in another form),
and optionally a column `class`. Other files have a deck in any form on each line, where lines that start with # are
comments; or they are lists of card names (see `deck_lists`), each after a title if there are several. All can be
plain or gzip.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from deckatlas.arguments import checked
from deckatlas.errors import DeckError
from deckatlas.files.limits import MOST_DECKS, MOST_LIST_LINES
from deckatlas.files.reading import STANDARD_INPUT, read_lines, shown_path
from deckatlas.games.hearthstone.cards.deck_codes import read_deck
from deckatlas.games.hearthstone.cards.deck_lists import is_deck_list, list_parts, read_list
from deckatlas.games.hearthstone.cards.decks import Deck, check_deck
from deckatlas.games.hearthstone.cards.editions import CardsLike, cards_of
from deckatlas.games.hearthstone.cards.table import Card

DECK_COLUMNS = ("deck_card_ids", "deck", "code")
CLASS_COLUMN = "class"

_FILE_NAME = re.compile(r"\S.*\.[A-Za-z]{2,6}")  # no other form of a deck ends so


@dataclass(frozen=True)
class _Entry:
    line: int
    deck: str
    hero_class: str | None
    is_list: bool = False


@checked
def read_deck_file(path: Path, cards: CardsLike, *, hero_class: str | None = None) -> tuple[Deck, ...]:
    """The decks of a file, in file order, all of them legal.

    Args:
        path: The file; `-` is standard input.
        cards: The edition, its name or its cards by their ids.
        hero_class: The class of decks that have no class in the file; by default, the class of their cards.

    Raises:
        CardError: If there is no such edition.
        DeckError: If the file cannot be read, has no decks, or has a deck that is illegal or of another class than
            the one given for it. The message names the line.
    """
    by_id = cards_of(cards)
    decks = []
    for line, deck in _decks(path, by_id, hero_class):
        try:
            decks.append(check_deck(deck, by_id))
        except DeckError as error:
            raise DeckError(f"{shown_path(path)}, line {line}: {error}") from None
    return tuple(decks)


def decks_given(given: str, cards: CardsLike, *, hero_class: str | None = None) -> tuple[Deck, ...]:
    """The decks that a word of the command line means: a deck in any form, or the decks of a file; they may be illegal.

    Args:
        given: What `read_deck` reads, the path of a file, or `-` for standard input.
        cards: The edition, its name or its cards by their ids.
        hero_class: The class that the decks must have; needed for neutral cards only.

    Raises:
        CardError: If there is no such edition.
        DeckError: If there is no such deck, or the file cannot be read.
    """
    if is_deck_file(given):
        return tuple(deck for _, deck in _decks(Path(given), cards_of(cards), hero_class))
    return (read_deck(given, cards, hero_class=hero_class),)


def one_deck_given(given: str, cards: CardsLike) -> Deck:
    """The one deck that a word of the command line means, as `decks_given` reads it.

    Raises:
        CardError: If there is no such edition.
        DeckError: If there is no such deck, or the file cannot be read or has several.
    """
    decks = decks_given(given, cards)
    if len(decks) > 1:
        raise DeckError(f"{shown_path(given)}: one deck is needed, but the file has {len(decks)}")
    return decks[0]


def is_deck_file(given: str) -> bool:
    """Whether a word of the command line is a file, has a name like one, or is `-` for standard input."""
    if given == STANDARD_INPUT or _FILE_NAME.fullmatch(given):
        return True
    try:
        return Path(given).is_file()
    except (OSError, ValueError):  # too long for a path, or with a zero
        return False


def _decks(path: Path, by_id: Mapping[str, Card], hero_class: str | None) -> Iterator[tuple[int, Deck]]:
    """The decks of a file, legal or not, each with the number of its line."""
    count = 0
    for entry in _entries(path, by_id):
        count += 1
        if count == 1 and "," in entry.deck and ":" not in entry.deck and not entry.is_list:
            columns = " or ".join(DECK_COLUMNS)
            raise DeckError(f"{shown_path(path)}, line {entry.line}: the header needs a column {columns}")
        if count > MOST_DECKS:
            raise DeckError(f"{shown_path(path)}, line {entry.line}: a file has at most {MOST_DECKS:,} decks")
        chosen = entry.hero_class or hero_class
        try:
            if entry.is_list:
                yield entry.line, read_list(entry.deck, by_id, hero_class=chosen, first_line=entry.line)
            else:
                yield entry.line, read_deck(entry.deck, by_id, hero_class=chosen)
        except DeckError as error:
            place = "" if str(error).startswith("line ") else f"line {entry.line}: "
            raise DeckError(f"{shown_path(path)}, {place}{error}") from None
    if not count:
        raise DeckError(f"{shown_path(path)}: the file has no decks")


def _entries(path: Path, by_id: Mapping[str, Card]) -> Iterator[_Entry]:
    """The decks of a file as they are read: it is never in memory as a whole."""
    lines = _lines(path)
    before = list(_until_something(lines))
    every = chain(before, lines)
    if before and _is_header(before[-1]):
        return _csv_entries(path, every)
    return _text_entries(every, by_id)


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file with their line breaks, of any kind."""
    for number, content in enumerate(read_lines(path, error=DeckError), start=1):
        try:
            text = content.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise DeckError(f"{shown_path(path)}, line {number}: not UTF-8 text") from None
        yield from io.StringIO(text, newline="")


def _until_something(lines: Iterator[str]) -> Iterator[str]:
    """The first lines, until one that is not blank."""
    for line in lines:
        yield line
        if line.strip():
            return


def _is_header(line: str) -> bool:
    try:
        header = next(csv.reader([line], skipinitialspace=True), [])
    except csv.Error:
        return False
    return any(value.strip() in DECK_COLUMNS for value in header)


def _csv_entries(path: Path, lines: Iterator[str]) -> Iterator[_Entry]:
    reader = csv.reader(lines, skipinitialspace=True)
    header: list[str] = []
    try:
        for row in reader:
            values = [value.strip() for value in row]
            if not any(values):
                continue
            if not header:
                header = values
                at = next(header.index(column) for column in DECK_COLUMNS if column in header)
                of_class = header.index(CLASS_COLUMN) if CLASS_COLUMN in header else len(header)
                continue
            if len(values) <= at or not values[at]:
                raise DeckError(f"{shown_path(path)}, line {reader.line_num}: the column {header[at]} is missing")
            yield _Entry(reader.line_num, values[at], (values[of_class] or None) if len(values) > of_class else None)
    except csv.Error as error:
        raise DeckError(f"{shown_path(path)}, line {reader.line_num}: not CSV: {error}") from None


def _text_entries(lines: Iterator[str], by_id: Mapping[str, Card]) -> Iterator[_Entry]:
    """A list of cards for each title, or a deck on each line."""
    for first, part in list_parts(lines):
        if len(part) <= MOST_LIST_LINES and is_deck_list(text := "\n".join(part), by_id):
            yield _Entry(first, text, None, is_list=True)
            continue
        for number, line in enumerate(part, start=first):
            if line.strip() and not line.lstrip().startswith("#"):
                yield _Entry(number, line, None)
