"""Carrying out an experiment: its runs, its report, and the files that come of it."""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from deckatlas.errors import RunError
from deckatlas.reports.experiment import Experiment
from deckatlas.reports.kind import Draw, Report, Rows, TextTable
from deckatlas.reports.study import FinishedRun, Study, Tally, View, carry_out
from deckatlas.runs.digest import canonical_json
from deckatlas.runs.library import path_of
from deckatlas.runs.writer import versions

NO_FIGURES = "figures were not drawn: they need matplotlib, pip install 'deckatlas[plot]'"


@dataclass(frozen=True)
class Outcome:
    """An experiment's report, and where its files are.

    Attributes:
        report: What came out.
        folder: Where the files are.
        games: All games that it rests on.
        played: How many of them were played now; the others were stored.
        seconds: How long this took.
    """

    report: Report
    folder: Path
    games: int
    played: int
    seconds: float


def reproduce(
    experiment: Experiment, *, store: Path, out: Path, command: str, view: View, threads: int | None = None
) -> Outcome:
    """Carries out an experiment, or what is left of it, and writes what came out.

    Args:
        experiment: What to do.
        store: The folder of runs; those that are finished are not run again.
        out: The folder in which the files get a folder of their own, named after the item.
        command: What was typed, for the record.
        view: Shows how each run stands.
        threads: How many threads play; the result does not depend on it.

    Raises:
        RunError: If a store cannot be used or a file cannot be written.
    """
    folder = out / experiment.title
    with _told_of_files():
        folder.mkdir(parents=True, exist_ok=True)
    begun, tally = time.monotonic(), Tally()
    with _timed(store / experiment.folder / "times.jsonl", tally, command) as times:
        study = Study(
            runs=_finished_runs(experiment, store, partial(carry_out, view=view, tally=tally, threads=threads)),
            published=experiment.heading.published,
            seed=experiment.heading.seed,
            folder=store / experiment.evaluations,
            threads=threads,
            view=view,
            tally=tally,
        )
        report = experiment.heading.report.report(study)
    with _told_of_files():
        drawn = _write_figures(folder, report.figures)
        _write_rest(folder, experiment, report, times(), drawn=drawn)
    return Outcome(report, folder, tally.all, tally.now, time.monotonic() - begun)


def _finished_runs(
    experiment: Experiment, store: Path, carry_out: Callable[..., None]
) -> dict[str, tuple[FinishedRun, ...]]:
    """All runs, in order; those that are not finished are carried out first."""
    configs = {name: series.configs() for name, (_, series) in experiment.series.items()}
    count, number = sum(map(len, configs.values())), 0
    finished: dict[str, tuple[FinishedRun, ...]] = {}
    for name, (folder, _) in experiment.series.items():
        runs = []
        for config in configs[name]:
            number += 1
            path = path_of(store / folder, config.name)
            carry_out(config, path, title=f"{config.name} ({number} of {count})")
            runs.append(FinishedRun(config, path))
        finished[name] = tuple(runs)
    return finished


@contextmanager
def _timed(log: Path, tally: Tally, command: str) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Adds to a log how long the block took, even if it was interrupted; gives a function that reads the log."""
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        yield lambda: [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    finally:
        if tally.now or not log.exists():
            entry = {
                "command": command,
                "games": tally.now,
                "wall_seconds": round(time.perf_counter() - wall, 3),
                "cpu_seconds": round(time.process_time() - cpu, 3),
            }
            with _told_of_files():
                log.parent.mkdir(parents=True, exist_ok=True)
                with log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(entry) + "\n")


def _write_figures(folder: Path, figures: Mapping[str, Draw]) -> bool:
    """Draws all figures; returns whether that was possible."""
    try:
        from matplotlib.figure import Figure  # an extra, and slow to import
    except ImportError:
        return False
    for name, draw in figures.items():
        figure = Figure(figsize=(8, 5), layout="constrained")
        draw(figure)
        figure.savefig(folder / f"{name}.png", dpi=150)
    return True


def _write_rest(
    folder: Path, experiment: Experiment, report: Report, times: list[dict[str, Any]], *, drawn: bool
) -> None:
    heading = experiment.heading
    rows = {name: list(map(dict, table)) for name, table in report.rows.items()}
    result = {
        "experiment": experiment.name,
        "title": heading.title,
        "source": heading.source,
        "smoke": experiment.smoke,
        "seed": heading.seed,
        "command": times[-1]["command"],
        "runs": {name: series.to_json() for name, (_, series) in experiment.series.items()},
        "report": heading.report.model_dump(mode="json"),
        "published": heading.published,
        "took": times,
        "versions": versions(),
        "notes": list(report.notes),
        "digest": sha256(canonical_json(rows).encode()).hexdigest(),
        "rows": rows,
    }
    _write(folder / "result.json", json.dumps(result, indent=1) + "\n")
    _write(folder / "result.md", _markdown(experiment, report, times, drawn=drawn))
    for name, table in report.rows.items():
        _write(folder / f"{name}.csv", _csv(table))


def _csv(rows: Rows) -> str:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def _markdown(experiment: Experiment, report: Report, times: list[dict[str, Any]], *, drawn: bool) -> str:
    wall, cpu = (sum(entry[kind] for entry in times) for kind in ("wall_seconds", "cpu_seconds"))
    games = sum(entry["games"] for entry in times)
    lines = [f"# {experiment.heading.title}", "", f"{experiment.heading.source}. Made by", ""]
    lines += [
        f"    {times[-1]['command']}",
        "",
        f"which played {games:,} games in {wall:,.0f} s ({cpu:,.0f} s of CPU).",
        "",
    ]
    for table in report.tables:
        lines += [f"**{table.title}**", "", *_markdown_table(table), ""]
    for note in (*report.notes, *(() if drawn or not report.figures else (NO_FIGURES,))):
        lines += [f"- {note}"]
    lines += ["", *(f"![{name}]({name}.png)\n" for name in report.figures if drawn)]
    return "\n".join(lines).rstrip() + "\n"


def _markdown_table(table: TextTable) -> Iterator[str]:
    yield "| " + " | ".join(table.columns) + " |"
    yield "|" + "|".join(["---"] + ["---:"] * (len(table.columns) - 1)) + "|"
    for row in table.rows:
        yield "| " + " | ".join(row) + " |"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


@contextmanager
def _told_of_files() -> Iterator[None]:
    """Turns what the system says about a file into a line."""
    try:
        yield
    except OSError as error:
        raise RunError(f"cannot write {error.filename}: {error.strerror}") from None
