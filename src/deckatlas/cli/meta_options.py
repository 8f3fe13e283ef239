"""Shared by the commands of `deckatlas meta`: options, reading a metagame, and showing progress."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckatlas.cli.common import err, game_of_metagame, progress_bar
from deckatlas.play.limits import positive

if TYPE_CHECKING:  # pydantic is slow to import
    from deckatlas.metagame.analysis import Analysis
    from deckatlas.metagame.metagame import Metagame
    from deckatlas.metagame.play import Watch

_MOST_ELITES = 100

MetagameArgument = Annotated[
    str,
    typer.Argument(
        help="The metagame: a shipped name (field, field-2018, atlas, drafts), a TOML file, or a run.",
        metavar="METAGAME",
    ),
]
GamesOption = Annotated[
    int, typer.Option(help="Mean games per pair of decks: half are spread evenly, the rest go where they matter most.")
]
PilotOption = Annotated[str | None, typer.Option(help="The agent that plays all decks (default: as in the metagame).")]
EditionOption = Annotated[str | None, typer.Option(help="The edition of the cards (default: that of the metagame).")]
ElitesOption = Annotated[
    int | None, typer.Option(help="If the metagame is a run: how many of its best elites to take (default: 12).")
]
JsonOption = Annotated[Path | None, typer.Option(help="Write the result as JSON; `-` means standard output.")]
PageOption = Annotated[Path | None, typer.Option(help="Write a self-contained web page, an HTML file.")]


def metagame_given(given: str, pilot: str | None, edition: str | None, elites: int | None, store: Path) -> "Metagame":
    """The metagame that a command names."""
    if elites is not None:
        positive("--elites", elites, _MOST_ELITES, least=2)
    return game_of_metagame(given).metagame(given, pilot=pilot, edition=edition, elites=elites, store=store)


def analysed(given: "Metagame", *, games: int, seed: int, threads: int | None, store: Path) -> "Analysis":
    """Plays the games of a metagame that are not stored yet, and says what follows from all of them."""
    from deckatlas.metagame.analysis import analyse
    from deckatlas.metagame.play import Budget

    with watched(given.name) as watch:
        return analyse(given, Budget(games=games, seed=seed, folder=store, threads=threads, watch=watch))


@contextmanager
def watched(title: str) -> Iterator["Watch"]:
    """Shows a progress bar while the block runs; yields the function to call with the progress of a run."""
    from deckatlas.views.terminal import workers_in_words

    try:
        with progress_bar(title, 1) as progress:
            yield lambda standing: progress(
                standing.games, total=max(1, standing.planned), note=workers_in_words(standing.workers)
            )
    except (KeyboardInterrupt, SystemExit):  # Ctrl-C; other signals raise SystemExit
        err.print("what was played is stored; the same command resumes it")
        raise
