"""Win rates of elites over a search: the best and the mean, for maps of several experiments."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.maps.statistics import archives_at
from deckatlas.reports.figures import colour, quiet
from deckatlas.reports.kind import Report, TextTable
from deckatlas.reports.mesb_maps import Floats, SetsReport, moments
from deckatlas.reports.statistics import mean_interval
from deckatlas.reports.study import Study
from deckatlas.runs.map_view import MapView

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_SHOWN = {"best": "best win rate of an elite, %", "mean": "mean win rate of the elites, %"}


@dataclass(frozen=True)
class Curves:
    """Maps of one name.

    Attributes:
        set: The experiment they belong to.
        name: The name.
        evaluations: After how many evaluations.
        best: The best win rate of an elite then, in percent, a row a run.
        mean: The mean of all elites, the same way.
    """

    set: str
    name: str
    evaluations: tuple[int, ...]
    best: Floats
    mean: Floats


class MapCurves(SetsReport):
    """Best and mean win rate of the elites over evaluations: a column of panels a set, with the same colours in all."""

    kind: Literal["map-curves"] = "map-curves"
    points: int = Field(default=100, ge=2, le=1000, description="How many moments are shown.")

    def report(self, study: Study) -> Report:
        """A line a name; where it is repeated, the mean with the lowest and the highest run."""
        sets = self.names_in_sets(study)
        curves = [
            _curves(title, name, views, self.points)
            for title, names in sets.items()
            for name, views in self.series(study, names).items()
        ]
        last = [_last(each) for each in curves]
        rows = {"curves": [row for each in curves for row in _rows(each)], "last": last}
        notes = (
            "Win rates are those of the search: over the games that elites were chosen by, against the opponents of "
            "their own experiment, so that the best is also the luckiest, and experiments have different opponents.",
            "Elites are the best of their cells by the objective of the search, the mean health difference; the best "
            "win rate is the highest of any elite. Intervals are of 95 % over runs, where there are several.",
        )
        return Report(rows, (_table(last),), notes, {"curves": lambda figure: _draw(figure, sets, curves)})


def _curves(title: str, name: str, views: Sequence[MapView], points: int) -> Curves:
    shown = moments(views[0].archive.told, points)
    rates = [_rates(view, shown) for view in views]
    best, mean = (np.array([each[which] for each in rates]) for which in (0, 1))
    return Curves(title, name, tuple(shown), best, mean)


def _rates(view: MapView, shown: Sequence[int]) -> tuple[list[float], list[float]]:
    """The best and the mean win rate of the elites at these moments, in percent."""
    rates = 100 * np.asarray(view.log.column("win_rate"), dtype=np.float64)
    archives = archives_at(
        view.config.archive,
        view.archive.objectives,
        view.archive.measures,
        planned=view.archive.planned,
        evaluations=[min(moment, len(rates)) for moment in shown],
    )
    elites = [rates[archive.elites] for archive in archives]
    return [float(each.max()) for each in elites], [float(each.mean()) for each in elites]


def _rows(curves: Curves) -> Iterator[dict[str, Any]]:
    for run, (best, mean) in enumerate(zip(curves.best, curves.mean, strict=True), start=1):
        for at, evaluations in enumerate(curves.evaluations):
            yield {
                "set": curves.set,
                "map": curves.name,
                "run": run,
                "evaluations": evaluations,
                "best": float(best[at]),
                "mean": float(mean[at]),
            }


def _last(curves: Curves) -> dict[str, Any]:
    row: dict[str, Any] = {"set": curves.set, "map": curves.name, "runs": len(curves.best)}
    for name, values in (("best", curves.best), ("mean", curves.mean)):
        end = mean_interval(values[:, -1])
        row |= {name: end.value, f"{name}_low": end.low, f"{name}_high": end.high}
        row |= {f"{name}_at_a_tenth": float(values[:, max(0, values.shape[1] // 10 - 1)].mean())}
    return row


def _table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    def text(row: Mapping[str, Any], name: str) -> str:
        ends = "" if row[f"{name}_low"] is None else f" [{row[f'{name}_low']:.1f}, {row[f'{name}_high']:.1f}]"
        return f"{row[f'{name}_at_a_tenth']:.1f} to {row[name]:.1f}{ends}"

    lines = tuple((row["map"], row["set"], text(row, "best"), text(row, "mean")) for row in rows)
    columns = ("map", "experiment", "best win rate %", "mean win rate %")
    return TextTable("Win rates of the elites, after a tenth of the search and in the end", columns, lines)


def _draw(figure: "Figure", sets: Mapping[str, Sequence[str]], curves: Sequence[Curves]) -> None:
    figure.set_size_inches(1.6 + 4.2 * len(sets), 7.0)
    panels = figure.subplots(len(_SHOWN), len(sets), sharex=True, sharey="row", squeeze=False)
    for column, title in enumerate(sets):
        for line, (which, words) in enumerate(_SHOWN.items()):
            panel = panels[line, column]
            for number, each in enumerate(each for each in curves if each.set == title):
                values: Floats = getattr(each, which)
                panel.plot(each.evaluations, values.mean(axis=0), color=colour(number), label=each.name)
                if len(values) > 1:
                    ends = values.min(axis=0), values.max(axis=0)
                    panel.fill_between(each.evaluations, *ends, color=colour(number), alpha=0.15, linewidth=0)
            heading = title if line == 0 else ""
            quiet(panel, title=heading, x="evaluations" if line else "", y="" if column else words)
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16)}
        panels[-1, column].legend(frameon=False, fontsize=8, ncols=2, **below)
