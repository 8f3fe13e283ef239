"""The Hearthstone card type: numbers from the tables beside this file, and effects."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from deckatlas.errors import CardError
from deckatlas.files.reading import package_text
from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass, Keyword, Race
from deckatlas.games.hearthstone.cards.terms import Slot
from deckatlas.shapes import nearest, show

CARD_ID = re.compile("[A-Za-z0-9_]+")
RARITIES = ("free", "common", "rare", "epic", "legendary")
SETS = ("basic", "classic", "hall-of-fame", "token")

# Keywords of the tables that the core knows, and keywords that only announce an effect of the card.
PRINTED = {
    keyword.name.replace("_", "-"): keyword
    for keyword in (
        Keyword.taunt,
        Keyword.charge,
        Keyword.divine_shield,
        Keyword.stealth,
        Keyword.windfury,
        Keyword.poisonous,
        Keyword.cant_attack,
        Keyword.elusive,
    )
    if keyword.name
}
COUNTED = ("spell-damage", "overload")
_COUNTS = tuple(map(str, range(1, 11)))
MARKS = ("choose-one", "battlecry", "combo", "deathrattle", "secret", "trigger", "aura", "enraged")


@dataclass(frozen=True)
class Card:
    """One card of an edition. For weapons `health` is the durability; `set` is token if no deck can contain it."""

    id: str
    dbf_id: int
    name: str
    hero_class: HeroClass
    type: CardType
    rarity: str
    set: str
    cost: int
    attack: int
    health: int
    race: Race
    keywords: tuple[str, ...]
    effects: tuple[Slot, ...] = ()

    def __repr__(self) -> str:
        return f"Card({self.id!r}, {self.name!r})"

    def __str__(self) -> str:
        """One line with everything printed on the card except the text, which `text_of` gives."""
        kind = [*(() if self.race is Race.none else (self.race.name,)), self.type.name]
        has_stats = self.type in (CardType.minion, CardType.weapon)
        stats = [f"{self.attack}/{self.health}"] if has_stats else [f"{self.health} health"] * (self.health > 0)
        words = [*stats, self.hero_class.name, *kind]
        return f"{self.name} ({self.id}): {self.cost} mana, {', '.join([' '.join(words), *self.keywords])}"

    @property
    def collectible(self) -> bool:
        """Whether decks can contain it."""
        return self.set != "token" and self.type is not CardType.hero

    @property
    def printed(self) -> Keyword:
        """The keywords the core knows."""
        together = Keyword(0)
        for keyword in self.keywords:
            together |= PRINTED.get(keyword, Keyword(0))
        return together

    @property
    def spell_damage(self) -> int:
        """The spell damage printed on it."""
        return self._counted("spell-damage")

    @property
    def overload(self) -> int:
        """The number of crystals that it locks next turn."""
        return self._counted("overload")

    def _counted(self, name: str) -> int:
        for keyword in self.keywords:
            word, _, value = keyword.partition("=")
            if word == name:
                return int(value)
        return 0


def parse_keywords(words: tuple[str, ...]) -> tuple[str, ...]:
    """Keywords in the order of the tables.

    Raises:
        CardError: If one is unknown or has an impossible number.
    """
    order = [*PRINTED, *COUNTED, *MARKS]
    for word in words:
        name, _, value = word.partition("=")
        if name not in order:
            raise CardError(f"has the unknown keyword {show(word)}: {nearest(name, order)}")
        if (name in COUNTED) != bool(value) or (value and value not in _COUNTS):
            raise CardError(f"has the impossible keyword {show(word)}: {', '.join(COUNTED)} take a number")
        if sum(other.partition("=")[0] == name for other in words) > 1:
            raise CardError(f"has the keyword {name} twice")
    return tuple(sorted(words, key=lambda word: order.index(word.partition("=")[0])))


def parse_row(row: Mapping[str, str], effects: tuple[Slot, ...]) -> Card:
    """One row of a table, with the effects of its card.

    Raises:
        CardError: If a value is impossible.
    """
    try:
        return Card(
            id=row["id"],
            dbf_id=int(row["dbf_id"] or 0),
            name=row["name"],
            hero_class=HeroClass[row["class"]],
            type=CardType[row["type"]],
            rarity=row["rarity"],
            set=row["set"],
            cost=int(row["cost"]),
            attack=int(row["attack"] or 0),
            health=int(row["health"] or 0),
            race=Race[row["race"] or "none"],
            keywords=parse_keywords(tuple(row["keywords"].split())),
            effects=effects,
        )
    except (KeyError, ValueError) as error:
        raise CardError(f"{row.get('id')}: {error}") from None


def read_table(name: str, effects: Mapping[str, tuple[Slot, ...]]) -> Iterator[Card]:
    """The cards of one of the tables beside this file, with their effects by their ids."""
    for row in csv.DictReader(package_text(str(__package__), name).splitlines()):
        yield parse_row(row, effects.get(row["id"], ()))
