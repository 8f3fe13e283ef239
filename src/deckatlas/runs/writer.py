"""Writing a store: one process at a time, one transaction an ask. A kill loses at most what was being played."""

import json
import platform
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import deckatlas
from deckatlas import _core
from deckatlas.cards.locm import cards
from deckatlas.errors import RunError
from deckatlas.runs.hashes import (
    ask_hash,
    canonical_json,
    facts_json,
    generation_hash,
    genome_hash,
    outcome_hash,
    text_hash,
)
from deckatlas.runs.lock import acquire, release
from deckatlas.runs.store import APPLICATION, FORMAT, HEADER_BYTES, Store, check_header, connect, told_of
from deckatlas.search.protocol import Ask, Generation

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE run (
    config TEXT NOT NULL, hash BLOB NOT NULL, seed INTEGER NOT NULL, versions TEXT NOT NULL, cards TEXT NOT NULL,
    created TEXT NOT NULL, finished TEXT
);
CREATE TABLE genomes (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, genes BLOB NOT NULL);
CREATE TABLE asks (number INTEGER PRIMARY KEY, hash BLOB NOT NULL, games INTEGER NOT NULL, played TEXT NOT NULL,
    outcome BLOB NOT NULL);
CREATE TABLE evaluations (
    ask INTEGER NOT NULL REFERENCES asks, row INTEGER NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL,
    games INTEGER NOT NULL, wins INTEGER NOT NULL, PRIMARY KEY (ask, row)
) WITHOUT ROWID;
CREATE TABLE generations (number INTEGER PRIMARY KEY, ask INTEGER UNIQUE REFERENCES asks, facts TEXT NOT NULL,
    hash BLOB NOT NULL);
CREATE TABLE populations (
    generation INTEGER NOT NULL REFERENCES generations, rank INTEGER NOT NULL,
    genome INTEGER NOT NULL REFERENCES genomes, score REAL NOT NULL, PRIMARY KEY (generation, rank)
) WITHOUT ROWID;
"""


class Writer(Store):
    """A store that this process alone may write."""

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

    def begin(self, config: Mapping[str, Any], initial: Generation | None) -> None:
        """Stores the run: its configuration, with what it is made, and the generation that is there before any game."""
        with self._transaction():
            for statement in filter(str.strip, _SCHEMA.split(";")):
                self._connection.execute(statement)
            text = json.dumps(config)
            self._connection.execute(
                "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, NULL)",
                (text, text_hash(text), config["seed"], json.dumps(versions()), card_table_hash(), _now()),
            )
            if initial is not None:
                self._add_generation(None, initial)

    def add(self, number: int, ask: Ask, wins: npt.NDArray[np.integer[Any]], generation: Generation | None) -> None:
        """Stores an ask, what came of it, and the generation that it completed."""
        with self._transaction():
            evaluations = self._evaluations(ask, wins)
            outcome = outcome_hash(evaluations, None if generation is None else generation_hash(generation))
            self._connection.execute(
                "INSERT INTO asks VALUES (?, ?, ?, ?, ?)", (number, ask_hash(ask), ask.games, _now(), outcome)
            )
            self._connection.executemany(
                "INSERT INTO evaluations VALUES (?, ?, ?, ?, ?, ?)",
                ((number, row, *evaluation) for row, evaluation in enumerate(evaluations.tolist())),
            )
            if generation is not None:
                self._add_generation(number, generation)

    def finish(self) -> None:
        """Stores that the search is over."""
        with self._transaction():
            self._connection.execute("UPDATE run SET finished = ?", (_now(),))

    def _evaluations(self, ask: Ask, wins: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
        """A row a matchup: who moved first and second, the games, and how many the first won."""
        # Opponents keep their negative numbers: they are looked up from the end, where there is a place for each.
        opponents = range(min(0, int(ask.first.min()), int(ask.second.min())), 0)
        players = np.array([*self._ids_of(ask.genomes), *opponents], dtype=np.int64)
        lengths = np.array([len(course) for course in ask.courses], dtype=np.int64)
        return np.stack([players[ask.first], players[ask.second], lengths[ask.course], wins.astype(np.int64)], axis=1)

    def _add_generation(self, ask: int | None, generation: Generation) -> None:
        row = (generation.number, ask, facts_json(generation.facts), generation_hash(generation))
        self._connection.execute("INSERT INTO generations VALUES (?, ?, ?, ?)", row)
        individuals = zip(self._ids_of(generation.genomes), generation.scores.tolist(), strict=True)
        self._connection.executemany(
            "INSERT INTO populations VALUES (?, ?, ?, ?)",
            ((generation.number, rank, *individual) for rank, individual in enumerate(individuals)),
        )

    def _ids_of(self, genomes: npt.NDArray[np.float64]) -> Iterator[int]:
        for genome in genomes.astype("<f8"):
            genes = genome.tobytes()
            content = genome_hash(genes)
            self._connection.execute("INSERT OR IGNORE INTO genomes (hash, genes) VALUES (?, ?)", (content, genes))
            (identity,) = self._connection.execute("SELECT id FROM genomes WHERE hash = ?", (content,)).fetchone()
            yield identity

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


def open_to_write(path: Path, *, advice: str = "choose another file") -> Writer:
    """Opens a store to write it, or makes an empty one. Nothing is written to a file that is not one.

    Args:
        path: The file.
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
            path.touch()
            with path.open("rb") as file:
                header = file.read(HEADER_BYTES)
        if header:
            check_header(path, header)
        return Writer(path, connect(path), lock)
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


def card_table_hash() -> str:
    """A hash of all cards and what they can do."""
    return sha256(canonical_json([astuple(card) for card in cards()]).encode()).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
