"""Trials that were carried out elsewhere: a report reads their rows from the results of other calls.

Twenty trials of hours each need not be carried out by one machine, or in one night. Each call carries out some of them
(`repeat` and `first` of the runs) and writes its results; a last one reads the others' `result.json`.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field, ValidationError

from deckatlas.errors import RunError
from deckatlas.experiments.kind import ReportOptions
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import Study
from deckatlas.files.plain_data import read_json
from deckatlas.files.reading import shown_path
from deckatlas.runs.view import RunView
from deckatlas.shapes import show

Row = dict[str, Any]
Rows = dict[str, list[Row]]  # of trials, by table
What = Literal["text", "number", "whole number", "number or nothing"]

_TYPES: Mapping[What, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float),
    "whole number": (int,),
    "number or nothing": (int, float, type(None)),
}


class _ResultFile(BaseModel):
    """The parts of a `result.json` that are read."""

    games: int = Field(ge=0)
    runs: dict[str, dict[str, Any]]
    rows: dict[str, list[Row]]


@dataclass(frozen=True)
class OtherResult:
    """The result of another call.

    Attributes:
        file: Its `result.json`.
        games: The games that it took.
        runs: The configuration of its runs, by name.
        rows: Its rows, by table.
    """

    file: Path
    games: int
    runs: Mapping[str, Mapping[str, Any]]
    rows: Mapping[str, Sequence[Row]]

    @classmethod
    def read(cls, file: Path) -> "OtherResult":
        """Reads a result.

        Raises:
            RunError: If it cannot be read, or is no result.
        """
        try:
            found = _ResultFile.model_validate(read_json(file, error=RunError), strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "the whole"
            raise RunError(f"{shown_path(file)} is not a result of this item ({where}: {first['msg']})") from None
        return cls(file, found.games, found.runs, found.rows)

    def refused(self, why: str) -> RunError:
        """The error that says why this result cannot be used."""
        return RunError(f"{shown_path(self.file)}: {why}")

    def table(self, name: str, columns: Mapping[str, What]) -> list[Row]:
        """Some columns of a table.

        Raises:
            RunError: If a row lacks one, or has something else there.
        """
        found = []
        for number, row in enumerate(self.rows.get(name, ()), start=1):
            for column, what in columns.items():
                if column not in row or type(row[column]) not in _TYPES[what]:
                    raise self.refused(f"row {number} of {name} has no {column} that is a {what}")
            found.append({column: row[column] for column in columns})
        return found

    def check_run(self, name: str, series: Series) -> None:
        """Checks that a run has the settings of ours.

        Raises:
            RunError: If it is missing or differs.
        """
        ours, theirs = _settings(series.to_json()), _settings(self.runs.get(name, {}))
        if differing := [table for table in ours if ours[table] != theirs.get(table)]:
            raise self.refused(f"its run {name} differs from that here in [{differing[0]}]")


class JoinedReport(ReportOptions):
    """A report that follows from rows about single trials alone, so that some trials may come from other calls."""

    trial_key: ClassVar[tuple[str, str]]  # the columns that say whose row it is: the name of a run, and its number
    trial_tables: ClassVar[Mapping[str, Mapping[str, What]]]  # the other columns of each table

    elsewhere: tuple[str, ...] = Field(
        default=(), description="Files result.json of the same item with other trials, which join those of this call."
    )

    @abstractmethod
    def trial_runs(self, known: Collection[str]) -> Mapping[str, str]:
        """The runs whose trials are joined, by the names that rows give them.

        Args:
            known: The names of all runs.
        """

    @abstractmethod
    def own_rows(self, name: str, view: RunView) -> Rows:
        """The rows of a trial of this call, by table, without its name and number."""

    def has_rows(self, name: str, table: str) -> bool:
        """Whether trials of that name have rows in a table; by default in all."""
        return True

    def check_rows(self, other: OtherResult, rows: Rows, series: Mapping[str, Series]) -> None:
        """Checks what the rows of another result mean; by default nothing.

        Raises:
            RunError: If they are impossible.
        """

    def check_series(self, series: Mapping[str, Series]) -> None:
        """Checks that other results are about the same runs, and have other trials of them."""
        super().check_series(series)
        runs = self.trial_runs(series)
        known = {(name, number) for name, run in runs.items() for number in series[run].numbers}
        for other in map(OtherResult.read, map(Path, self.elsewhere)):
            for run in runs.values():
                other.check_run(run, series[run])
            rows = self._rows_of(other, runs)
            for name, number in dict.fromkeys(map(self._trial, (row for table in rows.values() for row in table))):
                if (name, number) in known:
                    raise other.refused(f"trial {number} of {name} is known already")
                known.add((name, number))
            self.check_rows(other, rows, series)

    def rows(self, study: Study) -> Rows:
        """The rows of all trials, run by run: of this call and of the others, whose games count as well.

        Raises:
            RunError: If a file cannot be read, or a trial lacks what a row needs.
        """
        runs = self.trial_runs(study.maps)
        found: Rows = {table: [] for table in self.trial_tables}
        for name, run in runs.items():
            for each in study.maps[run]:
                own = dict(zip(self.trial_key, (name, each.number), strict=True))
                for table, rows in self.own_rows(name, each.view).items():
                    found[table] += [{**own, **row} for row in rows]
        for other in map(OtherResult.read, map(Path, self.elsewhere)):
            for table, rows in self._rows_of(other, runs).items():
                found[table] += rows
            study.tally.all += other.games
        place = {name: number for number, name in enumerate(runs)}

        def order(row: Row) -> tuple[int, int]:
            name, number = self._trial(row)
            return place[name], number

        return {table: sorted(rows, key=order) for table, rows in found.items()}

    def join_notes(self, rows: Rows) -> tuple[str, ...]:
        """Where trials come from that this call did not carry out, and how many there are with them."""
        if not self.elsewhere:
            return ()
        trials = Counter(name for name, _ in {self._trial(row) for of_table in rows.values() for row in of_table})
        each = " or ".join(map(str, sorted(set(trials.values()))))
        return (f"Further trials are from {', '.join(self.elsewhere)}: with them, there are {each} of each.",)

    def _trial(self, row: Row) -> tuple[str, int]:
        name, number = self.trial_key
        return row[name], row[number]

    def _rows_of(self, other: OtherResult, names: Collection[str]) -> Rows:
        """The rows of trials of another result, by table, checked.

        Raises:
            RunError: If there are none, one lacks something, or a table does not have the rows of all trials.
        """
        name, number = self.trial_key
        own: dict[str, What] = {name: "text", number: "whole number"}
        found = {table: other.table(table, {**own, **columns}) for table, columns in self.trial_tables.items()}
        trials = {self._trial(row) for rows in found.values() for row in rows}
        if not trials:
            raise other.refused("it has no trials")
        for trial, _ in sorted(trials):
            if trial not in names:
                raise other.refused(f"there is no {name} {show(trial)} here")
        for table, rows in found.items():
            expected = {trial for trial in trials if self.has_rows(trial[0], table)}
            if missing := sorted(expected ^ {self._trial(row) for row in rows}):
                raise other.refused(
                    f"trial {missing[0][1]} of {missing[0][0]} is in some of its tables, but not {table}"
                )
        return found


def _settings(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The tables of a run that trials of one search have in common: all but its name, its seed and its model's file."""
    tables = {key: dict(value) for key, value in config.items() if isinstance(value, dict)}
    search, evaluation = tables.get("search", {}), tables.get("evaluation", {})
    model = search.pop("model_file", None)
    if isinstance(evaluation.get("files"), dict):
        evaluation["files"] = {path: found for path, found in evaluation["files"].items() if path != model}
    return tables
