"""`deckatlas report`: a map as one web page."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import RUNS, StoreOption
from deckatlas.cli.runs import RunArgument
from deckatlas.errors import RunError
from deckatlas.files.writing import write_text
from deckatlas.runs.library import find_run


def report(
    run: RunArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Write the page to this HTML file; `-` means standard output.")
    ],
    store: StoreOption = RUNS,
) -> None:
    """Writes a map of elites as one self-contained web page.

    The page has a map of all decks to explore, its curves, the best decks with their codes, patterns, the results of a
    recheck, the configuration, and how to reproduce the map.

    Example: deckatlas report hunter -o hunter.html
    """
    from deckatlas.runs.view import open_run  # pydantic is slow to import
    from deckatlas.views.map_report import map_report

    view = open_run(find_run(store, run))
    if not view.has_archive:
        raise RunError(f"{run} has no archive: `deckatlas show {run}` shows its results")
    write_text(output, map_report(view))
