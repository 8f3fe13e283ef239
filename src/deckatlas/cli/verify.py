"""`deckatlas verify`: replays reference files of other engines and reports differences."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from deckatlas.cli.common import GameArgument, out, progress_bar
from deckatlas.cli.game_options import options_of
from deckatlas.games import find
from deckatlas.games.reference_files import read_reference_file

MISMATCH = 1


def verify(
    game: GameArgument,
    files: Annotated[
        list[Path],
        typer.Argument(help="Reference files with traces or scenarios: JSON lines, plain or gzipped.", metavar="FILE"),
    ],
    **own: Any,
) -> None:
    """Replays reference traces and scenarios of other engines and compares every field of every state.

    The exit code is 0 if everything agrees, apart from the deviations in docs/deviations.md. It is 1 if anything else
    differs, and 2 if a file cannot be read.
    """
    chosen = find(game)
    options = options_of(chosen, "verify", own)
    references = [read_reference_file(path) for path in files]
    with progress_bar("verify", None, unit="lines") as progress:
        result = chosen.verify(references, progress=progress, **options)
    summary = Table(box=None, show_header=False, pad_edge=False)
    summary.add_column()
    summary.add_column(justify="right")
    for name, value in result.rows:
        summary.add_row(name, value)
    out.print(summary)
    for title, lines in result.findings:
        out.print(f"\n{title}")
        for line in lines:
            out.print(f"  {line}", markup=False, soft_wrap=True)
    if not result.holds:
        raise typer.Exit(MISMATCH)
