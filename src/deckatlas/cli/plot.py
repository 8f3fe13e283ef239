"""`deckatlas plot`: maps as pictures."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import RUNS, StoreOption, write_bytes
from deckatlas.errors import RunError
from deckatlas.runs.library import find_run


def plot(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="The name of a map, or the path of its file; several are drawn in one picture.", metavar="RUN"
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The picture: a PNG, SVG or PDF file.")],
    what: Annotated[
        str,
        typer.Option(
            help="What to draw: map (with true boundaries), cells (all of one size), curves (on the final cells), "
            "elites, density of what was evaluated, or recheck."
        ),
    ] = "map",
    measures: Annotated[
        str | None, typer.Option(help="Draw the map by other measures: names of columns.", metavar="A,B")
    ] = None,
    store: StoreOption = RUNS,
) -> None:
    """Draws maps of elites, finished or under way; needs the extra `plot`.

    Several maps of one objective are drawn side by side, in the colours of one scale. With --what curves they share one
    frame: maps that differ in their seeds alone are trials of one, drawn as their mean with a band.

    Example: deckatlas plot hunter -o turns.svg --measures num_turns,deck_mana_sum
    """
    from deckatlas.runs.view import open_run  # with pydantic, which takes long to import
    from deckatlas.views.map_pictures import map_picture

    views = []
    for run in runs:
        view = open_run(find_run(store, run))
        if not view.has_archive:
            raise RunError(f"{run} has no archive: `deckatlas export {run} --figure FILE` draws its curve")
        views.append(view if measures is None else view.by([name.strip() for name in measures.split(",")]))
    write_bytes(output, map_picture(views, what, output.suffix.lower()))
