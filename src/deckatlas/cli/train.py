"""`deckatlas train` and `deckatlas adapt`: train a game's rating of positions on games of its own."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import SeedOption, err, first_game_that_offers, out, progress_bar
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
    _work(str(place), lambda: game.train(document, folder=place, threads=threads, show=progress_bar))


def adapt(
    patch: Annotated[str, typer.Argument(help="The patch, a TOML file.", metavar="PATCH")],
    base: Annotated[
        str | None, typer.Option(help="The edition that the patch changes (default: the one that it names).")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Games to learn from (default: 40,000).")] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where everything is stored (default: trainings/adapt- and the name of the patch)."),
    ] = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
) -> None:
    """Adapts the pilot `expert` to a patch by some minutes of games.

    The rating of positions knows cards by what they are, so it can rate a changed or a new card at once. Games under
    the patch show what it is really worth. They are played by `expert` with the weights of the package, half of them
    under the patch and half without it, and many decks have copies of the changed cards. Then the weights learn from
    the recorded positions.

    The last line is the pilot with the adapted weights, for any command that takes a pilot. The lines before say what
    the adaptation brought: the loss on positions of games under the patch that were not learnt from, before and after,
    and a match under the patch between both weights, with the same deck and a narrow search on both sides.

    The folder is that of a training (see `deckatlas train`). If it exists, the adaptation continues.

    Example: deckatlas adapt patch.toml --games 20000 --folder trainings/patch
    """
    game = first_game_that_offers("adapt", "a rating of positions that can be adapted")
    options = {"base": base, "folder": folder, "seed": seed, "threads": threads}
    if games is not None:
        options["games"] = games
    _work("the training" if folder is None else str(folder), lambda: game.adapt(patch, show=progress_bar, **options))


def _work(place: str, work: Callable[[], Iterable[str]]) -> None:
    """Prints the lines of a training as they come; says how to continue if it is stopped."""
    try:
        for line in work():
            out.print(line, markup=False, soft_wrap=True)
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C; other signals raise SystemExit
        err.print(f"{place} is whole; the same command continues it", markup=False, soft_wrap=True)
        raise
