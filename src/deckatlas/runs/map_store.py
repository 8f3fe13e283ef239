"""The store of a map: the append-only log of its evaluations, and elites that were evaluated once more.

| table | a row is |
|---|---|
| `columns` | the name of a column that evaluations measure |
| `evaluations` | an evaluation: numbers of solution and parent, games, outcome, and genes if it is the first |
| `portions` | evaluations that were stored at once: number of the next one, when, a hash, the best then |
| `rechecks` | an elite on fresh seeds: the solution's number, games, outcome and a hash |

An outcome is three times as many 64-bit little-endian floats as there are columns: averages, their standard errors, and
what they were averaged over. Archives are not stored: they are made of the log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.runs.run_file import RunFile, content_of, open_run_file
from deckatlas.runs.writer import Writer, now
from deckatlas.search.evaluation import Floats, Ints, Outcome, Space
from deckatlas.search.log import NONE, Entries, Entry

_SCHEMA = """
CREATE TABLE columns (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE evaluations (
    number INTEGER PRIMARY KEY, solution INTEGER NOT NULL, parent INTEGER, games INTEGER NOT NULL, genes BLOB,
    outcome BLOB NOT NULL
);
CREATE TABLE portions (next INTEGER PRIMARY KEY, played TEXT NOT NULL, hash BLOB NOT NULL, best REAL);
CREATE TABLE rechecks (
    solution INTEGER NOT NULL, games INTEGER NOT NULL, outcome BLOB NOT NULL, hash BLOB NOT NULL,
    PRIMARY KEY (solution, games)
) WITHOUT ROWID;
"""


Bytes = bytes | memoryview


@dataclass(frozen=True)
class _StoredLog:
    """All evaluations: solution, parent and games of each, whether it is the first of its solution; genes, outcomes."""

    facts: Ints
    is_new: npt.NDArray[np.bool_]
    genes: bytearray
    outcomes: bytearray


class MapStore(RunFile):
    """The store of a map, to be read."""

    def counts(self) -> tuple[int, int]:
        """How many evaluations were made, and how many games they had."""
        rows = self._rows("SELECT count(*), coalesce(sum(games), 0), coalesce(max(number), -1) FROM evaluations")
        with content_of(self.path):
            ((evaluations, games, last),) = rows
            if last != evaluations - 1 or not isinstance(games, int):
                raise ValueError("evaluations are missing or have no games")
            return evaluations, games

    def next_number(self) -> int:
        """The number of the first evaluation that is not stored."""
        ((number,),) = self._rows("SELECT coalesce(max(next), 0) FROM portions")
        return int(number)

    def columns(self) -> tuple[str, ...]:
        """What evaluations measure."""
        return tuple(str(name) for (name,) in self._rows("SELECT name FROM columns ORDER BY number"))

    def entries(self, space: Space) -> Entries:
        """The whole log, made sure that it is as it was written.

        Raises:
            RunError: If something is missing or has changed.
        """
        portions = self._rows("SELECT next, hash FROM portions ORDER BY next")
        # Two queries: each looks at one row, where one for both would look at all.
        ends = [self._rows(f"SELECT {end}(number) FROM evaluations")[0][0] for end in ("min", "max")]
        columns = len(self.columns())
        log = self._log()
        with content_of(self.path):
            count, solutions = len(log.facts), int(log.is_new.sum())
            if count and ends != [0, count - 1]:
                raise ValueError("evaluations are missing")
            genes = np.frombuffer(log.genes, space.dtype.newbyteorder("<")).reshape(solutions, space.length)
            outcome = np.frombuffer(log.outcomes, "<f8").reshape(count, 3, columns)
            starts = np.concatenate([[0], np.cumsum(log.is_new)])
            for (begin, _), (end, content) in pairwise([(0, b""), *portions]):
                of_genes = genes[starts[begin] : starts[end]]
                if portion_hash(log.facts[begin:end], of_genes.data, outcome[begin:end].data) != content:
                    raise ValueError(f"evaluations before {end} have changed")
            if (portions[-1][0] if portions else 0) != count:
                raise ValueError("evaluations were added by somebody else")
            if not np.array_equal(log.facts[log.is_new, 0], np.arange(solutions)):
                raise ValueError("solutions are missing")
            return Entries(
                solution=log.facts[:, 0],
                games=log.facts[:, 2],
                outcome=outcome.astype(np.float64, copy=False),
                parent=log.facts[log.is_new, 1],
                genes=genes.astype(space.dtype, copy=False),
            )

    def _log(self) -> _StoredLog:
        """The evaluations, as they are stored. Rows are made bytes a few at a time, since they take more room."""
        facts, is_new, genes, outcomes = [], [], bytearray(), bytearray()
        query = "SELECT solution, coalesce(parent, -1), games, genes, outcome FROM evaluations ORDER BY number"
        for rows in self._chunks(query):
            with content_of(self.path):
                *numbers, of_genes, of_outcome = zip(*rows, strict=True)
                facts.append(np.array(numbers, dtype=np.int64).T)
                is_new.append(np.fromiter(map(bool, of_genes), np.bool_, len(rows)))
                genes += b"".join(filter(None, of_genes))
                outcomes += b"".join(of_outcome)
        return _StoredLog(
            np.concatenate([np.empty((0, 3), np.int64), *facts]),
            np.concatenate([np.empty(0, np.bool_), *is_new]),
            genes,
            outcomes,
        )

    def latest(self) -> tuple[int, float] | None:
        """How many evaluations were made, and the objective of the best elite, or None before there is one."""
        rows = self._rows("SELECT next, best FROM portions WHERE best IS NOT NULL ORDER BY next DESC LIMIT 1")
        with content_of(self.path):
            for evaluations, best in rows:
                if not (isinstance(evaluations, int) and isinstance(best, float)):
                    raise ValueError(f"there is no best of {evaluations} evaluations")
                return evaluations, best
        return None

    def rechecks(self, wanted: int | None = None) -> dict[int, Outcome]:
        """What the elites that were evaluated once more came to, by their numbers: over so many games, or the most."""
        rows = self._rows("SELECT solution, games, outcome, hash FROM rechecks ORDER BY games")
        with content_of(self.path):
            found = {}
            for solution, games, outcome, content in rows:
                if _recheck_hash(solution, games, outcome) != content:
                    raise ValueError(f"the recheck of solution {solution} has changed")
                if wanted in (None, games):
                    value, error, weight = np.frombuffer(outcome, dtype="<f8").reshape(3, -1)
                    found[int(solution)] = Outcome(int(games), value, error, weight)
            return found

    def log_hash(self) -> bytes:
        """A hash of the log; how it was written in portions is not in it.

        Raises:
            RunError: If something in it is no number.
        """
        digest = sha256("\n".join(self.columns()).encode())
        log = self._log()
        for part in (log.facts.astype("<i8").tobytes(), log.genes, log.outcomes):
            digest.update(part)
        return digest.digest()


class MapWriter(Writer, MapStore):
    """The store of a map that this process alone may write."""

    def begin(self, config: Mapping[str, Any], cards: str, columns: Sequence[str]) -> None:
        """Stores the run: its configuration, with what it is made, and what evaluations measure."""
        with self._transaction():
            self._begin(_SCHEMA, config, cards)
            self._connection.executemany("INSERT INTO columns VALUES (?, ?)", enumerate(columns))

    def add(self, number: int, entries: Sequence[Entry], *, best: float | None) -> None:
        """Stores evaluations from `number` on, all or none of them, and the objective of the best elite so far."""
        facts = np.array([(each.solution, each.parent, each.outcome.games) for each in entries], dtype=np.int64)
        genes = [None if each.genes is None else _bytes_of(each.genes) for each in entries]
        outcomes = [_outcome_bytes(each.outcome) for each in entries]
        content = portion_hash(facts, b"".join(each or b"" for each in genes), b"".join(outcomes))
        with self._transaction():
            self._connection.executemany(
                "INSERT INTO evaluations VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (number + at, solution, None if parent == NONE else parent, games, genes[at], outcomes[at])
                    for at, (solution, parent, games) in enumerate(facts.tolist())
                ),
            )
            self._connection.execute(
                "INSERT INTO portions VALUES (?, ?, ?, ?)", (number + len(entries), now(), content, best)
            )

    def add_recheck(self, solution: int, outcome: Outcome) -> None:
        """Stores what an elite came to on fresh seeds."""
        content = _outcome_bytes(outcome)
        with self._transaction():
            self._connection.execute(
                "INSERT INTO rechecks VALUES (?, ?, ?, ?)",
                (solution, outcome.games, content, _recheck_hash(solution, outcome.games, content)),
            )


def open_map_store(path: Path) -> MapStore:
    """Opens the store of a map to read it.

    Raises:
        RunError: If there is none, or it is damaged, of another program, or of a newer format.
    """
    return open_run_file(path, MapStore)


def portion_hash(facts: Ints, genes: Bytes, outcomes: Bytes) -> bytes:
    """A hash of evaluations: solution, parent and games of each, all genes, all outcomes."""
    of_genes = memoryview(genes).nbytes
    digest = sha256(f"{len(facts)} {of_genes}\n".encode() + facts.astype("<i8").tobytes())
    digest.update(genes)
    digest.update(outcomes)
    return digest.digest()


def _recheck_hash(solution: int, games: int, outcome: bytes) -> bytes:
    return sha256(f"{solution} {games}\n".encode() + outcome).digest()


def _bytes_of(array: np.typing.NDArray[Any]) -> bytes:
    return array.astype(array.dtype.newbyteorder("<")).tobytes()


def _outcome_bytes(outcome: Outcome) -> bytes:
    stacked: Floats = np.stack([outcome.value, outcome.error, outcome.weight])
    return stacked.astype("<f8").tobytes()
