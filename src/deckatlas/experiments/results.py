"""The files of a report: Markdown for people, JSON and CSV for programs, figures."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from deckatlas.errors import RunError
from deckatlas.experiments.experiment import Experiment
from deckatlas.experiments.kind import Draw, Report, Rows, TextTable
from deckatlas.files.writing import write_bytes, write_text
from deckatlas.runs.hashes import canonical_json
from deckatlas.runs.writer import versions

NO_FIGURES = "figures were not drawn: they need matplotlib, pip install 'deckatlas[plot]'"


def write_results(
    folder: Path, experiment: Experiment, report: Report, *, command: str, games: int, times: list[dict[str, Any]]
) -> None:
    """Writes all files of a report.

    Args:
        folder: The folder of the files; it exists.
        experiment: The experiment.
        report: Its report.
        command: The command that made it.
        games: The number of all games behind the report.
        times: One entry per call of the experiment: command, games, wall_seconds, cpu_seconds.

    Raises:
        RunError: If a file cannot be written.
    """
    drawn = _write_figures(folder, report.figures)
    _write(folder / "result.json", json.dumps(_result(experiment, report, command, games, times), indent=1) + "\n")
    _write(folder / "result.md", "\n".join(_markdown(experiment, report, command, games, times, drawn=drawn)))
    for name, table in report.rows.items():
        _write(folder / f"{name}.csv", _csv(table))


def _write_figures(folder: Path, figures: Mapping[str, Draw]) -> bool:
    """Draws all figures; returns whether that was possible."""
    try:
        from matplotlib.figure import Figure  # an extra, and slow to import
    except ImportError:
        return False
    for name, draw in figures.items():
        figure = Figure(figsize=(8, 5), layout="constrained")
        draw(figure)
        picture = io.BytesIO()
        figure.savefig(picture, dpi=150)
        write_bytes(folder / f"{name}.png", picture.getvalue(), error=RunError)
    return True


def _result(
    experiment: Experiment, report: Report, command: str, games: int, times: list[dict[str, Any]]
) -> dict[str, Any]:
    heading = experiment.heading
    rows = {name: list(map(dict, table)) for name, table in report.rows.items()}
    return {
        "experiment": experiment.name,
        "title": heading.title,
        "source": heading.source,
        "smoke": experiment.smoke,
        "seed": heading.seed,
        "command": command,
        "games": games,
        "took": times,
        "runs": {name: series.to_json() for name, (_, series) in experiment.series.items()},
        "report": heading.report.model_dump(mode="json"),
        "published": heading.published,
        "versions": versions(),
        "notes": list(report.notes),
        "digest": sha256(canonical_json(rows).encode()).hexdigest(),
        "rows": rows,
    }


def _csv(rows: Rows) -> str:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def _markdown(
    experiment: Experiment, report: Report, command: str, games: int, times: list[dict[str, Any]], *, drawn: bool
) -> Iterator[str]:
    played, wall, cpu = (sum(entry[key] for entry in times) for key in ("games", "wall_seconds", "cpu_seconds"))
    yield f"# {experiment.heading.title}\n"
    yield f"{experiment.heading.source}. Made by\n"
    yield f"    {command}\n"
    # Games of an interrupted batch are played again, so more games may be played than the result is based on.
    yield f"from {games:,} games. The record shows {played:,} games played for it, including those of interrupted"
    yield f"calls, in {wall:,.0f} s ({cpu:,.0f} s of CPU); a call that was killed leaves no record.\n"
    for table in report.tables:
        yield f"**{table.title}**\n"
        yield from _markdown_table(table)
        yield ""
    for note in (*report.notes, *(() if drawn or not report.figures else (NO_FIGURES,))):
        yield f"- {note}"
    yield ""
    for name in report.figures if drawn else ():
        yield f"![{name}]({name}.png)\n"


def _markdown_table(table: TextTable) -> Iterator[str]:
    yield "| " + " | ".join(table.columns) + " |"
    yield "|" + "|".join(["---"] + ["---:"] * (len(table.columns) - 1)) + "|"
    for row in table.rows:
        yield "| " + " | ".join(row) + " |"


def _write(path: Path, text: str) -> None:
    write_text(path, text, error=RunError)
