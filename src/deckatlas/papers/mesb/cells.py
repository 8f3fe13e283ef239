"""Boundaries in the space of measures: evenly spaced ones, and the sliding boundaries of a map."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.papers.mesb.maps import Floats, MapReport
from deckatlas.runs.view import RunView
from deckatlas.search.archive_options import SlidingOptions
from deckatlas.search.cells import Cells
from deckatlas.views.columns import column_name
from deckatlas.views.figures import colour, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_EVEN, _FIXED, _SLIDING = "spaced evenly", "fixed before the search", "slid to the decks"

Ranges = tuple[tuple[float, float], ...]


class MapCells(MapReport):
    """All evaluated decks of a map with two measures, with evenly spaced boundaries and with its own."""

    kind: Literal["map-cells"] = "map-cells"
    ranges: tuple[tuple[float, float], tuple[float, float]] | None = Field(
        default=None,
        description="[low, high] of each measure, for evenly spaced boundaries that do not depend on the decks.",
    )

    @model_validator(mode="after")
    def _ranges_have_room(self) -> Self:
        for low, high in self.ranges or ():
            if not low < high:
                raise ValueError(f"ranges must be [low, high] with low below high, not [{low:g}, {high:g}]")
        return self

    def report(self, study: Study) -> Report:
        """One panel per map and kind of boundaries, and the occupation of the cells."""
        views = self.views(study)
        drawn: dict[str, dict[str, Cells]] = {}
        for name, view in views.items():
            if not isinstance(view.options, SlidingOptions) or len(view.measures) != 2:
                raise RunError(f"{view.path} is not a map with sliding boundaries and two measures")
            drawn[name] = {_EVEN: even_cells(view)}
            drawn[name] |= {} if self.ranges is None else {_FIXED: even_cells(view, self.ranges)}
            drawn[name] |= {_SLIDING: view.archive.cells}
        rows = [
            {"map": name, "boundaries": title, **occupation(cells, views[name].archive.measures)}
            for name, of_map in drawn.items()
            for title, cells in of_map.items()
        ]
        edges = [
            {"map": name, "boundaries": title, "measure": measure, "number": number, "value": float(value)}
            for name, of_map in drawn.items()
            for title, cells in of_map.items()
            for measure, values in zip(views[name].measures, cells.boundaries, strict=True)
            for number, value in enumerate(values)
        ]
        notes = (
            "All have the same number of cells along each measure; evenly spaced ones lie between the lowest and the "
            f"highest value of an evaluated deck{_ranges_in_words(self.ranges)}. `fullest` is the share of all decks "
            "in the fullest cell. `effective` is the number of equally full cells with the same entropy (the "
            "exponential of the entropy).",
        )
        figures = {"boundaries": lambda figure: _draw(figure, views, drawn)}
        return Report({"cells": rows, "edges": edges}, (_table(rows),), (self.budget(study), *notes), figures)


def even_cells(view: RunView, ranges: Ranges | None = None) -> Cells:
    """The same number of cells as a map has, spaced evenly over its evaluated decks, or over ranges."""
    if ranges is None:
        ranges = tuple((values.min(), values.max()) for values in view.archive.measures.T)
    counts = view.archive.cells.shape
    return Cells(tuple(np.linspace(low, high, n + 1) for (low, high), n in zip(ranges, counts, strict=True)), "right")


def _ranges_in_words(ranges: Ranges | None) -> str:
    if ranges is None:
        return ""
    words = " x ".join(f"[{low:g}, {high:g}]" for low, high in ranges)
    return f"; those fixed before the search lie evenly in {words}, and decks outside count in the cells at the border"


def occupation(cells: Cells, measures: Floats) -> dict[str, Any]:
    """The occupation of cells by evaluated decks."""
    counts = np.bincount(cells.numbers(measures), minlength=cells.count)
    shares = counts[counts > 0] / counts.sum()
    return {
        "decks": int(counts.sum()),
        "cells": cells.count,
        "occupied": int((counts > 0).sum()),
        "fullest": float(shares.max()),
        "effective": float(np.exp(-(shares * np.log(shares)).sum())),
    }


def _table(rows: list[dict[str, Any]]) -> TextTable:
    lines = tuple(
        (
            row["map"],
            row["boundaries"],
            f"{row['decks']:,}",
            str(row["cells"]),
            f"{row['occupied']} ({100 * row['occupied'] / row['cells']:.0f} %)",
            f"{row['effective']:.0f}",
            f"{100 * row['fullest']:.2f}",
        )
        for row in rows
    )
    columns = ("map", "boundaries", "decks", "cells", "occupied", "effective", "fullest %")
    return TextTable("Cells that evaluated decks are in", columns, lines)


def _draw(figure: "Figure", views: Mapping[str, RunView], drawn: Mapping[str, Mapping[str, Cells]]) -> None:
    columns = len(next(iter(drawn.values())))
    figure.set_size_inches(4.8 * columns, 0.3 + 4.4 * len(views))
    panels = figure.subplots(len(views), columns, sharex="row", sharey="row", squeeze=False)
    for line, (name, view) in zip(panels, views.items(), strict=True):
        x, y = view.archive.measures.T
        for panel, (title, cells) in zip(line, drawn[name].items(), strict=True):
            along, up = cells.boundaries
            panel.scatter(x, y, s=6, alpha=0.4, color=colour(5), linewidths=0)
            panel.vlines(along, up[0], up[-1], color="#333333", linewidth=0.5)
            panel.hlines(up, along[0], along[-1], color="#333333", linewidth=0.5)
            quiet(panel, title=f"{name}: {title}", x=column_name(view.measures[0]), y=column_name(view.measures[1]))
            panel.grid(visible=False)
            panel.label_outer()
