"""The file of a run as SQLite: recognised by its header, opened to be read, and what can be wrong with it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from deckatlas.errors import RunError
from deckatlas.runs.schema import APPLICATION, FORMAT

HEADER_BYTES = 100
OLDEST_FORMAT = 2  # that can still be read
_MAGIC = b"SQLite format 3\0"
_BUSY_SECONDS = 30  # how long to wait for somebody else's transaction, which takes milliseconds


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
        return f"the disk is full: {path} holds everything that came before; make room, then resume it"
    if code == sqlite3.SQLITE_IOERR:
        return (
            f"{path} cannot be written or read ({error}), maybe for lack of space; it holds everything that came before"
        )
    if code == sqlite3.SQLITE_BUSY:
        return f"{path} is being used by another program"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return f"{path} cannot be written: {error}"
    return f"{path} is damaged ({error}); it was left as it is"


def format_of(path: Path, header: bytes) -> int:
    """The format of a store, from its first bytes; SQLite has not touched it yet.

    Raises:
        RunError: If the file is no store, or of a format that this program does not know.
    """
    if header[: len(_MAGIC)] != _MAGIC or len(header) < HEADER_BYTES:
        raise RunError(f"{path} is not the store of a run, or it is damaged; it was left as it is")
    format_number, application = (int.from_bytes(header[at : at + 4], "big") for at in (60, 68))
    if application != APPLICATION:
        raise RunError(f"{path} belongs to another program; it was left as it is")
    if not OLDEST_FORMAT <= format_number <= FORMAT:
        age = "a newer" if format_number > FORMAT else "an older"
        raise RunError(
            f"{path} was written by {age} deckatlas (format {format_number}, this one knows {FORMAT}); "
            "it was left as it is"
        )
    return format_number


def header_of(path: Path) -> bytes:
    """The first bytes of a file.

    Raises:
        RunError: If it cannot be read, or is empty.
    """
    take_back(path)
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    if not header:
        raise RunError(f"{path} is empty: its run has not begun")
    return header


def connect(path: Path) -> sqlite3.Connection:
    """Opens a file that is there. If its last writer was killed within a transaction, SQLite takes that back.

    Raises:
        RunError: If it cannot be opened.
    """
    mode = "rw" if os.access(path, os.W_OK) else "ro"
    with told_of(path):
        return sqlite3.connect(
            f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=_BUSY_SECONDS, isolation_level=None
        )


def take_back(path: Path) -> None:
    """Lets SQLite take back what a writer was killed in the midst of, if its journal is still there.

    A store is made in a single transaction: until that is taken back, the file can look like anything.
    """
    if path.is_file() and path.with_name(f"{path.name}-journal").exists():
        connection = connect(path)
        with closing(connection), told_of(path):
            connection.execute("PRAGMA schema_version").fetchall()


def check_pages(path: Path, connection: sqlite3.Connection) -> None:
    """Makes sure that SQLite finds nothing wrong with a file; this reads all of it.

    Raises:
        RunError: If something is wrong.
    """
    with told_of(path):
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise RunError(f"{path} is damaged; it was left as it is")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Opens a store at one moment of its run; one of an older format is given in today's.

    Raises:
        RunError: If there is none, or it is damaged, of another program, or of a newer format.
    """
    is_older = format_of(path, header_of(path)) < FORMAT
    connection = connect(path)
    with told_of(path):
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")  # so that everything that is read is of one moment
    if not is_older:
        return connection
    from deckatlas.runs.migration import migrated  # needed for old files alone

    try:
        return migrated(path, connection)
    finally:
        connection.close()
