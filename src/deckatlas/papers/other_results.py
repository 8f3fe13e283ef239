"""The result of another call, as its `result.json` has it: rows of trials that were carried out elsewhere, checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from deckatlas.errors import RunError
from deckatlas.experiments.series import Repetition, Series
from deckatlas.files.plain_data import read_json
from deckatlas.files.reading import shown_path
from deckatlas.runs.hashes import canonical_json
from deckatlas.shapes import show

Row = dict[str, Any]
ColumnType = Literal["text", "number", "whole number", "number or nothing"]

_MOST = 1e12  # far above every number of a trial, and far below what sums of squares can hold
_TYPES: Mapping[ColumnType, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float),
    "whole number": (int,),
    "number or nothing": (int, float, type(None)),
}


class _ResultFile(BaseModel):
    """The parts of a `result.json` that are read."""

    games: int = Field(ge=0)
    runs: dict[str, dict[str, Any]]
    report: dict[str, Any]
    digest: str
    rows: dict[str, Any]


@dataclass(frozen=True)
class TrialRows:
    """A table of rows that follow from single trials.

    Attributes:
        columns: What is in each column, beside the name and the number of the trial.
        is_single: Whether a trial has exactly one row, rather than several.
    """

    columns: Mapping[str, ColumnType]
    is_single: bool = False


@dataclass(frozen=True)
class OtherResult:
    """The result of another call.

    Attributes:
        file: Its `result.json`.
        games: The games that it took.
        runs: Its runs, by name, as `Series.to_json` writes them.
        report: The options of its report.
        rows: Its tables, not checked yet.
    """

    file: Path
    games: int
    runs: Mapping[str, Mapping[str, Any]]
    report: Mapping[str, Any]
    rows: Mapping[str, Any]

    @classmethod
    def read(cls, file: Path) -> "OtherResult":
        """Reads a result.

        Raises:
            RunError: If it cannot be read, is no result, or its rows are not those that were written.
        """
        try:
            found = _ResultFile.model_validate(read_json(file, error=RunError), strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = " ".join(map(show, first["loc"])) or "the whole"
            raise RunError(f"{shown_path(file)} is not a result of this item ({where}: {first['msg']})") from None
        if sha256(canonical_json(found.rows).encode()).hexdigest() != found.digest:
            raise RunError(f"{shown_path(file)}: its rows were changed after it was written, by its digest")
        return cls(file, found.games, found.runs, found.report, found.rows)

    def refused(self, why: str) -> RunError:
        """The error that says why this result cannot be used."""
        return RunError(f"{shown_path(self.file)}: {why}")

    def table(self, name: str, columns: Mapping[str, ColumnType]) -> list[Row]:
        """Some columns of a table; a table that is not there is empty.

        Raises:
            RunError: If a row lacks one, or has something else there.
        """
        rows = self.rows.get(name, [])
        if not isinstance(rows, list):
            raise self.refused(f"its table {name} is not a list of rows")
        found = []
        for number, row in enumerate(rows, start=1):
            for column, what in columns.items():
                if not isinstance(row, dict) or column not in row or not _is(row[column], what):
                    raise self.refused(f"row {number} of {name} has no {column} that is a {what}")
            found.append({column: row[column] for column in columns})
        return found

    def check_run(self, name: str, series: Series) -> None:
        """Checks that a run has the settings of ours, so that their trials differ in nothing but their numbers.

        Raises:
            RunError: If it is missing or differs.
        """
        if name not in self.runs:
            raise self.refused(f"it has no run {name}")
        ours, theirs = _settings(series.to_json()), _settings(self.runs[name])
        if differing := sorted(key for key in {*ours, *theirs} if ours.get(key) != theirs.get(key)):
            raise self.refused(f"its run {name} differs from ours in {show(differing[0])}")

    def numbers(self, run: str) -> range:
        """The numbers of the trials of a run.

        Raises:
            RunError: If they are not known.
        """
        given = {key: self.runs[run][key] for key in ("first", "repeat") if key in self.runs[run]}
        try:
            found = Repetition.model_validate(given, strict=True)
        except ValidationError:
            raise self.refused(f"its run {run} does not say which trials it has") from None
        return range(found.first, found.first + found.repeat)


def _is(value: Any, what: ColumnType) -> bool:
    """Whether a value of JSON, which has no endless numbers, is of this type."""
    return type(value) in _TYPES[what] and (not isinstance(value, int | float) or abs(value) <= _MOST)


def _settings(config: Mapping[str, Any]) -> dict[str, str]:
    """What trials of one run have in common, as JSON by key: all but their numbers, and where their model's file is."""
    settings = {key: value for key, value in config.items() if key not in ("name", "repeat", "first")}
    if isinstance(search := settings.get("search"), dict):
        settings["search"] = {key: value for key, value in search.items() if key != "model_file"}
        evaluation = settings.get("evaluation")
        if isinstance(evaluation, dict) and isinstance(files := evaluation.get("files"), dict):
            others = {path: found for path, found in files.items() if path != search.get("model_file")}
            settings["evaluation"] = {**evaluation, "files": others}
    return {key: canonical_json(value) for key, value in settings.items()}
