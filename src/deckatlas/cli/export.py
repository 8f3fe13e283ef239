"""`deckatlas export`: results of runs as files for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import RUNS, StoreOption
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes, write_text
from deckatlas.runs.library import find_run

_OF_ARCHIVES = ("elites", "cards", "frame", "candidates")


def export(
    runs: Annotated[
        list[str],
        typer.Argument(help="The name of a run, or the path of its file; several for --suite.", metavar="RUN"),
    ],
    csv: Annotated[
        Path | None, typer.Option(help="The progress as CSV: one row per generation, or the map over time.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="All populations, or the whole map, as JSON.")] = None,
    policy: Annotated[
        Path | None,
        typer.Option(help="The best draft policy or pilot, for genome:file=FILE, planner:net=FILE or :weights=FILE."),
    ] = None,
    mean: Annotated[
        Path | None,
        typer.Option(
            help="Of CMA-ES: the mean of the better halves of the last tenth of generations, like --policy. It is "
            "better than the best solution where games are noisy."
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="The final model of a search with a surrogate, for search.model_file.")
    ] = None,
    elites: Annotated[
        Path | None, typer.Option(help="The elites of a map as CSV: cell, measures, objective, deck code.")
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option(help="The cards of the elites in fresh games as CSV, after deckatlas run --cards."),
    ] = None,
    frame: Annotated[Path | None, typer.Option(help="The elites as a CSV frame for pyribs' visualisers.")] = None,
    candidates: Annotated[
        Path | None,
        typer.Option(help="The candidates of a surrogate as CSV: round, predictions, results, and whether entered."),
    ] = None,
    suite: Annotated[
        Path | None, typer.Option(help="The best deck of each map as opponents, for --suite and evaluation.suite.")
    ] = None,
    figure: Annotated[Path | None, typer.Option(help="The curve of a search, as PNG, SVG or PDF.")] = None,
    store: StoreOption = RUNS,
) -> None:
    """Writes the results of runs to files; `-` is standard output.

    Give at least one of the options that name a file. Several runs can be exported together only with --suite.

    Example: deckatlas export hunter --elites elites.csv --suite best.toml
    """
    wanted = {"csv": csv, "json": json, "policy": policy, "mean": mean, "model": model, "elites": elites}
    wanted |= {"frame": frame, "cards": cards, "candidates": candidates}
    files = {name: file for name, file in wanted.items() if file is not None}
    every = [*files.values(), *(file for file in (suite, figure) if file is not None)]
    if not every:
        raise RunError(
            "say what to export: --csv, --json, --policy, --mean, --model, --elites, --cards, --frame, --candidates, "
            "--suite or --figure, each with a file"
        )
    if len({*every}) < len(every):
        raise RunError("each export needs its own file")
    if len(runs) > 1 and (files or figure):
        raise RunError("several runs can only be exported together as a --suite")
    from deckatlas.runs.export import TEXTS  # pydantic is slow to import
    from deckatlas.runs.read_config import config_class
    from deckatlas.runs.view import open_run
    from deckatlas.views.generations import generations_figure

    views = [open_run(find_run(store, run)) for run in runs]
    texts: dict[Path, str] = {}
    for name, file in files.items():
        if name in _OF_ARCHIVES and not views[0].has_archive:
            raise RunError(f"{runs[0]} has no archive and cannot be exported with --{name}")
        texts[file] = TEXTS[name](views[0])
    picture = b"" if figure is None else generations_figure(views[0], figure.suffix.lower())
    if suite is not None:
        kinds = {view.description.kind for view in views}
        if len(kinds) > 1:
            raise RunError(f"the runs of a suite must be of one kind, not of {' and '.join(sorted(kinds))}")
        texts[suite] = config_class(kinds.pop()).suite_of(views)
    # Files are written only after all exports have succeeded.
    for file, text in texts.items():
        write_text(file, text)
    if figure is not None:
        write_bytes(figure, picture)
