"""`deckatlas bot`: an agent of Deckatlas as a program of the contest kind."""

import io
import os
import sys
from typing import Annotated

import typer

from deckatlas.agents.entrants import entrant
from deckatlas.agents.locm_protocol import read_input
from deckatlas.agents.locm_seat import ProtocolAgent
from deckatlas.cli.common import GameArgument, SeedOption
from deckatlas.errors import AgentError


def bot(
    game: GameArgument,
    agent: Annotated[str, typer.Argument(help="DRAFT/BATTLE, such as icebox/greedy.", metavar="DRAFT/BATTLE")],
    seed: SeedOption = 0,
) -> None:
    """Plays one game on standard input and output, in the words of the official protocol, until the input ends.

    Original programs of the contest and other referees can so play with agents of Deckatlas.

    Example: deckatlas referee locm --p1 "deckatlas bot locm icebox/greedy" --p2 ./my-program
    """
    agents = entrant(agent).agents_of_core()
    if agents is None:
        raise AgentError(f"'{agent}' is a program already")
    player = ProtocolAgent(*agents, seed=seed)
    stdin = io.TextIOWrapper(sys.stdin.buffer, encoding="ascii", errors="replace")
    try:
        while (turn := read_input(stdin)) is not None:
            print(player.answer(turn), flush=True)
    except BrokenPipeError:
        # The game is over for the referee. What is left to write must not fail once more when this program ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
