"""Files of Hearthstone decks: CSV with one row per deck, or text with a deck on each line or as a list of card names.

A CSV file has a column `deck_card_ids`, `deck` or `code` with card ids separated by spaces (or a deck in another form),
and optionally a column `class`. Other files have a deck in any form on each line, where lines that start with # are
comments; or they are lists of card names (see `deck_lists`), each after a title if there are several. All can be
plain or gzip.
"""

import csv
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from deckatlas.arguments import checked
from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.deck_codes import read_deck
from deckatlas.games.hearthstone.cards.deck_lists import is_deck_list, list_parts, read_list
from deckatlas.games.hearthstone.cards.decks import Deck, check_deck
from deckatlas.games.hearthstone.cards.editions import CardsLike, cards_of
from deckatlas.games.hearthstone.cards.table import Card

STANDARD_INPUT = "-"
DECK_COLUMNS = ("deck_card_ids", "deck", "code")
CLASS_COLUMN = "class"

_FILE_NAME = re.compile(r"\S.*\.[A-Za-z]{2,6}")  # no other form of a deck ends so
_GZIP_MAGIC = b"\x1f\x8b"


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
            raise DeckError(f"{_name(path)}, line {line}: {error}") from None
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
        raise DeckError(f"{_name(Path(given))}: one deck is needed, but the file has {len(decks)}")
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
    text = _read(path)
    entries = list(_csv_entries(path, text) if _is_csv(text) else _text_entries(text, by_id))
    if not entries:
        raise DeckError(f"{_name(path)}: the file has no decks")
    if "," in entries[0].deck and ":" not in entries[0].deck and not entries[0].is_list:
        raise DeckError(f"{_name(path)}, line {entries[0].line}: the header needs a column {' or '.join(DECK_COLUMNS)}")
    for entry in entries:
        chosen = entry.hero_class or hero_class
        try:
            if entry.is_list:
                yield entry.line, read_list(entry.deck, by_id, hero_class=chosen, first_line=entry.line)
            else:
                yield entry.line, read_deck(entry.deck, by_id, hero_class=chosen)
        except DeckError as error:
            place = "" if str(error).startswith("line ") else f"line {entry.line}: "
            raise DeckError(f"{_name(path)}, {place}{error}") from None


def _name(path: Path) -> str:
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def _read(path: Path) -> str:
    if str(path) == STANDARD_INPUT and sys.stdin is None:
        raise DeckError("there is no standard input to read a deck from")
    try:
        data = sys.stdin.buffer.read() if str(path) == STANDARD_INPUT else path.read_bytes()
        return (gzip.decompress(data) if data.startswith(_GZIP_MAGIC) else data).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DeckError(f"{_name(path)}: not UTF-8 text") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DeckError(f"{_name(path)}: broken gzip") from None
    except OSError as error:
        raise DeckError(f"cannot read {_name(path)}: {error.strerror}") from None


def _csv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV text that are not empty, with fields stripped, each with the number of its last line."""
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    for row in reader:
        if any(value.strip() for value in row):
            yield reader.line_num, [value.strip() for value in row]


def _is_csv(text: str) -> bool:
    try:
        _, header = next(_csv_rows(text), (0, []))
    except csv.Error:
        return False
    return any(column in header for column in DECK_COLUMNS)


def _csv_entries(path: Path, text: str) -> Iterator[_Entry]:
    rows = _csv_rows(text)
    line, header = next(rows)
    at = next(header.index(column) for column in DECK_COLUMNS if column in header)
    of_class = header.index(CLASS_COLUMN) if CLASS_COLUMN in header else len(header)
    try:
        for line, row in rows:
            if len(row) <= at or not row[at]:
                raise DeckError(f"{_name(path)}, line {line}: the column {header[at]} is missing")
            yield _Entry(line, row[at], row[of_class] if len(row) > of_class and row[of_class] else None)
    except csv.Error as error:
        raise DeckError(f"{_name(path)}, line {line + 1}: not CSV: {error}") from None


def _text_entries(text: str, by_id: Mapping[str, Card]) -> Iterator[_Entry]:
    """A list of cards for each title, or a deck on each line."""
    for first, part in list_parts(text):
        if is_deck_list(part, by_id):
            yield _Entry(first, part, None, is_list=True)
            continue
        for number, line in enumerate(part.splitlines(), start=first):
            if line.strip() and not line.lstrip().startswith("#"):
                yield _Entry(number, line, None)
