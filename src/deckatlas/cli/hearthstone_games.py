"""What `deckatlas play hearthstone` and `deckatlas game hearthstone` do, and the options that are theirs alone."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from deckatlas import hearthstone
from deckatlas.cli.common import AnyGame
from deckatlas.errors import DeckError, MatchError
from deckatlas.games.hearthstone.cards.editions import DEFAULT
from deckatlas.games.hearthstone.setup import deck_of, edition_of

# None if not given, so that one for another game can be refused; hence the defaults are in the texts.
DeckAOption = Annotated[
    str | None, typer.Option(help="Hearthstone: the first agent's deck, by its name, code or text (needed).")
]
DeckBOption = Annotated[str | None, typer.Option(help="Hearthstone: the second agent's deck (needed).")]
EditionOption = Annotated[
    str | None,
    typer.Option(
        help=f"Hearthstone: the edition, one of {', '.join(hearthstone.EDITIONS)}, or a TOML file with a patch "
        f"(default {DEFAULT})."
    ),
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


def both_decks(
    deck_a: str | None, deck_b: str | None, edition: hearthstone.Edition
) -> tuple[hearthstone.Deck, hearthstone.Deck]:
    """The two decks of a match.

    Raises:
        DeckError: If one is not legal.
        MatchError: If one is not given.
    """
    decks = []
    for option, text in (("--deck-a", deck_a), ("--deck-b", deck_b)):
        if text is None:
            raise MatchError(f"Hearthstone is played with decks: give {option}")
        try:
            decks.append(deck_of(text, edition))
        except DeckError as error:
            raise DeckError(f"{option}: {error}") from None
    return decks[0], decks[1]


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
    cards = edition_of(edition or DEFAULT)
    return hearthstone.play(
        a,
        b,
        decks=both_decks(deck_a, deck_b, cards),
        edition=cards,
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
    cards = edition_of(edition or DEFAULT)
    record = hearthstone.play_one(
        first,
        second,
        decks=both_decks(deck_a, deck_b, cards),
        edition=cards,
        mulligan=mulligan or hearthstone.MULLIGANS[0],
        seed=seed,
    )
    return record.to_text(), hearthstone.narrate(record)
