"""Figures of maps: the map itself, its growth, its elites, and its recheck.

Each function draws on axes, or on an empty figure of matplotlib, which is an extra; none uses `matplotlib.pyplot`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.view import RunView
from deckatlas.search.archive_statistics import Scoring
from deckatlas.search.evaluation import Floats
from deckatlas.stats.estimate import Estimate
from deckatlas.views.columns import axis_name, column_name
from deckatlas.views.figures import BLACK, GREY, colour, quiet
from deckatlas.views.map_colours import OBJECTIVE, colouring_of, copies_of, scale_of, searched
from deckatlas.views.map_curves import ENOUGH_TRIALS, Band, GrowthCurve, band_of, curve_bounds, range_of
from deckatlas.views.map_filling import elites_at
from deckatlas.views.map_grid import Axis, Grid, grids
from deckatlas.views.scale import Scale, colour_map

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure, SubFigure

_SHADE = "#f3f3f3"  # behind cells without an elite
_HATCH = "#d0d0d0"
_MOST_TICKS = 11
_MOST_COLUMNS = 3  # panels beside each other
_STYLES: tuple[Literal["-"], Literal["--"]] = ("-", "--")  # of the best and the mean
PANEL = 4.2  # inches
_STRIP = 3.2  # inches: the height of a map of one measure


Canvas: TypeAlias = "Figure | SubFigure"
Size = tuple[float, float]


# The map itself


def map_size(view: RunView) -> Size:
    """The width and height of a picture of the map, in inches."""
    pairs = len(view.measures) * (len(view.measures) - 1) // 2
    columns = min(max(pairs, 1), _MOST_COLUMNS)
    rows = -(-max(pairs, 1) // columns)
    return 1.6 + (PANEL + 0.8) * columns, _STRIP if len(view.measures) == 1 else 0.8 + PANEL * rows


def draw_map(
    canvas: Canvas,
    view: RunView,
    *,
    scale: Scale | None = None,
    equal: bool = False,
    shown: str = OBJECTIVE,
    at: int | None = None,
    card: str = "",
) -> None:
    """Draws the map with its true boundaries, or with all cells of one size.

    A map of one measure is a strip. A map of more than two is drawn once for each pair of measures; a cell then shows
    the best of all cells that differ only in the other measures.

    Args:
        canvas: Where to draw it.
        view: The map.
        scale: The colours of numbers; by default from the least to the greatest of the elites.
        equal: Whether all cells are of one size.
        shown: What colours show: one of `map_colours.COLOURS`, or a card.
        at: After how many evaluations; as it is now by default. Cells and colours are those of now.
        card: A card; the cells whose decks play it are outlined.
    """
    moment = None if at is None or at >= view.log.evaluations else at
    elites = view.archive.elites if moment is None else elites_at(view, moment)
    found = grids(view.archive, view.measures, elites)
    copies = copies_of(view, card) if card else None
    colouring = colouring_of(view, shown)
    columns = min(len(found), _MOST_COLUMNS)
    rows = -(-len(found) // columns)
    scale = scale or scale_of([view], shown)
    panels = canvas.subplots(rows, columns, squeeze=False).ravel()
    for axes, grid in zip(panels, found, strict=False):
        draw_grid(axes, grid.of(colouring.values), scale, equal=equal)
        if copies is not None:
            draw_outlines(axes, grid, grid.of(copies.values).objectives > 0, equal=equal)
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    colour_bar(canvas, scale, colouring.label, list(panels))
    note = played(view) if moment is None else f"after {moment:,} of {view.log.evaluations:,} evaluations"
    if copies is not None:
        note += f"; {np.count_nonzero(copies.values[elites]):,} with {copies.label} (outlined)"
    title(panels[0], f"{view.name}: {len(elites):,} elites in {view.statistics.cells:,} cells", note)


def title(axes: "Axes", words: str, note: str) -> None:
    """Writes a title and a smaller line below it."""
    axes.set_title(f"{words}\n", loc="left", fontsize=11)
    axes.text(0, 1.01, note, transform=axes.transAxes, fontsize=8.5, color=GREY, va="bottom")


def played(view: RunView) -> str:
    """The number of evaluations and games behind a map."""
    return f"{view.log.evaluations:,} evaluations, {view.games:,} games"


def draw_grid(
    axes: "Axes", grid: Grid, scale: Scale, *, equal: bool = False, colours: "Colormap | None" = None
) -> None:
    """Draws cells in the colours of their elites; cells without one are hatched, cells out of reach are blank."""
    x, y = (axis.places(equal=equal) for axis in (grid.x, grid.y))
    draw_hatching(axes, x, y)
    filled = np.ma.masked_invalid(grid.objectives.T)
    mesh = axes.pcolormesh(x, y, filled, cmap=colours or colour_map(), vmin=scale.low, vmax=scale.high)
    mesh.set(edgecolors="white", linewidth=0.3, antialiased=True)  # thinner than narrow cells
    for column in np.flatnonzero(~grid.x.reachable):
        axes.axvspan(x[column], x[column + 1], facecolor="white", linewidth=0)
    for row in np.flatnonzero(~grid.y.reachable):
        axes.axhspan(y[row], y[row + 1], facecolor="white", linewidth=0)
    axes.set_xlim(x[0], x[-1])
    axes.set_ylim(y[0], y[-1])
    axes.set_xlabel(axis_name(grid.x.name))
    if equal:
        axes.set_xticks(*_equal_ticks(grid.x))
        axes.tick_params(axis="x", rotation=90)
        axes.set_yticks(*_equal_ticks(grid.y))
    axes.set_ylabel(axis_name(grid.y.name))
    if not grid.y.name:
        axes.set_yticks([])
    axes.spines[:].set_visible(False)


def draw_outlines(axes: "Axes", grid: Grid, chosen: npt.NDArray[np.bool_], *, equal: bool) -> None:
    """Outlines some cells of a drawn grid."""
    from matplotlib.patches import Rectangle  # an extra, and slow to import

    x, y = (axis.places(equal=equal) for axis in (grid.x, grid.y))
    for column, row in np.argwhere(chosen).tolist():
        size = x[column + 1] - x[column], y[row + 1] - y[row]
        axes.add_patch(
            Rectangle((x[column], y[row]), *size, fill=False, edgecolor=BLACK, linewidth=1.5, clip_on=False, zorder=3)
        )


def draw_hatching(axes: "Axes", x: Floats, y: Floats) -> None:
    """Hatches the whole of a map, given by the boundaries of its cells: empty cells are what stays to be seen."""
    from matplotlib.patches import Rectangle  # an extra, and slow to import

    size = x[-1] - x[0], y[-1] - y[0]
    axes.add_patch(Rectangle((x[0], y[0]), *size, facecolor=_SHADE, edgecolor=_HATCH, hatch="////", linewidth=0))


def _equal_ticks(axis: Axis) -> tuple[list[int], list[str]]:
    """The ticks of cells of one size: not more boundaries than can be read."""
    places = axis.some_boundaries(_MOST_TICKS)
    return places, [f"{axis.edges[place]:.4g}" for place in places]


def colour_bar(
    canvas: Canvas, scale: Scale, label: str, axes: Sequence["Axes"], *, colours: "Colormap | None" = None
) -> None:
    """Draws a bar that explains colours: which numbers they have, and what these are."""
    bar = canvas.colorbar(_mappable(scale, colours), ax=list(axes), shrink=0.9, pad=0.02)
    bar.set_label(label)
    bar.outline.set_visible(False)


def _mappable(scale: Scale, colours: "Colormap | None" = None) -> "ScalarMappable":
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    return ScalarMappable(Normalize(scale.low, scale.high), colours or colour_map())


# How it grew


def draw_curves(
    figure: "Figure", series: Mapping[str, Sequence[GrowthCurve]], *, objective: str, scoring: Scoring
) -> None:
    """Draws best and mean, win rates, QD score and coverage over evaluations.

    Several trials are drawn as their mean in a band. The band is the 95 % interval of the mean, clipped to possible
    values. If a line has fewer than five trials, the band goes from the lowest to the highest trial instead.

    Args:
        figure: Where to draw them.
        series: The curves of all trials, by the name of their group.
        objective: The objective of the elites.
        scoring: How elites count in the QD score.
    """
    known = set.intersection(*({*curve.numbers} for curves in series.values() for curve in curves))
    shown = [panel for panel in _curve_panels(series, objective, scoring) if {*panel.numbers} <= known]
    figure.set_size_inches(9.0, 7.4)
    panels = figure.subplots(2, 2).ravel()
    interval = min((len(curves) for curves in series.values() if len(curves) > 1), default=0) >= ENOUGH_TRIALS
    for axes, panel in zip(panels, shown, strict=False):
        for number, curves in enumerate(series.values()):
            for style, name in zip(_STYLES, panel.numbers, strict=False):
                bounds = curve_bounds(name, objective)
                band = band_of(curves, name, within=bounds) if interval else range_of(curves, name)
                draw_band(axes, band, color=colour(number), linestyle=style)
        quiet(axes, title=panel.title, x="evaluations", y=panel.unit)
        axes.set_xlim(left=0)
        if panel.numbers == ("coverage",):
            axes.set_ylim(0, 1.03)
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    _curve_legend(figure, series, interval=interval)


@dataclass(frozen=True)
class _CurvePanel:
    """One panel of curves: the names of its numbers, the first drawn solid, the second dashed."""

    title: str
    unit: str
    numbers: tuple[str, ...]


def _curve_panels(
    series: Mapping[str, Sequence[GrowthCurve]], objective: str, scoring: Scoring
) -> tuple[_CurvePanel, ...]:
    below = max(curve.numbers["below_offset"].max() for curves in series.values() for curve in curves)
    lowered = f"\n(up to {below:,.0f} elites below the offset)" if below else ""
    name = column_name(objective)
    return (
        _CurvePanel(f"{name} of the elites", axis_name(objective), ("best", "mean")),
        _CurvePanel("win rate of the elites", axis_name(WIN_RATE), ("best_win_rate", "mean_win_rate")),
        _CurvePanel("QD score, on the final cells", f"sum of {scoring.in_words(name)}{lowered}", ("qd_score",)),
        _CurvePanel("coverage, of the final cells", "share of cells with an elite", ("coverage",)),
    )


def _curve_legend(figure: "Figure", series: Mapping[str, Sequence[GrowthCurve]], *, interval: bool) -> None:
    """Draws a legend: the name, trials and evaluations of each line, and the meaning of the band."""
    from matplotlib.lines import Line2D  # an extra, and slow to import

    several = max(map(len, series.values())) > 1
    lines = [Line2D([], [], color=colour(number), linewidth=3) for number in range(len(series))]
    labels = []
    for name, curves in series.items():
        made = min(curve.evaluated[-1] for curve in curves)
        labels.append(f"{name}: {f'mean of {len(curves)} trials, ' if len(curves) > 1 else ''}{made:,.0f} evaluations")
    lines += [Line2D([], [], color=GREY, linestyle=style) for style in _STYLES]
    labels += ["best of the elites", "mean of the elites"]
    band = "95 % interval of the mean over trials" if interval else "lowest to highest trial"
    figure.legend(
        lines, labels, loc="outside lower center", ncols=2, frameon=False, title=f"band: {band}" if several else None
    )


def draw_band(axes: "Axes", band: Band, *, color: str, **style: Any) -> None:
    """Draws a mean over trials in its band; with one trial, the band is invisible."""
    style.setdefault("linewidth", 1.8)
    axes.plot(band.evaluated, band.value, color=color, **style)
    axes.fill_between(band.evaluated, band.low, band.high, color=color, alpha=0.15, linewidth=0)


# Elites where they are


def elites_size(view: RunView) -> Size:
    """The width and height of a picture of the elites, in inches."""
    return PANEL + 2.4, PANEL + 0.6 if len(view.measures) > 1 else _STRIP


def draw_elites(canvas: Canvas, view: RunView, *, scale: Scale | None = None) -> None:
    """Draws the elites by their first two measures, in the colours of their objectives."""
    scale = scale or scale_of([view], OBJECTIVE)
    axes = canvas.subplots()
    scatter_elites(axes, view, scale)
    title(axes, f"{view.name}: {len(view.archive):,} elites", played(view))
    colour_bar(canvas, scale, searched(view.objective), [axes])


def scatter_elites(axes: "Axes", view: RunView, scale: Scale) -> None:
    """Draws the elites on axes; see `draw_elites`."""
    grids(view.archive, view.measures)  # raises an error if there are no elites
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
    quiet(axes, title=f"{view.name}: the elites", x=axis_name(x), y=axis_name(y))
    if not y:
        axes.set_yticks([])


def first_two(measures: Sequence[str]) -> tuple[str, str]:
    """The horizontal and the vertical measure; the second is empty if there is only one measure."""
    return measures[0], measures[1] if len(measures) > 1 else ""


# The recheck


def recheck_size(view: RunView) -> Size:
    """The width and height of a picture of a recheck, in inches."""
    return PANEL + 1.8, PANEL + 1.4


def draw_recheck(canvas: Canvas, view: RunView) -> None:
    """Draws the objective of every elite in the search against its objective on fresh games.

    Raises:
        RunError: If not all elites have played fresh games.
    """
    draw_rechecked(canvas.subplots(), view)


def draw_rechecked(axes: "Axes", view: RunView) -> None:
    """Draws a recheck on axes; see `draw_recheck`."""
    found = view.recheck()
    if found is None:
        raise RunError(f"{view.name} has elites that were not rechecked: `deckatlas run FILE --recheck` rechecks them")
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
    name = axis_name(view.objective)
    quiet(axes, title="", x=f"{name} in the search", y=f"{name} on fresh games")
    fresh_games = sum(view.rechecks[number].games for number in view.archive.elites.tolist()) / len(before)
    note = f"{len(before):,} elites, {fresh_games:,.0f} fresh games each; grey lines: 95 % intervals"
    title(axes, f"{view.name}: {change}", note)
    axes.legend(frameon=False, fontsize=9, loc="upper left")


def _halves(rated: Sequence[Estimate | None]) -> Floats:
    """The distances from values to the ends of their intervals; not a number (nan) where there are no ends."""
    ends = [(each.value - each.low, each.high - each.value) if each else (np.nan, np.nan) for each in rated]
    return np.array(ends).T
