"""Comparison of archives: maps with different boundaries of cells, all also measured with the same cells."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.experiments.findings import UNDECIDED
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.papers.mesb.cells import occupation
from deckatlas.papers.mesb.density import RANGE
from deckatlas.papers.mesb.maps import MANA, SUM, VARIANCE, MapReport, check_pairs, deck_run_of
from deckatlas.runs.config import ConfigTable
from deckatlas.runs.view import RunView
from deckatlas.search.archive_statistics import summary
from deckatlas.search.cells import Cells, best_of_cells
from deckatlas.search.exact import distribution
from deckatlas.shapes import nearest, show
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval
from deckatlas.stats.samples import weighted_quantiles
from deckatlas.views.figures import colour, quiet
from deckatlas.views.map_curves import GrowthCurve, range_of
from deckatlas.views.map_figures import draw_band

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_EVEN, _LEGAL = "even cells", "cells of legal decks"
_OWN = {
    "coverage": "coverage %",
    "even": "evenness %",
    "luck": "luck",
    "best": "best",
    "mean": "mean",
    "qd_score": "QD score",
}
_IN_FRAMES = {
    f"{key} in {frame}": f"{words}, {frame}"
    for frame in (_EVEN, _LEGAL)
    for key, words in (("coverage", "coverage %"), ("qd_score", "QD score"))
}


@dataclass(frozen=True)
class CommonCells:
    """Cells that are the same for all maps.

    Attributes:
        name: The name of these cells.
        cells: The cells, by mean and variance of mana costs.
    """

    name: str
    cells: Cells

    def elites_of(self, view: RunView) -> dict[str, float]:
        """Coverage and QD score of a map's elites on fresh games; of elites in one cell, the search's best counts."""
        elites = view.archive.elites
        numbers = self.cells.numbers(view.log.matrix((MANA, VARIANCE))[elites])
        _, best = best_of_cells(numbers, view.archive.objectives[elites])
        fresh, _ = view.rechecked(elites.tolist())
        found = summary(fresh[best], self.cells, solutions=len(view.log), scoring=view.description.scoring)
        return {f"coverage in {self.name}": 100 * found.coverage, f"qd_score in {self.name}": found.qd_score}

    def curve_of(self, view: RunView, points: int) -> GrowthCurve:
        """Coverage and QD score of all decks that a map had evaluated at each moment, by the games of its search."""
        numbers = self.cells.numbers(view.log.matrix((MANA, VARIANCE)))
        evaluated, found = [], []
        for evaluations, archive in view.archives(points):
            _, best = best_of_cells(numbers[: archive.told], archive.objectives)
            rated = archive.objectives[best]
            evaluated.append(evaluations)
            found.append(summary(rated, self.cells, solutions=archive.told, scoring=view.description.scoring))
        columns = {"qd_score": [now.qd_score for now in found], "coverage": [100 * now.coverage for now in found]}
        return GrowthCurve(np.array(evaluated, np.float64), {name: np.array(each) for name, each in columns.items()})


class MapComparison(ConfigTable):
    """Maps of some names against those of others, trial by trial."""

    of: tuple[str, ...] = Field(min_length=1, description="The maps whose mean comes first in the difference.")
    against: tuple[str, ...] = Field(min_length=1, description="The maps whose mean is subtracted from it.")


class MapBoundaries(MapReport):
    """Maps by their own cells, and all by the same cells, on fresh games; trials of the same number are paired."""

    kind: Literal["map-boundaries"] = "map-boundaries"
    resolution: int = Field(default=20, ge=2, le=100, description="Cells along each measure, in the common cells.")
    points: int = Field(default=50, ge=2, le=1000, description="The number of moments shown.")
    compare: dict[str, MapComparison] = Field(default={}, description="The comparisons, by title.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about compared runs that do not exist."""
        for title, comparison in self.compare.items():
            for side in ("of", "against"):
                for number, name in enumerate(getattr(comparison, side)):
                    if name not in runs:
                        place = ("report", "compare", title, side, number)
                        yield Complaint((place, place[:-1]), f"no run {show(name)}: {nearest(name, runs)}")
        yield from super().complaints(published, runs)

    def report(self, study: Study) -> Report:
        """The results of the maps of each name over their trials, and their differences."""
        series = self.series(study)
        check_pairs(series)
        frames = self._frames(next(iter(series.values()))[0])
        trials = [
            {"map": name, "trial": trial, **_own(view), **_in_frames(view, frames)}
            for name, views in series.items()
            for trial, view in enumerate(views, start=1)
        ]
        curves = {
            (name, frame.name): [frame.curve_of(view, self.points) for view in views]
            for name, views in series.items()
            for frame in frames
        }
        maps = [_summary(name, [row for row in trials if row["map"] == name]) for name in series]
        compared = [row for title, each in self.compare.items() for row in _differences(title, each, trials)]
        rows = {"maps": maps, "differences": compared, "trials": trials, "curves": list(_curve_rows(curves))}
        tables = [_table("by their own cells", maps, _OWN), _table("by the same cells", maps, _IN_FRAMES)]
        tables += [_differences_table(compared)] if compared else []
        return Report(
            {name: table for name, table in rows.items() if table},
            tuple(tables),
            (self.budget(study), *self._notes(study)),
            {"curves": lambda figure: _draw(figure, curves)},
        )

    def _notes(self, study: Study) -> tuple[str, ...]:
        views = [run.view for runs in study.maps.values() for run in runs]
        games = sorted({outcome.games for view in views for outcome in view.rechecks.values()})
        return (
            f"Elites were chosen by the games of their search, and are rated by {' or '.join(map(str, games))} fresh "
            "games each: best (the best of the search), mean, QD score. `luck` is the average difference between the "
            "search and fresh games. Luck, best and mean are health differences; the QD score is the sum over elites "
            f"of {views[0].description.scoring.in_words('health difference')}. `evenness` is how evenly evaluated "
            "decks fill a map's own cells: the number of equally full cells with the same entropy, in percent of all "
            "cells.",
            "Own cells differ from map to map. So all maps are also measured with two common sets of cells: "
            f"{self.resolution} x {self.resolution} cells spaced evenly over the range of all legal decks, without a "
            "thousandth at each end, and the same number with an equal share of all legal decks along each measure. "
            "Decks outside count in the cells at the border. In each of these cells, the best elite of the search "
            "counts.",
            "Trials of the same number begin with the same decks and play the same games in all maps, so differences "
            "are between pairs. Intervals are 95 % intervals over trials. In the figure, curves show all decks found "
            "so far, by the games of the search; bands go from the lowest to the highest trial.",
        )

    def _frames(self, view: RunView) -> tuple[CommonCells, CommonCells]:
        space = deck_run_of(view).make_space()
        legal = distribution(space, SUM)
        marks = tuple(np.linspace(0, 1, self.resolution + 1).tolist())
        even, equal = [], []
        for values in (legal.sum / space.size, legal.variance):
            low, high = weighted_quantiles(values, legal.share, RANGE)
            even.append(np.linspace(low, high, self.resolution + 1))
            equal.append(np.array(weighted_quantiles(values, legal.share, marks)))
        return CommonCells(_EVEN, Cells(tuple(even), "right")), CommonCells(_LEGAL, Cells(tuple(equal), "right"))


def _own(view: RunView) -> dict[str, Any]:
    found = view.recheck()
    if found is None:
        raise RunError(f"{view.path} has elites that played no fresh games: give its run a recheck")
    now, filled = found.before, occupation(view.archive.cells, view.archive.measures)
    return {
        "evaluations": view.log.evaluations,
        "cells": now.cells,
        "elites": now.elites,
        "coverage": 100 * now.coverage,
        "even": 100 * filled["effective"] / now.cells,
        "luck": found.optimism,
        "best": found.champion,
        "mean": now.mean - found.optimism,
        "qd_score": found.after.qd_score,
    }


def _in_frames(view: RunView, frames: Sequence[CommonCells]) -> dict[str, float]:
    return {name: value for frame in frames for name, value in frame.elites_of(view).items()}


def _summary(name: str, trials: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    row: dict[str, Any] = {"map": name, "trials": len(trials)}
    row |= {key: trials[0][key] for key in ("evaluations", "cells")}
    for key in (*_OWN, *_IN_FRAMES):
        row |= mean_interval([trial[key] for trial in trials]).cells(key)
    return row


def _differences(title: str, compared: MapComparison, trials: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """For each number, the mean of some maps minus the mean of others, over trials."""
    numbers = sorted({row["trial"] for row in trials})
    for key, words in (_OWN | _IN_FRAMES).items():
        of, against = (
            np.array([[row[key] for row in trials if row["map"] in names and row["trial"] == each] for each in numbers])
            for names in (compared.of, compared.against)
        )
        found = mean_interval(of.mean(axis=1) - against.mean(axis=1))
        yield {
            "compared": title,
            "number": words,
            **found.cells("difference"),
            "trials": len(numbers),
            "verdict": direction(found),
        }


def direction(difference: Estimate) -> str:
    """Whether a difference is above or below zero, by its interval."""
    return "higher" if difference.low > 0 else "lower" if difference.high < 0 else UNDECIDED


def _curve_rows(curves: Mapping[tuple[str, str], Sequence[GrowthCurve]]) -> Iterator[dict[str, Any]]:
    for (name, frame), of_trials in curves.items():
        for trial, curve in enumerate(of_trials, start=1):
            for at, evaluations in enumerate(curve.evaluated.tolist()):
                numbers = {key: float(values[at]) for key, values in curve.numbers.items()}
                yield {"map": name, "trial": trial, "evaluations": int(evaluations), "cells": frame, **numbers}


def _table(title: str, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> TextTable:
    lines = tuple(
        (
            row["map"],
            str(row["trials"]),
            *(Estimate.from_cells(row, key, n=row["trials"]).text(1) for key in columns),
        )
        for row in rows
    )
    return TextTable(
        f"Maps {title}, elites on fresh games, mean of trials [95 %]", ("map", "trials", *columns.values()), lines
    )


def _differences_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple(
        (
            row["compared"],
            row["number"],
            Estimate.from_cells(row, "difference", n=row["trials"]).text(),
            str(row["trials"]),
            row["verdict"],
        )
        for row in rows
    )
    return TextTable("Differences, trial by trial", ("", "of", "difference [95 %]", "trials", ""), lines)


def _draw(figure: "Figure", curves: Mapping[tuple[str, str], Sequence[GrowthCurve]]) -> None:
    names, frames = (list(dict.fromkeys(key[place] for key in curves)) for place in (0, 1))
    figure.set_size_inches(9.8, 7.2)
    panels = figure.subplots(2, len(frames), sharex=True, sharey="row", squeeze=False)
    for column, frame in enumerate(frames):
        for panel, (key, words) in zip(
            panels[:, column], {"qd_score": "QD score", "coverage": "coverage, %"}.items(), strict=True
        ):
            for number, name in enumerate(names):
                draw_band(panel, range_of(curves[name, frame], key), color=colour(number), label=name)
            last = key == "coverage"
            quiet(
                panel,
                title="" if last else f"decks found, by {frame}",
                x="evaluations" if last else "",
                y="" if column else words,
            )
    trials = len(curves[names[0], frames[0]])
    note = f"mean of {trials} trials; band: lowest to highest" if trials > 1 else None
    panels[0, 0].legend(frameon=False, loc="lower right", fontsize=9, title=note, title_fontsize=9, alignment="left")
