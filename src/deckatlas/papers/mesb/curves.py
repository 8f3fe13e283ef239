"""Win rates of elites over a search: the best and the mean, for maps of several experiments."""

from abc import ABC
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck, some_of, tables, under_any_name
from deckatlas.experiments.study import Study
from deckatlas.papers.mesb.maps import SetsReport, of_elites
from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import average, difference, mean_interval
from deckatlas.views.figures import colour, quiet
from deckatlas.views.map_curves import GrowthCurve, band_of, curve_of
from deckatlas.views.map_figures import draw_band

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_TENTHS = 10
_SHOWN = {"best": "best win rate of an elite, %", "mean": "mean win rate of the elites, %"}


@dataclass(frozen=True)
class RepeatedMap:
    """The runs of a map.

    Attributes:
        set: The experiment it belongs to.
        name: Its name.
        runs: The curve of each run; `best` and `mean` are win rates of the elites, in percent.
        elites: The final mean win rate of the elites, in percent: over runs, or over the elites of the only run.
        rise: The change of `best` and `mean` from a tenth of the search to its end, in percentage points: over runs;
            for an only run, over the games of the two best elites, and over the elites at both moments.
    """

    set: str
    name: str
    runs: tuple[GrowthCurve, ...]
    elites: Estimate
    rise: Mapping[str, Estimate]


class CurvesReport(SetsReport, ABC):
    """A report with best and mean win rates of elites over evaluations."""

    points: int = Field(default=100, ge=2, le=1000, description="The number of moments shown.")

    def published_checks(self, runs: Collection[str]) -> Mapping[str, PublishedCheck]:
        """Checks of published maps that win least in their set, sets that win less than others, and rates that rise."""
        lower = tables(dict.fromkeys(self.sets, some_of(self.sets)))
        return {"worst": some_of(runs), "lower": under_any_name(lower), "rises": some_of(_SHOWN)}

    def curves_of(self, study: Study) -> tuple[Report, list[Finding]]:
        """The report on the curves of all sets, and what was published about them."""
        sets = self.names_in_sets(study)
        curves = [
            RepeatedMap(
                title, name, tuple(win_rates(view, self.points) for view in views), _mean_rate(views), _rise(views)
            )
            for title, names in sets.items()
            for name, views in self.series(study, names).items()
        ]
        last = [_last(each) for each in curves]
        rows = {"curves": [row for each in curves for row in _rows(each)], "last": last}
        notes = (
            "Win rates are those of the search: they come from the games that selected the elites, so the best is also "
            "the luckiest. The opponents are those of each experiment, so they differ between experiments.",
            "Elites are the best of their cells by the objective of the search, the mean health difference; the best "
            "win rate is the highest of any elite. Intervals are 95 % intervals over runs; if there is only one run, "
            "the interval of the mean is over its elites, as if these were independent.",
            "A rise is from a tenth of the search to its end. If there is only one run, the interval of the best is "
            "over the games of the two best elites. That of the mean is over the elites at both moments, as if these "
            "had nothing in common; many of them are the same decks, so it is too wide rather than too narrow.",
        )
        figures = {"curves": lambda figure: _draw(figure, sets, curves)}
        return Report(rows, (_table(last),), notes, figures), list(_findings(curves, study.published))


class MapCurves(CurvesReport):
    """Best and mean win rate of the elites over evaluations: one column of panels per set, all in the same colours."""

    kind: Literal["map-curves"] = "map-curves"

    def report(self, study: Study) -> Report:
        """One line per name; for a repeated map, the mean with its interval."""
        report, findings = self.curves_of(study)
        return with_findings(replace(report, notes=(self.budget(study), *report.notes)), findings, digits=1)


def win_rates(view: RunView, points: int) -> GrowthCurve:
    """The best and the mean win rate of the elites over a map's evaluations, in percent, starting at the first elite.

    As in the published figure, these are the elites of the cells that the growing map had at each moment.
    """
    curve = curve_of(view, points, cells="growing")
    ending = "" if view.objective == WIN_RATE else f"_{WIN_RATE}"
    rates = {name: 100 * curve.numbers[f"{name}{ending}"] for name in _SHOWN}
    known = np.isfinite(rates["best"])
    return GrowthCurve(curve.evaluated[known], {name: values[known] for name, values in rates.items()})


def _mean_rate(views: Sequence[RunView]) -> Estimate:
    rates = [100 * of_elites(view, WIN_RATE) for view in views]
    return mean_interval(rates[0] if len(rates) == 1 else [float(each.mean()) for each in rates])


def _rise(views: Sequence[RunView]) -> dict[str, Estimate]:
    """The change of the best and of the mean win rate of the elites, from a tenth of the search to its end."""
    rises = [_rise_of_run(view) for view in views]
    if len(rises) == 1:
        return rises[0]
    return {name: mean_interval([rise[name].value for rise in rises]) for name in _SHOWN}


def _rise_of_run(view: RunView) -> dict[str, Estimate]:
    rates = 100 * np.asarray(view.log.column(WIN_RATE), dtype=np.float64)
    early = next(archive.elites for _, archive in view.archives(_TENTHS) if len(archive))
    late = view.archive.elites
    first, last = (int(elites[np.argmax(rates[elites])]) for elites in (early, late))
    best = (view.rated(WIN_RATE, number).in_percent() for number in (last, first))
    return {"best": difference(*best), "mean": difference(mean_interval(rates[late]), mean_interval(rates[early]))}


def _findings(maps: Sequence[RepeatedMap], published: Mapping[str, Any]) -> Iterator[Finding]:
    """The published findings about the maps and sets shown."""
    measure = "mean win rate of elites, %"
    for worst in (each for name in published.get("worst", ()) for each in maps if each.name == name):
        claims = [
            Claim(f"{each.name} wins more", f"{measure}, ahead by", difference(each.elites, worst.elites))
            for each in maps
            if each.set == worst.set and each is not worst
        ]
        yield Finding(f"elites of {worst.name} win least {worst.set}".rstrip(), tuple(claims))
    of_sets = {
        title: average([each.elites for each in maps if each.set == title]) for title in {each.set for each in maps}
    }
    for title, lower in published.get("lower", {}).items():
        claims = [
            Claim(
                f"{one}: less than {other}",
                f"{measure}, difference",
                difference(of_sets[one], of_sets[other]),
                "below",
            )
            for one, others in lower.items()
            for other in others
        ]
        yield Finding(title, tuple(claims))
    for name in published.get("rises", ()):
        claims = [Claim(f"{each.name} rises", f"{_SHOWN[name]}, change", each.rise[name]) for each in maps]
        yield Finding(f"the {name} win rate of elites rises over the search", tuple(claims))


def _rows(curves: RepeatedMap) -> Iterator[dict[str, Any]]:
    for number, run in enumerate(curves.runs, start=1):
        for at, evaluations in enumerate(run.evaluated.tolist()):
            rates = {name: float(values[at]) for name, values in run.numbers.items()}
            yield {"set": curves.set, "map": curves.name, "run": number, "evaluations": int(evaluations), **rates}


def _last(curves: RepeatedMap) -> dict[str, Any]:
    row: dict[str, Any] = {"set": curves.set, "map": curves.name, "runs": len(curves.runs)}
    for name in _SHOWN:
        ends = curves.elites if name == "mean" else mean_interval([float(run.numbers[name][-1]) for run in curves.runs])
        tenth = [run.numbers[name][max(0, len(run.evaluated) // 10 - 1)] for run in curves.runs]
        row |= ends.cells(name)
        row |= {f"{name}_at_a_tenth": float(np.mean(tenth))}
    return row


def _table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    def text(row: Mapping[str, Any], name: str) -> str:
        return f"{row[f'{name}_at_a_tenth']:.1f} to {Estimate.from_cells(row, name, n=row['runs']).text(1)}"

    lines = tuple((row["map"], row["set"], text(row, "best"), text(row, "mean")) for row in rows)
    columns = ("map", "experiment", "best win rate %", "mean win rate %")
    return TextTable("Win rates of the elites, after a tenth of the search and in the end", columns, lines)


def _draw(figure: "Figure", sets: Mapping[str, Sequence[str]], curves: Sequence[RepeatedMap]) -> None:
    figure.set_size_inches(1.6 + 4.2 * len(sets), 7.0)
    panels = figure.subplots(len(_SHOWN), len(sets), sharex=True, sharey="row", squeeze=False)
    for column, title in enumerate(sets):
        for line, (which, words) in enumerate(_SHOWN.items()):
            panel = panels[line, column]
            for number, each in enumerate(each for each in curves if each.set == title):
                draw_band(panel, band_of(each.runs, which, within=(0.0, 100.0)), color=colour(number), label=each.name)
            heading = title if line == 0 else ""
            quiet(panel, title=heading, x="evaluations" if line else "", y="" if column else words)
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16)}
        panels[-1, column].legend(frameon=False, fontsize=8, ncols=2, **below)
