"""Elites of maps in the space of mana curves: their places and their quality."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck, some_of, tables, under_any_name
from deckatlas.experiments.study import Study
from deckatlas.papers.mesb.maps import MANA, VARIANCE, MapReport, deck_run_of, of_elites
from deckatlas.runs.export import elite_row
from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import average, difference, mean_interval
from deckatlas.views.columns import column_name
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


class Elites(MapReport):
    """All elites by their mana costs; better ones are lighter."""

    kind: Literal["elites"] = "elites"
    columns: int = Field(default=3, ge=1, le=10, description="The number of panels side by side.")
    best_share: float = Field(
        default=0.1, gt=0, le=1, description="The share of the elites that counts as the best of a map."
    )

    def report(self, study: Study) -> Report:
        """One panel per map, and the mana costs of the best elites of each."""
        views = self.views(study)
        elites = [
            {"map": name, MANA: elite.columns[MANA], VARIANCE: elite.columns[VARIANCE], **elite_row(view, elite)}
            for name, view in views.items()
            for elite in view.elites()
        ]
        rows = [self._summary(name, view) for name, view in views.items()]
        strategies = list(_strategies(views, rows))
        findings = list(_findings(self.runs_of_views(study), rows, study.published))
        first = next(iter(views.values()))

        notes = (
            f"A point or cell is an elite; the greater its {column_name(first.objective)}, the lighter it is. Each "
            "panel has its own colour scale. Cells have their true boundaries; cells without an elite are hatched. The "
            "games that rate elites also selected them, so the best are rated too high.",
            f"The best are the best {100 * self.best_share:g} % of a map's elites. A mana cost is the mean over the 30 "
            "cards of a deck, a variance is over the same cards. Intervals of means are over decks, as if these were "
            "independent. Decks of one search are not independent: other runs of the same search differ by more.",
            "A strategy is a pilot; all of its maps have the same weight.",
        )
        figures = {
            "elites": lambda figure: _draw(figure, views, self.columns, _draw_points, alike=True),
            "map": lambda figure: _draw(figure, views, self.columns, _draw_cells, alike=False),
        }
        shown = (_table(rows), _strategies_table(strategies))
        written = {"maps": rows, "strategies": strategies, "elites": elites}
        return with_findings(Report(written, shown, (self.budget(study), *notes), figures), findings)

    def published_checks(self, runs: Collection[str]) -> Mapping[str, PublishedCheck]:
        """Checks of the published maps whose best decks cost less than their others, or less than those of others."""
        pairs = tables(dict.fromkeys(runs, some_of(runs)))
        return {"low_mana": under_any_name(some_of(runs)), "lower_mana": under_any_name(pairs)}

    def _summary(self, name: str, view: RunView) -> dict[str, Any]:
        order = np.argsort(-of_elites(view, view.objective), kind="stable")
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
        return row


def _strategies(views: Mapping[str, RunView], rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The mana costs of the elites of all maps of each pilot."""
    pilots = {name: deck_run_of(view).evaluation.pilot for name, view in views.items()}
    for pilot in dict.fromkeys(pilots.values()):
        own = [row for row in rows if pilots[row["map"]] == pilot]
        line: dict[str, Any] = {"pilot": pilot, "maps": len(own), "elites": sum(row["elites"] for row in own)}
        for key in _MEANS:
            line |= average([_mean(row, key) for row in own]).cells(key)
        yield line


def _mean(row: Mapping[str, Any], key: str) -> Estimate:
    """A mean from a map's row, with the number of decks behind it."""
    best, decks = row["best_elites"], row["elites"]
    n = best if key.endswith("of_best") else decks - best if key.endswith("of_others") else decks
    return Estimate.from_cells(row, key, n=n)


def _findings(
    runs: Mapping[str, Sequence[str]], rows: Sequence[Mapping[str, Any]], published: Mapping[str, Any]
) -> Iterator[Finding]:
    """The published findings about the maps shown; for a repeated map, about the mean of its runs."""

    def of(run: str, key: str) -> Estimate:
        return average([_mean(row, f"{MANA}_{key}") for row in rows if row["map"] in runs[run]])

    has_others = {run for run in runs if all(f"{MANA}_of_others" in row for row in rows if row["map"] in runs[run])}
    for title, low in published.get("low_mana", {}).items():
        found = {run: difference(of(run, "of_best"), of(run, "of_others")) for run in low if run in has_others}
        claims = [Claim(f"{run}: the best cost less", "mana, best - others", found[run], "below") for run in found]
        yield Finding(title, tuple(claims))
    for title, pairs in published.get("lower_mana", {}).items():
        for key, words in (("of_best", "best elites"), ("of_all", "all elites")):
            claims = [
                Claim(f"{one} < {other}", f"mana of {words}", difference(of(one, key), of(other, key)), "below")
                for one, others in pairs.items()
                for other in others
                if {one, other} <= {*runs}
            ]
            yield Finding(f"{title} ({words})", tuple(claims))


def _table(rows: list[dict[str, Any]]) -> TextTable:
    lines = tuple(
        (
            row["map"],
            f"{row['elites']:,}",
            Estimate.from_cells(row, "best", n=row["games"]).text(),
            *(_mean(row, key).text() for key in _MEANS),
        )
        for row in rows
    )
    return TextTable(
        "Elites by their mana costs [95 %]", ("map", "elites", "best health difference", *_MEANS.values()), lines
    )


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
        colour_bar(figure, scale, view.objective, [panel])
        if alike:
            panel.label_outer()
    for panel in panels[len(views) :]:
        panel.set_visible(False)
