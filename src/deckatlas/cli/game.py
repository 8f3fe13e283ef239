"""`deckatlas game`: one game as readable text."""

from pathlib import Path
from typing import Annotated, Any

import typer

from deckatlas.cli.common import GameArgument, SeedOption, out
from deckatlas.cli.game_options import options_of
from deckatlas.cli.matches import EntrantArgument
from deckatlas.files.writing import write_text
from deckatlas.games import find


def game(
    game: GameArgument,
    first: EntrantArgument,
    second: EntrantArgument,
    seed: SeedOption = 0,
    record: Annotated[
        Path | None, typer.Option(help="Also write the game as text that can be replayed; `-` is standard output.")
    ] = None,
    **own: Any,
) -> None:
    """Plays one game and prints it turn by turn.

    To see a game of a match again, give its seed from the match's column `seed`.
    """
    chosen = find(game)
    played = chosen.play_one(first, second, seed=seed, **options_of(chosen, "game", own))
    if record is not None:
        write_text(record, played.record.to_text())
    if record is None or str(record) != "-":
        out.print(played.story, markup=False, soft_wrap=True)
