"""`deckatlas plot`: maps as images."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import RUNS, StoreOption
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes
from deckatlas.runs.library import find_run


def plot(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="The name of a map, or the path of its file; several are drawn in one image.", metavar="RUN"
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The image: a PNG, SVG or PDF file.")],
    what: Annotated[
        str,
        typer.Option(
            help="What to draw: map (with true boundaries), cells (all of one size), curves (on the final cells), "
            "elites, density (of all evaluated solutions), recheck, patterns (where sets of cards are that many "
            "elites share); of a search with a surrogate, predictions (against results) and rounds (errors, and what "
            "entered the map)."
        ),
    ] = "map",
    measures: Annotated[
        str | None,
        typer.Option(
            help="Draw the map over other measures, given as names of columns (default: the run's).", metavar="A,B"
        ),
    ] = None,
    store: StoreOption = RUNS,
) -> None:
    """Draws maps of elites, finished or still running; needs the extra `plot`.

    Several maps of one objective are drawn side by side with one colour scale. With --what curves they share one
    frame: maps that differ only in their seeds are trials of one map, drawn as their mean with a band.

    Example: deckatlas plot hunter -o turns.svg --measures num_turns,deck_mana_sum
    """
    from deckatlas.runs.view import open_run  # pydantic is slow to import
    from deckatlas.views.map_pictures import map_picture

    views = []
    for run in runs:
        view = open_run(find_run(store, run))
        if not view.has_archive:
            raise RunError(f"{run} has no archive: `deckatlas export {run} --figure FILE` draws its curve")
        views.append(view if measures is None else view.by([name.strip() for name in measures.split(",")]))
    write_bytes(output, map_picture(views, what, output.suffix.lower()))
