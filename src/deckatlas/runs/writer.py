"""Writing the store of a run: one process at a time, everything that belongs together in one transaction.

The file is in SQLite's write-ahead mode from the first change on, so that the writer never waits for readers. When the
writer closes it, it is a single plain file again. If nothing is added, no byte of the file changes.
"""

import json
import platform
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import deckatlas
from deckatlas import _core
from deckatlas.errors import BusyRunError, RunError
from deckatlas.files.reading import first_bytes
from deckatlas.runs.description import Description
from deckatlas.runs.encoding import NumberLayout, pack_margins, pack_outcomes
from deckatlas.runs.hashes import names_hash, text_hash
from deckatlas.runs.lock import acquire, release
from deckatlas.runs.portion import Portion, PortionRows
from deckatlas.runs.rows import RecheckedSolution
from deckatlas.runs.run_file import BUSY_SECONDS, HEADER_BYTES, check_pages, connect, format_of, take_back, told_of
from deckatlas.runs.schema import CARDS_TABLE, FORMAT, TABLES
from deckatlas.runs.store import Store
from deckatlas.search.batches import CardQuestion
from deckatlas.search.evaluation import Column, Outcomes
from deckatlas.search.protocol import Generation
from deckatlas.search.scripts import facts_json, generation_hash
from deckatlas.stats.averages import Sample

EliteRow = tuple[str, int, float, str, str]  # cell, solution, objective, text, columns as JSON


class Writer(Store):
    """The store of a run, open for writing by this process only."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int) -> None:
        super().__init__(path, connection)
        self._lock = lock
        self._file = _identity(path)

    def close(self) -> None:
        """Closes the file and releases its lock; an incomplete transaction is rolled back."""
        with suppress(sqlite3.Error, RunError):
            self.connection.execute("PRAGMA busy_timeout = 0")  # another process may be reading: it is not waited for
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if not self.is_new() and self.run().finished is not None:
                self.connection.execute("PRAGMA journal_mode = DELETE")  # nobody will write: a plain file again
        super().close()
        with told_of(self.path):
            release(self.path, self._lock)

    def is_new(self) -> bool:
        """Whether the store is still empty."""
        return not self.rows("SELECT 1 FROM sqlite_master LIMIT 1")

    def begin(
        self, config: Mapping[str, Any], *, cards: str, description: Description, columns: Sequence[Column]
    ) -> None:
        """Stores the run: its configuration, versions, and the names of everything that will be stored."""
        with self._transaction():
            create(
                self.connection,
                config,
                cards=cards,
                description=description,
                columns=columns,
                versions=versions(),
                created=now(),
            )
        self._write_ahead()

    def finish(self) -> None:
        """Marks the run as finished."""
        with self._transaction():
            self.connection.execute("UPDATE run SET finished = ?", (now(),))

    def add(
        self,
        portion: Portion,
        rows: PortionRows,
        *,
        samples: Mapping[tuple[int, int], Sample],
    ) -> None:
        """Stores a portion in one transaction.

        Args:
            portion: The results since the last commit.
            rows: The same as rows.
            samples: The samples behind averages, by first game and games.
        """
        before = self.progress()
        with self._transaction():
            insert_portion(self.connection, portion, rows, before.games)
            self.connection.executemany(
                "INSERT OR IGNORE INTO samples VALUES (?, ?, ?, ?)",
                ((*key, sample.units, sample.freedom) for key, sample in samples.items()),
            )
            insert_progress(self.connection, portion, rows, before.games)

    def holds(self, portion: Portion) -> bool:
        """Whether a portion is stored."""
        end = portion.first + portion.evaluations
        return bool(self.rows("SELECT 1 FROM commits WHERE evaluations >= ? LIMIT 1", end))

    def set_elites(self, elites: Sequence[EliteRow], lost_cells: Sequence[str]) -> None:
        """Updates the table of elites.

        Args:
            elites: The elites that are new in their cells.
            lost_cells: The cells that no longer have an elite.
        """
        with self._transaction():
            self.connection.executemany("DELETE FROM elites WHERE cell = ?", ((cell,) for cell in lost_cells))
            self.connection.executemany("INSERT OR REPLACE INTO elites VALUES (?, ?, ?, ?, ?)", elites)

    def solutions(self) -> int:
        """The number of stored solutions."""
        ((count,),) = self.rows("SELECT coalesce(max(number) + 1, 0) FROM solutions")
        return int(count)

    def cells(self) -> dict[str, tuple[int, float]]:
        """The stored elites: the solution and objective of each cell."""
        return {
            cell: (solution, value)
            for cell, solution, value in self.rows("SELECT cell, solution, objective FROM elites")
        }

    def add_recheck(self, solution: int, recheck: RecheckedSolution) -> None:
        """Stores the results of a solution on fresh games."""
        with self._transaction():
            insert_recheck(self.connection, self.numbers, solution, recheck.outcomes, recheck.sample)

    def add_cards(self, solution: int, games: int, question: CardQuestion, cards: str) -> None:
        """Stores what fresh games say about the cards of a solution."""
        with self._transaction():
            self.connection.execute(CARDS_TABLE)
            row = (solution, games, question, cards, cards_hash(solution, games, question, cards))
            self.connection.execute("INSERT INTO recheck_cards VALUES (?, ?, ?, ?, ?)", row)

    def _write_ahead(self) -> None:
        """Puts the file into write-ahead mode, in which readers never make the writer wait.

        The very first transaction is not in this mode: only when it is complete is the file a store. A reader that is
        faster than this call prevents the change; then the next transaction tries again.
        """
        ((mode,),) = self.connection.execute("PRAGMA journal_mode").fetchall()
        if str(mode) == "wal":
            return
        self.connection.execute("PRAGMA busy_timeout = 0")
        with suppress(sqlite3.OperationalError):
            self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with told_of(self.path):
            if _identity(self.path) != self._file:  # SQLite would keep writing to a file without a name
                raise RunError(f"{self.path} cannot be written: somebody has removed or replaced it")
            if not self.is_new():
                self._write_ahead()
            try:
                self.connection.execute("BEGIN IMMEDIATE")
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:  # SQLite may have rolled it back itself
                    self.connection.execute("ROLLBACK")
                raise


def create(
    connection: sqlite3.Connection,
    config: Mapping[str, Any],
    *,
    cards: str,
    description: Description,
    columns: Sequence[Column],
    versions: Mapping[str, str],
    created: str,
) -> None:
    """Creates the tables of a store, and fills those that never change."""
    for statement in filter(str.strip, TABLES.split(";")):
        connection.execute(statement)
    text = json.dumps(config)
    connection.execute(
        "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, x'', ?, NULL)",
        (text, text_hash(text), config["seed"], json.dumps(versions), cards, description.to_json(), created),
    )
    connection.executemany(
        "INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?, ?)",
        ((at, each.name, each.unit, each.storage, each.over, each.of, each.scale) for at, each in enumerate(columns)),
    )
    connection.executemany(
        "INSERT INTO measures VALUES (?, ?, ?)",
        (
            (at, name, "i4" if name in description.whole_measures else "f8")
            for at, name in enumerate(description.measures)
        ),
    )
    connection.executemany(
        "INSERT INTO genes VALUES (?, ?, ?, ?)",
        ((at, gene.name, gene.id, json.dumps(gene.facts)) for at, gene in enumerate(description.genes)),
    )
    connection.execute("UPDATE run SET names = ?", (names_hash(connection),))


def insert_portion(connection: sqlite3.Connection, portion: Portion, rows: PortionRows, games_before: int) -> None:
    """Inserts the evaluations, solutions and generations of a portion."""
    connection.executemany("INSERT INTO evaluations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows.evaluations)
    connection.executemany("INSERT INTO solutions VALUES (?, ?, ?, ?)", rows.solutions)
    if rows.notes:
        connection.executemany("INSERT INTO notes VALUES (?, ?)", rows.notes)
    for generation, evaluations, games in portion.reached():
        _insert_generation(connection, generation, portion.first + evaluations, games_before + games)


def _insert_generation(connection: sqlite3.Connection, generation: Generation, evaluations: int, games: int) -> None:
    assert generation.solutions is not None
    row = (generation.number, evaluations, games, facts_json(generation.facts), generation_hash(generation))
    connection.execute("INSERT INTO generations VALUES (?, ?, ?, ?, ?)", row)
    individuals = zip(generation.solutions.tolist(), generation.scores.tolist(), strict=True)
    connection.executemany(
        "INSERT INTO populations VALUES (?, ?, ?, ?)",
        ((generation.number, rank, *individual) for rank, individual in enumerate(individuals)),
    )


def insert_progress(connection: sqlite3.Connection, portion: Portion, rows: PortionRows, games_before: int) -> None:
    """Inserts the progress of the run after a portion, with the portion's hash."""
    ((solutions, generations),) = connection.execute(
        "SELECT (SELECT coalesce(max(number) + 1, 0) FROM solutions), (SELECT count(*) FROM generations)"
    ).fetchall()
    last = portion.steps[-1]
    connection.execute(
        "INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(portion.first + portion.evaluations, solutions, generations, games_before + portion.games),
            *(last.best, now(), last.asked, commit_hash(rows.hash, last.asked, last.best)),
        ),
    )


def commit_hash(portion: bytes, asked: bytes, best: float | None) -> bytes:
    """A hash of a portion, of what was asked until then, and of the best value."""
    return sha256(portion + asked + repr(best).encode()).digest()


def insert_recheck(
    connection: sqlite3.Connection, layout: NumberLayout, solution: int, outcomes: Outcomes, sample: Sample
) -> None:
    """Inserts the results of a solution on fresh games, with their hash."""
    games = int(outcomes.games[0])
    numbers = layout.encode(outcomes).tobytes()
    packed = pack_outcomes(outcomes.outcome, outcomes.games)[0] if len(outcomes.outcome) else None
    margins = pack_margins(outcomes.margin, outcomes.games)[0] if len(outcomes.outcome) else None
    content = recheck_hash(solution, games, sample, numbers, packed, margins)
    connection.execute(
        "INSERT INTO rechecks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (solution, games, sample.units, sample.freedom, numbers, packed, margins, content),
    )


def recheck_hash(
    solution: int, games: int, sample: Sample, numbers: bytes, outcomes: bytes | None, margins: bytes | None
) -> bytes:
    """A hash of a recheck."""
    digest = sha256(f"{solution} {games} {sample.units} {sample.freedom}\n".encode() + numbers)
    digest.update((outcomes or b"") + (margins or b""))
    return digest.digest()


def cards_hash(solution: int, games: int, question: str, cards: str) -> bytes:
    """A hash of what fresh games say about the cards of a solution."""
    return sha256(f"{solution} {games} {question}\n{cards}".encode()).digest()


def open_to_write(path: Path, *, advice: str = "choose another file") -> Writer:
    """Opens the store of a run for writing, or makes an empty one. A file that is not a store stays unchanged.

    Args:
        path: The file.
        advice: What the error message suggests, besides waiting, if another process is writing the store.

    Raises:
        BusyRunError: If another process is writing it.
        RunError: If it is damaged, of another program, or of another format.
    """
    with told_of(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = acquire(path)
    if lock is None:
        raise BusyRunError(f"{path} is being written by another process; wait for it, or {advice}")
    try:
        with told_of(path):
            if not path.exists():  # touching a file that is refused would change its time
                path.touch()
            take_back(path)
            header = first_bytes(path, HEADER_BYTES)
        if header and format_of(path, header) < FORMAT:
            raise RunError(
                f"{path} was written by an older deckatlas: it can be shown, reported and exported, but not resumed; "
                f"{advice}"
            )
        connection = connect(path)
        try:
            check_pages(path, connection)
            return Writer(path, connection, lock)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        release(path, lock)
        raise


def _identity(path: Path) -> tuple[int, int] | None:
    """The identity of the file at a path; None if there is no file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def versions() -> dict[str, str]:
    """The versions of the software in this process."""
    return {
        "deckatlas": deckatlas.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "core": _core.build_flags,
    }


def now() -> str:
    """The current time, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")
