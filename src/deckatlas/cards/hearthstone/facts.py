"""What a card is apart from its effect: the numbers and words of a card table's row."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CardFacts:
    """One card of an edition; `health` is a weapon's durability, and what a card has not is 0 or empty."""

    id: str
    dbf: int
    name: str
    hero_class: str
    type: str
    rarity: str
    set: str
    cost: int
    attack: int
    health: int
    race: str
    collectible: bool
