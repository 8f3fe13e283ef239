"""`deckatlas referee`: two programs of the contest kind against each other."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import GameArgument, out, write_text
from deckatlas.errors import MatchError
from deckatlas.games.locm_record import GameRecord
from deckatlas.play.referee import referee as referee_locm
from deckatlas.play.referee import summary


def referee(
    game: GameArgument,
    p1: Annotated[str, typer.Option(help="Command that starts the first program.", metavar="CMD")],
    p2: Annotated[str, typer.Option(help="Command that starts the second program.", metavar="CMD")],
    seed: Annotated[int, typer.Option(help="The official referee's seed of the first game; later games count on.")] = 0,
    games: Annotated[int, typer.Option(help="How many games.")] = 1,
    swap: Annotated[bool, typer.Option(help="Play two games a seed, the second with seats swapped.")] = True,
    time_factor: Annotated[float, typer.Option(help="Multiplies the official time limits.")] = 1.0,
    record: Annotated[Path | None, typer.Option(help="Write the game as text that replays; one game only.")] = None,
) -> None:
    """Referees two programs that speak the official protocol on standard input and output; p1 moves first.

    A program has 1000 ms for its first pick and its first turn, 100 ms for later picks, 200 ms for later turns.
    Silence, a crash, a closed pipe or a malformed command loses the game; illegal actions are skipped.
    Programs are started anew for each game. With --swap, every second game repeats the seed with seats swapped.

    Agents of Deckatlas play as such programs through `deckatlas bot`.
    Exits with 0 however the games end, with 2 if a program cannot be started. POSIX systems only.

    Example: deckatlas referee locm --p1 "python3 mybot.py" --p2 "deckatlas bot locm icebox/greedy" --games 10
    """
    if record is not None and games != 1:
        raise MatchError("--record takes one game, not several")
    played = []
    for each in referee_locm((p1, p2), seed=seed, games=games, swap_seats=swap, time_factor=time_factor):
        played.append(each)
        out.print(str(each), markup=False, soft_wrap=True)
    if games > 1:
        out.print(summary(played, swap_seats=swap), markup=False, soft_wrap=True)
    if record is not None:
        start, outcome = played[0].start, played[0].outcome
        told = GameRecord(start.to_text(), (p1, p2), outcome.actions, outcome.winner, outcome.forfeit)
        write_text(record, told.to_text())
