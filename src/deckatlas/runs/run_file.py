"""The SQLite file of a run: recognising its format, opening it for reading, and explaining what is wrong with it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from deckatlas.errors import DeckatlasError, RunError
from deckatlas.files.reading import first_bytes
from deckatlas.runs.schema import APPLICATION, FORMAT
from deckatlas.shapes import show

HEADER_BYTES = 100
OLDEST_FORMAT = 2  # the oldest format that can be read
_MAGIC = b"SQLite format 3\0"
_LONGEST_REASON = 200  # characters
BUSY_SECONDS = 30  # how long to wait for another process's transaction, which takes milliseconds


@contextmanager
def content_of(path: Path) -> Iterator[None]:
    """Turns errors about stored values into a one-line error about this store."""
    try:
        yield
    except DeckatlasError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise RunError(f"{path} is damaged ({_in_short(error)}); it was left as it is") from None


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Turns errors of SQLite and the system into a one-line error about this store."""
    try:
        yield
    except sqlite3.Error as error:
        raise RunError(_explained(path, error)) from None
    except UnicodeDecodeError as error:  # a message that quotes damaged text
        raise RunError(f"{path} is damaged ({error.reason}); it was left as it is") from None
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from None


def _explained(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the higher bits have details
    if code == sqlite3.SQLITE_FULL:
        return f"the disk is full: {path} has everything up to its last commit; free some space, then resume it"
    if code == sqlite3.SQLITE_IOERR:
        return (
            f"{path} cannot be written or read ({error}), maybe for lack of space; "
            "it has everything up to its last commit"
        )
    if code == sqlite3.SQLITE_BUSY:
        return f"{path} is being used by another program"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return f"{path} cannot be opened or written: {error}"
    return f"{path} is damaged ({_in_short(error)}); it was left as it is"


def _in_short(error: Exception) -> str:
    """An error on one line: it may quote what is stored."""
    text = " ".join(str(error).split())
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]} ..."


def format_of(path: Path, header: bytes) -> int:
    """The format of a store, from its first bytes, before SQLite opens it.

    Raises:
        RunError: If the file is not a store, or has a format that this version does not know.
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
        header = first_bytes(path, HEADER_BYTES)
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # a path with a zero, or with what no file name can have
        raise RunError(f"cannot read {show(str(path))}: {error}") from None
    if not header:
        raise RunError(f"{path} is empty: its run has not started")
    return header


def connect(path: Path) -> sqlite3.Connection:
    """Opens an existing file. If its last writer was killed during a transaction, SQLite rolls that back.

    Raises:
        RunError: If it cannot be opened.
    """
    options = "mode=rw" if os.access(path, os.W_OK) else "mode=ro"
    has_log = path.with_name(f"{path.name}-wal").exists()
    if not has_log and not os.access(path.absolute().parent, os.W_OK):
        options = "immutable=1"  # SQLite could not make the files that it shares with other readers
    with told_of(path):
        return sqlite3.connect(
            f"file:{quote(os.fsencode(path))}?{options}", uri=True, timeout=BUSY_SECONDS, isolation_level=None
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
    """Lets SQLite check a file; this reads all of it.

    Raises:
        RunError: If the file is damaged.
    """
    with told_of(path):
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise RunError(f"{path} is damaged; it was left as it is")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Opens a store as of one moment; a store of an older format is converted in memory.

    Raises:
        RunError: If there is no store, or it is damaged, of another program, or of a newer format.
    """
    is_older = format_of(path, header_of(path)) < FORMAT
    connection = connect(path)
    with told_of(path):
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")  # so that all reads see the same moment
    if not is_older:
        return connection
    from deckatlas.runs.migration import migrated  # only needed for old files

    try:
        return migrated(path, connection)
    finally:
        connection.close()
