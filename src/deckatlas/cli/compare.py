"""`deckatlas compare`: which of two decks, pilots, editions or draft policies is better."""

from pathlib import Path
from typing import Annotated, Any

import typer

from deckatlas.cli.common import (
    RUNS,
    SeedOption,
    StoreOption,
    first_game_that_offers,
    print_parts,
    progress_bar,
    write_json,
)
from deckatlas.cli.game_options import options_of
from deckatlas.cli.matches import ThreadsOption
from deckatlas.cli.pictures import PictureOption, check_picture
from deckatlas.errors import MatchError
from deckatlas.files.writing import check_writable, write_bytes
from deckatlas.games import Game, find, is_known

GAMES = 10_000


def compare(
    given: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME] A B",
            help="The game (default: hearthstone), then two decks, pilots, policies or editions; `deckatlas decks` and "
            "`deckatlas agents GAME` list names.",
        ),
    ],
    games: Annotated[
        int,
        typer.Option(
            help="The maximum number of games, both sides together. Play stops earlier once the result is clear."
        ),
    ] = GAMES,
    seed: SeedOption = 0,
    unpaired: Annotated[
        bool, typer.Option("--unpaired", help="Let B play on different seeds from A; the interval is then wider.")
    ] = False,
    threads: ThreadsOption = None,
    store: StoreOption = RUNS,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON; `-` means standard output.")] = None,
    picture: PictureOption = None,
    **own: Any,
) -> None:
    """Says which of two decks, pilots, policies or editions is better, and by how much.

    A and B play the same opponents on the same seeds in both seats, and only their difference on each seed counts. Luck
    that both share therefore cancels out. Play stops when the 95 % interval excludes zero or --games are played; the
    interval holds whenever it stops. The verdict is about A: better, worse or undecided.
    """
    game, words = _game_and_words(given)
    if len(words) != 2:
        raise MatchError(f"compare takes two names, not {len(words)}: a name of several words needs quotes")
    options = options_of(game, "compare", own)
    played = game.comparison(*words, seed=seed, paired=not unpaired, threads=threads, store=store, **options)
    check_picture(picture)
    check_writable(json, picture)

    from deckatlas.play.paired import compare_sides
    from deckatlas.views.comparison_terminal import comparison_parts

    with progress_bar("compare", games) as progress:
        found = compare_sides(played, games=games, progress=progress)
    if str(json) != "-":
        print_parts(comparison_parts(found))
    if json is not None:
        write_json(json, found.to_json())
    if picture is not None:
        from deckatlas.views.difference_figures import comparison_picture

        write_bytes(picture, comparison_picture(found, picture.suffix.lower()))


def _game_and_words(given: list[str]) -> tuple[Game, list[str]]:
    """The game that the first word names, and the words after it; by default, the first game that has named decks."""
    if given and is_known(given[0]):
        return find(given[0]), given[1:]
    return first_game_that_offers("list_decks", "decks with a name"), given
