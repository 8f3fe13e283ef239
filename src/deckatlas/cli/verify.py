"""`deckatlas verify`: replays reference files of other engines and says what differs."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from deckatlas.cli.common import GameArgument, out, progress_bar
from deckatlas.games.locm_traces import read_reference_file
from deckatlas.games.locm_verify import SHOWN_OF_A_LINE, Verification
from deckatlas.games.locm_verify import verify as verify_locm

MISMATCH = 1


def verify(
    game: GameArgument,
    files: Annotated[list[Path], typer.Argument(help="Traces and scenarios, plain or gzip.", metavar="FILE")],
) -> None:
    """Replays reference traces and scenarios and compares every field of every state.

    Exits with 0 if all is the same, with 1 if something differs, with 2 if a file cannot be read.

    Example: deckatlas verify locm traces.jsonl.gz scenarios.jsonl.gz
    """
    references = [read_reference_file(path) for path in files]
    with progress_bar("verify", sum(len(reference.lines) for reference in references), unit="lines") as progress:
        result = verify_locm(references, progress=progress)
    _print_result(result)
    if result.mismatches:
        raise typer.Exit(MISMATCH)


def _print_result(result: Verification) -> None:
    summary = Table(box=None, show_header=False, pad_edge=False)
    summary.add_column()
    summary.add_column(justify="right")
    for name in ("games", "scenarios", "turns", "actions", "mismatches"):
        summary.add_row(name, f"{getattr(result, name):,}")
    out.print(summary)
    if result.mismatches:
        out.print(f"\nThe first differences, at most {SHOWN_OF_A_LINE} of a line:")
        for difference in result.first:
            out.print(f"  {difference}", markup=False, soft_wrap=True)
