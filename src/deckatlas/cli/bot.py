"""`deckatlas bot`: an agent of Deckatlas as a program that plays over standard input and output."""

import io
import os
import sys
from typing import Annotated

import typer

from deckatlas.cli.common import GameArgument, SeedOption
from deckatlas.games import find


def bot(
    game: GameArgument,
    agent: Annotated[
        str,
        typer.Argument(
            help="The agent, such as icebox/greedy (locm) or expert (hearthstone); `deckatlas agents GAME` lists more.",
            metavar="AGENT",
        ),
    ],
    seed: SeedOption = 0,
) -> None:
    """Plays one game on standard input and output, in the game's text protocol, until the input ends.

    This lets other referees, and programs written for them, play against Deckatlas agents.

    Example: deckatlas bot locm icebox/greedy
    """
    answers = find(game).bot(agent, seed=seed)
    stdin = io.TextIOWrapper(sys.stdin.buffer, encoding="ascii", errors="replace")
    try:
        while (answer := answers(stdin)) is not None:
            print(answer, flush=True)
    except BrokenPipeError:
        # The referee has ended the game. The remaining output must not fail again when this program exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
