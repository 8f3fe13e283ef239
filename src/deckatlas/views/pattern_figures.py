"""Where patterns live, as a picture: a small map for each of the weightiest patterns."""

from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from deckatlas.errors import RunError
from deckatlas.patterns.patterns import Pattern, Patterns
from deckatlas.patterns.sources import find_patterns
from deckatlas.runs.view import RunView
from deckatlas.views.columns import axis_name
from deckatlas.views.figures import GREY, colour, picture_of
from deckatlas.views.map_figures import Canvas, Size
from deckatlas.views.map_grid import grids
from deckatlas.views.pattern_words import lift_text, shares_on_map, summary_of

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


def draw_patterns(canvas: Canvas, view: RunView, patterns: Patterns | None = None) -> None:
    """Draws a small map for each pattern: full where the elite of a cell has it, pale where it has not.

    Args:
        canvas: Where to draw them.
        view: The map.
        patterns: Its patterns; by default the weightiest that are in a fifth of the elites.

    Raises:
        RunError: If there is no pattern.
    """
    found = patterns or find_patterns(view, support=SUPPORT, most=SHOWN, distinct=True)
    if not len(found):
        raise RunError(f"there is nothing to draw: no two decks of {view.name} share enough cards")
    columns = min(len(found), _COLUMNS)
    panels = canvas.subplots(-(-len(found) // columns), columns, squeeze=False).ravel()
    for axes, pattern in zip(panels, found, strict=False):
        _draw_pattern(axes, view, pattern)
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    canvas.suptitle(f"{view.name}: {summary_of(found)}", x=0.02, ha="left", fontsize=11)


def _draw_pattern(axes: "Axes", view: RunView, pattern: Pattern) -> None:
    from matplotlib.colors import LinearSegmentedColormap  # an extra, and slow to import

    grid = grids(view.archive, view.measures)[0]
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
    axes.set_title(f"{pattern.size} cards, {pattern.support.text(1)}{lift}", loc="left", fontsize=9.5)
    cards = "\n".join(wrap(str(pattern), _LETTERS))
    axes.text(0, -0.17, cards, transform=axes.transAxes, fontsize=7, color=GREY, va="top")


def patterns_picture(view: RunView, patterns: Patterns, ending: str) -> bytes:
    """The patterns of a map as a picture, in the format of this file ending: .png, .svg or .pdf.

    Raises:
        RunError: If matplotlib is not installed, the kind of file is unknown, or there is nothing to draw.
    """

    def draw(figure: "Figure") -> None:
        figure.set_size_inches(*_size(max(1, len(patterns))))
        draw_patterns(figure, view, patterns)

    return picture_of(draw, ending)
