"""`deckatlas runs`, `show` and `verify-store`: listing runs, showing their results, and checking their files."""

from datetime import datetime
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from deckatlas.cli.common import RUNS, StoreOption, has_colours, out, print_parts, print_table
from deckatlas.runs.library import find_run, summaries, summary_of
from deckatlas.runs.store import open_store

RunArgument = Annotated[str, typer.Argument(help="The name of a run, or the path of its file.", metavar="RUN")]


def runs(store: StoreOption = RUNS) -> None:
    """Lists the runs in a folder and its subfolders, with their progress and best values.

    Example: deckatlas runs
    """
    found = summaries(store)
    if not found:
        out.print(f"there are no runs in {store}", markup=False, soft_wrap=True)
        return
    table = _table("name", "algorithm", "state", "reached", "games", "best", "begun")
    for summary in found:
        games = f"{summary.games:,}" if summary.created else ""
        games += "" if summary.budget is None else f" of {summary.budget:,}"
        table.add_row(
            Text(summary.name),
            summary.algorithm,
            summary.state,
            summary.reached,
            games,
            _score(summary.best),
            _local_time(summary.created),
        )
    print_table(table)
    for summary in found:
        if summary.problem:
            out.print(summary.problem, markup=False, soft_wrap=True)


def show(
    run: RunArgument,
    digest: Annotated[
        bool, typer.Option("--digest", help="Print only a hash of the configuration and of all evaluations.")
    ] = False,
    store: StoreOption = RUNS,
) -> None:
    """Shows a run: its configuration, its progress, and a description of its best solutions.

    Example: deckatlas show evolution --digest
    """
    from deckatlas.runs.view import view_of  # pydantic is slow to import
    from deckatlas.views.terminal import overview, run_story

    with open_store(find_run(store, run)) as opened:
        state = summary_of(opened, opened.run()).state
        view = view_of(opened)
    if digest:
        out.print(view.digest)
        return
    print_parts(overview(view, state))
    print_parts(run_story(view, colours=has_colours()))


def verify_store(
    runs: Annotated[list[str], typer.Argument(help="The names of runs, or the paths of their files.", metavar="RUN")],
    store: StoreOption = RUNS,
) -> None:
    """Reads the whole file of each run and compares it with the stored hashes.

    Example: deckatlas verify-store hunter
    """
    from deckatlas.runs.verification import check_store

    for run in runs:
        path = find_run(store, run)
        with open_store(path) as opened:
            check_store(opened)
            progress = opened.progress()
        out.print(
            f"{path}: all {progress.evaluations:,} evaluations are as they were stored", markup=False, soft_wrap=True
        )


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="left" if column in ("name", "algorithm", "state") else "right", no_wrap=True)
    return table


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:.2f}"


def _local_time(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment.astimezone():%Y-%m-%d %H:%M}"
