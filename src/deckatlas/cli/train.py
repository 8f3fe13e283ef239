"""`deckatlas train`: trains a game's rating of positions on games of its own, round by round."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import err, out, progress_bar
from deckatlas.cli.matches import ThreadsOption
from deckatlas.errors import GameError, RunError
from deckatlas.games import find

TRAININGS = Path("trainings")


def train(
    file: Annotated[Path, typer.Argument(help="The configuration of the training, a TOML file.", metavar="FILE")],
    set: Annotated[
        list[str] | None,
        typer.Option("--set", help="Replace a value of the configuration, such as games.games=20000.", metavar="K=V"),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where everything is stored (default: trainings/ and the name of the file)."),
    ] = None,
    threads: ThreadsOption = None,
) -> None:
    """Plays games, learns from them how positions end, plays better games, and so on.

    Each round plays games over many decks, trains the network on the recorded positions, and writes its weights. If
    games.pilot is given, a pilot with the weights then plays a match. The first round is played by games.first_pilot,
    later rounds by games.pilot with the weights of the round before.

    The folder has a folder for each round: weights.npz is the result, measures.jsonl has the numbers of games and
    positions, times, losses in training and on games held out, a baseline, calibration and strength. If the folder
    exists, its training continues. Even after a kill, the weights are those of an uninterrupted training.

    The smallest configuration is one line, game = "hearthstone"; docs/training.md explains all keys.

    Example: deckatlas train expert.toml --set rounds=3 --set seed=7
    """
    from deckatlas.documents.document import read_document

    document = read_document(file)
    for setting in set or ():
        document.set_from_text(setting)
    name = document.values.get("game")
    if not isinstance(name, str):
        raise RunError(f'{file}: the configuration needs a game, such as game = "hearthstone"')
    place = TRAININGS / file.stem if folder is None else folder
    game = find(name)
    if not game.offers("train"):
        raise GameError(f"{name} has no rating of positions that can be trained")
    try:
        for line in game.train(document, folder=place, threads=threads, show=progress_bar):
            out.print(line, markup=False, soft_wrap=True)
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C; other signals raise SystemExit
        err.print(f"{place} is whole; the same command continues the training", markup=False, soft_wrap=True)
        raise
