"""Carries out an experiment: its runs, its report, and the result files."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from deckatlas.errors import RunError
from deckatlas.experiments.experiment import Experiment
from deckatlas.experiments.kind import Report
from deckatlas.experiments.results import write_results
from deckatlas.experiments.series import in_order
from deckatlas.experiments.study import FinishedRun, Study, Tally, View, execute_watched
from deckatlas.files.plain_data import NotPlainData, json_values
from deckatlas.files.reading import read_lines
from deckatlas.files.writing import append_line, make_folder
from deckatlas.runs.config import RunConfig
from deckatlas.runs.library import path_of
from deckatlas.runs.models import final_model, model_file_text, trained_model, with_model
from deckatlas.search.surrogate_search import SurrogateMapElites


@dataclass(frozen=True)
class Reproduction:
    """An experiment's report, and where its files are.

    Attributes:
        report: The report.
        folder: The folder of its files.
        games: The number of all games behind it.
        played: The number of games played by this call; the others were stored before.
        seconds: The duration of this call.
    """

    report: Report
    folder: Path
    games: int
    played: int
    seconds: float


def reproduce(
    experiment: Experiment, *, store: Path, out: Path, command: str, view: View, threads: int | None = None
) -> Reproduction:
    """Carries out an experiment, or the rest of it, and writes the results.

    Args:
        experiment: The experiment.
        store: The folder of runs; finished runs are not run again.
        out: The parent of the folder of the result files, which is named after the item.
        command: The command that was typed, for the record.
        view: Shows the progress of each run.
        threads: The number of threads that play; the result does not depend on it.

    Raises:
        RunError: If a store cannot be used or a file cannot be written.
    """
    folder = out / experiment.stem
    make_folder(folder, error=RunError)
    begun, tally = time.monotonic(), Tally()
    with _timed(store / experiment.folder / "times.jsonl", tally, command) as times:
        finished = _finished(experiment, store, partial(execute_watched, view=view, tally=tally, threads=threads))
        study = Study(
            runs=finished,
            published=experiment.heading.published,
            seed=experiment.heading.seed,
            folder=store / experiment.evaluations,
            threads=threads,
            view=view,
            tally=tally,
        )
        report = experiment.heading.report.report(study)
    write_results(folder, experiment, report, command=command, games=tally.all, times=times())
    return Reproduction(report, folder, tally.all, tally.now, time.monotonic() - begun)


def _finished(experiment: Experiment, store: Path, execute: Callable[..., None]) -> dict[str, tuple[FinishedRun, ...]]:
    """All runs, in order; unfinished runs are carried out first."""
    series = {name: each for name, (_, each) in experiment.series.items()}
    count, number = sum(each.repeat for each in series.values()), 0
    finished: dict[str, tuple[FinishedRun, ...]] = {}
    for name in in_order(series):
        runs: list[FinishedRun] = []
        for trial, config in zip(series[name].numbers, series[name].configs(), strict=True):
            number += 1
            rivals = [_counterpart(finished[other], len(runs)) for other in series[name].opponents_from]
            resolved = config.against_bests([rival.view for rival in rivals]) if rivals else config
            path = path_of(store / experiment.series[name][0], config.name)
            if series[name].model_from:
                giver = _counterpart(finished[series[name].model_from], len(runs))
                model_path = path.with_suffix(".model.json")
                resolved = _with_model(resolved, giver, series[name].model, model_path, number=trial)
            execute(resolved, path, title=f"{config.name} ({number} of {count})", recheck=series[name].recheck)
            runs.append(FinishedRun(resolved, path))
        finished[name] = tuple(runs)
    return {name: finished[name] for name in series}


def _counterpart(others: tuple[FinishedRun, ...], place: int) -> FinishedRun:
    """The run of another name that belongs to the run at this place: the one at the same place, or the only one."""
    return others[place] if len(others) > 1 else others[0]


def _with_model(config: RunConfig, giver: FinishedRun, kind: str, path: Path, *, number: int) -> RunConfig:
    """A run with a model of another run; the model is written beside the store.

    Trials that share the run which gives the model train one each, by their number: models of the same data differ.
    """
    search = config.search
    assert isinstance(search, SurrogateMapElites)
    assert config.archive is not None
    if kind == "final":
        text = model_file_text(giver.view, final_model(giver.view))
    else:
        targets = search.targets_for(config.archive, giver.view.description.measures)
        model = trained_model(giver.view, search.training, targets, number=number)
        text = model_file_text(giver.view, model, search.training)
    return with_model(config, text, path)


@contextmanager
def _timed(log: Path, tally: Tally, command: str) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Adds the duration of the block to a log, even if it was interrupted; yields a function that reads the log."""
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        yield lambda: _entries(log)
    finally:
        if tally.now or not _entries(log):
            entry = {
                "command": command,
                "games": tally.now,
                "wall_seconds": round(time.perf_counter() - wall, 3),
                "cpu_seconds": round(time.process_time() - cpu, 3),
            }
            append_line(log, json.dumps(entry), error=RunError)


def _entries(log: Path) -> list[dict[str, Any]]:
    """The entries of a log; a partial entry, left by a process that was killed while it wrote, is skipped."""
    entries = []
    for line in read_lines(log, error=RunError) if log.exists() else ():
        with suppress(NotPlainData):
            entries.append(json_values(line))
    return entries
