"""`deckatlas improve`: the best swaps of one and two cards of a deck, confirmed on fresh games."""

from pathlib import Path
from typing import Annotated

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
from deckatlas.cli.matches import ThreadsOption
from deckatlas.cli.pictures import PictureOption, check_picture
from deckatlas.files.writing import check_writable, write_bytes


def improve(
    deck: Annotated[
        str, typer.Argument(help="The deck: its name or code, a list of cards, or a file.", metavar="DECK")
    ],
    games: Annotated[int, typer.Option(help="The number of games in the search.")] = 40_000,
    confirm_games: Annotated[
        int, typer.Option(help="Fresh games for each of the best swaps, both decks together.")
    ] = 8_000,
    metagame: Annotated[
        str | None,
        typer.Option(
            "--meta",
            help="The opponents, a metagame: a shipped name such as field, a TOML file, or a run (default: field for "
            "classic-2014, otherwise field-2018).",
            metavar="METAGAME",
        ),
    ] = None,
    edition: Annotated[str | None, typer.Option(help="The edition of the cards (default: that of --meta).")] = None,
    pilot: Annotated[
        str | None, typer.Option(help="The agent that plays all decks in fresh games (default: as in --meta).")
    ] = None,
    search_pilot: Annotated[str, typer.Option(help="The agent that plays all decks in the search.")] = "fast",
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    store: StoreOption = RUNS,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON; `-` means standard output.")] = None,
    picture: PictureOption = None,
) -> None:
    """Finds swaps of one and two cards that make a deck better, and confirms them on fresh games.

    Quick games with random swaps show which cards are worth trying. Successive halving on common seeds then keeps the
    best swaps. With so many swaps, some look good by luck. So the few that remain play fresh games against the same
    opponents, and their intervals are corrected for their number: all hold together in at least 95 % of cases. If no
    swap is confirmed, the command says so.

    Example: deckatlas improve "Midrange Paladin"

    Example: deckatlas improve "Starter Mage" --games 10000 --confirm-games 2000 --pilot fast --json swaps.json
    """
    game = first_game_that_offers("improvement", "decks to improve")
    check_picture(picture)
    check_writable(json, picture)
    found = game.improvement(
        deck,
        games=games,
        confirm_games=confirm_games,
        meta=metagame,
        edition=edition,
        pilot=pilot,
        search_pilot=search_pilot,
        seed=seed,
        threads=threads,
        store=store,
        show=progress_bar,
    )
    if str(json) != "-":
        print_parts(found.shown)
    if json is not None:
        write_json(json, found.data)
    if picture is not None:
        from deckatlas.views.difference_figures import swaps_picture

        write_bytes(picture, swaps_picture(found.data, picture.suffix.lower()))
