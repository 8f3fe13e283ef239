"""What `deckatlas play hearthstone` and `deckatlas game hearthstone` do, and the options that are theirs alone."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from deckatlas import hearthstone
from deckatlas.cards.hearthstone.editions import DEFAULT
from deckatlas.cli.common import AnyGame
from deckatlas.errors import MatchError

# None if not given, so that one for another game can be refused; hence the defaults are in the texts.
DeckAOption = Annotated[
    str | None, typer.Option(help="Hearthstone: the first agent's deck, by its name, code or text (needed).")
]
DeckBOption = Annotated[str | None, typer.Option(help="Hearthstone: the second agent's deck (needed).")]
EditionOption = Annotated[
    str | None,
    typer.Option(help=f"Hearthstone: the edition, one of {', '.join(hearthstone.EDITIONS)} (default {DEFAULT})."),
]
MulliganOption = Annotated[
    str | None,
    typer.Option(
        help=f"Hearthstone: which cards are kept, one of {', '.join(hearthstone.MULLIGANS)} "
        f"(default {hearthstone.MULLIGANS[0]})."
    ),
]


def check_options(game: AnyGame, *, locm: Mapping[str, Any], hearthstone: Mapping[str, Any]) -> None:
    """Refuses options of another game.

    Args:
        game: The game that is played.
        locm: The options that are only for Legends of Code and Magic; None and False are not given.
        hearthstone: Those that are only for Hearthstone.

    Raises:
        MatchError: If one is given that is not for this game.
    """
    foreign = hearthstone if game is AnyGame.locm else locm
    for name, value in foreign.items():
        if value is not None and value is not False:
            other = AnyGame.hearthstone if game is AnyGame.locm else AnyGame.locm
            raise MatchError(f"--{name.replace('_', '-')} is for {other}, not for {game}")


def both_decks(deck_a: str | None, deck_b: str | None) -> tuple[str, str]:
    """The two decks of a match.

    Raises:
        MatchError: If one is not given.
    """
    if deck_a is None or deck_b is None:
        raise MatchError(f"Hearthstone is played with decks: give --deck-{'a' if deck_a is None else 'b'}")
    return deck_a, deck_b


def play_match(
    a: str,
    b: str,
    deck_a: str | None,
    deck_b: str | None,
    *,
    edition: str | None,
    mulligan: str | None,
    **options: Any,
) -> hearthstone.HearthstoneResult:
    """Plays a match with the options that all games have."""
    return hearthstone.play(
        a,
        b,
        decks=both_decks(deck_a, deck_b),
        edition=edition or DEFAULT,
        mulligan=mulligan or hearthstone.MULLIGANS[0],
        **options,
    )


def play_one(
    first: str,
    second: str,
    deck_a: str | None,
    deck_b: str | None,
    *,
    edition: str | None,
    mulligan: str | None,
    seed: int,
) -> tuple[str, str]:
    """Plays one game; its record and its story as text."""
    record = hearthstone.play_one(
        first,
        second,
        decks=both_decks(deck_a, deck_b),
        edition=edition or DEFAULT,
        mulligan=mulligan or hearthstone.MULLIGANS[0],
        seed=seed,
    )
    return record.to_text(), hearthstone.narrate(record)
