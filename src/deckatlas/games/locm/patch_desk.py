"""The desk to write patches of the cards of Legends of Code and Magic at: their numbers and keywords."""

from collections.abc import Mapping
from typing import Any

from deckatlas.balancing.subject import CardChange
from deckatlas.errors import CardError
from deckatlas.games.locm.cards import Card
from deckatlas.games.locm.changes import changed_cards
from deckatlas.games.locm.editions import ABILITIES, DEFAULT, FIELDS, Edition, Patch, official
from deckatlas.games.patch_desk import NUMBER, WORDS, PatchCard, PatchDesk, PatchedCards, PatchField
from deckatlas.shapes import show

_FIELDS = tuple(
    PatchField(name, WORDS if name == "keywords" else NUMBER, less_is_better=name in ("cost", "enemy_health"))
    for name in FIELDS
)


def desk(name: str | None = None) -> PatchDesk:
    """The cards, in the order of their ids.

    Raises:
        CardError: If there is no such edition.
    """
    cards = _named(name or DEFAULT)
    return PatchDesk(cards.name, (DEFAULT,), _FIELDS, tuple(map(_at_desk, cards.cards)))


def _named(name: str) -> Edition:
    """An edition by its name alone: files are not read here."""
    if name != DEFAULT:
        raise CardError(f"unknown edition {show(name)}: use {DEFAULT}")
    return official()


def _at_desk(card: Card) -> PatchCard:
    values = {name: getattr(card, name) for name in FIELDS} | {"keywords": " ".join(_abilities(card)).lower()}
    kind = card.type if card.type == "creature" else f"{card.type} item"
    return PatchCard(str(card.id), card.name, kind, kind, values, text_of(card))


def _abilities(card: Card) -> list[str]:
    return [name for letter, name in ABILITIES.items() if letter in card.keywords]


def text_of(card: Card) -> str:
    """What a card does beside its numbers, in words; empty if nothing."""
    effects = (("own health", card.player_health), ("enemy health", card.enemy_health))
    words = [f"{name}." for name in _abilities(card)] + [f"{name} {value:+d}." for name, value in effects if value]
    if card.draw:
        words.append(f"Draw {card.draw}.")
    return " ".join(each[:1].upper() + each[1:] for each in words)


def patched_cards(values: Mapping[str, Any]) -> PatchedCards:
    """What a patch, given as plain data, does.

    Raises:
        CardError: If it has a mistake.
    """
    patch = Patch(**{"name": "", **values})
    base = _named(patch.base)
    patched = base.patched(patch)
    changed = changed_cards(base, patched)
    return PatchedCards(
        patch,
        tuple(CardChange(card.name, words) for card, words in changed),
        {str(card.id): text_of(card) for card, _ in changed},
    )
