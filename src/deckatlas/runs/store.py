"""Reading the store of a run: one SQLite file with its configuration, its log, and results computed from the log.

A running run can be read too: all reads see the same moment, and the writing process is neither blocked nor slowed
down. docs/store.md describes the tables for readers without this package.
"""

import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.files.limits import MOST_STORED_JSON_BYTES
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.encoding import NumberLayout, unpack_outcomes
from deckatlas.runs.hashes import names_hash, text_hash
from deckatlas.runs.portion import NO_SECOND
from deckatlas.runs.rows import GenerationRow, RecheckedSolution, RunProgress, RunRow
from deckatlas.runs.run_file import content_of, open_to_read, told_of
from deckatlas.runs.stored_values import (
    MOST_ROWS,
    check_columns,
    check_config,
    check_facts,
    check_gene_facts,
    check_rows,
    check_versions,
    stored_date,
    stored_json,
)
from deckatlas.search.batches import NONE
from deckatlas.search.evaluation import Column, Floats, Ints, Outcomes, measured
from deckatlas.search.history import History
from deckatlas.stats.averages import Sample

_ROWS_AT_ONCE = 2000  # few enough to be decoded within a core's cache
_FACTS = ("coalesce(batch, -1 - number)", "first", f"coalesce(second, {NO_SECOND})", "first_game", "games")


class Store:
    """The store of a run, open for reading."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self.connection.close()

    # The run as a whole

    def run(self) -> RunRow:
        """The run as a whole."""
        rows = self.rows("SELECT config, hash, versions, cards, created, finished FROM run")
        with content_of(self.path):
            ((config, content, versions, cards, created, finished),) = rows
            check_rows([(config, cards)], str, str)
            if text_hash(config) != content:
                raise ValueError("the configuration has changed")
            return RunRow(
                config=stored_json(config, check_config),
                versions=stored_json(versions, check_versions),
                cards=cards,
                created=stored_date(created),
                finished=None if finished is None else stored_date(finished),
            )

    def progress(self) -> RunProgress:
        """The progress of the run, from a single row."""
        rows = self.rows("SELECT evaluations, generations, games, best FROM commits ORDER BY evaluations DESC LIMIT 1")
        with content_of(self.path):
            check_rows(rows, int, int, int, (float, type(None)))
            for evaluations, generations, games, best in rows:
                if not 0 <= min(evaluations, generations, games) <= max(evaluations, generations, games) <= MOST_ROWS:
                    raise ValueError(f"its progress after {evaluations} evaluations makes no sense")
                if best is not None and not isfinite(best):
                    raise ValueError(f"its best value is {best}")
                return RunProgress(evaluations, games, generations - 1 if generations else None, best)
        return RunProgress()

    @cached_property
    def description(self) -> Description:
        """The description of the run, after comparing everything that never changes with its hash."""
        rows = self.rows("SELECT description, names FROM run")
        with told_of(self.path):
            expected = names_hash(self.connection)
        genes = self.rows("SELECT name, id, facts FROM genes ORDER BY number")
        measures = self.rows("SELECT name, storage FROM measures ORDER BY number")
        with content_of(self.path):
            ((text, names),) = rows
            if names != expected:
                raise ValueError("the description of the run has changed")
            check_rows(genes, str, str, str)
            check_rows(measures, str, str)
            named = tuple(Gene(name, card, stored_json(facts, check_gene_facts)) for name, card, facts in genes)
            return Description.from_json(text, named, {name: storage == "i4" for name, storage in measures})

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What evaluations measure."""
        rows = self.rows("SELECT name, unit, storage, over, of, scale FROM columns ORDER BY number")
        with content_of(self.path):
            check_columns(rows)
            return tuple(Column(*row) for row in rows)

    @property
    def numbers(self) -> NumberLayout:
        """How the numbers of evaluations are stored."""
        return NumberLayout(measured(self.columns))

    def samples(self) -> dict[tuple[int, int], Sample]:
        """The samples behind averages, by first game and games of an evaluation."""
        rows = self.rows("SELECT first_game, games, units, freedom FROM samples")
        with content_of(self.path):
            check_rows(rows, int, int, int, int)
            if any(min(row) < 0 or max(row) > MOST_ROWS for row in rows):
                raise ValueError("a sample has an impossible size")
            return {(first, games): Sample(units, freedom) for first, games, units, freedom in rows}

    # The log

    def history(self) -> History:
        """The whole log."""
        return self.history_and_measures()[0]

    def history_and_measures(self) -> tuple[History, Floats]:
        """The whole log, and the measures of each solution that are known without playing."""
        evaluations, solutions = self._sizes()
        with content_of(self.path):
            facts, total, weight, error = _gathered(self._decoded_evaluations(evaluations), evaluations)
            parents, genes, measures = _gathered(self._decoded_solutions(solutions), solutions)
            participants = facts[:, 1 : 1 + self.description.participants]
            least = 0 if self.description.participants == 1 else np.iinfo(np.int32).min  # below 0 are known opponents
            if participants.size and not least <= int(participants.min()) <= int(participants.max()) < len(parents):
                raise ValueError("an evaluation refers to a missing solution")
            if facts.size and (int(facts[:, 3:].min()) < 0 or int(facts[:, 3:].max()) > MOST_ROWS):
                raise ValueError("an evaluation has an impossible number of games")
            if parents.size and not NONE <= int(parents.min()) <= int(parents.max()) < len(parents):
                raise ValueError("a solution has a parent that is missing")
            history = History(
                genes=genes,
                parents=parents,
                participants=participants,
                first_game=facts[:, 3],
                games=facts[:, 4],
                batch=facts[:, 0],
                total=total,
                weight=weight,
                error=error,
                asked=self._asked(),
                generations=tuple((row.evaluations, row.hash) for row in self.generations()),
                notes=dict(self.notes()),
            )
            return history, measures

    def _sizes(self) -> tuple[int, int]:
        """The number of evaluations and of solutions, as the last commit says; both tables must end there."""
        last = self.rows("SELECT evaluations, solutions FROM commits ORDER BY evaluations DESC LIMIT 1")
        ends = self.rows("SELECT (SELECT max(number) FROM evaluations), (SELECT max(number) FROM solutions)")
        with content_of(self.path):
            evaluations, solutions = last[0] if last else (0, 0)
            found = tuple(0 if end is None else end + 1 for end in ends[0])
            if found != (evaluations, solutions):
                raise ValueError(
                    f"there are {found[0]} evaluations of {found[1]} solutions, not {evaluations} of {solutions}"
                )
            return evaluations, solutions

    def _decoded_evaluations(self, end: int) -> Iterator[tuple[Ints, Floats, Floats, Floats]]:
        """Facts, totals, weights and errors of all evaluations, in parts."""
        layout = self.numbers
        for facts, numbers in self._evaluation_parts(0, end):
            yield facts, *layout.decode(numbers, facts[:, 4])

    def _decoded_solutions(self, end: int) -> Iterator[tuple[Ints, npt.NDArray[Any], Floats]]:
        """Parents, genes and measures of all solutions, in parts."""
        of_genes, of_measures = self.description.layout, self.description.measure_layout
        for parents, genes, measures in self._solution_parts(0, end):
            yield parents, of_genes.decode(genes, len(parents)), of_measures.decode(measures, len(parents))

    def _asked(self) -> tuple[tuple[int, bytes], ...]:
        rows = self.rows("SELECT evaluations, asked FROM commits ORDER BY evaluations")
        check_rows(rows, int, bytes)
        return tuple(rows)

    def evaluation_rows(self, first: int, end: int) -> tuple[Ints, bytes]:
        """Facts and numbers of evaluations: batch, first, second, first game and games of each; all numbers."""
        facts, numbers = zip(*self._evaluation_parts(first, end), strict=True)
        return np.concatenate(facts), b"".join(numbers)

    def solution_rows(self, first: int, end: int) -> tuple[Ints, bytes, bytes]:
        """Parents, genes and measures of solutions."""
        parents, genes, measures = zip(*self._solution_parts(first, end), strict=True)
        return np.concatenate(parents), b"".join(genes), b"".join(measures)

    def _evaluation_parts(self, first: int, end: int) -> Iterator[tuple[Ints, bytes]]:
        for numbers, (content,) in self._joined_columns("evaluations", _FACTS, ("numbers",), first, end):
            yield numbers, content

    def _solution_parts(self, first: int, end: int) -> Iterator[tuple[Ints, bytes, bytes]]:
        columns = self._joined_columns("solutions", (f"coalesce(parent, {NONE})",), ("genes", "measures"), first, end)
        for numbers, (genes, measures) in columns:
            yield numbers[:, 0], genes, measures

    def _joined_columns(
        self, table: str, numbers: Sequence[str], contents: Sequence[str], first: int, end: int
    ) -> Iterator[tuple[Ints, list[bytes]]]:
        """Rows `first` to `end` of a table, in parts; at least one, which may be empty.

        SQLite joins the values of each column. A Python object for each value would take longer than reading it.

        Args:
            table: The table.
            numbers: Columns, or expressions, of whole numbers.
            contents: Columns of bytes.
            first: The first row.
            end: The row after the last one.
        """
        joined = [f"coalesce(group_concat({column}), '')" for column in numbers]
        joined += [f"CAST(coalesce(group_concat({column}, ''), '') AS BLOB)" for column in contents]
        query = f"""
            SELECT {", ".join(joined)}
            FROM (SELECT * FROM {table} WHERE number >= ? AND number < ? ORDER BY number)
        """
        for start in range(first, max(end, first + 1), _ROWS_AT_ONCE):
            stop = min(start + _ROWS_AT_ONCE, end)
            (row,) = self.rows(query, start, stop)
            with content_of(self.path):
                columns = [_whole_numbers(text) for text in row[: len(numbers)]]
                if any(len(column) != stop - start for column in columns):
                    raise ValueError(f"{table} between {start} and {stop} are missing")
                part = np.stack(columns, axis=1), row[len(numbers) :]
            yield part

    def notes(self, first: int = 0, end: int | None = None) -> list[tuple[int, str]]:
        """The notes of evaluations, each with the number of its evaluation; a store of an earlier version has none."""
        if not self.rows("SELECT 1 FROM sqlite_master WHERE name = 'notes'"):
            return []
        rows = self.rows(
            "SELECT evaluation, note FROM notes WHERE evaluation >= ?1 AND (?2 IS NULL OR evaluation < ?2) "
            "ORDER BY evaluation",
            first,
            end,
        )
        with content_of(self.path):
            check_rows(rows, int, str)
        return rows

    def games_of(self, evaluation: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]:
        """Outcome and margin of each game of an evaluation; empty if single games were not kept."""
        rows = self.rows("SELECT games, outcomes, margins FROM evaluations WHERE number = ?", evaluation)
        with content_of(self.path):
            if not rows:
                raise RunError(f"{self.path} has no evaluation {evaluation}")
            ((games, outcomes, margins),) = rows
            if outcomes is None:
                return np.empty(0, np.uint8), np.empty(0, np.int8)
            return unpack_outcomes(outcomes, games), np.frombuffer(margins, np.int8)

    def single_games(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]:
        """Outcome and margin of every game, all evaluations one after the other; empty if they were not kept."""
        rows = self.rows("SELECT games, outcomes, margins FROM evaluations ORDER BY number")
        with content_of(self.path):
            kept = [(unpack_outcomes(outcomes, games), margins) for games, outcomes, margins in rows if outcomes]
            outcome = np.concatenate([np.empty(0, np.uint8), *(each for each, _ in kept)])
            return outcome, np.frombuffer(b"".join(margins for _, margins in kept), np.int8)

    # Computed from the log

    def generations(self) -> list[GenerationRow]:
        """All generations in order."""
        rows = self.rows(
            """
            SELECT number, evaluations, games, max(iif(rank = 0, score, NULL)), avg(score), facts, hash
            FROM generations LEFT JOIN populations ON generation = number GROUP BY number ORDER BY number
            """
        )
        with content_of(self.path):
            maybe = (float, type(None))
            check_rows(rows, int, int, int, maybe, maybe, str, bytes)
            found = [
                GenerationRow(number, evaluations, games, best, mean, stored_json(facts, check_facts), content)
                for number, evaluations, games, best, mean, facts, content in rows
            ]
            if any(row.number != number or row.best is None for number, row in enumerate(found)):
                raise ValueError("generations are missing or have no scores")
            return found

    def population(self, generation: int) -> tuple[npt.NDArray[Any], Floats]:
        """The individuals of a generation and their scores, the best first."""
        rows = self.rows(
            "SELECT genes, score FROM populations LEFT JOIN solutions ON number = solution WHERE generation = ? "
            "ORDER BY rank",
            generation,
        )
        with content_of(self.path):
            check_rows(rows, bytes, float)
            genes = self.description.layout.decode(b"".join(genes for genes, _ in rows), len(rows))
            return genes, np.array([score for _, score in rows], dtype=np.float64)

    def rechecks(self, wanted: int | None = None) -> dict[int, RecheckedSolution]:
        """The results of solutions on fresh games, by their numbers: over `wanted` games, or the most there are."""
        rows = self.rows(
            "SELECT solution, games, units, freedom, numbers FROM rechecks WHERE ?1 IS NULL OR games = ?1 "
            "ORDER BY games",
            wanted,
        )
        found = {}
        with content_of(self.path):
            check_rows(rows, int, int, int, int, bytes)
            if any(min(row[:4]) < 0 or max(row[:4]) > MOST_ROWS for row in rows):
                raise ValueError("a recheck has an impossible size")
            for solution, games, units, freedom, numbers in rows:
                counts = np.array([games], dtype=np.int64)
                found[solution] = RecheckedSolution(
                    Outcomes(counts, *self.numbers.decode(numbers, counts)), Sample(units, freedom)
                )
        return found

    def recheck_cards(self, wanted: int | None = None) -> dict[int, dict[str, str]]:
        """What fresh games say about cards, by solution and question: over `wanted` games, or the most there are."""
        if not self.rows("SELECT 1 FROM sqlite_master WHERE name = 'recheck_cards'"):
            return {}
        rows = self.rows(
            "SELECT solution, question, cards FROM recheck_cards WHERE ?1 IS NULL OR games = ?1 ORDER BY games", wanted
        )
        found: dict[int, dict[str, str]] = {}
        with content_of(self.path):
            check_rows(rows, int, str, str)
            if any(len(cards) > MOST_STORED_JSON_BYTES for _, _, cards in rows):
                raise ValueError("a table of cards is too long")
        for solution, question, cards in rows:
            found.setdefault(solution, {})[question] = cards
        return found

    # Waiting

    def refresh(self) -> None:
        """Moves to the present; until then, all reads see the moment at which the store was opened."""
        with told_of(self.path):
            if self.connection.in_transaction:
                self.connection.execute("COMMIT")
            self.connection.execute("BEGIN")

    def version(self) -> int:
        """A number that changes whenever another process has stored something."""
        ((number,),) = self.rows("PRAGMA data_version")
        return int(number)

    # Queries

    def rows(self, query: str, *values: object) -> list[Any]:
        """The rows of a query."""
        with told_of(self.path):
            return self.connection.execute(query, values).fetchall()

    def chunks(self, query: str, *values: object) -> Iterator[list[Any]]:
        """The same in parts, for results that are too large to keep as rows."""
        with told_of(self.path):
            cursor = self.connection.execute(query, values)
            while rows := cursor.fetchmany(_ROWS_AT_ONCE):
                yield rows


def _whole_numbers(text: str) -> Ints:
    """The numbers of a text, with commas between them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # how numpy reports something else than numbers
        try:
            return np.fromstring(text, np.int64, sep=",")
        except DeprecationWarning:
            raise ValueError("something is not a whole number") from None


def _gathered(parts: Iterable[tuple[npt.NDArray[Any], ...]], count: int) -> list[npt.NDArray[Any]]:
    """Arrays of `count` rows from their parts, of which only one is in memory at a time."""
    whole: list[npt.NDArray[Any]] = []
    end = 0
    for arrays in parts:
        whole = whole or [np.empty((count, *array.shape[1:]), array.dtype) for array in arrays]
        start, end = end, end + len(arrays[0])
        for array, part in zip(whole, arrays, strict=True):
            array[start:end] = part
    return whole


def open_store(path: Path) -> Store:
    """Opens the store of a run for reading.

    Raises:
        RunError: If there is no store, or it is damaged, of another program, or of a newer format.
    """
    return Store(path, open_to_read(path))
