"""`deckatlas referee`: two programs against each other."""

from pathlib import Path
from typing import Annotated, Any

import typer

from deckatlas.cli.common import GameArgument, out
from deckatlas.cli.game_options import options_of
from deckatlas.errors import MatchError
from deckatlas.files.writing import write_text
from deckatlas.games import find
from deckatlas.play.referee import referee_summary


def referee(
    game: GameArgument,
    p1: Annotated[str, typer.Option(help="The command that starts the first program, such as ./bot.", metavar="CMD")],
    p2: Annotated[str, typer.Option(help="The command that starts the second program.", metavar="CMD")],
    seed: Annotated[int, typer.Option(help="The seed of the first game; the next seeds count up from it.")] = 0,
    games: Annotated[int, typer.Option(help="The number of games.")] = 1,
    swap: Annotated[bool, typer.Option(help="Play each seed twice, the second time with seats swapped.")] = True,
    time_factor: Annotated[
        float, typer.Option(help="Multiply the time limits of external programs by this factor.")
    ] = 1.0,
    record: Annotated[
        Path | None,
        typer.Option(help="Write the game as text that can be replayed; `-` means standard output. Needs --games 1."),
    ] = None,
    **own: Any,
) -> None:
    """Referees games between two programs that speak the game's protocol on standard input and output.

    p1 moves first in the first game. A program that is silent, crashes, closes its pipe or sends a malformed command
    loses the game. Programs are started afresh for each game. `deckatlas bot` runs a Deckatlas agent as such a program.

    The exit code is 0 however the games end, and 2 if a program cannot be started. This works on POSIX systems only.
    """
    chosen = find(game)
    options = options_of(chosen, "referee", own)
    if record is not None and games != 1:
        raise MatchError("--record takes one game, not several")
    played = []
    for each in chosen.referee((p1, p2), seed=seed, games=games, swap_seats=swap, time_factor=time_factor, **options):
        played.append(each)
        out.print(str(each), markup=False, soft_wrap=True)
    if games > 1:
        out.print(referee_summary(played, swap_seats=swap), markup=False, soft_wrap=True)
    if record is not None:
        write_text(record, played[0].record.to_text())
