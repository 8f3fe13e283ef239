"""The file of a run: SQLite, recognised by its header, checked before it is used, and read here.

Every file has a table `run`: the resolved configuration and a hash of it, versions, a hash of the cards, and when the
run began and ended. What else is in it depends on what was run: see `deckatlas.runs.matchups` and
`deckatlas.runs.map_store`. A file with a row that has changed since it was written is refused.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import quote

from deckatlas.errors import RunError
from deckatlas.runs.hashes import text_hash

APPLICATION = 0x4465636B  # "Deck", at byte 68 of a SQLite file
FORMAT = 2  # at byte 60; a store of another format is not touched
HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\0"
_ROWS_AT_ONCE = 1000
_BUSY_SECONDS = 30  # how long to wait for somebody else's transaction, which takes milliseconds


@dataclass(frozen=True)
class RunRow:
    """What a store knows of its run as a whole.

    Attributes:
        config: The resolved configuration.
        versions: What it was made with.
        cards: The hash of the card table.
        created: When it began.
        finished: When it ended, if it did.
    """

    config: dict[str, Any]
    versions: dict[str, str]
    cards: str
    created: datetime
    finished: datetime | None

    def __post_init__(self) -> None:
        """Makes sure that what is asked of every run is there."""
        config = self.config
        _ = self.algorithm, self.searched, config["name"], config["seed"], self.versions["core"]
        if not isinstance(self.budget, int | None):
            raise TypeError("the budget is no number")

    @property
    def algorithm(self) -> str:
        """How it searches."""
        return str(self.config["search"]["algorithm"])

    @property
    def is_map(self) -> bool:
        """Whether it is a map of elites; otherwise genomes meet each other in matchups."""
        return "archive" in self.config

    @property
    def searched(self) -> str:
        """What it searches: a kind of genomes, or of solutions."""
        return str(self.config["solution" if self.is_map else "genome"]["kind"])

    @property
    def budget(self) -> int | None:
        """The most games, if there is a limit."""
        if self.is_map:
            return int(self.config["search"]["evaluations"]) * int(self.config["evaluation"]["games"])
        return self.config["budget"]  # type: ignore[no-any-return]


class RunFile:
    """The file of a run, to be read."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the file back."""
        self._connection.close()

    def run(self) -> RunRow:
        """The run as a whole."""
        rows = self._rows("SELECT config, hash, versions, cards, created, finished FROM run")
        with content_of(self.path):
            ((config, content, versions, cards, created, finished),) = rows
            if text_hash(config) != content:
                raise ValueError("the configuration has changed")
            return RunRow(
                config=json.loads(config),
                versions=json.loads(versions),
                cards=str(cards),
                created=datetime.fromisoformat(created),
                finished=None if finished is None else datetime.fromisoformat(finished),
            )

    def _rows(self, query: str, *values: object) -> list[Any]:
        with told_of(self.path):
            return self._connection.execute(query, values).fetchall()

    def _chunks(self, query: str) -> Iterator[list[Any]]:
        """The same in parts, for what is too much to be held row by row."""
        with told_of(self.path):
            cursor = self._connection.execute(query)
            while rows := cursor.fetchmany(_ROWS_AT_ONCE):
                yield rows


@contextmanager
def content_of(path: Path) -> Iterator[None]:
    """Turns what is found wrong with stored values into a line about this store."""
    try:
        yield
    except (ValueError, TypeError, LookupError) as error:
        raise RunError(f"{path} is damaged ({error}); it was left as it is") from None


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Turns what SQLite and the system say into a line about this store."""
    try:
        yield
    except sqlite3.Error as error:
        raise RunError(_explained(path, error)) from None
    except UnicodeDecodeError as error:  # a message that quotes spoilt text
        raise RunError(f"{path} is damaged ({error.reason}); it was left as it is") from None
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None


def _explained(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest of it has details
    if code == sqlite3.SQLITE_FULL:
        return f"the disk is full: {path} holds all that came before; make room, then the same command goes on"
    if code == sqlite3.SQLITE_IOERR:
        return f"{path} cannot be written or read ({error}), maybe for lack of space; it holds all that came before"
    if code == sqlite3.SQLITE_BUSY:
        return f"{path} is being used by another program"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return f"{path} cannot be written: {error}"
    return f"{path} is damaged ({error}); it was left as it is"


def check_header(path: Path, header: bytes) -> None:
    """Makes sure, from its first bytes, that a file is a store of this format; SQLite has not touched it yet.

    Raises:
        RunError: If it is not.
    """
    if header[: len(_MAGIC)] != _MAGIC or len(header) < HEADER_BYTES:
        raise RunError(f"{path} is not the store of a run, or it is damaged; it was left as it is")
    format_number, application = (int.from_bytes(header[at : at + 4], "big") for at in (60, 68))
    if application != APPLICATION:
        raise RunError(f"{path} belongs to another program; it was left as it is")
    if format_number > FORMAT:
        raise RunError(
            f"{path} was written by a newer deckatlas (format {format_number}, this one knows {FORMAT}); "
            "it was left as it is"
        )
    if format_number < FORMAT:
        raise RunError(
            f"{path} was written by an older deckatlas (format {format_number}, this one knows {FORMAT}); "
            "it was left as it is"
        )


def connect(path: Path) -> sqlite3.Connection:
    """Opens a file that is there. If its last writer was killed within a transaction, SQLite takes that back.

    Raises:
        RunError: If it is damaged.
    """
    mode = "rw" if os.access(path, os.W_OK) else "ro"
    with told_of(path):
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=_BUSY_SECONDS, isolation_level=None
        )
        try:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
    if verdict != "ok":
        connection.close()
        raise RunError(f"{path} is damaged; it was left as it is")
    return connection


File = TypeVar("File", bound=RunFile)


def open_run_file(path: Path, kind: type[File]) -> File:
    """Opens the file of a run to read it; a run that is under way can be read too.

    Args:
        path: The file.
        kind: What to open it as.

    Raises:
        RunError: If there is none, or it is damaged, of another program, or of a newer format.
    """
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    if not header:
        raise RunError(f"{path} is empty: its run has not begun")
    check_header(path, header)
    connection = connect(path)
    with told_of(path):
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")  # so that all that is read is of one moment
    return kind(path, connection)
