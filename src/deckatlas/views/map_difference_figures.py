"""One map minus another as a picture: blue where the first is better, orange where the other is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.views.columns import axis_name
from deckatlas.views.map_difference import map_difference
from deckatlas.views.map_figures import colour_bar, draw_grid, draw_outlines, map_size, title
from deckatlas.views.map_filling import plane_of
from deckatlas.views.map_grid import Grid
from deckatlas.views.scale import Scale

if TYPE_CHECKING:
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

_ENDS = ("#c4650b", "#f7f7f7", "#1f6fb2")  # orange, nothing, blue


def draw_difference(figure: "Figure", views: Sequence[RunView]) -> None:
    """Draws the first of two maps minus the other, in the cells of the first.

    Raises:
        RunError: If these are not two maps, they search different things, or no cell has a solution of both.
    """
    if len(views) != 2:
        raise RunError(f"a difference needs two maps, not {len(views)}")
    view, other = views
    plane = plane_of(view)
    found = map_difference(plane, other)
    if not found:
        raise RunError(f"{view.name} and {other.name} have no cell in common")
    shape, cells = (len(plane.x), len(plane.y)), [each.cell for each in found]
    values, numbers = np.full(shape, np.nan), np.full(shape, -1)
    values.flat[cells] = [each.difference.value for each in found]
    numbers.flat[cells] = [each.number for each in found]
    grid = Grid(plane.x, plane.y, numbers, values)
    most = float(np.nanmax(np.abs(values))) or 1.0
    scale = Scale(-most, most)
    figure.set_size_inches(*map_size(plane.view))
    axes = figure.subplots()
    draw_grid(axes, grid, scale, equal=True, colours=difference_colours())
    beyond = np.zeros(shape, np.bool_)
    beyond.flat[[each.cell for each in found if each.is_beyond_noise]] = True
    draw_outlines(axes, grid, beyond, equal=True)
    label = f"difference in {axis_name(view.objective)}\nboth values in the search"
    colour_bar(figure, scale, label, [axes], colours=difference_colours())
    title(
        axes,
        f"{view.name} minus {other.name}",
        f"{len(found):,} cells of both, {np.count_nonzero(beyond):,} differ beyond noise (outlined)",
    )


def difference_colours() -> "Colormap":
    """From orange, a loss, over nothing to blue, a gain."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("difference", _ENDS)
