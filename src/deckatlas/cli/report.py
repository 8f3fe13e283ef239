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
    output: Annotated[Path, typer.Option("--output", "-o", help="The page, an HTML file; - is standard output.")],
    store: StoreOption = RUNS,
) -> None:
    """Writes a map of elites as one self-contained web page.

    It has the map with all its decks to walk through, its curves, the best decks with their codes, patterns, the
    results of a recheck, the configuration, and how to reproduce it.

    Example: deckatlas report hunter -o hunter.html
    """
    from deckatlas.runs.view import open_run  # pydantic is slow to import
    from deckatlas.views.map_report import map_report

    view = open_run(find_run(store, run))
    if not view.has_archive:
        raise RunError(f"{run} has no archive: `deckatlas show {run}` shows its results")
    write_text(output, map_report(view))
