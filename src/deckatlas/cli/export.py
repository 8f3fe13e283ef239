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
        typer.Argument(help="The name of a run, or the path of its file. --suite takes several.", metavar="RUN"),
    ],
    csv: Annotated[
        Path | None,
        typer.Option(help="Write the progress as CSV: one row per generation, or the statistics of a map over time."),
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write all populations, or the whole map, as JSON.")] = None,
    policy: Annotated[
        Path | None,
        typer.Option(
            help="Write the best draft policy or pilot, for genome:file=FILE, planner:net=FILE or planner:weights=FILE."
        ),
    ] = None,
    mean: Annotated[
        Path | None,
        typer.Option(
            help="Write a mean solution of CMA-ES, in the form of --policy: the mean of the better halves of the last "
            "tenth of generations. It beats the best solution where games are noisy."
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Write the final model of a search with a surrogate, for search.model_file.")
    ] = None,
    elites: Annotated[
        Path | None, typer.Option(help="Write the elites of a map as CSV: cell, measures, objective, deck code.")
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option(
            help="Write the cards of the elites in fresh games as CSV; needs `deckatlas run FILE --cards` first."
        ),
    ] = None,
    frame: Annotated[
        Path | None, typer.Option(help="Write the elites as a CSV data frame for the visualisers of pyribs.")
    ] = None,
    candidates: Annotated[
        Path | None,
        typer.Option(
            help="Write the candidates of a surrogate as CSV: round, predictions, results, and whether they entered."
        ),
    ] = None,
    suite: Annotated[
        Path | None,
        typer.Option(help="Write the best deck of each map as a suite of opponents, for --suite and evaluation.suite."),
    ] = None,
    figure: Annotated[
        Path | None, typer.Option(help="Draw the curve of a search: a PNG, SVG or PDF file (needs the `plot` extra).")
    ] = None,
    store: StoreOption = RUNS,
) -> None:
    """Writes the results of runs to files; `-` means standard output.

    Give at least one option that names a file. Only --suite exports several runs together.

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
