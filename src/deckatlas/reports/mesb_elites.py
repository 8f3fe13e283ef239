"""Elites of maps in the space of mana curves: where they are, and how well they do there."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.reports.columns import column_name
from deckatlas.reports.kind import Report, TextTable
from deckatlas.reports.map_figures import colour_bar, draw_grid, scatter_elites
from deckatlas.reports.map_grid import grids
from deckatlas.reports.mesb_maps import MANA, VARIANCE, MapReport, of_elites
from deckatlas.reports.scale import Scale
from deckatlas.reports.study import Study
from deckatlas.runs.map_export import elite_row
from deckatlas.runs.map_view import MapView

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # an extra
    from matplotlib.figure import Figure


class Elites(MapReport):
    """All elites by mean and variance of their mana costs, darker where they do better."""

    kind: Literal["elites"] = "elites"
    columns: int = Field(default=3, ge=1, le=10, description="Panels beside each other.")
    best_share: float = Field(
        default=0.1, gt=0, le=1, description="Which share of the elites is taken for the best of a map."
    )

    def report(self, study: Study) -> Report:
        """A panel a map, and what the best of each have in common."""
        views = self.views(study)
        elites = [
            {"map": name, MANA: elite.columns[MANA], VARIANCE: elite.columns[VARIANCE], **elite_row(view, elite)}
            for name, view in views.items()
            for elite in view.elites()
        ]
        rows = [self._summary(name, view) for name, view in views.items()]
        first = next(iter(views.values()))

        notes = (
            f"A point or cell is an elite, lighter where its {column_name(first.objective)} is greater, by a scale of "
            "its own in each panel; cells have their true boundaries, those without an elite are hatched. Elites have "
            "been chosen by the very games that rate them, so that the best are rated too well.",
            f"The best are the best {100 * self.best_share:g} % of a map's elites. A mana cost is that of a card, a "
            "variance that over the 30 cards of a deck. ± is the standard error over decks, as if these were "
            "independent, which decks of one search are not.",
        )
        figures = {
            "elites": lambda figure: _draw(figure, views, self.columns, _draw_points, alike=True),
            "map": lambda figure: _draw(figure, views, self.columns, _draw_cells, alike=False),
        }
        return Report({"maps": rows, "elites": elites}, (_table(rows),), notes, figures)

    def _summary(self, name: str, view: MapView) -> dict[str, Any]:
        order = np.argsort(-of_elites(view, view.objective), kind="stable")
        best = order[: max(1, round(self.best_share * len(order)))]
        found = view.elites()[0]
        row: dict[str, Any] = {
            "map": name,
            "elites": len(order),
            "best": found.objective.value,
            "best_low": found.objective.low,
            "best_high": found.objective.high,
            "best_win_rate": float(of_elites(view, "win_rate").max()),
            "games": found.games,
            "best_elites": len(best),
        }
        for column in (MANA, VARIANCE):
            values = of_elites(view, column)
            for title, chosen in (("of_best", best), ("of_all", order)):
                sample = values[chosen]
                row[f"{column}_{title}"] = float(sample.mean())
                spread = sample.std(ddof=1) / len(sample) ** 0.5 if len(sample) > 1 else None
                row[f"{column}_{title}_error"] = None if spread is None else float(spread)
        return row


def _table(rows: list[dict[str, Any]]) -> TextTable:
    def text(row: Mapping[str, Any], column: str) -> str:
        error = row[f"{column}_error"]
        return f"{row[column]:.2f}" + ("" if error is None else f" ±{error:.2f}")

    keys = [f"{column}_{title}" for column in (MANA, VARIANCE) for title in ("of_best", "of_all")]
    lines = tuple(
        (
            row["map"],
            f"{row['elites']:,}",
            f"{row['best']:.2f} [{row['best_low']:.2f}, {row['best_high']:.2f}]",
            *(text(row, key) for key in keys),
        )
        for row in rows
    )
    columns = ("map", "elites", "best [95 %]", "mana, best", "mana, all", "variance, best", "variance, all")
    return TextTable("Elites in the space of mana curves", columns, lines)


DrawPanel = Callable[["Axes", MapView, Scale], None]


def _draw_points(axes: "Axes", view: MapView, scale: Scale) -> None:
    scatter_elites(axes, view, scale)


def _draw_cells(axes: "Axes", view: MapView, scale: Scale) -> None:
    draw_grid(axes, grids(view.archive, view.measures)[0], scale)


def _draw(figure: "Figure", views: Mapping[str, MapView], columns: int, draw_panel: DrawPanel, *, alike: bool) -> None:
    """Draws a panel a map; with axes that are alike in all, or with those that each map has."""
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
