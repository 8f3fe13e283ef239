"""The desk to write patches of Hearthstone's cards at: their numbers, keywords and effects, with generated texts."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from deckatlas.balancing.subject import CardChange
from deckatlas.games.hearthstone.cards.changes import changed_cards
from deckatlas.games.hearthstone.cards.codes import CardType
from deckatlas.games.hearthstone.cards.editions import DEFAULT, EDITIONS, Edition, Patch, edition
from deckatlas.games.hearthstone.cards.long_form import effects_text
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.texts import text_of
from deckatlas.games.patch_desk import CODE, NUMBER, WORDS, PatchCard, PatchDesk, PatchedCards, PatchField

FIELDS = (
    PatchField("cost", NUMBER, less_is_better=True),
    PatchField("attack", NUMBER),
    PatchField("health", NUMBER),
    PatchField("keywords", WORDS),
    PatchField("effect", CODE),
)
_WITH_ATTACK = (CardType.minion, CardType.weapon)
_WITH_HEALTH = (CardType.minion, CardType.weapon, CardType.hero)


@cache
def desk(name: str | None = None) -> PatchDesk:
    """The cards of an edition, by name; collectible ones first.

    Raises:
        CardError: If there is no such edition.
    """
    cards = edition(name or DEFAULT)
    ordered = sorted(cards.cards, key=lambda card: (not card.collectible, card.name))
    return PatchDesk(cards.name, EDITIONS, FIELDS, tuple(_at_desk(card, cards) for card in ordered))


def _at_desk(card: Card, cards: Edition) -> PatchCard:
    values: dict[str, int | str] = {"cost": card.cost}
    if card.type in _WITH_ATTACK:
        values["attack"] = card.attack
    if card.type in _WITH_HEALTH:
        values["health"] = card.health
    values |= {"keywords": " ".join(card.keywords), "effect": effects_text(card.effects) if card.effects else ""}
    group = card.hero_class.name if card.collectible else "token"
    return PatchCard(card.id, card.name, group, card.type.name, values, text_of(card, cards))


def patched_cards(values: Mapping[str, Any]) -> PatchedCards:
    """What a patch, given as plain data, does.

    Raises:
        CardError: If it has a mistake.
    """
    patch = Patch(**{"name": "", **values})
    base = edition(patch.base)
    patched = base.patched(patch)
    changed = changed_cards(base, patched)
    return PatchedCards(
        patched,
        tuple(CardChange(each.after.name, each.words, is_new=each.before is None) for each in changed),
        {each.after.id: text_of(each.after, patched) for each in changed},
    )
