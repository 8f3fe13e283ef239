"""Elites of maps in the space of mana curves: where they are, and how well they do there."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.reports.figures import quiet
from deckatlas.reports.kind import Report, TextTable
from deckatlas.reports.mesb_maps import MANA, VARIANCE, MapReport, of_elites
from deckatlas.reports.study import Study
from deckatlas.runs.map_export import elite_row
from deckatlas.runs.map_view import MapView

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra


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

        def draw(figure: "Figure") -> None:
            _draw(figure, views, self.columns)

        objective = next(iter(views.values())).objective
        notes = (
            f"A point is an elite, darker where {objective} is greater, by a scale of its own in each panel. Elites "
            "have been chosen by the very games that rate them, so that the best are rated too well.",
            f"The best are the best {100 * self.best_share:g} % of a map's elites. A mana cost is that of a card, a "
            "variance that over the 30 cards of a deck. ± is the standard error over decks, as if these were "
            "independent, which decks of one search are not.",
        )
        return Report({"maps": rows, "elites": elites}, (_table(rows),), notes, {"elites": draw})

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


def _draw(figure: "Figure", views: Mapping[str, MapView], columns: int) -> None:
    columns = min(columns, len(views))
    lines = -(-len(views) // columns)
    figure.set_size_inches(1.0 + 3.9 * columns, 0.6 + 3.1 * lines)
    panels = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    for panel in panels.ravel()[len(views) :]:
        panel.set_visible(False)
    for number, (panel, (name, view)) in enumerate(zip(panels.ravel(), views.items(), strict=False)):
        objective = of_elites(view, view.objective)
        order = np.argsort(objective)  # the best above the others
        points = panel.scatter(
            of_elites(view, MANA)[order],
            of_elites(view, VARIANCE)[order],
            c=objective[order],
            cmap="viridis_r",
            s=22,
            linewidths=0.3,
            edgecolors="white",
        )
        last_line, first_column = number >= len(views) - columns, number % columns == 0
        x = "mean mana cost" if last_line else ""
        quiet(panel, title=name, x=x, y="variance of mana costs" if first_column else "")
        figure.colorbar(points, ax=panel, label=view.objective.replace("_", " "))
