"""The store of a run: one SQLite file, recognised by its header, checked before it is used, read here.

| table | a row is |
|---|---|
| `run` | the run: resolved configuration and a hash of it, versions, hash of the card table, when it began and ended |
| `genomes` | a genome: 64-bit little-endian floats; the same numbers are stored once |
| `asks` | what a search asked for: a hash of it, its games, when it had been played, a hash of what came of it |
| `evaluations` | one matchup of an ask: who moved first and second, the games, how many the first won |
| `generations` | a generation: the ask that completed it (NULL: it was there before any game), facts as JSON, a hash |
| `populations` | an individual of a generation, the best with rank 0 |

Players are ids of genomes, or -1 - k for opponent k. Evaluations are only ever added, all of an ask in one transaction.
Hashes tell whether a row has changed since; a store with one that has is refused.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.runs.hashes import genome_hash, outcome_hash, population_hash, text_hash
from deckatlas.search.protocol import Genomes, Scores

APPLICATION = 0x4465636B  # "Deck", at byte 68 of a SQLite file
FORMAT = 2  # at byte 60; a store of another format is not touched
HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\0"
_PLAYERS_WITHOUT_GENOME = """
SELECT 1 FROM (SELECT first AS player FROM evaluations UNION SELECT second FROM evaluations)
WHERE player >= 0 AND player NOT IN (SELECT id FROM genomes) LIMIT 1
"""
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
        _ = self.algorithm, self.genome_kind, config["name"], config["seed"], self.versions["core"]
        if not isinstance(config["budget"], int | None):
            raise TypeError("the budget is no number")

    @property
    def algorithm(self) -> str:
        """How it searches."""
        return str(self.config["search"]["algorithm"])

    @property
    def genome_kind(self) -> str:
        """What it searches."""
        return str(self.config["genome"]["kind"])


@dataclass(frozen=True)
class GenerationRow:
    """A generation in numbers: all games until it was complete, its first individual's score, the mean of all.

    The ask that completed it is None for a generation that was there before any game.
    """

    number: int
    ask: int | None
    games: int
    best: float
    mean: float
    facts: dict[str, float | None]
    hash: bytes


@dataclass(frozen=True)
class AskRow:
    """What is stored of an ask: its hash, its games, and what each matchup came to.

    The hash of the generation that it completed is None if it completed none; `outcome` is the hash of all this.
    """

    number: int
    hash: bytes
    games: int
    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    wins: npt.NDArray[np.int64]
    generation: bytes | None
    outcome: bytes


class Store:
    """A store, to be read."""

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
        with _content_of(self.path):
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

    def counts(self) -> tuple[int, int]:
        """How many asks were played, and how many games they had."""
        rows = self._rows("SELECT count(*), coalesce(sum(games), 0), coalesce(max(number), -1) FROM asks")
        with _content_of(self.path):
            ((asks, games, last),) = rows
            if last != asks - 1 or not isinstance(games, int):
                raise ValueError("asks are missing or have no games")
            return asks, games

    def ask(self, number: int) -> AskRow:
        """One ask and its outcome."""
        asks = self._rows(
            "SELECT asks.hash, games, generations.hash, outcome FROM asks LEFT JOIN generations ON ask = asks.number "
            "WHERE asks.number = ?",
            number,
        )
        rows = self._rows("SELECT row, first, second, games, wins FROM evaluations WHERE ask = ? ORDER BY row", number)
        with _content_of(self.path):
            ((content, games, generation, outcome),) = asks
            table = np.array(rows)
            if table.dtype != np.int64 or not np.array_equal(table[:, 0], np.arange(len(table))):
                raise ValueError(f"evaluations of ask {number} are missing or are no numbers")
            first, second, lengths, wins = table[:, 1:].T
            if lengths.sum() != games or (wins < 0).any() or (wins > lengths).any():
                raise ValueError(f"ask {number} has other games than its evaluations")
            if outcome_hash(table[:, 1:], generation) != outcome:
                raise ValueError(f"what came of ask {number} has changed")
            return AskRow(number, content, games, first, second, lengths, wins, generation, outcome)

    def generations(self) -> list[GenerationRow]:
        """All generations in order."""
        rows = self._rows(
            """
            WITH played AS (SELECT number, sum(games) OVER (ORDER BY number) AS games FROM asks)
            SELECT generations.number, ask, coalesce(played.games, 0), max(iif(rank = 0, score, NULL)), avg(score),
                facts, hash
            FROM generations LEFT JOIN played ON played.number = ask
                LEFT JOIN populations ON generation = generations.number
            GROUP BY generations.number ORDER BY generations.number
            """
        )
        with _content_of(self.path):
            found = [
                GenerationRow(number, ask, games, best, mean, json.loads(facts), content)
                for number, ask, games, best, mean, facts, content in rows
            ]
            if any(row.number != number or row.best is None for number, row in enumerate(found)):
                raise ValueError("generations are missing or have no scores")
            return found

    def latest(self) -> tuple[int, float] | None:
        """The number of the last generation and its first individual's score, or None before the first."""
        rows = self._rows("SELECT generation, score FROM populations WHERE rank = 0 ORDER BY generation DESC LIMIT 1")
        with _content_of(self.path):
            for number, score in rows:
                if not (isinstance(number, int) and isinstance(score, float)):
                    raise ValueError(f"generation {number} has no score")
                return number, score
        return None

    def population(self, generation: int) -> tuple[Genomes, Scores]:
        """The individuals of a generation, the best first."""
        generations = self._rows("SELECT facts, hash FROM generations WHERE number = ?", generation)
        rows = self._rows(
            "SELECT genes, score FROM populations JOIN genomes ON id = genome WHERE generation = ? ORDER BY rank",
            generation,
        )
        with _content_of(self.path):
            ((facts, content),) = generations
            genomes = np.array([np.frombuffer(genes, dtype="<f8") for genes, _ in rows], dtype=np.float64)
            scores = np.array([score for _, score in rows], dtype=np.float64)
            if population_hash(generation, facts, genomes, scores) != content:
                raise ValueError(f"generation {generation} has changed")
            return genomes, scores

    def check(self) -> None:
        """Reads everything once.

        Raises:
            RunError: If something is missing or has changed since it was written.
        """
        self.run()
        asks, _ = self.counts()
        for number in range(asks):
            self.ask(number)
        for row in self.generations():
            self.population(row.number)
        genomes = self._rows("SELECT genes, hash FROM genomes")
        strays = self._rows("PRAGMA foreign_key_check") or self._rows(_PLAYERS_WITHOUT_GENOME)
        with _content_of(self.path):
            if strays or any(genome_hash(genes) != content for genes, content in genomes):
                raise ValueError("genomes are missing or have changed")

    def _rows(self, query: str, *values: object) -> list[Any]:
        with told_of(self.path):
            return self._connection.execute(query, values).fetchall()


@contextmanager
def _content_of(path: Path) -> Iterator[None]:
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


def open_store(path: Path) -> Store:
    """Opens a store to read it; a run that is under way can be read too.

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
    return Store(path, connection)
