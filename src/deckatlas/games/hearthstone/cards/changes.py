"""What differs between two editions, card by card: in words, and whose decks can meet it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass, RuleFlag
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.cards.long_form import effects_text
from deckatlas.games.hearthstone.cards.table import CARD_ID, Card
from deckatlas.games.hearthstone.cards.texts import text_of

COIN = "GAME_005"  # which the rules give to whoever moves second
_WORD = re.compile(CARD_ID.pattern)


@dataclass(frozen=True)
class ChangedCard:
    """A card that two editions have differently, or only the second has.

    Attributes:
        before: The card in the first edition; None if it is new.
        after: The card in the second edition.
        words: What changes, in words.
    """

    before: Card | None
    after: Card
    words: str


def changed_cards(base: Edition, patched: Edition) -> tuple[ChangedCard, ...]:
    """The cards that differ, in the order of their ids."""
    return tuple(
        ChangedCard(before, after, ", ".join(_differences(before, after, base, patched)))
        for after in patched.cards
        if (before := base.by_id.get(after.id)) != after
    )


def changed_rules(base: Edition, patched: Edition) -> tuple[str, ...]:
    """The rules that only the second edition has, by name."""
    added = patched.rules & ~base.rules
    return tuple(str(flag.name).replace("_", "-") for flag in RuleFlag if flag in added)


def _differences(before: Card | None, after: Card, base: Edition, patched: Edition) -> Iterator[str]:
    text = text_of(after, patched)
    if before is None:
        yield f"is new: {_summary(after)}{f', {text}' if text else ''}"
        return
    lasting = "durability" if after.type is CardType.weapon else "health"
    if before.name != after.name:
        yield f"is called {after.name}"
    if before.cost != after.cost:
        yield f"costs {after.cost} instead of {before.cost}"
    for name, old, new in (("attack", before.attack, after.attack), (lasting, before.health, after.health)):
        if old != new:
            yield f"has {new} {name} instead of {old}"
    for name, old_word, new_word in (
        ("class", before.hero_class.name, after.hero_class.name),
        ("type", before.type.name, after.type.name),
        ("race", before.race.name, after.race.name),
        ("rarity", before.rarity, after.rarity),
        ("set", before.set, after.set),
    ):
        if old_word != new_word:
            yield f"has the {name} {new_word or 'none'} instead of {old_word or 'none'}"
    old_text = text_of(before, base)
    if old_text != text:
        yield f"now reads “{text}”" + (f", before “{old_text}”" if old_text else "")
    elif (before.effects, before.keywords) != (after.effects, after.keywords):
        yield "has another effect"


def _summary(card: Card) -> str:
    numbers = "" if card.type is CardType.spell else f" {card.attack}/{card.health}"
    return f"a {card.hero_class.name.title()} {card.type.name} for {card.cost} mana{numbers}"


def carriers(cards: Edition, changed: frozenset[str]) -> frozenset[str]:
    """The ids of changed cards and of all cards that name one of them in their effects, directly or through others."""
    named = {card.id: frozenset(_WORD.findall(effects_text(card.effects))) for card in cards.cards if card.effects}
    found = changed
    while more := {card for card, ids in named.items() if card not in found and ids & found}:
        found |= more
    return found


def classes_with(cards: Edition, ids: frozenset[str]) -> frozenset[HeroClass]:
    """The classes whose decks can have one of these cards, or whose heroes start with one."""
    found = {each.hero_class for each in cards.cards if each.id in ids and (each.collectible or _is_hero(each))}
    every = frozenset(HeroClass) - {HeroClass.neutral}
    return every if HeroClass.neutral in found or COIN in ids else frozenset(found)


def _is_hero(card: Card) -> bool:
    """Whether a player starts as this hero."""
    return card.type is CardType.hero and card.set != "token"
