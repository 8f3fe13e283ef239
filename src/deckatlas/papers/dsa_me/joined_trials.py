"""Trials that were carried out elsewhere: a report reads their numbers from the results of other calls.

Twenty trials of hours each need not be carried out by one machine, or in one night. Each call carries out some of them
(`repeat` and `first` of the runs) and writes its results; a last one reads the others' `result.json`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from deckatlas.errors import RunError
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import Study
from deckatlas.files.plain_data import read_json
from deckatlas.files.reading import shown_path
from deckatlas.papers.dsa_me.trials import IN_THE_SEARCH, ON_FRESH_GAMES, TrialsReport, numbers_of
from deckatlas.shapes import show


class _OtherResult(BaseModel):
    """The parts of a `result.json` that are read."""

    games: int = Field(ge=0)
    runs: dict[str, dict[str, Any]]
    rows: dict[str, list[dict[str, Any]]]


class JoinedTrials(TrialsReport):
    """A report that follows from the numbers of trials alone, so that some may come from other calls."""

    elsewhere: tuple[str, ...] = Field(
        default=(), description="Files result.json of the same item with other trials, which join those of this call."
    )

    def check_series(self, series: Mapping[str, Series]) -> None:
        """Checks that other results are about the same runs, and have other trials of them."""
        known = {(name, number) for name, run in self.algorithms.items() for number in series[run].numbers}
        for file in map(Path, self.elsewhere):
            other = _read(file)
            for run in self.algorithms.values():
                ours, theirs = _settings(series[run].to_json()), _settings(other.runs.get(run, {}))
                if differing := [table for table in ours if ours[table] != theirs.get(table)]:
                    raise RunError(f"{shown_path(file)}: its run {run} differs from that here in [{differing[0]}]")
            for row in _rows_of(file, other):
                trial = row["algorithm"], row["trial"]
                if trial[0] not in self.algorithms:
                    raise RunError(f"{shown_path(file)}: {show(trial[0])} is not an algorithm of this report")
                if trial in known:
                    raise RunError(f"{shown_path(file)}: trial {trial[1]} of {trial[0]} is known already")
                known.add(trial)

    def rows(self, study: Study) -> list[dict[str, Any]]:
        """One row per trial, algorithm by algorithm: of this call and of the others, whose games count as well.

        Raises:
            RunError: If a file cannot be read, or a trial has no elite or no fresh games.
        """
        self.trials(study)
        rows = [
            {"algorithm": name, "trial": each.number, **numbers_of(each.view)}
            for name, run in self.algorithms.items()
            for each in study.maps[run]
        ]
        for file in map(Path, self.elsewhere):
            other = _read(file)
            rows += _rows_of(file, other)
            study.tally.all += other.games
        order = list(self.algorithms)
        return sorted(rows, key=lambda row: (order.index(row["algorithm"]), row["trial"]))

    def notes(self) -> tuple[str, ...]:
        """Where trials come from that this call did not carry out."""
        return (f"Some of the trials are from {', '.join(self.elsewhere)}.",) if self.elsewhere else ()


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


def _rows_of(file: Path, other: _OtherResult) -> Iterator[dict[str, Any]]:
    """The rows of trials of another result, checked.

    Raises:
        RunError: If there is none, or one lacks a number.
    """
    numbers = (*IN_THE_SEARCH, *ON_FRESH_GAMES)
    rows = other.rows.get("trials", [])
    if not rows:
        raise RunError(f"{shown_path(file)}: it has no trials")
    for row in rows:
        name, trial = row.get("algorithm"), row.get("trial")
        if type(name) is not str or type(trial) is not int:
            raise RunError(f"{shown_path(file)}: a trial has no algorithm or no number")
        for key in numbers:
            if type(row.get(key)) not in (int, float):
                raise RunError(f"{shown_path(file)}: trial {trial} of {name} lacks {key}")
        yield {"algorithm": name, "trial": trial, **{key: float(row[key]) for key in numbers}}
