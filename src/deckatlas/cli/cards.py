"""`deckatlas decks`, `deck` and `cards`: the decks and cards of a game."""

import csv as csv_files
import io
from pathlib import Path
from typing import Annotated, Any

import typer

from deckatlas.cli.common import first_game_that_offers, print_parts, write_json
from deckatlas.cli.game_options import options_of
from deckatlas.cli.pictures import check_picture
from deckatlas.errors import GameError
from deckatlas.files.writing import check_writable, write_bytes, write_text
from deckatlas.games import Game, find, is_known
from deckatlas.games.deck_listing import deck_listing
from deckatlas.games.game import Listing

JsonOption = Annotated[Path | None, typer.Option(help="Write the result as JSON; `-` means standard output.")]


def decks(
    game: Annotated[str | None, typer.Argument(help="The game (default: hearthstone).")] = None,
    json: JsonOption = None,
    **own: Any,
) -> None:
    """Lists the decks that have a name. Every command that takes a deck accepts these names."""
    chosen = _default_game() if game is None else find(game)
    _answer(chosen.list_decks(**options_of(chosen, "decks", own)), json)


def deck(
    given: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME] DECK",
            help="The game (default: hearthstone), then a deck: its name or code, a file, or `-` for standard input.",
        ),
    ],
    json: JsonOption = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the mana curve: a PNG, SVG or PDF file (needs the `plot` extra)."),
    ] = None,
    **own: Any,
) -> None:
    """Shows a deck: its cards with their texts, its mana curve, where it is legal, and its code."""
    chosen, words = _game_and_words(given)
    if len(words) != 1:
        raise GameError(f"one deck is shown at a time, not {len(words)}: a name of several words needs quotes")
    check_picture(picture)
    check_writable(picture)
    shown = deck_listing(chosen, words[0], **options_of(chosen, "deck", own))
    if picture is not None:
        from deckatlas.views.solution_figures import deck_picture

        write_bytes(picture, deck_picture(shown, picture.suffix.lower()))
    _answer(shown, json)


def cards(
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME] WORD",
            help="The game (default: hearthstone), then words to look for in names and texts, such as beast.",
        ),
    ] = None,
    json: JsonOption = None,
    csv: Annotated[Path | None, typer.Option(help="Write one row per card as CSV; `-` means standard output.")] = None,
    **own: Any,
) -> None:
    """Lists the cards that contain all the given words and match the options, with their stats and texts."""
    if json is not None and json == csv:
        raise GameError(f"--json and --csv would both write to {'standard output' if str(json) == '-' else json}")
    chosen, words = _game_and_words(query or [])
    _answer(chosen.find_cards(words, **options_of(chosen, "cards", own)), json, csv)


def _default_game() -> Game:
    """The game that these commands are about if none is named."""
    return first_game_that_offers("list_decks", "decks with a name")


def _game_and_words(given: list[str]) -> tuple[Game, list[str]]:
    """The game that the first word names, and the words after it."""
    return (find(given[0]), given[1:]) if given and is_known(given[0]) else (_default_game(), given)


def _answer(listing: Listing, json: Path | None, csv: Path | None = None) -> None:
    check_writable(json, csv)
    if "-" not in (str(json), str(csv)):
        print_parts(listing.shown)
    if json is not None:
        write_json(json, listing.data)
    if csv is not None:
        write_text(csv, _csv_text(listing))


def _csv_text(listing: Listing) -> str:
    """The cards of a listing as CSV; several values in a cell have spaces between them."""
    rows = listing.data["cards"] if isinstance(listing.data, dict) else listing.data
    out = io.StringIO()
    writer = csv_files.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value
