"""Files of Hearthstone decks: CSV with a row a deck, or a deck a line; plain or gzip.

A CSV file has a column `deck_card_ids` or `deck` with card ids separated by blanks (or a deck in another form) and, if
it likes, a column `class`. Other files have a deck code, a deck's text or a name on each line; lines that begin with #
are remarks.
"""

import csv
import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deckatlas.cards.hearthstone.deck_codes import read_deck
from deckatlas.cards.hearthstone.decks import Cards, Deck, build_deck, check_deck, named_decks
from deckatlas.errors import DeckError

DECK_COLUMNS = ("deck_card_ids", "deck")
CLASS_COLUMN = "class"

_GZIP_MAGIC = b"\x1f\x8b"
_LONGEST_FIELD = 100_000


@dataclass(frozen=True)
class _Entry:
    line: int
    deck: str
    hero_class: str | None


def read_deck_file(path: Path, cards: Cards, *, hero_class: str | None = None) -> tuple[Deck, ...]:
    """The decks of a file, in its order, all of them legal.

    Args:
        path: The file.
        cards: The edition's cards.
        hero_class: The class of decks that are lists of ids and have none in the file; without it, that of their cards.

    Raises:
        DeckError: If the file cannot be read, has no decks, or one that is not legal: the message says on which line.
    """
    text = _read(path)
    lines = text.splitlines()
    entries = list(_csv_entries(path, lines) if _is_csv(lines) else _line_entries(lines))
    if not entries:
        raise DeckError(f"{path}: there are no decks in it")
    decks = []
    for entry in entries:
        try:
            decks.append(check_deck(_deck(entry, cards, hero_class), cards))
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


def _is_csv(lines: list[str]) -> bool:
    header = [name.strip() for name in lines[0].split(",")] if lines else []
    return any(column in header for column in DECK_COLUMNS)


def _csv_entries(path: Path, lines: list[str]) -> Iterator[_Entry]:
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.DictReader(lines, skipinitialspace=True)
    try:
        column = next(column for column in DECK_COLUMNS if column in (reader.fieldnames or ()))
        for row in reader:
            if row[column] is None:
                raise DeckError(f"{path}, line {reader.line_num}: there is no {column} on it")
            yield _Entry(reader.line_num, row[column], row.get(CLASS_COLUMN) or None)
    except csv.Error as error:
        raise DeckError(f"{path}, line {reader.line_num}: not CSV: {error}") from None


def _line_entries(lines: list[str]) -> Iterator[_Entry]:
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _Entry(number, line, None)


def _deck(entry: _Entry, cards: Cards, hero_class: str | None) -> Deck:
    words = entry.deck.split()
    named = {name.casefold() for name in named_decks()}
    if len(words) == 1 or ":" in entry.deck or " ".join(words).casefold() in named:
        return read_deck(entry.deck, cards)
    return build_deck(words, cards, hero_class=entry.hero_class or hero_class)
