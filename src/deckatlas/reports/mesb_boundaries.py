"""Archives compared: maps that differ in how their cells are drawn, all measured by the same cells as well."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.maps.cells import Cells, best_of_cells
from deckatlas.maps.exact import distribution
from deckatlas.maps.statistics import summary
from deckatlas.reports.figures import colour, quiet
from deckatlas.reports.kind import Report, TextTable
from deckatlas.reports.mesb_cells import occupation
from deckatlas.reports.mesb_density import RANGE, quantiles
from deckatlas.reports.mesb_maps import MANA, SUM, VARIANCE, MapReport, decks_of, moments
from deckatlas.reports.samples import mean_of
from deckatlas.reports.study import Study
from deckatlas.runs.map_view import MapView

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_EVEN, _LEGAL = "even cells", "cells of legal decks"


@dataclass(frozen=True)
class Frame:
    """Cells that are the same for all maps.

    Attributes:
        name: What they are called.
        cells: The cells, of mean and variance of mana costs.
    """

    name: str
    cells: Cells

    def at(self, view: MapView, evaluations: int) -> dict[str, float]:
        """Coverage and QD score of a map's first so many decks."""
        measures = view.log.matrix((MANA, VARIANCE))[:evaluations]
        _, elites = best_of_cells(self.cells.numbers(measures), view.archive.objectives[:evaluations])
        found = summary(view.archive.objectives[elites], self.cells, solutions=evaluations, scoring=view.trial.scoring)
        return {"coverage": 100 * found.coverage, "qd_score": found.qd_score}


class MapBoundaries(MapReport):
    """Maps by their own cells, and all by the same ones."""

    kind: Literal["map-boundaries"] = "map-boundaries"
    resolution: int = Field(default=20, ge=2, le=100, description="Cells along each measure that all are measured by.")
    points: int = Field(default=50, ge=2, le=1000, description="How many moments are shown.")

    def report(self, study: Study) -> Report:
        """What maps of each name came to, over their runs."""
        series = self.series(study)
        frames = self._frames(next(iter(series.values()))[0])
        runs = [
            {"map": name, "run": run, **_own(view), **_in_frames(view, frames)}
            for name, views in series.items()
            for run, view in enumerate(views, start=1)
        ]
        curves = [row for name, views in series.items() for row in self._curves(name, views, frames)]
        rows = [_summary(name, [row for row in runs if row["map"] == name]) for name in series]
        notes = (
            "Every map is measured by its own cells, and by two sets of cells that are the same for all: "
            f"{self.resolution} x {self.resolution} that are spaced evenly over the range of all legal decks but a "
            f"thousandth at each end, and as many with an equal share of all legal decks along each measure. What lies "
            "outside belongs to the cells at the border.",
            "`even` is how evenly evaluated decks fill a map's own cells: the number of cells that would be as even if "
            "all were equally full, in percent of all cells. ± is half a 95 % interval over runs.",
        )
        return Report(
            {"maps": rows, "runs": runs, "curves": curves},
            (_table(rows),),
            notes,
            {"curves": lambda figure: _draw(figure, curves, tuple(frame.name for frame in frames))},
        )

    def _frames(self, view: MapView) -> tuple[Frame, Frame]:
        space = decks_of(view)
        legal = distribution(space, SUM)
        marks = tuple(np.linspace(0, 1, self.resolution + 1).tolist())
        even, equal = [], []
        for values in (legal.sum / space.size, legal.variance):
            low, high = quantiles(values, legal.share, RANGE)
            even.append(np.linspace(low, high, self.resolution + 1))
            equal.append(np.array(quantiles(values, legal.share, marks)))
        return Frame(_EVEN, Cells(tuple(even), "right")), Frame(_LEGAL, Cells(tuple(equal), "right"))

    def _curves(self, name: str, views: Sequence[MapView], frames: Sequence[Frame]) -> Iterator[dict[str, Any]]:
        for run, view in enumerate(views, start=1):
            for moment in moments(len(view.log), self.points):
                for frame in frames:
                    yield {
                        "map": name,
                        "run": run,
                        "evaluations": moment,
                        "cells": frame.name,
                        **frame.at(view, moment),
                    }


def _own(view: MapView) -> dict[str, Any]:
    found, filled = view.statistics, occupation(view.archive.cells, view.archive.measures)
    return {
        "evaluations": view.log.evaluations,
        "cells": found.cells,
        "elites": found.elites,
        "coverage": 100 * found.coverage,
        "even": 100 * filled["effective"] / found.cells,
        "best": found.best,
        "mean": found.mean,
        "qd_score": found.qd_score,
    }


def _in_frames(view: MapView, frames: Sequence[Frame]) -> dict[str, float]:
    return {
        f"{name} in {frame.name}": value for frame in frames for name, value in frame.at(view, len(view.log)).items()
    }


def _summary(name: str, runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    row: dict[str, Any] = {"map": name, "runs": len(runs)}
    for key in runs[0]:
        if key not in ("map", "run"):
            mean = mean_of([run[key] for run in runs])
            row |= {key: mean.value, f"{key}_low": mean.low, f"{key}_high": mean.high}
    return row


_COLUMNS = {
    "coverage": "coverage %",
    "even": "even %",
    "best": "best",
    "mean": "mean of elites",
    "qd_score": "QD score",
    **{f"coverage in {name}": f"coverage in {name} %" for name in (_EVEN, _LEGAL)},
    **{f"qd_score in {name}": f"QD score in {name}" for name in (_EVEN, _LEGAL)},
}


def _table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    def text(row: Mapping[str, Any], key: str) -> str:
        low = row[f"{key}_low"]
        return f"{row[key]:.1f}" + ("" if low is None else f" ±{row[key] - low:.1f}")

    lines = tuple((row["map"], str(row["runs"]), *(text(row, key) for key in _COLUMNS)) for row in rows)
    return TextTable("Maps by how their cells are drawn", ("map", "runs", *_COLUMNS.values()), lines)


def _draw(figure: "Figure", curves: Sequence[Mapping[str, Any]], frames: Sequence[str]) -> None:
    figure.set_size_inches(9.8, 7.2)
    panels = figure.subplots(2, len(frames), sharex=True, squeeze=False)
    names = list(dict.fromkeys(row["map"] for row in curves))
    shown = {"qd_score": "QD score", "coverage": "coverage, %"}
    for column, frame in enumerate(frames):
        for panel, (key, words) in zip(panels[:, column], shown.items(), strict=True):
            for number, name in enumerate(names):
                own = [row for row in curves if row["map"] == name and row["cells"] == frame]
                shown_at = sorted({row["evaluations"] for row in own})
                by_moment = [[row[key] for row in own if row["evaluations"] == moment] for moment in shown_at]
                panel.plot(shown_at, [np.mean(values) for values in by_moment], color=colour(number), label=name)
                ends = [min(values) for values in by_moment], [max(values) for values in by_moment]
                panel.fill_between(shown_at, *ends, color=colour(number), alpha=0.15, linewidth=0)
            last = key == "coverage"
            quiet(panel, title="" if last else f"by {frame}", x="evaluations" if last else "", y=words)
    panels[0, 0].legend(frameon=False, loc="lower right")
