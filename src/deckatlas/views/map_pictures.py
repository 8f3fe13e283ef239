"""Pictures of maps as files have them: what can be drawn, by name, and in which kinds of files."""

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deckatlas.errors import RunError
from deckatlas.experiments.results import told_of_files
from deckatlas.runs.export import figure_of
from deckatlas.runs.view import RunView
from deckatlas.shapes import nearest, show
from deckatlas.views.map_curves import curve_of, trials
from deckatlas.views.map_density import draw_density
from deckatlas.views.map_figures import draw_curves, draw_elites, draw_map, draw_recheck

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[["Figure", Sequence[RunView]], None]


def _of_one(draw: Callable[["Figure", RunView], None]) -> Draw:
    def drawn(figure: "Figure", views: Sequence[RunView]) -> None:
        if len(views) > 1:
            raise RunError("several maps can only be drawn together as curves")
        draw(figure, views[0])

    return drawn


def _draw_curves(figure: "Figure", views: Sequence[RunView]) -> None:
    if len({view.objective for view in views}) > 1:
        raise RunError("maps of different objectives cannot be drawn together")
    if len({view.description.scoring for view in views}) > 1:
        raise RunError("maps whose QD scores count from different offsets cannot be drawn together")
    if not all(len(view.log) for view in views):
        raise RunError("nothing was evaluated yet: there is nothing to draw")
    series = {name: [curve_of(view) for view in group] for name, group in trials(views).items()}
    draw_curves(figure, series, objective=views[0].objective, scoring=views[0].description.scoring)


# What can be drawn of maps, by name.
PICTURES: Mapping[str, Draw] = {
    "map": _of_one(draw_map),
    "cells": _of_one(lambda figure, view: draw_map(figure, view, equal=True)),
    "curves": _draw_curves,
    "elites": _of_one(draw_elites),
    "density": _of_one(draw_density),
    "recheck": _of_one(draw_recheck),
}


def map_picture(views: Sequence[RunView], what: str, ending: str) -> bytes:
    """A picture of maps, of the kind that files with this ending have.

    Args:
        views: The maps; several for curves alone.
        what: One of `PICTURES`.
        ending: .png, .svg or .pdf.

    Raises:
        RunError: If matplotlib is not installed, the kind is unknown, or there is nothing to draw.
    """
    if what not in PICTURES:
        raise RunError(f"a map has no picture {show(what)}: {nearest(what, PICTURES)}")
    figure = figure_of(ending)(layout="constrained")
    PICTURES[what](figure, views)
    picture = io.BytesIO()
    figure.savefig(picture, format=ending.removeprefix("."), dpi=150)
    return picture.getvalue()


def plot_map(view: RunView | Sequence[RunView], file: Path | str, *, what: str = "map") -> None:
    """Draws a map into a file.

    Args:
        view: The map; several to draw their curves together.
        file: A PNG, SVG or PDF file, by its ending.
        what: "map" with its true boundaries, "cells" of one size, "curves", "elites", "density" or "recheck".

    Raises:
        RunError: If matplotlib is not installed, the kind of picture or file is unknown, there is nothing to draw, or
            the file cannot be written.
    """
    views = [view] if isinstance(view, RunView) else list(view)
    picture = map_picture(views, what, Path(file).suffix.lower())
    with told_of_files():
        Path(file).write_bytes(picture)
