"""Pools: named lists of cards that decks of a class are built from, always in the same order."""

from collections.abc import Callable

from deckatlas.arguments import checked
from deckatlas.errors import CardError, DeckError
from deckatlas.games.hearthstone.cards.codes import HeroClass
from deckatlas.games.hearthstone.cards.decks import check_class
from deckatlas.games.hearthstone.cards.editions import Edition, EditionLike, edition_of
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.shapes import nearest, show

# Choose-one cards that the searches of EvoStone2 left out, since its engine counts them as not implemented.
_NOT_IMPLEMENTED = frozenset(
    ("EX1_154", "EX1_155", "EX1_160", "EX1_164", "EX1_166", "EX1_178", "EX1_573", "NEW1_007", "NEW1_008")
)
# EvoSabber left out a card that its engine played wrongly, and cards newer than its list of names: one Rogue card,
# one Warlock card and two Mage cards. So most classes have 172 cards, these have 171, 171 and 170.
_NOT_IN_EVOSABBER = frozenset(("EX1_082", "EX1_179", "EX1_180", "EX1_181", "EX1_182"))
# Cards that EvoStone2 added for a class: Azure Drake and Conceal.
_ADDED_IN_EVOSTONE = {HeroClass.rogue: ("EX1_284", "EX1_128")}

DEFAULT_POOL = "basic-classic"


def _basic_classic(edition: Edition, hero_class: HeroClass) -> tuple[Card, ...]:
    return tuple(
        card
        for card in edition.cards
        if card.collectible and card.set in ("basic", "classic") and card.hero_class in (HeroClass.neutral, hero_class)
    )


def _all(edition: Edition, hero_class: HeroClass) -> tuple[Card, ...]:
    return tuple(
        card for card in edition.cards if card.collectible and card.hero_class in (HeroClass.neutral, hero_class)
    )


def _evosabber(edition: Edition, hero_class: HeroClass) -> tuple[Card, ...]:
    return tuple(card for card in _basic_classic(edition, hero_class) if card.id not in _NOT_IN_EVOSABBER)


def _evostone(edition: Edition, hero_class: HeroClass) -> tuple[Card, ...]:
    cards = tuple(card for card in _basic_classic(edition, hero_class) if card.id not in _NOT_IMPLEMENTED)
    added = (edition[name] for name in _ADDED_IN_EVOSTONE.get(hero_class, ()))
    return (*cards, *(card for card in added if card not in cards))


_POOLS: dict[str, Callable[[Edition, HeroClass], tuple[Card, ...]]] = {
    DEFAULT_POOL: _basic_classic,
    "all": _all,
    "evosabber": _evosabber,
    "evostone": _evostone,
}
POOLS = tuple(_POOLS)


@checked
def pool(edition: EditionLike, hero_class: HeroClass | str, name: str = DEFAULT_POOL) -> tuple[Card, ...]:
    """The cards of a pool that a class can use, in the order of their ids; cards added for the class come last.

    `basic-classic` has every collectible Basic and Classic card of the edition, `all` also those of the Hall of Fame,
    which people's lists have, and new cards of patches. `evosabber` (for 2018-12) and
    `evostone` (for 2019-12 and sabberstone) have the cards that the searches of those names used.

    Args:
        edition: The edition, or its name.
        hero_class: The class, in upper or lower case.
        name: The pool.

    Raises:
        CardError: If there is no such edition, pool or class.
    """
    if not isinstance(name, str) or name not in POOLS:
        raise CardError(f"unknown pool {show(name)}: {nearest(name, POOLS)}")
    class_name = hero_class.name if isinstance(hero_class, HeroClass) else hero_class
    try:
        chosen = HeroClass[check_class(class_name).lower()]
    except DeckError as error:
        raise CardError(str(error)) from None
    return _POOLS[name](edition_of(edition), chosen)
