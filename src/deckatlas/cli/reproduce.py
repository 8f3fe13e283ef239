"""`deckatlas reproduce`: runs the experiments of a paper, and shows the results beside the published ones."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from deckatlas.cli.cluster import ClusterOption, played_on
from deckatlas.cli.common import RUNS, StoreOption, err, out, print_table
from deckatlas.cli.run import live_view

if TYPE_CHECKING:
    from deckatlas.experiments.experiment import Experiment  # pydantic is slow to import
    from deckatlas.experiments.kind import TextTable

RESULTS = Path("results")


def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            help="A paper such as active-genes, or one of its tables and figures such as active-genes/fig-4.1.",
            metavar="PAPER[/ITEM]",
        ),
    ],
    set: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Replace a value in the file, such as report.games=100; may be given several times.",
            metavar="K=V",
        ),
    ] = None,
    smoke: Annotated[bool, typer.Option("--smoke", help="Shrink everything to a few seconds.")] = False,
    store: StoreOption = RUNS,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The folder for the results, with a subfolder for each table or figure (default: results/PAPER)."
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="The number of threads (default: all cores). It does not change the result.")
    ] = None,
    cluster: ClusterOption = None,
) -> None:
    """Runs an experiment of a paper: its searches, then the games that compare their results.

    It shows the results beside the published numbers, and writes tables (CSV, JSON, Markdown) and figures (PNG). Stored
    games are not played again. After an interruption, the same command resumes.

    Example: deckatlas reproduce active-genes/table-4.1 --smoke
    """
    from deckatlas.experiments.experiment import find_items  # pydantic is slow to import
    from deckatlas.papers.kinds import read_item

    settings = set or []
    experiments = [read_item(file, settings=settings, smoke=smoke) for file in find_items(name)]
    for experiment in experiments:
        words = ["deckatlas", "reproduce", experiment.name, *(["--smoke"] if smoke else [])]
        words += [word for setting in settings for word in ("--set", setting)]
        try:
            with played_on(cluster, threads):
                _reproduce(experiment, store=store, out=out, threads=threads, command=shlex.join(words))
        except (KeyboardInterrupt, SystemExit):
            err.print(f"what is in {store} is whole; the same command resumes it", markup=False, soft_wrap=True)
            raise


def _reproduce(experiment: "Experiment", *, store: Path, out: Path | None, threads: int | None, command: str) -> None:
    from deckatlas.experiments.reproduce import reproduce as carry_out

    outcome = carry_out(
        experiment,
        store=store,
        out=RESULTS / experiment.paper if out is None else out,
        command=command,
        view=live_view,
        threads=threads,
    )
    _say(f"{experiment.name}: {experiment.heading.title} ({experiment.heading.source})")
    for table in outcome.report.tables:
        print_table(_rich(table))
    for note in outcome.report.notes:
        _say(f"- {note}")
    now = f"{outcome.played:,} of them now, in {outcome.seconds:,.1f} s" if outcome.played else "all already stored"
    _say(f"{outcome.games:,} games, {now}")
    _say(f"written to {outcome.folder}")


def _rich(table: "TextTable") -> Table:
    shown = Table(title=table.title, title_justify="left", title_style="", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, column in enumerate(table.columns):
        shown.add_column(column, justify="right" if number else "left", no_wrap=True)
    for row in table.rows:
        shown.add_row(*row)
    return shown


def _say(line: str) -> None:
    out.print(line, markup=False, soft_wrap=True)
