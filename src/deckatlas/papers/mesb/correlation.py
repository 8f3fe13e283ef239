"""The correlation of mana costs with the quality of decks: per map, for random, evaluated and elite decks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck, some_of, tables, under_any_name
from deckatlas.experiments.study import Study
from deckatlas.papers.mesb.maps import MANA, VARIANCE, Floats, MapReport, drawn_at_random
from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import average, difference
from deckatlas.stats.samples import bootstrapped_correlation, fisher_interval, least_squares, pearson, spearman
from deckatlas.views.figures import colour, marker, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_RANDOM, _EVALUATED, _ELITES = "drawn at random", "evaluated", "elites"


class ManaCorrelation(MapReport):
    """The correlation of mana costs and the objective of a map."""

    kind: Literal["mana-correlation"] = "mana-correlation"
    samples: int = Field(default=2000, ge=10, le=100_000, description="Bootstrap samples for intervals of elites.")

    def report(self, study: Study) -> Report:
        """One line per map and kind of decks."""
        rows = [row for name, view in self.views(study).items() for row in self._rows(study, name, view)]
        findings = list(_findings(self.runs_of_views(study), rows, study.published))
        notes = (
            "r is Pearson's correlation of a deck's mean mana cost, or of its variance, with the mean health "
            "difference: below zero if cheap decks do better. `slope` is the change in health difference for one more "
            "mana per card.",
            "Decks drawn at random are those that a search begins with; they are independent of each other, and their "
            "intervals are Fisher's. Evaluated decks descend from each other, so no interval would be valid for them. "
            "Intervals of elites come from a bootstrap of elites, as if these were independent; they are valid for "
            "this run only.",
        )
        figures = {"correlation": lambda figure: _draw(figure, rows)}
        report = Report({"correlations": rows}, (_table(rows),), (self.budget(study), *notes), figures)
        return with_findings(report, findings)

    def published_checks(self, runs: Collection[str]) -> Mapping[str, PublishedCheck]:
        """Checks of the published maps in which cheap decks do better, and in which more so than in others."""
        pairs = tables(dict.fromkeys(runs, some_of(runs)))
        return {"low_mana": under_any_name(some_of(runs)), "stronger": under_any_name(pairs)}

    def _rows(self, study: Study, name: str, view: RunView) -> Iterator[dict[str, Any]]:
        chosen = {
            _RANDOM: drawn_at_random(view),
            _EVALUATED: np.arange(len(view.log)),
            _ELITES: view.archive.elites,
        }
        objective = np.asarray(view.log.column(view.objective), dtype=np.float64)
        for sample, numbers in chosen.items():
            row: dict[str, Any] = {"map": name, "decks": sample, "n": len(numbers)}
            for column, title in ((MANA, "mana"), (VARIANCE, "variance")):
                x, y = np.asarray(view.log.column(column), dtype=np.float64)[numbers], objective[numbers]
                rng = study.rng(f"correlation {name} {column}")
                found = self._interval(sample, x, y, rng)
                row |= found.cells(f"{title}_r")
                row |= {f"{title}_spearman": spearman(x, y), f"{title}_slope": least_squares(x, y).slope}
            yield row

    def _interval(self, sample: str, x: Floats, y: Floats, rng: np.random.Generator) -> Estimate:
        if sample == _RANDOM:
            return fisher_interval(pearson(x, y), len(x))
        if sample == _EVALUATED:
            return Estimate.without_ends(pearson(x, y), len(x))
        return bootstrapped_correlation(x, y, rng, samples=self.samples)


def _findings(
    runs: Mapping[str, Sequence[str]], rows: Sequence[Mapping[str, Any]], published: Mapping[str, Any]
) -> Iterator[Finding]:
    """The published findings about the maps shown; for a repeated map, about the mean of its runs."""

    def of(run: str, sample: str) -> Estimate:
        own = [row for row in rows if row["map"] in runs[run] and row["decks"] == sample]
        return average([Estimate.from_cells(row, "mana_r", n=row["n"]) for row in own])

    for sample in (_RANDOM, _ELITES):
        for title, low in published.get("low_mana", {}).items():
            claims = [
                Claim(f"{run}: cheap decks do better", f"r, {sample}", of(run, sample), "below")
                for run in low
                if run in runs
            ]
            yield Finding(f"{title} ({sample})", tuple(claims))
        for title, pairs in published.get("stronger", {}).items():
            claims = [
                Claim(
                    f"{one}: more so than {other}",
                    f"difference of r, {sample}",
                    difference(of(one, sample), of(other, sample)),
                    "below",
                )
                for one, others in pairs.items()
                for other in others
                if {one, other} <= {*runs}
            ]
            yield Finding(f"{title} ({sample})", tuple(claims))


def _table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple(
        (
            row["map"],
            row["decks"],
            f"{row['n']:,}",
            Estimate.from_cells(row, "mana_r", n=row["n"]).text(),
            f"{row['mana_slope']:.2f}",
            Estimate.from_cells(row, "variance_r", n=row["n"]).text(),
        )
        for row in rows
    )
    columns = ("map", "decks", "n", "r of mana [95 %]", "slope", "r of variance [95 %]")
    return TextTable("Mana costs and health difference", columns, lines)


def _draw(figure: "Figure", rows: Sequence[Mapping[str, Any]]) -> None:
    maps = list(dict.fromkeys(row["map"] for row in rows))
    figure.set_size_inches(8, 1.4 + 0.5 * len(maps))
    axes = figure.add_subplot()
    for number, sample in enumerate((_RANDOM, _EVALUATED, _ELITES)):
        own = {row["map"]: row for row in rows if row["decks"] == sample}
        for place, name in enumerate(maps):
            row, y = own[name], place + 0.2 * (number - 1)
            if row["mana_r_low"] is not None:
                axes.plot([row["mana_r_low"], row["mana_r_high"]], [y, y], color=colour(number), linewidth=1.6)
            label = sample if place == 0 else None
            axes.plot(row["mana_r"], y, marker(number), color=colour(number), markersize=6, label=label)
    axes.axvline(0, color="#999999", linewidth=1)
    quiet(axes, title="", x="correlation of mean mana cost and health difference (lines: 95 %)", y="")
    axes.set_yticks(range(len(maps)), maps)
    axes.invert_yaxis()
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="lower left", bbox_to_anchor=(0, 1.0))
