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
        typer.Option(
            "--set",
            help="Replace a value in the file, such as games.games=20000; may be given several times.",
            metavar="K=V",
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="The folder of the training (default: trainings/NAME for NAME.toml)."),
    ] = None,
    threads: ThreadsOption = None,
) -> None:
    """Trains the rating of positions: plays games, learns how they end, plays better games, and so on.

    The smallest configuration is one line: game = "hearthstone". docs/training.md explains all keys.

    Each round plays games with many decks, trains the network on the recorded positions, and writes its weights. If
    games.pilot is given, a pilot with these weights then plays a match. games.first_pilot plays the first round;
    games.pilot plays later rounds with the weights of the round before.

    The folder has a subfolder for each round. weights.npz is the result. measures.jsonl has the numbers of games and
    positions, times, losses in training and on held-out games, a baseline, calibration and strength. If the folder
    exists, its training continues. Even if it was killed, the weights are the same as without the interruption.

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
    patch: Annotated[
        str, typer.Argument(help="The patch, a TOML file; docs/cards.md explains the format.", metavar="PATCH")
    ],
    base: Annotated[
        str | None, typer.Option(help="The edition that the patch changes (default: the one named in the patch).")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Games to learn from (default: 40,000).")] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="The folder of the training (default: trainings/adapt-NAME, with the name of the patch)."),
    ] = None,
    seed: SeedOption = 1,
    threads: ThreadsOption = None,
) -> None:
    """Adapts the pilot `expert` to a patch with a few minutes of games.

    The rating of positions knows cards by what they do, so it can rate a changed or new card at once. Games under the
    patch show what the card is really worth. `expert` plays them with the weights of the package, half under the patch
    and half without it, and many decks have copies of the changed cards. Then the weights learn from the recorded
    positions.

    The last line of the output is the pilot with the adapted weights, for any command that takes a pilot. The lines
    before it say what the adaptation gained: the loss on held-out positions under the patch, before and after, and a
    match under the patch between the old and the new weights, with the same deck and a narrow search on both sides.

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
