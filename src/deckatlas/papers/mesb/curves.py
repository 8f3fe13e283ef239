"""Win rates of elites over a search: the best and the mean, for maps of several experiments."""

from abc import ABC
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from deckatlas.errors import RunError
from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck, some_of, tables, under_any_name
from deckatlas.experiments.study import Study
from deckatlas.papers.joined import JoinedReport, Rows
from deckatlas.papers.mesb.maps import SetsReport, check_map, of_elites
from deckatlas.papers.other_results import Row, TrialRows
from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import RATE_STEP, average, difference, mean_interval
from deckatlas.views.figures import colour, quiet
from deckatlas.views.map_curves import GrowthCurve, band_of, curve_of
from deckatlas.views.map_figures import draw_band

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

CURVES, RUNS = "curves", "runs"  # tables of rows
_TENTHS = 10
_ELITES, _RISE = "elites_mean", "_rise"
_SHOWN = {"best": "best win rate of an elite, %", "mean": "mean win rate of the elites, %"}
CURVE_TABLES: Mapping[str, TrialRows] = {
    CURVES: TrialRows({"evaluations": "whole number", **dict.fromkeys(_SHOWN, "number")}),
    RUNS: TrialRows(
        {
            f"{name}{end}": "number or nothing" if end else "number"
            for name in (_ELITES, *(f"{which}{_RISE}" for which in _SHOWN))
            for end in ("", "_low", "_high")
        },
        is_single=True,
    ),
}


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

    @classmethod
    def of(cls, title: str, name: str, rows: Rows) -> "RepeatedMap":
        """A map of a set, by the rows of its runs."""
        curves: dict[int, list[Row]] = {}
        for row in rows[CURVES]:
            if row["map"] == name:
                curves.setdefault(row["run"], []).append(row)
        ends = [row for row in rows[RUNS] if row["map"] == name]
        return cls(
            title,
            name,
            tuple(map(_curve, curves.values())),
            _over_runs(ends, _ELITES),
            {which: _over_runs(ends, f"{which}{_RISE}") for which in _SHOWN},
        )


class CurvesReport(JoinedReport, SetsReport, ABC):
    """A report with best and mean win rates of elites over evaluations."""

    trial_key: ClassVar[tuple[str, str]] = ("map", "run")
    trial_tables: ClassVar[Mapping[str, TrialRows]] = CURVE_TABLES
    shaping: ClassVar[tuple[str, ...]] = ("points",)

    points: int = Field(default=100, ge=2, le=1000, description="The number of moments shown.")

    def published_checks(self, runs: Collection[str]) -> Mapping[str, PublishedCheck]:
        """Checks of published maps that win least in their set, sets that win less than others, and rates that rise."""
        lower = tables(dict.fromkeys(self.sets, some_of(self.sets)))
        return {"worst": some_of(runs), "lower": under_any_name(lower), "rises": some_of(_SHOWN)}

    def trial_runs(self, known: Collection[str]) -> Mapping[str, str]:
        """The maps of all sets."""
        return {name: name for names in self.names_in_sets(known).values() for name in names}

    def own_rows(self, name: str, view: RunView) -> Rows:
        """The win rates of a run's elites over its evaluations, and what is known at its end, in percent.

        Raises:
            RunError: If the run is not a map of Hearthstone decks, or has no elite.
        """
        check_map(view)
        curve = win_rates(view, self.points)
        columns = [curve.numbers[which].tolist() for which in _SHOWN]
        moments = zip(curve.evaluated.astype(int).tolist(), *columns, strict=True)
        end = mean_interval(100 * of_elites(view, WIN_RATE)).cells(_ELITES)
        for which, rise in _rise_of_run(view).items():
            end |= rise.cells(f"{which}{_RISE}")
        return {
            CURVES: [{"evaluations": at, **dict(zip(_SHOWN, rates, strict=True))} for at, *rates in moments],
            RUNS: [end],
        }

    def curves_of(self, study: Study, rows: Rows) -> tuple[Report, list[Finding]]:
        """The report on the curves of all sets, by the rows of their runs, and what was published about them.

        Raises:
            RunError: If there is no map.
        """
        sets = self.names_in_sets(study.maps)
        if not any(sets.values()):
            raise RunError("this report needs maps")
        curves = [RepeatedMap.of(title, name, rows) for title, names in sets.items() for name in names]
        last = [_last(each) for each in curves]
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
        found = {CURVES: rows[CURVES], RUNS: rows[RUNS], "last": last}
        return Report(found, (_table(last),), notes, figures), list(_findings(curves, study.published))


class MapCurves(CurvesReport):
    """Best and mean win rate of the elites over evaluations: one column of panels per set, all in the same colours."""

    kind: Literal["map-curves"] = "map-curves"

    def report(self, study: Study) -> Report:
        """One line per name; for a repeated map, the mean with its interval."""
        rows = self.rows(study)
        report, findings = self.curves_of(study, rows)
        notes = (self.budget(study), *self.join_notes(rows), *report.notes)
        return with_findings(replace(report, notes=notes), findings, digits=1)


def win_rates(view: RunView, points: int) -> GrowthCurve:
    """The best and the mean win rate of the elites over a map's evaluations, in percent, starting at the first elite.

    As in the published figure, these are the elites of the cells that the growing map had at each moment.
    """
    curve = curve_of(view, points, cells="growing")
    ending = "" if view.objective == WIN_RATE else f"_{WIN_RATE}"
    rates = {name: 100 * curve.numbers[f"{name}{ending}"] for name in _SHOWN}
    known = np.isfinite(rates["best"])
    return GrowthCurve(curve.evaluated[known], {name: values[known] for name, values in rates.items()})


def _curve(rows: Sequence[Row]) -> GrowthCurve:
    evaluated, *rates = (np.array([row[key] for row in rows], np.float64) for key in ("evaluations", *_SHOWN))
    return GrowthCurve(evaluated, dict(zip(_SHOWN, rates, strict=True)))


def _over_runs(rows: Sequence[Row], name: str) -> Estimate:
    """The mean of a number over runs; that of an only run has the interval of its elites."""
    if len(rows) == 1:
        return Estimate.from_cells(rows[0], name, n=1)
    return mean_interval([row[name] for row in rows], step=100 * RATE_STEP)


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


def _last(curves: RepeatedMap) -> dict[str, Any]:
    row: dict[str, Any] = {"set": curves.set, "map": curves.name, "runs": len(curves.runs)}
    for name in _SHOWN:
        bests = [float(run.numbers[name][-1]) for run in curves.runs]
        ends = curves.elites if name == "mean" else mean_interval(bests, step=100 * RATE_STEP)
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
