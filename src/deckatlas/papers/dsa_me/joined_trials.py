"""Trials that were carried out elsewhere: a report reads their numbers from the results of other calls.

Twenty trials of hours each need not be carried out by one machine, or in one night. Each call carries out some of them
(`repeat` and `first` of the runs) and writes its results; a last one reads the others' `result.json`.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, Field, ValidationError

from deckatlas.errors import RunError
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import Study
from deckatlas.files.plain_data import read_json
from deckatlas.files.reading import shown_path
from deckatlas.papers.dsa_me.trials import IN_THE_SEARCH, ON_FRESH_GAMES, TrialsReport, numbers_of
from deckatlas.runs.view import RunView
from deckatlas.shapes import show

TRIALS = "trials"
NUMBERS = (*IN_THE_SEARCH, *ON_FRESH_GAMES)

Row = dict[str, Any]


class _OtherResult(BaseModel):
    """The parts of a `result.json` that are read."""

    games: int = Field(ge=0)
    runs: dict[str, dict[str, Any]]
    rows: dict[str, list[Row]]


class JoinedTrials(TrialsReport):
    """A report that follows from rows of numbers about each trial, so that some trials may come from other calls.

    A class that needs more than one row of numbers per trial adds tables to `trial_tables` and `own_rows`.
    """

    trial_tables: ClassVar[Mapping[str, tuple[str, ...]]] = {TRIALS: NUMBERS}  # the numbers of each row, by table
    trial_steps: ClassVar[Mapping[str, tuple[str, Sequence[float]]]] = {}  # a table's number whose values are fixed

    elsewhere: tuple[str, ...] = Field(
        default=(), description="Files result.json of the same item with other trials, which join those of this call."
    )

    def own_rows(self, view: RunView) -> dict[str, list[Row]]:
        """The rows of a trial of this call, by table, without its name and number.

        Raises:
            RunError: If it has no fresh games.
        """
        return {TRIALS: [numbers_of(view)]}

    def check_series(self, series: Mapping[str, Series]) -> None:
        """Checks that other results are about the same runs, and have other trials of them."""
        known = {(name, number) for name, run in self.algorithms.items() for number in series[run].numbers}
        for file in map(Path, self.elsewhere):
            other = _read(file)
            for run in self.algorithms.values():
                ours, theirs = _settings(series[run].to_json()), _settings(other.runs.get(run, {}))
                if differing := [table for table in ours if ours[table] != theirs.get(table)]:
                    raise RunError(f"{shown_path(file)}: its run {run} differs from that here in [{differing[0]}]")
            for row in self._rows_of(file, other)[TRIALS]:
                trial = _trial(row)
                if trial[0] not in self.algorithms:
                    raise RunError(f"{shown_path(file)}: {show(trial[0])} is not an algorithm of this report")
                if trial in known:
                    raise RunError(f"{shown_path(file)}: trial {trial[1]} of {trial[0]} is known already")
                known.add(trial)

    def rows(self, study: Study) -> dict[str, list[Row]]:
        """The rows of all trials, algorithm by algorithm: of this call and of the others, whose games count as well.

        Raises:
            RunError: If a file cannot be read, or a trial has no elite or no fresh games.
        """
        self.trials(study)
        found: dict[str, list[Row]] = {table: [] for table in self.trial_tables}
        for name, run in self.algorithms.items():
            for each in study.maps[run]:
                for table, rows in self.own_rows(each.view).items():
                    found[table] += [{"algorithm": name, "trial": each.number, **row} for row in rows]
        for file in map(Path, self.elsewhere):
            other = _read(file)
            for table, rows in self._rows_of(file, other).items():
                found[table] += rows
            study.tally.all += other.games
        order = {name: place for place, name in enumerate(self.algorithms)}
        return {
            table: sorted(rows, key=lambda row: (order[row["algorithm"]], row["trial"]))
            for table, rows in found.items()
        }

    def notes(self) -> tuple[str, ...]:
        """Where trials come from that this call did not carry out."""
        return (f"Some of the trials are from {', '.join(self.elsewhere)}.",) if self.elsewhere else ()

    def _rows_of(self, file: Path, other: _OtherResult) -> dict[str, list[Row]]:
        """The rows of trials of another result, by table, checked.

        Raises:
            RunError: If there is none, one lacks a number, or a table does not have the rows of all trials.
        """
        found = {
            table: list(_checked_rows(file, other.rows.get(table, []), numbers))
            for table, numbers in self.trial_tables.items()
        }
        trials = [_trial(row) for row in found[TRIALS]]
        if not trials:
            raise RunError(f"{shown_path(file)}: it has no trials")
        for table, rows in found.items():
            if set(trials) != {_trial(row) for row in rows}:
                raise RunError(f"{shown_path(file)}: its tables {TRIALS} and {table} have different trials")
        for table, (number, steps) in self.trial_steps.items():
            for name, trial in trials:
                if [row[number] for row in found[table] if _trial(row) == (name, trial)] != list(steps):
                    raise RunError(f"{shown_path(file)}: trial {trial} of {name} has other rows in {table} than here")
        return found


def _trial(row: Mapping[str, Any]) -> tuple[str, int]:
    return row["algorithm"], row["trial"]


def _settings(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The tables of a run that trials of one search have in common: all but its name, its seed and its model's file."""
    tables = {key: dict(value) for key, value in config.items() if isinstance(value, dict)}
    search, evaluation = tables.get("search", {}), tables.get("evaluation", {})
    model = search.pop("model_file", None)
    if isinstance(evaluation.get("files"), dict):
        evaluation["files"] = {path: found for path, found in evaluation["files"].items() if path != model}
    return tables


def _read(file: Path) -> _OtherResult:
    try:
        return _OtherResult.model_validate(read_json(file, error=RunError), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise RunError(f"{shown_path(file)} is not a result of this item ({where}: {first['msg']})") from None


def _checked_rows(file: Path, rows: Sequence[Row], numbers: Sequence[str]) -> Iterator[Row]:
    """Rows of trials of another result: the algorithm, the number of the trial, and these numbers.

    Raises:
        RunError: If a row lacks one.
    """
    for row in rows:
        name, trial = row.get("algorithm"), row.get("trial")
        if type(name) is not str or type(trial) is not int:
            raise RunError(f"{shown_path(file)}: a trial has no algorithm or no number")
        for key in numbers:
            if type(row.get(key)) not in (int, float):
                raise RunError(f"{shown_path(file)}: trial {trial} of {name} lacks {key}")
        yield {"algorithm": name, "trial": trial, **{key: row[key] for key in numbers}}
