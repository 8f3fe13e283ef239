"""`deckatlas run`: executes or resumes a run, and shows its progress."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.live import Live

from deckatlas.cli.cluster import ClusterOption, played_on
from deckatlas.cli.common import RUNS, StoreOption, err, print_parts
from deckatlas.errors import RunError
from deckatlas.runs.library import path_of

if TYPE_CHECKING:  # pydantic is slow to import
    from deckatlas.runs.loop import Standing
    from deckatlas.search.batches import CardQuestion

ADVICE = "choose another name with --name"


def run(
    file: Annotated[Path, typer.Argument(help="The configuration of the run, a TOML file.", metavar="FILE")],
    set: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Replace a value in the file, such as search.population=20; may be given several times.",
            metavar="K=V",
        ),
    ] = None,
    smoke: Annotated[
        bool,
        typer.Option(
            "--smoke", help="Shrink the run to a few seconds. Its name ends in -smoke unless --name is given."
        ),
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Replace the seed in the file.")] = None,
    name: Annotated[
        str | None, typer.Option(help="Replace the name of the run, which is also the name of its file.")
    ] = None,
    store: StoreOption = RUNS,
    threads: Annotated[
        int | None, typer.Option(help="The number of threads (default: all cores). It does not change the result.")
    ] = None,
    cluster: ClusterOption = None,
    recheck: Annotated[
        bool,
        typer.Option("--recheck", help="Let all elites of a map play fresh games after the run."),
    ] = False,
    recheck_games: Annotated[
        int | None,
        typer.Option(
            min=1, help="Recheck with this many games per elite (default: 1000; with --smoke, as in the search)."
        ),
    ] = None,
    cards: Annotated[
        bool,
        typer.Option(
            "--cards", help="Recheck, and count how often the cards of each elite are kept, drawn and played."
        ),
    ] = False,
    swap_out: Annotated[
        bool,
        typer.Option(
            "--swap-out",
            help="Recheck, and measure what each card of each elite is worth; this plays about twenty times the games.",
        ),
    ] = False,
) -> None:
    """Executes a run and stores all of it in one file.

    If that file exists, the run resumes. Even if it was killed, the result is the same as without the interruption.

    Example: deckatlas run evolution.toml --set search.population=20
    """
    from deckatlas.runs.loop import execute  # pydantic is slow to import
    from deckatlas.runs.read_config import read_config
    from deckatlas.runs.view import open_run
    from deckatlas.views.terminal import closing_lines, recheck_story

    config = read_config(file, settings=set or (), smoke=smoke, seed=seed, name=name)
    path = path_of(store, config.name)
    questions: list[CardQuestion] = [*(("events",) if cards else ()), *(("swap-outs",) if swap_out else ())]
    usual = (config.evaluation.games if smoke else 1000) if recheck or questions else None
    games = recheck_games or usual
    if games is not None and config.archive is None:
        raise RunError(f"{config.name} has no archive: only the elites of an archive can be rechecked")
    begun = time.monotonic()
    try:
        with played_on(cluster, threads), live_view(config.name) as watch:
            standing = execute(
                config, path, threads=threads, recheck=games, cards=questions, watch=watch, advice=ADVICE
            )
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C; other signals raise SystemExit
        err.print(f"{path} is whole; the same command resumes it", markup=False, soft_wrap=True)
        raise
    print_parts(closing_lines(config.name, path, standing, time.monotonic() - begun))
    if games is not None:
        print_parts(recheck_story(open_run(path)))


@contextmanager
def live_view(name: str) -> Iterator[Callable[["Standing"], object]]:
    """Shows the progress of a run on the terminal while the block runs; yields the function to call with it.

    Nothing is shown if standard error is not a terminal.
    """
    if not err.is_terminal:
        yield lambda standing: None
        return
    from deckatlas.views.terminal import standing_table, workers_table

    def shown(standing: "Standing") -> Group:
        table = standing_table(name, standing, time.monotonic() - begun)
        return Group(table, workers_table(standing.workers)) if standing.workers else Group(table)

    begun = time.monotonic()
    with Live(console=err, transient=True) as live:
        yield lambda standing: live.update(shown(standing))
