"""Pictures of maps in files: the kinds of pictures, by name, and the kinds of files."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes
from deckatlas.runs.view import RunView
from deckatlas.shapes import nearest, show
from deckatlas.views.figures import figure_of
from deckatlas.views.map_curves import curve_of, trials
from deckatlas.views.map_density import density_size, draw_density
from deckatlas.views.map_figures import (
    Canvas,
    Size,
    draw_curves,
    draw_elites,
    draw_map,
    draw_recheck,
    elites_scale,
    elites_size,
    map_size,
    recheck_size,
)
from deckatlas.views.pattern_figures import draw_patterns, patterns_size
from deckatlas.views.round_figures import draw_predictions, draw_rounds, predictions_size, rounds_size
from deckatlas.views.scale import Scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_WIDTH = 20.0  # inches for one row of maps; more maps go into further rows


@dataclass(frozen=True)
class Picture:
    """A kind of picture of one map, which can be placed beside those of other maps.

    Attributes:
        size: Gives its width and height, in inches.
        draw: Draws it, in the colour scale of all maps that are drawn together.
    """

    size: Callable[[RunView], Size]
    draw: Callable[[Canvas, RunView, Scale], None]

    def __call__(self, figure: "Figure", views: Sequence[RunView]) -> None:
        """Draws maps side by side."""
        scale = elites_scale(views)
        sizes = [self.size(view) for view in views]
        width, height = (max(each) for each in zip(*sizes, strict=True))
        rows = -(-len(views) // max(1, int(_MOST_WIDTH / width)))
        columns = -(-len(views) // rows)  # evenly: four maps give two and two, not three and one
        figure.set_size_inches(width * columns, height * rows)
        parts = figure.subfigures(rows, columns, squeeze=False).ravel()
        for part, view in zip(parts, views, strict=False):
            self.draw(part, view, scale)


def _draw_curves(figure: "Figure", views: Sequence[RunView]) -> None:
    if len({view.description.scoring for view in views}) > 1:
        raise RunError("maps whose QD scores have different offsets cannot be drawn together")
    series = {name: [curve_of(view) for view in group] for name, group in trials(views).items()}
    draw_curves(figure, series, objective=views[0].objective, scoring=views[0].description.scoring)


# The kinds of pictures, by name. Curves of several maps share one frame; other pictures are drawn side by side.
PICTURES: Mapping[str, Callable[["Figure", Sequence[RunView]], None]] = {
    "map": Picture(map_size, lambda canvas, view, scale: draw_map(canvas, view, scale=scale)),
    "cells": Picture(map_size, lambda canvas, view, scale: draw_map(canvas, view, scale=scale, equal=True)),
    "curves": _draw_curves,
    "elites": Picture(elites_size, lambda canvas, view, scale: draw_elites(canvas, view, scale=scale)),
    "density": Picture(density_size, lambda canvas, view, scale: draw_density(canvas, view)),
    "recheck": Picture(recheck_size, lambda canvas, view, scale: draw_recheck(canvas, view)),
    "patterns": Picture(patterns_size, lambda canvas, view, scale: draw_patterns(canvas, view)),
    "predictions": Picture(predictions_size, lambda canvas, view, scale: draw_predictions(canvas, view)),
    "rounds": Picture(rounds_size, lambda canvas, view, scale: draw_rounds(canvas, view)),
}


def map_picture(views: Sequence[RunView], what: str, ending: str) -> bytes:
    """A picture of maps, in the format of this file ending.

    Args:
        views: The maps; several are drawn side by side in one colour scale, or as curves in one frame.
        what: One of `PICTURES`.
        ending: .png, .svg or .pdf.

    Raises:
        RunError: If matplotlib is not installed, the kind is unknown, or there is nothing to draw.
    """
    if what not in PICTURES:
        raise RunError(f"a map has no picture {show(what)}: {nearest(what, PICTURES)}")
    if len({view.objective for view in views}) > 1:
        raise RunError("maps with different objectives cannot be drawn together")
    if not all(len(view.log) for view in views):
        raise RunError("there is nothing to draw: no solution has been evaluated yet")
    figure = figure_of(ending)(layout="constrained")
    PICTURES[what](figure, views)
    picture = io.BytesIO()
    figure.savefig(picture, format=ending.removeprefix("."), dpi=150)
    return picture.getvalue()


@checked
def plot_map(view: RunView | Sequence[RunView], file: Path | str, *, what: str = "map") -> None:
    """Draws a map, or several together, into a file.

    Args:
        view: The map; several are drawn side by side, or as curves in one frame.
        file: The file; its ending (.png, .svg or .pdf) decides the format.
        what: "map" with its true boundaries, "cells" of one size, "curves", "elites", "density", "recheck" or
            "patterns" (where sets of cards are that many elites share); and of a search with a surrogate
            "predictions" or "rounds".

    Raises:
        RunError: If matplotlib is not installed, the kind of picture or file is unknown, there is nothing to draw, or
            the file cannot be written.
    """
    views = [view] if isinstance(view, RunView) else list(view)
    picture = map_picture(views, what, Path(file).suffix.lower())
    write_bytes(file, picture, error=RunError)
