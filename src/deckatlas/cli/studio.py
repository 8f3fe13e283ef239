"""`deckatlas studio`: a folder of runs in the browser."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import RUNS, StoreOption, out
from deckatlas.errors import RunError
from deckatlas.runs.library import find_run
from deckatlas.runs.store import open_store


def studio(
    given: Annotated[
        str | None,
        typer.Argument(help="A folder of runs, or one run (default: the folder of --store).", metavar="[FOLDER|RUN]"),
    ] = None,
    port: Annotated[int | None, typer.Option(help="The port (default: 8321, or the next free one).")] = None,
    host: Annotated[
        str,
        typer.Option(
            help="The address to listen on. If others can reach it, the studio prints a token and asks for it."
        ),
    ] = "127.0.0.1",
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the studio in a browser.")] = True,
    allow_run: Annotated[
        bool, typer.Option("--allow-run", help="Let pages start jobs, such as runs. Without it, the studio only reads.")
    ] = False,
    store: StoreOption = RUNS,
) -> None:
    """Opens the atlas in the browser: maps, decks, games, metagames and balance studies, live during runs.

    Example: deckatlas studio runs --no-open
    """
    try:
        from deckatlas.studio.app import Options
        from deckatlas.studio.safety import is_loopback
        from deckatlas.studio.server import new_token, serve
    except ModuleNotFoundError as error:
        raise RunError(f"the studio needs {error.name}: pip install 'deckatlas[studio]'") from None
    folder = _folder_of(given, store)
    options = Options(folder, host=host, token=None if is_loopback(host) else new_token(), allow_run=allow_run)
    serve(
        options,
        port=port,
        open_browser=open_browser,
        report=lambda line: out.print(line, markup=False, soft_wrap=True),
    )
    sys.stdout.flush()
    os._exit(0)  # a thread that is still answering would keep people waiting, and only reads


def _folder_of(given: str | None, store: Path) -> Path:
    """The folder to show, or the file of one run.

    Raises:
        RunError: If there is neither, or the file is no run.
    """
    if given is None:
        if not store.is_dir():
            raise RunError(
                f"there is no folder {store}: name one, or make a run first with `deckatlas run` or `deckatlas demo`"
            )
        return store
    if Path(given).is_dir():
        return Path(given)
    path = find_run(store, given)
    with open_store(path) as found:
        found.run()
    return path
