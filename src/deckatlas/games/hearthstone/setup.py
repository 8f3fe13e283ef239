"""Hearthstone decks and editions in the core's form, and new games with them."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.arguments import checked
from deckatlas.errors import DeckError
from deckatlas.games.chance import Rng, check_seed
from deckatlas.games.hearthstone.cards.codes import CardType
from deckatlas.games.hearthstone.cards.deck_codes import read_deck
from deckatlas.games.hearthstone.cards.decks import Deck, check_deck, check_deck_class
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition, EditionLike, edition_of
from deckatlas.shapes import show

__all__ = ["DeckLike", "EditionLike", "deck_of", "deck_rows", "edition_of", "new_game"]

DeckLike = Deck | str
_GAME_STREAM = 2  # beside the streams of the two players


def deck_of(given: DeckLike, cards: Edition, *, hero_class: str | None = None) -> Deck:
    """A deck that can be played.

    Args:
        given: The deck itself, its name, its code, its text or the ids of its cards.
        cards: The edition.
        hero_class: The class that the deck must have; required for a list of neutral cards only.

    Raises:
        DeckError: If it is not a deck, has another class, or is not legal in the edition.
    """
    if not isinstance(given, Deck | str):
        raise DeckError(f"a deck must be a Deck, a name, a code or a text, not {show(given)}")
    if isinstance(given, Deck):
        deck = check_deck_class(given, hero_class)
    else:
        deck = read_deck(given, cards.by_id, hero_class=hero_class)
    return check_deck(deck, cards.by_id)


def deck_rows(decks: Iterable[DeckLike], cards: Edition) -> npt.NDArray[np.int32]:
    """Decks in the core's form, one row per deck: the number of the hero, then the numbers of the cards.

    Raises:
        DeckError: If a deck is not legal in the edition, or there are no decks.
    """
    if not isinstance(decks, Iterable):
        raise DeckError(f"decks must be a list of decks, not {show(decks)}")
    index = cards.compiled.index
    heroes = hero_ids(cards)
    legal = [deck_of(deck, cards) for deck in decks]
    if not legal:
        raise DeckError("there is no deck to play")
    return np.array(
        [[index[heroes[deck.hero_class]], *map(index.__getitem__, deck.copies)] for deck in legal], np.int32
    )


@checked
def new_game(first: DeckLike, second: DeckLike, *, edition: EditionLike = DEFAULT, seed: int = 0) -> core.State:
    """A new game with hands dealt. The player of the first deck moves first and must choose which cards to keep.

    Raises:
        CardError: If there is no such edition.
        DeckError: If a deck is not legal in it.
        StateError: If the seed is not valid.
    """
    cards = edition_of(edition)
    return dealt_game(cards.card_set, deck_rows((first, second), cards), check_seed(seed))[0]


def dealt_game(cards: core.CardSet, decks: npt.NDArray[np.int32], seed: int) -> tuple[core.State, Rng]:
    """The start of the game of a seed, and the random stream for the rest of the game.

    Raises:
        DeckError: If there are not two decks.
    """
    rng = Rng(seed, _GAME_STREAM)
    return core.State.new_game(cards, decks, rng), rng


def hero_ids(cards: Edition) -> dict[str, str]:
    """The starting hero's card of each class."""
    heroes: dict[str, str] = {}
    for card in cards.cards:
        if card.type is CardType.hero and card.set != "token":
            heroes.setdefault(card.hero_class.name.upper(), card.id)
    return heroes
