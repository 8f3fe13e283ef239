"""`deckatlas run`: carries out a run, or what is left of it, and shows how it stands."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.live import Live

from deckatlas.cli.common import RUNS, StoreOption, err, print_parts
from deckatlas.errors import RunError
from deckatlas.runs.library import path_of

if TYPE_CHECKING:  # with pydantic, which takes long to import
    from deckatlas.runs.loop import Standing

ADVICE = "choose another name with --name"


def run(
    file: Annotated[Path, typer.Argument(help="The configuration of the run, TOML.", metavar="FILE")],
    set: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Replace a value of the configuration, such as search.population=20.", metavar="K=V"
        ),
    ] = None,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="Shrink the run to seconds; its name ends in -smoke unless --name is given.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Replace the seed.")] = None,
    name: Annotated[str | None, typer.Option(help="Replace the run's name, which is that of its file.")] = None,
    store: StoreOption = RUNS,
    threads: Annotated[
        int | None, typer.Option(help="Threads; all cores if not given. Never changes the result.")
    ] = None,
    recheck: Annotated[
        bool,
        typer.Option("--recheck", help="Play all elites again on fresh seeds when the run is finished."),
    ] = False,
    recheck_games: Annotated[
        int | None, typer.Option(min=1, help="Do so with so many games for each elite, if not 1000.")
    ] = None,
) -> None:
    """Carries out a run and stores all of it in one file.

    If the run is there already, it is resumed: after any kill, to the same result as an unbroken run.

    Example: deckatlas run evolution.toml --set search.population=20
    """
    from deckatlas.runs.loop import execute  # with pydantic, which takes long to import
    from deckatlas.runs.read_config import read_config
    from deckatlas.runs.view import open_run
    from deckatlas.views.terminal import closing_lines, recheck_story

    config = read_config(file, settings=set or (), smoke=smoke, seed=seed, name=name)
    path = path_of(store, config.name)
    games = recheck_games or ((config.evaluation.games if smoke else 1000) if recheck else None)
    if games is not None and config.archive is None:
        raise RunError(f"{config.name} has no archive: only the elites of one can be rechecked")
    begun = time.monotonic()
    try:
        with live_view(config.name) as watch:
            standing = execute(config, path, threads=threads, recheck=games, watch=watch, advice=ADVICE)
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C, and what other signals are turned into
        err.print(f"{path} is whole; the same command resumes it", markup=False, soft_wrap=True)
        raise
    print_parts(closing_lines(config.name, path, standing, time.monotonic() - begun))
    if games is not None:
        print_parts(recheck_story(open_run(path)))


@contextmanager
def live_view(name: str) -> Iterator[Callable[["Standing"], object]]:
    """Shows on the terminal how a run stands while the block runs; gives the function to call.

    Nothing is shown where standard error is not a terminal.
    """
    if not err.is_terminal:
        yield lambda standing: None
        return
    from deckatlas.views.terminal import standing_table

    begun = time.monotonic()
    with Live(console=err, transient=True) as live:
        yield lambda standing: live.update(standing_table(name, standing, time.monotonic() - begun))
