"""`deckatlas export`: what runs found, as files for other programs."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from deckatlas.cli.common import RUNS, StoreOption, json_text, write_bytes, write_text
from deckatlas.errors import RunError
from deckatlas.runs.export import best_policy, generations_csv, generations_figure, run_json
from deckatlas.runs.library import find_run, open_run
from deckatlas.runs.map_store import MapStore
from deckatlas.runs.matchups import MatchupStore

_Text = Callable[[Any], str]
_OF_SEARCH: dict[str, _Text] = {
    "csv": generations_csv,
    "json": lambda store: json_text(run_json(store)),
    "policy": best_policy,
}


def export(
    runs: Annotated[
        list[str],
        typer.Argument(help="The name of a run, or the path of its file; several for --suite.", metavar="RUN"),
    ],
    csv: Annotated[
        Path | None, typer.Option(help="How the run went, as CSV: a row a generation, or the map over time.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="All populations, or the whole map, as JSON.")] = None,
    policy: Annotated[
        Path | None, typer.Option(help="The best genome of a search or a map, for genome:file=FILE.")
    ] = None,
    elites: Annotated[
        Path | None, typer.Option(help="A row an elite of a map, as CSV: cell, measures, objective, deck code.")
    ] = None,
    frame: Annotated[Path | None, typer.Option(help="The elites as the frame that pyribs' visualisers take.")] = None,
    suite: Annotated[
        Path | None, typer.Option(help="The best deck of each map as opponents, for --suite and evaluation.suite.")
    ] = None,
    figure: Annotated[Path | None, typer.Option(help="The curve of a search, as PNG, SVG or PDF.")] = None,
    store: StoreOption = RUNS,
) -> None:
    """Writes what runs found to files; `-` is standard output.

    Example: deckatlas export hunter --elites elites.csv --suite best.toml
    """
    wanted = {"csv": csv, "json": json, "policy": policy, "elites": elites, "frame": frame}
    files = {name: file for name, file in wanted.items() if file is not None}
    every = [*files.values(), *(file for file in (suite, figure) if file is not None)]
    if not every:
        raise RunError(
            "say what to export: --csv, --json, --policy, --elites, --frame, --suite or --figure, each with a file"
        )
    if len({*every}) < len(every):
        raise RunError("each export needs a file of its own")
    if len(runs) > 1 and (files or figure):
        raise RunError("several runs can only be exported together as a --suite")
    from deckatlas.runs.map_export import MAP_TEXTS, suite_toml  # with pydantic, which takes long to import
    from deckatlas.runs.view import view_of

    texts: dict[Path, str] = {}
    views = []
    picture = b""
    for run in runs:
        with open_run(find_run(store, run)) as opened:
            if isinstance(opened, MapStore):
                views.append(view_of(opened))
                texts |= _texts(run, files, MAP_TEXTS, views[-1], "a map")
            else:
                opened.check()
                texts |= _texts(run, files, _OF_SEARCH, opened, "no map")
            if figure is not None:
                picture = _figure(opened, run, figure)
            if suite is not None and not isinstance(opened, MapStore):
                raise RunError(f"{run} is no map: a suite is made of the best decks of maps")
    if suite is not None:
        texts[suite] = suite_toml(views)
    # Only now: if something is wrong no file is touched, and a pipe that is read slowly does not hold the store.
    for file, text in texts.items():
        write_text(file, text)
    if figure is not None:
        write_bytes(figure, picture)


def _texts(run: str, files: dict[str, Path], makers: Mapping[str, _Text], subject: Any, what: str) -> dict[Path, str]:
    """What each file is to hold."""
    for name in files:
        if name not in makers:
            options = ", ".join(f"--{each}" for each in makers)
            raise RunError(f"{run} is {what} and cannot be exported with --{name}; it has {options}")
    return {file: makers[name](subject) for name, file in files.items()}


def _figure(store: MatchupStore | MapStore, run: str, figure: Path) -> bytes:
    if isinstance(store, MapStore):
        raise RunError(f"{run} is a map: `deckatlas plot {run}` draws it")
    return generations_figure(store, figure.suffix.lower())
