"""Elites of maps in the space of mana curves: their places and their quality."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.experiments.findings import with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck
from deckatlas.experiments.study import Study
from deckatlas.papers.mesb.elite_claims import CORRELATION, EliteClaims, mean_of, published_checks, third_rows
from deckatlas.papers.mesb.maps import MANA, VARIANCE, MapReport, deck_run_of, of_elites
from deckatlas.runs.export import elite_row
from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import average, mean_interval
from deckatlas.stats.samples import bootstrapped_correlation
from deckatlas.views.columns import column_name
from deckatlas.views.map_colours import searched
from deckatlas.views.map_figures import colour_bar, draw_grid, scatter_elites
from deckatlas.views.map_grid import grids
from deckatlas.views.scale import Scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # an extra
    from matplotlib.figure import Figure

_MEANS = {
    f"{MANA}_of_best": "mana, best",
    f"{MANA}_of_all": "mana, all",
    f"{VARIANCE}_of_best": "variance, best",
    f"{VARIANCE}_of_all": "variance, all",
}
_BY_VARIANCE = {"quality": "all", "low_variance": "low variance", "high_variance": "high variance"}


class Elites(MapReport):
    """All elites by their mana costs; better ones are lighter."""

    kind: Literal["elites"] = "elites"
    columns: int = Field(default=3, ge=1, le=10, description="The number of panels side by side.")
    best_share: float = Field(
        default=0.1, gt=0, le=1, description="The share of the elites that counts as the best of a map."
    )

    samples: int = Field(default=2000, ge=10, le=100_000, description="Bootstrap samples for correlations.")

    def report(self, study: Study) -> Report:
        """One panel per map, and the mana costs of the best elites of each."""
        views = self.views(study)
        elites = [
            {"map": name, MANA: elite.columns[MANA], VARIANCE: elite.columns[VARIANCE], **elite_row(view, elite)}
            for name, view in views.items()
            for elite in view.elites()
        ]
        rows = [self._summary(name, view, study.rng(f"elites {name}")) for name, view in views.items()]
        thirds = [row for name, view in views.items() for row in third_rows(name, view)]
        strategies = list(_strategies(views, rows))
        claims = EliteClaims(self.runs_of_views(study), rows, thirds)
        findings = list(claims.findings(study.published))
        first = next(iter(views.values()))

        notes = (
            f"A point or cell is an elite; the greater its {column_name(first.objective)}, the lighter it is. Each "
            "panel has its own colour scale. Cells have their true boundaries; cells without an elite are hatched. The "
            "games that rate elites also selected them, so the best are rated too high.",
            f"The best are the best {100 * self.best_share:g} % of a map's elites. A mana cost is the mean over the 30 "
            "cards of a deck, a variance is over the same cards. Intervals of means are over decks, as if these were "
            "independent. Decks of one search are not independent: other runs of the same search differ by more.",
            "A strategy is a pilot; all of its maps have the same weight.",
            "Thirds of the elites are by their mana costs, and each third has a half of low and one of high variance. "
            f"`r of mana` is Pearson's correlation of mana costs and {column_name(first.objective)} over elites, with "
            "an interval from a bootstrap of elites.",
        )
        figures = {
            "elites": lambda figure: _draw(figure, views, self.columns, _draw_points, alike=True),
            "map": lambda figure: _draw(figure, views, self.columns, _draw_cells, alike=False),
        }
        shown = (_table(rows), _strategies_table(strategies), _thirds_table(thirds))
        written = {"maps": rows, "strategies": strategies, "thirds": thirds, "elites": elites}
        return with_findings(Report(written, shown, (self.budget(study), *notes), figures), findings)

    def published_checks(self, runs: Collection[str]) -> Mapping[str, PublishedCheck]:
        """Checks of the published claims about maps and their mana costs."""
        return published_checks(runs)

    def _summary(self, name: str, view: RunView, rng: np.random.Generator) -> dict[str, Any]:
        quality = of_elites(view, view.objective)
        order = np.argsort(-quality, kind="stable")
        best = order[: max(1, round(self.best_share * len(order)))]
        found = view.elites()[0]
        row: dict[str, Any] = {
            "map": name,
            "elites": len(order),
            **found.objective.cells("best"),
            "best_win_rate": float(of_elites(view, "win_rate").max()),
            "games": found.games,
            "best_elites": len(best),
        }
        parts = {"of_best": best, "of_others": order[len(best) :], "of_all": order}
        for column in (MANA, VARIANCE):
            values = of_elites(view, column)
            for title, chosen in parts.items():
                if len(chosen):
                    row |= mean_interval(values[chosen]).cells(f"{column}_{title}")
        found_r = bootstrapped_correlation(of_elites(view, MANA), quality, rng, samples=self.samples)
        return row | found_r.cells(CORRELATION)


def _strategies(views: Mapping[str, RunView], rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The mana costs of the elites of all maps of each pilot."""
    pilots = {name: deck_run_of(view).evaluation.pilot for name, view in views.items()}
    for pilot in dict.fromkeys(pilots.values()):
        own = [row for row in rows if pilots[row["map"]] == pilot]
        line: dict[str, Any] = {"pilot": pilot, "maps": len(own), "elites": sum(row["elites"] for row in own)}
        for key in _MEANS:
            line |= average([mean_of(row, key) for row in own]).cells(key)
        yield line


def _table(rows: list[dict[str, Any]]) -> TextTable:
    lines = tuple(
        (
            row["map"],
            f"{row['elites']:,}",
            Estimate.from_cells(row, "best", n=row["games"]).text(),
            *(mean_of(row, key).text() for key in (*_MEANS, CORRELATION)),
        )
        for row in rows
    )
    columns = ("map", "elites", "best health difference", *_MEANS.values(), "r of mana")
    return TextTable("Elites by their mana costs [95 %]", columns, lines)


def _strategies_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple(
        (
            row["pilot"],
            str(row["maps"]),
            f"{row['elites']:,}",
            *(Estimate.from_cells(row, key, n=row["maps"]).text() for key in _MEANS),
        )
        for row in rows
    )
    return TextTable("Mana costs by strategy [95 %]", ("pilot", "maps", "elites", *_MEANS.values()), lines)


def _thirds_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple(
        (
            row["map"],
            row["third"],
            str(row["elites"]),
            f"{row['mana_from']:.2f} to {row['mana_to']:.2f}",
            Estimate.from_cells(row, "win_rate", n=row["elites"]).text(1),
            *(Estimate.from_cells(row, key, n=row["elites"]).text() for key in _BY_VARIANCE),
        )
        for row in rows
    )
    columns = ("map", "third", "elites", "mana", "win rate %", *_BY_VARIANCE.values())
    return TextTable("Elites by thirds of their mana costs: win rate and health difference [95 %]", columns, lines)


DrawPanel = Callable[["Axes", RunView, Scale], None]


def _draw_points(axes: "Axes", view: RunView, scale: Scale) -> None:
    scatter_elites(axes, view, scale)


def _draw_cells(axes: "Axes", view: RunView, scale: Scale) -> None:
    draw_grid(axes, grids(view.archive, view.measures)[0], scale)


def _draw(figure: "Figure", views: Mapping[str, RunView], columns: int, draw_panel: DrawPanel, *, alike: bool) -> None:
    """Draws one panel per map, with the same axes in all panels (`alike`) or with the axes of each map."""
    columns = min(columns, len(views))
    lines = -(-len(views) // columns)
    figure.set_size_inches(1.0 + 4.3 * columns, 0.6 + 3.3 * lines)
    panels = figure.subplots(lines, columns, sharex=alike, sharey=alike, squeeze=False).ravel()
    for panel, (name, view) in zip(panels, views.items(), strict=False):
        scale = Scale.over(view.archive.objectives[view.archive.elites])
        draw_panel(panel, view, scale)
        panel.set_title(name, loc="left", fontsize=11)
        colour_bar(figure, scale, searched(view.objective), [panel])
        if alike:
            panel.label_outer()
    for panel in panels[len(views) :]:
        panel.set_visible(False)
