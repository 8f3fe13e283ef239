"""A map on the terminal: one block of colour per cell, or a digit from 0 to 9 if there are no colours."""

from collections.abc import Iterator
from math import isnan

from rich.text import Text

from deckatlas.runs.view import RunView
from deckatlas.views.columns import column_name
from deckatlas.views.map_grid import Axis, Grid, grids
from deckatlas.views.scale import Scale

MOST_CELLS = 36  # along a measure
_LABEL = 9
_CELL = 2
_EVERY = 4  # cells between two numbers along the bottom
_STEPS = 10


def map_text(view: RunView, *, colours: bool) -> Iterator[Text]:
    """The map by its first two measures, all cells of one size, one line of text per row; nothing if it is too large.

    Args:
        view: The map.
        colours: Whether the output can be coloured.
    """
    if not len(view.archive):
        return
    grid = grids(view.archive, view.measures)[0]
    if max(len(grid.x), len(grid.y)) > MOST_CELLS:
        return
    scale = Scale.over(view.archive.objectives[view.archive.elites])
    if grid.y.name:
        yield Text(f"{column_name(grid.y.name):>{_LABEL}}")
    for row in reversed(range(len(grid.y))):
        label = _edge(grid.y, row) if grid.y.name else ""
        line = Text().append(f"{label:>{_LABEL}} ", style="dim")
        for column in range(len(grid.x)):
            line.append_text(_cell(grid, column, row, scale, colours=colours))
        yield line
    yield Text(" " * (_LABEL + 1) + _bottom(grid.x), style="dim")
    yield Text(" " * (_LABEL + 1) + column_name(grid.x.name))
    yield _legend(scale, view.objective, colours=colours)


def _cell(grid: Grid, column: int, row: int, scale: Scale, *, colours: bool) -> Text:
    value = float(grid.objectives[column, row])
    if isnan(value):
        reachable = grid.x.reachable[column] and grid.y.reachable[row]
        return Text("·".ljust(_CELL) if reachable else " " * _CELL, style="dim")
    if colours:
        return Text("█" * _CELL, style=scale.hex(value))
    return Text(f"{_digit(scale, value):<{_CELL}}")


def _digit(scale: Scale, value: float) -> int:
    return min(int(scale.share(value) * _STEPS), _STEPS - 1)


def _edge(axis: Axis, place: int) -> str:
    return f"{axis.edges[place]:.3g}"


def _bottom(axis: Axis) -> str:
    """The lower boundaries of some cells, each below the left edge of its cell."""
    width = _EVERY * _CELL
    return "".join(f"{_edge(axis, place):<{width}}" for place in range(0, len(axis), _EVERY)).rstrip()


def _legend(scale: Scale, objective: str, *, colours: bool) -> Text:
    step = (scale.high - scale.low) / _STEPS
    legend = Text(" " * (_LABEL + 1) + f"{column_name(objective)}: {scale.low:.2f} ")
    for number in range(_STEPS):
        style = scale.hex(scale.low + (number + 0.5) * step) if colours else ""
        legend.append("█" if colours else str(number), style=style)
    return legend.append(f" {scale.high:.2f};  · no elite, blank: out of reach")
