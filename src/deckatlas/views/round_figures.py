"""Figures of the rounds of a search with a surrogate: predictions against results, and numbers over rounds."""

from typing import TYPE_CHECKING

import numpy as np

from deckatlas.runs.round_statistics import targets_of
from deckatlas.runs.view import RunView
from deckatlas.views.columns import axis_name, column_name
from deckatlas.views.figures import BLACK, GREY, colour, logarithmic, quiet
from deckatlas.views.map_figures import PANEL, Canvas, Size, played, title
from deckatlas.views.round_numbers import Predictions, RoundCurves, curves_of, predictions_of, rounds_in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_COLUMNS = 3
_STYLES = ((colour(0), "-"), (colour(1), "--"), (GREY, ":"))


def _shape(panels: int) -> tuple[int, int]:
    """Rows and columns for this number of panels."""
    columns = min(panels, _MOST_COLUMNS)
    return -(-panels // columns), columns


def predictions_size(view: RunView) -> Size:
    """The width and height of a picture of predictions, in inches."""
    rows, columns = _shape(max(1, len(targets_of(view))))
    return PANEL * columns + 0.4, PANEL * rows + 0.8


def draw_predictions(canvas: Canvas, view: RunView) -> None:
    """Draws what was predicted of each candidate against what its games showed, a panel for each target.

    Raises:
        RunError: If no surrogate has predicted anything.
    """
    found = predictions_of(view)
    panels = canvas.subplots(*_shape(len(found)), squeeze=False).ravel()
    for axes, each in zip(panels, found, strict=False):
        _scatter(axes, each)
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    beyond = max(each.beyond for each in found)
    border = f"; up to {beyond:,} beyond the axes, at the border" if beyond else ""
    note = f"{len(found[0].predicted):,} candidates{border}"
    title(panels[0], f"{view.name}: predictions and results", note)
    panels[0].legend(frameon=False, fontsize=8, loc="upper left")


def _scatter(axes: "Axes", found: Predictions) -> None:
    low, high = found.ends
    axes.plot([low, high], [low, high], color=BLACK, linewidth=1, linestyle="--")
    for number, (name, chosen) in enumerate((("earlier rounds", ~found.newest), ("last round", found.newest))):
        predicted = np.clip(found.predicted[chosen], low, high)
        axes.scatter(predicted, found.measured[chosen], s=9, color=colour(number), alpha=0.6, linewidths=0, label=name)
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    axes.set_aspect("equal")
    quiet(axes, title="", x=f"{axis_name(found.target)}, predicted", y=f"{column_name(found.target)} in games")


def rounds_size(view: RunView) -> Size:
    """The width and height of a picture of rounds, in inches."""
    rows, columns = _shape(len(targets_of(view)) + 2)
    return PANEL * columns + 0.4, 0.75 * PANEL * rows + 0.6


def draw_rounds(canvas: Canvas, view: RunView) -> None:
    """Draws errors of each target, what entered the map, and distances of predicted from true cells, over rounds.

    Raises:
        RunError: If no surrogate has predicted anything.
    """
    numbers, curves = curves_of(view)
    panels = canvas.subplots(*_shape(len(curves)), squeeze=False).ravel()
    for axes, each in zip(panels, curves, strict=False):
        _lines(axes, numbers.tolist(), each)
    for axes in panels[len(curves) :]:
        axes.set_visible(False)
    title(panels[0], f"{view.name}: {curves[0].title}", f"{rounds_in_words(numbers)}; {played(view)}")


def _lines(axes: "Axes", numbers: list[float], curves: RoundCurves) -> None:
    for (name, values), (color, style) in zip(curves.lines.items(), _STYLES, strict=False):
        axes.plot(numbers, values, color=color, linestyle=style, label=name, marker="." if len(numbers) < 2 else None)
    quiet(axes, title=curves.title, x="round", y=curves.unit)
    axes.locator_params(axis="x", integer=True)
    axes.set_xlim(numbers[0] - 0.5, numbers[-1] + 0.5)
    if curves.logarithmic:
        logarithmic(axes)
    else:
        axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=8)
