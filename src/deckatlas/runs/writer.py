"""What writes the file of a run: one process at a time, all that belongs together in one transaction."""

import json
import platform
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import deckatlas
from deckatlas import _core
from deckatlas.errors import RunError
from deckatlas.runs.hashes import text_hash
from deckatlas.runs.lock import acquire, release
from deckatlas.runs.run_file import APPLICATION, FORMAT, HEADER_BYTES, RunFile, check_header, connect, told_of

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE run (
    config TEXT NOT NULL, hash BLOB NOT NULL, seed INTEGER NOT NULL, versions TEXT NOT NULL, cards TEXT NOT NULL,
    created TEXT NOT NULL, finished TEXT
);
"""


class Writer(RunFile):
    """The file of a run that this process alone may write."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int) -> None:
        super().__init__(path, connection)
        self._lock = lock

    def close(self) -> None:
        """Gives the file back; a transaction that is not complete has never been."""
        super().close()
        with told_of(self.path):
            release(self.path, self._lock)

    def is_new(self) -> bool:
        """Whether nothing is stored yet, not even a run."""
        return self._rows("PRAGMA page_count") == [(0,)]

    def finish(self) -> None:
        """Stores that the run is over."""
        with self._transaction():
            self._connection.execute("UPDATE run SET finished = ?", (now(),))

    def _begin(self, schema: str, config: Mapping[str, Any], cards: str) -> None:
        """Makes the tables, within a transaction, and stores what is run."""
        for statement in filter(str.strip, (_SCHEMA + schema).split(";")):
            self._connection.execute(statement)
        text = json.dumps(config)
        self._connection.execute(
            "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, NULL)",
            (text, text_hash(text), config["seed"], json.dumps(versions()), cards, now()),
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with told_of(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite may have taken it back by itself
                    self._connection.execute("ROLLBACK")
                raise


File = TypeVar("File", bound=Writer)


def open_to_write(path: Path, kind: type[File], *, advice: str = "choose another file") -> File:
    """Opens the file of a run to write it, or makes an empty one. Nothing is written to a file that is not one.

    Args:
        path: The file.
        kind: What to open it as.
        advice: What to do, other than to wait, where another process is writing it.

    Raises:
        RunError: If another process is writing it, or it is damaged, of another program, or of a newer format.
    """
    with told_of(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = acquire(path)
    if lock is None:
        raise RunError(f"{path} is being written by another process; wait for it, or {advice}")
    try:
        with told_of(path):
            if not path.exists():  # to touch one that is refused would change its time
                path.touch()
            with path.open("rb") as file:
                header = file.read(HEADER_BYTES)
        if header:
            check_header(path, header)
        return kind(path, connect(path), lock)
    except BaseException:
        release(path, lock)
        raise


def versions() -> dict[str, str]:
    """What this process is made of."""
    return {
        "deckatlas": deckatlas.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "core": _core.build_flags,
    }


def now() -> str:
    """The time, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")
