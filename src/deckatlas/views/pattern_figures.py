"""Where patterns live, as a picture: a small map for each of the weightiest patterns."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes
from deckatlas.patterns.patterns import Pattern, Patterns, supports_of
from deckatlas.patterns.regions import Region, region_of
from deckatlas.patterns.sources import decks_of_runs, find_patterns
from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate
from deckatlas.views.columns import axis_name
from deckatlas.views.figures import BLACK, GREY, colour, picture_of
from deckatlas.views.map_figures import Canvas, Size
from deckatlas.views.map_grid import Grid, grids
from deckatlas.views.pattern_words import lift_text, shares_on_map, size_of, summary_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUPPORT = 0.2  # of pictures and pages of maps: at 5 %, patterns are nearly whole decks
SHOWN = 6
_COLUMNS = 3
_PANEL = 3.6  # inches
_LETTERS = 52  # in a line below a panel


def patterns_size(view: RunView) -> Size:
    """The width and height of a picture of a map's patterns, in inches."""
    return _size(SHOWN)


def _size(panels: int) -> Size:
    columns = min(panels, _COLUMNS)
    return 0.4 + _PANEL * max(columns, 2), 0.7 + (_PANEL + 0.8) * -(-panels // columns)


def draw_patterns(
    canvas: Canvas, view: RunView, patterns: Patterns | None = None, *, region: Region | None = None
) -> None:
    """Draws a small map for each pattern: full where the elite of a cell has it, pale where it has not.

    Args:
        canvas: Where to draw them.
        view: The map.
        patterns: Its patterns; by default the weightiest that are in a fifth of the elites.
        region: The part of the map that the patterns are from, if it is a part. Each pattern then also has its support
            on the whole map; a box of cells is outlined, ranges of columns are not.

    Raises:
        RunError: If there is no pattern.
    """
    found = patterns or find_patterns(view, support=SUPPORT, most=SHOWN, distinct=True)
    if not len(found):
        raise RunError(f"there is nothing to draw: no two decks of {view.name} share enough cards")
    columns = min(len(found), _COLUMNS)
    panels = canvas.subplots(-(-len(found) // columns), columns, squeeze=False).ravel()
    everywhere = [""] * len(found)
    if region is not None:
        everywhere = [f"whole map {_of_decks(each)}" for each in supports_of(decks_of_runs([view]), found)]
    grid = grids(view.archive, view.measures)[0]
    for axes, pattern, elsewhere in zip(panels, found, everywhere, strict=False):
        _draw_pattern(axes, view, grid, pattern, elsewhere)
        if region is not None and region.cells:
            _outline(axes, grid, region)
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    part = " of a region" if region is not None else ""
    canvas.suptitle(f"{view.name}: {summary_of(found)}{part}", x=0.02, ha="left", fontsize=11)


def _of_decks(support: Estimate) -> str:
    return f"{support.text(1)} of {support.n:,} decks"


def _outline(axes: "Axes", grid: Grid, region: Region) -> None:
    """Draws a line around the cells of a region."""
    from matplotlib.patches import Rectangle  # an extra, and slow to import

    (left, right), (bottom, top) = (
        (max(0.0, low), min(float(len(axis)), high + 1))
        for (low, high), axis in zip((*region.cells, (0.0, 0.0)), (grid.x, grid.y), strict=False)
    )
    frame = Rectangle(
        (left, bottom), right - left, top - bottom, fill=False, edgecolor=BLACK, linewidth=1.2, clip_on=False, zorder=3
    )
    axes.add_patch(frame)


def _draw_pattern(axes: "Axes", view: RunView, grid: Grid, pattern: Pattern, elsewhere: str) -> None:
    from matplotlib.colors import LinearSegmentedColormap  # an extra, and slow to import

    x, y = (axis.places(equal=True) for axis in (grid.x, grid.y))
    pale = LinearSegmentedColormap.from_list("pattern", ["#e3e6eb", colour(0)])
    shares = np.ma.masked_invalid(shares_on_map(view, pattern).T)
    axes.pcolormesh(x, y, shares, cmap=pale, vmin=0, vmax=1, edgecolors="white", linewidth=0.3)
    for axis, ticks, names in ((grid.x, axes.set_xticks, axes.set_xlabel), (grid.y, axes.set_yticks, axes.set_ylabel)):
        places = axis.some_boundaries(5) if axis.name else []
        ticks(places, [f"{axis.edges[place]:.3g}" for place in places], fontsize=7.5)
        names(axis_name(axis.name) if axis.name else "", fontsize=8)
    axes.spines[:].set_visible(False)
    lift = "" if pattern.lift is None else f", lift {lift_text(pattern.lift)}"
    rest = f"\n{elsewhere}" if elsewhere else ""
    axes.set_title(f"{size_of(pattern)}, {_of_decks(pattern.support)}{lift}{rest}", loc="left", fontsize=9.5)
    cards = "\n".join(wrap(str(pattern), _LETTERS))
    axes.text(0, -0.17, cards, transform=axes.transAxes, fontsize=7, color=GREY, va="top")


def patterns_picture(view: RunView, patterns: Patterns, ending: str, *, region: Region | None = None) -> bytes:
    """The patterns of a map as a picture, in the format of this file ending: .png, .svg or .pdf.

    Args:
        view: The map.
        patterns: Its patterns.
        ending: The ending.
        region: The part of the map that they are from; see `draw_patterns`.

    Raises:
        RunError: If matplotlib is not installed, the kind of file is unknown, or there is nothing to draw.
    """

    def draw(figure: "Figure") -> None:
        figure.set_size_inches(*_size(max(1, len(patterns))))
        draw_patterns(figure, view, patterns, region=region)

    return picture_of(draw, ending)


@checked
def plot_patterns(
    view: RunView,
    file: Path | str,
    *,
    support: float = SUPPORT,
    region: str | Sequence[str] = (),
    most: int = SHOWN,
) -> None:
    """Draws where the sets of cards are that many elites of a map, or of a part of it, share.

    Args:
        view: The map.
        file: The file; its ending (.png, .svg or .pdf) decides the format.
        support: The share of the decks that have a pattern, at least.
        region: The part of the map to look at, such as "deck_mana_mean=2..3.5" or "cells=0..5,0..9", or several.
        most: How many patterns to draw, the weightiest first; those that are much alike are drawn once.

    Raises:
        RunError: If matplotlib is not installed, the run is not a map of decks, there is nothing to draw, or the file
            cannot be written.
        SearchError: If a number is impossible, a column is unknown, or there are too many patterns.
    """
    part = region_of([region] if isinstance(region, str) else region) if region else None
    found = find_patterns(view, support=support, region=part or Region(), most=most, distinct=True)
    write_bytes(file, patterns_picture(view, found, Path(file).suffix.lower(), region=part), error=RunError)
