"""The store of a search whose genomes meet each other: a row a matchup.

| table | a row is |
|---|---|
| `genomes` | a genome: 64-bit little-endian floats; the same numbers are stored once |
| `asks` | what a search asked for: a hash of it, its games, when it had been played, a hash of what came of it |
| `evaluations` | one matchup of an ask: who moved first and second, the games, how many the first won |
| `generations` | a generation: the ask that completed it (NULL: it was there before any game), facts as JSON, a hash |
| `populations` | an individual of a generation, the best with rank 0 |

Players are ids of genomes, or -1 - k for opponent k. Evaluations are only ever added, all of an ask in one transaction.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.runs.hashes import ask_hash, facts_json, generation_hash, genome_hash, outcome_hash, population_hash
from deckatlas.runs.run_file import RunFile, content_of, open_run_file
from deckatlas.runs.writer import Writer, now
from deckatlas.search.protocol import Ask, Generation, Genomes, Scores

_SCHEMA = """
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
_PLAYERS_WITHOUT_GENOME = """
SELECT 1 FROM (SELECT first AS player FROM evaluations UNION SELECT second FROM evaluations)
WHERE player >= 0 AND player NOT IN (SELECT id FROM genomes) LIMIT 1
"""


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


class MatchupStore(RunFile):
    """A store of matchups, to be read."""

    def counts(self) -> tuple[int, int]:
        """How many asks were played, and how many games they had."""
        rows = self._rows("SELECT count(*), coalesce(sum(games), 0), coalesce(max(number), -1) FROM asks")
        with content_of(self.path):
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
        with content_of(self.path):
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
        with content_of(self.path):
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
        with content_of(self.path):
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
        with content_of(self.path):
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
        with content_of(self.path):
            if strays or any(genome_hash(genes) != content for genes, content in genomes):
                raise ValueError("genomes are missing or have changed")


class MatchupWriter(Writer, MatchupStore):
    """A store of matchups that this process alone may write."""

    def begin(self, config: Mapping[str, Any], cards: str, initial: Generation | None) -> None:
        """Stores the run: its configuration, with what it is made, and the generation that is there before any game."""
        with self._transaction():
            self._begin(_SCHEMA, config, cards)
            if initial is not None:
                self._add_generation(None, initial)

    def add(self, number: int, ask: Ask, wins: npt.NDArray[np.integer[Any]], generation: Generation | None) -> None:
        """Stores an ask, what came of it, and the generation that it completed."""
        with self._transaction():
            evaluations = self._evaluations(ask, wins)
            outcome = outcome_hash(evaluations, None if generation is None else generation_hash(generation))
            self._connection.execute(
                "INSERT INTO asks VALUES (?, ?, ?, ?, ?)", (number, ask_hash(ask), ask.games, now(), outcome)
            )
            self._connection.executemany(
                "INSERT INTO evaluations VALUES (?, ?, ?, ?, ?, ?)",
                ((number, row, *evaluation) for row, evaluation in enumerate(evaluations.tolist())),
            )
            if generation is not None:
                self._add_generation(number, generation)

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


def open_store(path: Path) -> MatchupStore:
    """Opens a store of matchups to read it.

    Raises:
        RunError: If there is none, or it is damaged, of another program, or of a newer format.
    """
    return open_run_file(path, MatchupStore)
