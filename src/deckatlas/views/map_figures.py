"""Figures of maps: the map itself, how it grew, its elites, and what a recheck found.

Each function draws on axes, or on an empty figure of matplotlib, which is an extra; none uses `matplotlib.pyplot`.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.search.archive_statistics import Scoring
from deckatlas.search.evaluation import Floats
from deckatlas.stats.estimate import Estimate
from deckatlas.views.columns import column_name
from deckatlas.views.figures import colour, quiet
from deckatlas.views.map_curves import Band, GrowthCurve, band_of
from deckatlas.views.map_grid import Axis, Grid, grids
from deckatlas.views.figures import BLACK, GREY
from deckatlas.views.scale import Scale, colour_map

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

_SHADE = "#f3f3f3"  # behind cells without an elite
_HATCH = "#d0d0d0"
_MOST_TICKS = 11
PANEL = 4.2  # inches


# The map itself


def draw_map(figure: "Figure", view: RunView, *, equal: bool = False) -> None:
    """Draws the map with its true boundaries, or with all cells of one size.

    A map of one measure is a strip; one of more than two is drawn for each pair of them, with the best of all cells
    that differ in the others alone.
    """
    found = grids(view.archive, view.measures)
    columns = min(len(found), 3)
    rows = -(-len(found) // columns)
    strip = len(view.measures) == 1
    figure.set_size_inches(1.6 + (PANEL + 0.8) * columns, 2.4 if strip else 0.6 + PANEL * rows)
    scale = Scale.over(view.archive.objectives[view.archive.elites])
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes, grid in zip(panels, found, strict=False):
        draw_grid(axes, grid, scale, equal=equal)
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    colour_bar(figure, scale, view.objective, list(panels))
    now = view.statistics
    panels[0].set_title(f"{view.name}: {now.elites:,} elites in {now.cells:,} cells", loc="left", fontsize=11)


def draw_grid(axes: "Axes", grid: Grid, scale: Scale, *, equal: bool = False) -> None:
    """Draws cells in the colours of their elites; those without one are hatched, those out of reach blank."""
    from matplotlib.patches import Rectangle  # an extra, and slow to import

    x, y = (axis.places(equal=equal) for axis in (grid.x, grid.y))
    size = x[-1] - x[0], y[-1] - y[0]
    axes.add_patch(Rectangle((x[0], y[0]), *size, facecolor=_SHADE, edgecolor=_HATCH, hatch="////", linewidth=0))
    filled = np.ma.masked_invalid(grid.objectives.T)
    mesh = axes.pcolormesh(x, y, filled, cmap=colour_map(), vmin=scale.low, vmax=scale.high)
    mesh.set(edgecolors="white", linewidth=0.3, antialiased=True)  # else lines would be wider than narrow cells
    for column in np.flatnonzero(~grid.x.reachable):
        axes.axvspan(x[column], x[column + 1], facecolor="white", linewidth=0)
    for row in np.flatnonzero(~grid.y.reachable):
        axes.axhspan(y[row], y[row + 1], facecolor="white", linewidth=0)
    axes.set_xlim(x[0], x[-1])
    axes.set_ylim(y[0], y[-1])
    axes.set_xlabel(column_name(grid.x.name))
    if equal:
        axes.set_xticks(*_equal_ticks(grid.x))
        axes.tick_params(axis="x", rotation=90)
        axes.set_yticks(*_equal_ticks(grid.y))
    axes.set_ylabel(column_name(grid.y.name))
    if not grid.y.name:
        axes.set_yticks([])
    axes.spines[:].set_visible(False)


def _equal_ticks(axis: Axis) -> tuple[list[int], list[str]]:
    """Boundaries where cells are of one size, as many as can be read."""
    places = axis.some_boundaries(_MOST_TICKS)
    return places, [f"{axis.edges[place]:.4g}" for place in places]


def colour_bar(figure: "Figure", scale: Scale, objective: str, axes: Sequence["Axes"]) -> None:
    """Says which colour is which objective."""
    bar = figure.colorbar(_mappable(scale), ax=list(axes), shrink=0.9, pad=0.02)
    bar.set_label(column_name(objective))
    bar.outline.set_visible(False)


def _mappable(scale: Scale) -> "ScalarMappable":
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    return ScalarMappable(Normalize(scale.low, scale.high), colour_map())


# How it grew


def draw_curves(
    figure: "Figure", series: Mapping[str, Sequence[GrowthCurve]], *, objective: str, scoring: Scoring
) -> None:
    """Draws best and mean, win rates, QD score, elites among cells, and coverage over evaluations.

    Args:
        figure: Where to.
        series: The curves of all trials, by the name of what they are trials of.
        objective: What the elites are best in.
        scoring: How they count in the QD score.
    """
    below = max(curve.numbers["below_offset"].max() for curves in series.values() for curve in curves)
    lowered = f"\n(up to {below:,.0f} elites below the offset)" if below else ""
    score = f"QD score: sum of\n{scoring.in_words(column_name(objective))}{lowered}"
    possible: list[tuple[str, tuple[str, ...]]] = [
        (f"{column_name(objective)} of the elites", ("best", "mean")),
        ("win rate of the elites", ("best_win_rate", "mean_win_rate")),
        (score, ("qd_score",)),
        ("elites (grey: cells)", ("elites", "cells")),
        ("coverage", ("coverage",)),
    ]
    known = set.intersection(*({*curve.numbers} for curves in series.values() for curve in curves))
    shown = [(title, names) for title, names in possible if {*names} <= known]
    columns = 3 if len(shown) > 4 else 2
    figure.set_size_inches(4.2 * columns, 6.6)
    panels = figure.subplots(2, columns).ravel()
    for axes, (title, names) in zip(panels, shown, strict=False):
        for number, (name, curves) in enumerate(series.items()):
            for style, column in zip(("-", "--"), names, strict=False):
                label = f"{name}, {column.partition('_')[0]}" if len(names) > 1 else name
                look: dict[str, Any] = {"color": colour(number), "linestyle": style, "label": label}
                if column == "cells":
                    look |= {"color": GREY, "linestyle": "-", "drawstyle": "steps-post", "linewidth": 1.0}
                draw_band(axes, band_of(curves, column), **look)
        quiet(axes, title=title, x="", y="")
        axes.set_xlim(left=0)
        if title == "coverage":
            axes.set_ylim(0, 1.03)
    for axes in panels[len(shown) :]:
        axes.set_axis_off()
    figure.supxlabel("evaluations", fontsize=10)
    lines, labels = panels[0].get_legend_handles_labels()
    corner = len(shown) < len(panels)
    where = panels[-1] if corner else panels[0]
    trials = {name: len(curves) for name, curves in series.items()}
    several = max(trials.values()) > 1
    note = "bands: 95 %, over " + ", ".join(f"{n} trials of {name}" for name, n in trials.items()) if several else ""
    where.legend(lines, labels, loc="center left" if corner else "lower right", frameon=False, fontsize=9, title=note)


def draw_band(axes: "Axes", band: Band, *, color: str, **style: Any) -> None:
    """Draws a mean over trials in its band, which is not seen where there is one trial."""
    style.setdefault("linewidth", 1.8)
    axes.plot(band.evaluated, band.value, color=color, **style)
    axes.fill_between(band.evaluated, band.low, band.high, color=color, alpha=0.15, linewidth=0)


# Elites where they are


def draw_elites(figure: "Figure", view: RunView) -> None:
    """Draws the elites where their measures are, the first two, in the colours of their objectives."""
    figure.set_size_inches(PANEL + 2.4, PANEL + 0.4)
    scale = Scale.over(view.archive.objectives[view.archive.elites])
    axes = figure.subplots()
    scatter_elites(axes, view, scale)
    colour_bar(figure, scale, view.objective, [axes])


def scatter_elites(axes: "Axes", view: RunView, scale: Scale) -> None:
    """Draws the elites on axes; see `draw_elites`."""
    grids(view.archive, view.measures)  # says so where there are none
    x, y = first_two(view.measures)
    objectives = view.archive.objectives[view.archive.elites]
    order = np.argsort(objectives)  # the best on top
    elites = view.archive.elites[order]
    axes.scatter(
        view.log.column(x)[elites],
        view.log.column(y)[elites] if y else np.zeros(len(elites)),
        c=[scale.hex(value) for value in objectives[order]],
        s=34,
        edgecolors="#404040",
        linewidths=0.4,
    )
    quiet(axes, title=f"{view.name}: the elites", x=column_name(x), y=column_name(y))
    if not y:
        axes.set_yticks([])


def first_two(measures: Sequence[str]) -> tuple[str, str]:
    """What lies from left to right and what from bottom to top; the second is empty where there is one measure."""
    return measures[0], measures[1] if len(measures) > 1 else ""


# What a recheck found


def draw_recheck(figure: "Figure", view: RunView) -> None:
    """Draws the objective of every elite in the search against that on fresh games.

    Raises:
        RunError: If not all elites have played fresh games.
    """
    figure.set_size_inches(PANEL + 1.6, PANEL + 1.2)
    draw_rechecked(figure.subplots(), view)


def draw_rechecked(axes: "Axes", view: RunView) -> None:
    """Draws a recheck on axes; see `draw_recheck`."""
    found = view.recheck()
    if found is None:
        raise RunError(
            f"{view.name} has elites that were not played again: `deckatlas run FILE --recheck` does so"
        )
    before = view.archive.objectives[view.archive.elites]
    fresh, _ = view.rechecked(view.archive.elites.tolist())
    elites = {elite.number: elite for elite in view.elites()}
    shown = [elites[number] for number in view.archive.elites.tolist()]
    x, y = (_halves(rated) for rated in ([each.objective for each in shown], [each.rechecked for each in shown]))
    axes.errorbar(before, fresh, y, x, linestyle="none", color=GREY, alpha=0.15, linewidth=0.8)
    axes.scatter(before, fresh, s=16, color=colour(0), edgecolors="white", linewidths=0.3, zorder=3)
    both = np.concatenate([before, fresh])
    low, high = float(np.nanmin(both)), float(np.nanmax(both))
    pad = 0.05 * (high - low) or 1.0
    ends = np.array([low - pad, high + pad])
    axes.plot(ends, ends, color=BLACK, linewidth=1, linestyle="--", label="the same on fresh games")
    middle = float(before.mean()), float(np.nanmean(fresh))
    if np.isfinite(found.slope):
        line = middle[1] + found.slope * (ends - middle[0])
        axes.plot(ends, line, color=colour(1), linewidth=1.6, label=f"least squares, slope {found.slope:.2f}", zorder=4)
    axes.set_xlim(*ends)
    axes.set_ylim(*ends)
    axes.set_aspect("equal")
    change = f"{-found.optimism:+.2f} on fresh games, on average"
    name = column_name(view.objective)
    quiet(axes, title=f"{view.name}: {change}", x=f"{name} in the search", y=f"{name} on fresh games")
    axes.legend(frameon=False, fontsize=9, loc="upper left")


def _halves(rated: Sequence[Estimate | None]) -> Floats:
    """How far the intervals reach below and above; not a number where they have no ends."""
    ends = [(each.value - each.low, each.high - each.value) if each else (np.nan, np.nan) for each in rated]
    return np.array(ends).T
