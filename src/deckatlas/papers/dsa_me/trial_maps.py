"""Heat maps of one trial of each algorithm, all in the same colours: figure 3."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.papers.budget import budget_note
from deckatlas.papers.dsa_me.trials import TrialsReport
from deckatlas.runs.view import RunView
from deckatlas.views.map_colours import OBJECTIVE, scale_of, searched
from deckatlas.views.map_figures import colour_bar, draw_grid
from deckatlas.views.map_grid import grids

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra


class TrialMaps(TrialsReport):
    """The final archive of one trial of each algorithm."""

    kind: Literal["trial-maps"] = "trial-maps"
    trial: int = Field(default=1, ge=1, le=1000, description="The number of the trial shown.")

    def report(self, study: Study) -> Report:
        """One panel per algorithm, and all elites as rows."""
        views = {name: self._chosen(name, of_name) for name, of_name in self.trials(study).items()}
        summaries = [_summary(name, view) for name, view in views.items()]
        elites = [row for name, view in views.items() for row in _elite_rows(name, view)]
        notes = (
            f"Trial {self.trial} of each, by the games of its search. All panels have the same colours. Cells without "
            "an elite are hatched; cells that cannot be reached by the published binning are blank.",
        )
        return Report(
            {"maps": summaries, "elites": elites},
            (_table(summaries),),
            (budget_note(study), *notes),
            {"maps": lambda figure: _draw(figure, views)},
        )

    def _chosen(self, name: str, views: tuple[RunView, ...]) -> RunView:
        if self.trial > len(views):
            raise RunError(f"{name} has no trial {self.trial}, only {len(views)}")
        return views[self.trial - 1]


def _summary(name: str, view: RunView) -> dict[str, Any]:
    now = view.statistics
    lows, highs = view.archive.measures.min(axis=0), view.archive.measures.max(axis=0)
    row: dict[str, Any] = {
        "algorithm": name,
        "elites": now.elites,
        "cells": now.cells,
        "reachable": now.reachable,
        "best": now.best,
        "mean": now.mean,
        "qd_score": now.qd_score,
    }
    for measure, low, high in zip(view.measures, lows.tolist(), highs.tolist(), strict=True):
        row |= {f"{measure}_from": low, f"{measure}_to": high}
    return row


def _elite_rows(name: str, view: RunView) -> list[dict[str, Any]]:
    return [
        {
            "algorithm": name,
            **{f"cell_{number + 1}": index for number, index in enumerate(elite.cell)},
            **elite.measures,
            **elite.objective.cells(view.objective),
            "games": elite.games,
        }
        for elite in view.elites()
    ]


def _table(rows: list[dict[str, Any]]) -> TextTable:
    lines = tuple(
        (
            row["algorithm"],
            f"{row['elites']} of {row['reachable']:,}",
            f"{row['best']:.2f}",
            f"{row['mean']:.2f}",
            f"{row['qd_score']:.1f}",
        )
        for row in rows
    )
    columns = ("algorithm", "elites of cells that can be reached", "best", "mean of elites", "QD score")
    return TextTable("The maps that are shown", columns, lines)


def _draw(figure: "Figure", views: Mapping[str, RunView]) -> None:
    columns = 2
    rows = -(-len(views) // columns)
    figure.set_size_inches(10.6, 0.4 + 4.2 * rows)
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).ravel()
    scale = scale_of(list(views.values()), OBJECTIVE)
    for panel, (name, view) in zip(panels, views.items(), strict=False):
        (grid,) = grids(view.archive, view.measures)
        draw_grid(panel, grid, scale)
        panel.set_title(f"{name}: {view.statistics.elites} elites", loc="left", fontsize=11)
        panel.label_outer()
    for panel in panels[len(views) :]:
        panel.set_visible(False)
    colour_bar(figure, scale, searched(next(iter(views.values())).objective), list(panels))
