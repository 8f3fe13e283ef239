"""`deckatlas game`: one game as readable text."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas import locm
from deckatlas.cli import hearthstone_games
from deckatlas.cli.common import AnyGame, AnyGameArgument, SeedOption, out, write_text
from deckatlas.cli.hearthstone_games import DeckAOption, DeckBOption, EditionOption, MulliganOption
from deckatlas.cli.matches import DEFAULT_FORMAT, EntrantArgument, GivenFormatOption


def game(
    game: AnyGameArgument,
    first: EntrantArgument,
    second: EntrantArgument,
    seed: SeedOption = 0,
    format: GivenFormatOption = None,
    record: Annotated[
        Path | None, typer.Option(help="Also write the game as text that replays; `-` is standard output.")
    ] = None,
    deck_a: DeckAOption = None,
    deck_b: DeckBOption = None,
    edition: EditionOption = None,
    mulligan: MulliganOption = None,
) -> None:
    """Plays one game and tells it turn by turn; the seed is that of the game in a match's column `seed`.

    For Legends of Code and Magic this is the official referee's seed.

    Example: deckatlas game locm icebox/greedy random/greedy --seed 7

    Example: deckatlas game hearthstone random random --deck-a "Starter Mage" --deck-b "Starter Hunter" --seed 7
    """
    own = {"deck_a": deck_a, "deck_b": deck_b, "edition": edition, "mulligan": mulligan}
    hearthstone_games.check_options(game, locm={"format": format}, hearthstone=own)
    if game is AnyGame.hearthstone:
        text, story = hearthstone_games.play_one(first, second, **own, seed=seed)
    else:
        played = locm.play_one(first, second, seed=seed, format=format or DEFAULT_FORMAT)
        text, story = played.to_text(), locm.narrate(played)
    if record is not None:
        write_text(record, text)
    if record is None or str(record) != "-":
        out.print(story, markup=False, soft_wrap=True)
