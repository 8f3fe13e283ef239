"""`deckatlas bot`: an agent of Deckatlas as a program that plays over standard input and output."""

import io
import os
import sys
from collections.abc import Callable
from typing import Annotated, TextIO

import typer

from deckatlas.cli.common import AnyGame, AnyGameArgument, SeedOption
from deckatlas.errors import AgentError

# What answers one question of a stream: a line, or None at the end of the stream.
Answers = Callable[[TextIO], str | None]


def bot(
    game: AnyGameArgument,
    agent: Annotated[
        str,
        typer.Argument(
            help="DRAFT/BATTLE, such as icebox/greedy; of Hearthstone an agent, such as planner:score=control.",
            metavar="AGENT",
        ),
    ],
    seed: SeedOption = 0,
) -> None:
    """Plays one game on standard input and output, in the words of the game's text protocol, until the input ends.

    Original programs of the Legends of Code and Magic contest and other referees can so play with agents of Deckatlas.

    Example: deckatlas referee locm --p1 "deckatlas bot locm icebox/greedy" --p2 ./my-program

    Example: deckatlas bot hearthstone planner:score=control
    """
    answers = _hearthstone(agent, seed) if game is AnyGame.hearthstone else _locm(agent, seed)
    stdin = io.TextIOWrapper(sys.stdin.buffer, encoding="ascii", errors="replace")
    try:
        while (answer := answers(stdin)) is not None:
            print(answer, flush=True)
    except BrokenPipeError:
        # The game is over for the referee. What is left to write must not fail once more when this program ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# A program under a referee's clock cannot wait for the modules of the other game.


def _locm(agent: str, seed: int) -> Answers:
    from deckatlas.games.locm.entrants import entrant
    from deckatlas.games.locm.protocol import read_input
    from deckatlas.games.locm.seat import ProtocolAgent

    agents = entrant(agent).agents_of_core()
    if agents is None:
        raise AgentError(f"'{agent}' is a program already")
    player = ProtocolAgent(*agents, seed=seed)
    return lambda stream: None if (turn := read_input(stream)) is None else player.answer(turn)


def _hearthstone(agent: str, seed: int) -> Answers:
    from deckatlas.games.hearthstone.pilots import pilot
    from deckatlas.games.hearthstone.protocol import ProtocolAgent, read_question

    made = pilot(agent).agent_of_core()
    if made is None:
        raise AgentError(f"'{agent}' is a program already")
    player = ProtocolAgent(made, seed=seed)
    return lambda stream: None if (view := read_question(stream)) is None else player.answer(view)
