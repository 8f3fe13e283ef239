"""Finding cards of Legends of Code and Magic: by words of their names and abilities, cost, type and keyword."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from deckatlas.arguments import checked
from deckatlas.errors import CardError
from deckatlas.games.card_query import CostRange, did_you_mean, has_words, in_words, near_names, query_text, words_of
from deckatlas.games.game import Listing, PlainTable
from deckatlas.games.locm.cards import TYPES, Card
from deckatlas.games.locm.editions import ABILITIES, DEFAULT, EditionLike, edition_of
from deckatlas.shapes import nearest, show

_WIDTH = 24  # of the abilities in a table, which then fits 80 columns


@checked
def find_cards(
    query: str | Iterable[str] = "",
    *,
    cost: int | str | None = None,
    type: str | None = None,
    keyword: str | None = None,
    edition: EditionLike = DEFAULT,
) -> tuple[Card, ...]:
    """The cards that fit everything asked for, in the order of costs and names.

    Args:
        query: Words, in upper or lower case: each must start a word of the card's name or of its abilities.
        cost: Their cost, such as 4, or a range, such as "2-4" or "7+".
        type: "creature", or the colour of an item: "green", "red" or "blue".
        keyword: An ability, such as "Guard" or "G".
        edition: The edition of the cards: "1.2", a TOML file with a patch, or an `Edition`.

    Raises:
        CardError: If there is no such type, keyword or edition, the cost is no range, or no card fits; the message has
            the names that were probably meant.
    """
    text = query_text(query)
    asked = words_of(text)
    costs = None if cost is None else CostRange.read(cost)
    if type is not None and type not in TYPES:
        raise CardError(f"unknown type {show(type)}: {nearest(type, TYPES)}")
    letter = None if keyword is None else _letter(keyword)
    cards = edition_of(edition).cards
    found = [
        card
        for card in cards
        if (costs is None or card.cost in costs)
        and type in (None, card.type)
        and (letter is None or letter in card.keywords)
        and has_words(f"{card.name} {abilities_of(card)}", asked)
    ]
    if not found:
        near = near_names(text, (card.name for card in cards))
        hint = f": {did_you_mean(near)}" if near else ""
        raise CardError(f"no card fits {in_words(text, {'cost': cost, 'type': type, 'keyword': keyword})}{hint}")
    return tuple(sorted(found, key=lambda card: (card.cost, card.name, card.id)))


def cards_listing(words: Sequence[str], **options: Any) -> Listing:
    """The cards that `find_cards` finds, as a table.

    Raises:
        CardError: If an option is wrong, or no card fits.
    """
    found = find_cards(words, **options)
    rows: list[tuple[str, ...]] = []
    for card in found:
        first, *rest = wrap(abilities_of(card), _WIDTH) or [""]
        rows.append((str(card.id), card.name, card.type, str(card.cost), f"{card.attack}/{card.defense}", first))
        rows += [("", "", "", "", "", line) for line in rest]
    columns = ("id", "card", "type", "cost", "stats", "abilities")
    table = PlainTable("", "", columns, frozenset({"card", "type", "abilities"}), (tuple(rows),))
    return Listing((table, f"{len(found)} card{'' if len(found) == 1 else 's'}"), [asdict(card) for card in found])


def abilities_of(card: Card) -> str:
    """What a card has beside its cost, attack and defence, in words."""
    names = [ability for letter, ability in ABILITIES.items() if letter in card.keywords]
    effects = (("own health", card.player_health), ("enemy health", card.enemy_health), ("draw", card.draw))
    return ", ".join([*names, *(f"{label} {value:+d}" for label, value in effects if value)])


def _letter(keyword: str) -> str:
    by_name = {name.casefold(): letter for letter, name in ABILITIES.items()}
    by_name |= {letter.casefold(): letter for letter in ABILITIES}
    folded = keyword.casefold() if isinstance(keyword, str) else ""
    if folded not in by_name:
        raise CardError(f"unknown keyword {show(keyword)}: {nearest(keyword, ABILITIES.values())}")
    return by_name[folded]
