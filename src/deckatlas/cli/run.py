"""`deckatlas run`: carries out a run, or what is left of it, and shows how it stands."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import JustifyMethod
from rich.live import Live
from rich.table import Table

from deckatlas.cli.common import RUNS, Part, StoreOption, err, print_parts
from deckatlas.errors import RunError
from deckatlas.runs.library import path_of
from deckatlas.runs.loop import Standing, execute

if TYPE_CHECKING:  # with pydantic, which takes long to import
    from deckatlas.runs.map_config import MapConfig
    from deckatlas.runs.map_loop import MapStanding

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
        bool, typer.Option("--recheck", help="Of a map, play all elites again on fresh seeds when it is finished.")
    ] = False,
    recheck_games: Annotated[
        int | None, typer.Option(min=1, help="Do so with so many games for each elite, if not 1000.")
    ] = None,
) -> None:
    """Carries out a run, a search of matchups or a map of elites, and stores all of it in one file.

    If the run is there already, it is resumed: after any kill, to the same result as an unbroken run.

    Example: deckatlas run evolution.toml --set search.population=20
    """
    from deckatlas.runs.config import RunConfig  # with pydantic, which takes long to import
    from deckatlas.runs.read_config import read_config

    config = read_config(file, settings=set or (), smoke=smoke, seed=seed, name=name)
    path = path_of(store, config.name)
    begun = time.monotonic()
    try:
        if isinstance(config, RunConfig):
            if recheck or recheck_games:
                raise RunError(f"{config.name} is no map: only the elites of a map can be rechecked")
            with live_view(config.name) as watch:
                standing = execute(config, path, threads=threads, watch=watch, advice=ADVICE)
            parts: Iterator[Part] = _closing_lines(config.name, path, standing, time.monotonic() - begun)
        else:
            games = recheck_games or ((config.evaluation.games if smoke else 1000) if recheck else None)
            parts = _carry_out_map(config, path, threads=threads, recheck=games)
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C, and what other signals are turned into
        err.print(f"{path} is whole; the same command goes on from there", markup=False, soft_wrap=True)
        raise
    print_parts(parts)


def _carry_out_map(config: "MapConfig", path: Path, *, threads: int | None, recheck: int | None) -> Iterator[Part]:
    from deckatlas.runs.map_loop import execute_map
    from deckatlas.runs.view import open_run
    from deckatlas.views.terminal import closing_lines, recheck_story

    begun = time.monotonic()
    with live_view(config.name) as watch:
        standing = execute_map(config, path, threads=threads, recheck=recheck, watch=watch, advice=ADVICE)
    closing = closing_lines(config.name, path, standing, time.monotonic() - begun)
    return chain(closing, recheck_story(open_run(path)) if recheck is not None else ())


@contextmanager
def live_view(name: str) -> Iterator[Callable[["Standing | MapStanding"], object]]:
    """Shows on the terminal how a run stands while the block runs; gives the function that is to be told.

    Nothing is shown where standard error is not a terminal.
    """
    if not err.is_terminal:
        yield lambda standing: None
        return
    begun = time.monotonic()

    def table(standing: "Standing | MapStanding") -> Table:
        seconds = time.monotonic() - begun
        if isinstance(standing, Standing):
            return standing_table(name, standing, seconds)
        from deckatlas.views.terminal import map_standing_table

        return map_standing_table(name, standing, seconds)

    with Live(console=err, transient=True) as live:
        yield lambda standing: live.update(table(standing))


def standing_table(name: str, standing: Standing, seconds: float) -> Table:
    """How a run stands after so many seconds of this process."""
    rate = (standing.games - standing.stored) / seconds if seconds > 0 else 0.0
    left = str(timedelta(seconds=round((standing.planned - standing.games) / rate))) if rate > 0 else ""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("run", "generation", "best", "games", "games/s", "time left"):
        justify: JustifyMethod = "left" if column == "run" else "right"
        table.add_column(column, justify=justify, style="green" if column == "best" else None, no_wrap=True)
    generation = "" if standing.generation is None else str(standing.generation)
    games = f"{standing.games:,} of {standing.planned:,}"
    table.add_row(name, generation, _score(standing.best), games, f"{rate:,.0f}", left)
    return table


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:.2f}"


def _closing_lines(name: str, path: Path, standing: Standing, seconds: float) -> Iterator[str]:
    played = standing.games - standing.stored
    if played:
        rate = f"{played:,} of them now, {played / seconds:,.0f} a second"
        yield f"{name}: finished after {standing.games:,} games ({rate})"
    else:
        yield f"{name}: was finished already, after {standing.games:,} games"
    if standing.generation is not None:
        yield f"generation {standing.generation}, best {_score(standing.best)}"
    yield f"stored in {path}"
