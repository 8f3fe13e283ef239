"""What pages show of a game's cards and decks, and what one can let play there: plain data that every game fills."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CardFacts:
    """A card.

    Attributes:
        id: Its id.
        name: Its name.
        group: What cards are sorted into first, such as its class; empty in games without such groups.
        type: Its type, such as minion.
        cost: Its cost.
        stats: Its attack and health, such as 3/2; empty for cards without.
        keywords: Its keywords.
        text: What it does, generated from its numbers and effects.
    """

    id: str
    name: str
    group: str
    type: str
    cost: int
    stats: str
    keywords: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class DeckName:
    """A deck that has a name, with what it is: its class, its archetype and its year, if it has them."""

    name: str
    group: str
    about: str


@dataclass(frozen=True)
class DeckFacts:
    """A deck.

    Attributes:
        name: Its name, or what to call it.
        group: Its class; empty in games without classes.
        cards: The ids of its cards with their copies.
        code: The shortest text from which commands make the same deck.
        block: The text that people paste elsewhere.
        notes: Further facts in words, such as where it is legal.
    """

    name: str
    group: str
    cards: tuple[tuple[str, int], ...]
    code: str
    block: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReplayChoices:
    """What a game to show can be made of.

    Attributes:
        players: What can play, by name: decks, or draft policies.
        pilots: The agents that play them; the first is the usual one.
        coaches: The agents that can say what they would do in any game, and how they rate it.
    """

    players: tuple[str, ...]
    pilots: tuple[str, ...]
    coaches: tuple[str, ...] = ()
