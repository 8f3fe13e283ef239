"""Files of Hearthstone decks: CSV with one row per deck, or text with one deck per line; plain or gzip.

A CSV file has a column `deck_card_ids` or `deck` with card ids separated by spaces (or a deck in another form), and
optionally a column `class`. Other files have a deck in any form on each line; lines that start with # are comments.
"""

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.deck_codes import read_deck
from deckatlas.games.hearthstone.cards.decks import Deck, check_deck
from deckatlas.games.hearthstone.cards.editions import CardsLike, cards_of

DECK_COLUMNS = ("deck_card_ids", "deck")
CLASS_COLUMN = "class"

_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class _Entry:
    line: int
    deck: str
    hero_class: str | None


def read_deck_file(path: Path, cards: CardsLike, *, hero_class: str | None = None) -> tuple[Deck, ...]:
    """The decks of a file, in file order, all of them legal.

    Args:
        path: The file.
        cards: The edition, its name or its cards by their ids.
        hero_class: The class of decks that have no class in the file; by default, the class of their cards.

    Raises:
        CardError: If there is no such edition.
        DeckError: If the file cannot be read, has no decks, or has a deck that is illegal or of another class than
            the one given for it. The message names the line.
    """
    text = _read(path)
    by_id = cards_of(cards)
    entries = list(_csv_entries(path, text) if _is_csv(text) else _line_entries(text))
    if not entries:
        raise DeckError(f"{path}: the file has no decks")
    if "," in entries[0].deck and ":" not in entries[0].deck:
        raise DeckError(f"{path}, line {entries[0].line}: the header needs a column {' or '.join(DECK_COLUMNS)}")
    decks = []
    for entry in entries:
        try:
            deck = read_deck(entry.deck, by_id, hero_class=entry.hero_class or hero_class)
            decks.append(check_deck(deck, by_id))
        except DeckError as error:
            raise DeckError(f"{path}, line {entry.line}: {error}") from None
    return tuple(decks)


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if data.startswith(_GZIP_MAGIC) else data).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DeckError(f"{path}: not UTF-8 text") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DeckError(f"{path}: broken gzip") from None
    except OSError as error:
        raise DeckError(f"cannot read {path}: {error.strerror}") from None


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
                raise DeckError(f"{path}, line {line}: the column {header[at]} is missing")
            yield _Entry(line, row[at], row[of_class] if len(row) > of_class and row[of_class] else None)
    except csv.Error as error:
        raise DeckError(f"{path}, line {line + 1}: not CSV: {error}") from None


def _line_entries(text: str) -> Iterator[_Entry]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _Entry(number, line, None)
