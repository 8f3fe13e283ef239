"""`deckatlas game`: one game as readable text."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas import locm
from deckatlas.cli.common import GameArgument, SeedOption, out, write_text
from deckatlas.cli.matches import EntrantArgument, FormatOption


def game(
    game: GameArgument,
    first: EntrantArgument,
    second: EntrantArgument,
    seed: SeedOption = 0,
    format: FormatOption = "referee",
    record: Annotated[
        Path | None, typer.Option(help="Also write the game as text that replays; `-` is standard output.")
    ] = None,
) -> None:
    """Plays one game and tells it turn by turn; the seed is the official referee's.

    Example: deckatlas game locm icebox/greedy random/greedy --seed 7
    """
    played = locm.play_one(first, second, seed=seed, format=format)
    if record is not None:
        write_text(record, played.to_text())
    if record is None or str(record) != "-":
        out.print(locm.narrate(played), markup=False, soft_wrap=True)
