"""`deckatlas verify`: replays reference files of other engines and says what differs."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from deckatlas.cli.common import out, progress_bar
from deckatlas.errors import DeckatlasError
from deckatlas.games.hearthstone.verify import Verification as HearthstoneVerification
from deckatlas.games.hearthstone.verify import verify as verify_hearthstone
from deckatlas.games.locm.verify import SHOWN_OF_A_LINE
from deckatlas.games.locm.verify import Verification as LocmVerification
from deckatlas.games.locm.verify import verify as verify_locm
from deckatlas.games.reference_files import ReferenceFile, read_reference_file

MISMATCH = 1


class VerifiedGame(StrEnum):
    """The games that reference files of other engines exist for."""

    locm = "locm"
    hearthstone = "hearthstone"


def verify(
    game: Annotated[VerifiedGame, typer.Argument(help="Which game: locm or hearthstone.", metavar="GAME")],
    files: Annotated[list[Path], typer.Argument(help="Traces and scenarios, plain or gzip.", metavar="FILE")],
    edition: Annotated[
        str | None,
        typer.Option(
            help="Edition of Hearthstone's cards, or a TOML file with a patch; if none, 2018-12 for scenarios and "
            "sabberstone for traces."
        ),
    ] = None,
) -> None:
    """Replays reference traces and scenarios and compares every field of every state.

    Where recorded games of Hearthstone have decisions of the papers' planner, the same positions are planned again.

    Exits with 0 if all is the same but for deviations that docs/deviations.md names, with 1 if something else differs,
    with 2 if a file cannot be read.

    Example: deckatlas verify locm traces.jsonl.gz scenarios.jsonl.gz
    """
    if edition is not None and game is VerifiedGame.locm:
        raise DeckatlasError("--edition is for hearthstone: locm has one edition of cards")
    references = [read_reference_file(path) for path in files]
    holds = _verify_locm(references) if game is VerifiedGame.locm else _verify_hearthstone(references, edition)
    if not holds:
        raise typer.Exit(MISMATCH)


def _lines(references: list[ReferenceFile]) -> int:
    return sum(len(reference.lines) for reference in references)


def _verify_locm(references: list[ReferenceFile]) -> bool:
    with progress_bar("verify", _lines(references), unit="lines") as progress:
        result: LocmVerification = verify_locm(references, progress=progress)
    names = ("games", "scenarios", "turns", "actions", "mismatches")
    _print_summary([(name, f"{getattr(result, name):,}") for name in names])
    if result.mismatches:
        out.print(f"\nThe first differences, at most {SHOWN_OF_A_LINE} of a line:")
        _print_lines([str(difference) for difference in result.first])
    return result.mismatches == 0


def _verify_hearthstone(references: list[ReferenceFile], edition: str | None) -> bool:
    with progress_bar("verify", _lines(references), unit="lines") as progress:
        result: HearthstoneVerification = verify_hearthstone(references, edition=edition, progress=progress)
    rows = []
    if result.scenarios:
        rows += [("scenarios", f"{result.scenarios:,}"), ("scenarios that pass", f"{result.passed:,}")]
    if result.games:
        rows += [
            ("games", f"{result.games:,}"),
            ("games replayed whole", _share(result.whole, result.games)),
            ("steps checked", f"{result.steps:,}"),
        ]
    decisions = result.decisions
    if decisions.compared + decisions.left_out:
        rows += [
            ("decisions planned again", f"{decisions.compared:,}"),
            ("  left out, with something random", f"{decisions.left_out:,}"),
            ("  same score", f"{decisions.scores:,}"),
            ("  same number of end nodes", f"{decisions.end_nodes:,}"),
            ("  same length", f"{decisions.lengths:,}"),
            ("  same in all three", f"{decisions.agreed:,}"),
            *((f"  known deviation {name}", f"{count:,}") for name, count in sorted(decisions.known.items())),
        ]
    _print_summary(rows)
    if result.differences:
        out.print("\nThe first difference of each:")
        _print_lines(result.differences)
    if decisions.differences:
        out.print("\nDecisions that differ:")
        _print_lines(decisions.differences)
    return result.holds


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({100 * part / whole:.2f} %)" if whole else f"{part:,}"


def _print_summary(rows: list[tuple[str, str]]) -> None:
    summary = Table(box=None, show_header=False, pad_edge=False)
    summary.add_column()
    summary.add_column(justify="right")
    for name, value in rows:
        summary.add_row(name, value)
    out.print(summary)


def _print_lines(lines: Sequence[str]) -> None:
    for line in lines:
        out.print(f"  {line}", markup=False, soft_wrap=True)
