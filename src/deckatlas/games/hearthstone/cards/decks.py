"""Hearthstone decks: the deck type, legality checks and random decks.

A deck holds only ids and counts, so it can be stored and compared without an edition. Functions that need the cards
themselves take an edition, its name, or a mapping from ids to cards. Deck codes are in `deck_codes`, decks with names
in `library`.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.codes import HeroClass
from deckatlas.games.hearthstone.cards.editions import CardsLike, cards_of
from deckatlas.games.hearthstone.cards.table import CARD_ID, Card
from deckatlas.shapes import nearest, show

HERO_CLASSES = tuple(hero_class.name.upper() for hero_class in HeroClass if hero_class is not HeroClass.neutral)
DECK_SIZE = 30
MOST_COPIES = 2

_ENTRY = re.compile(rf"([0-9]{{1,2}})\s+({CARD_ID.pattern})")


@dataclass(frozen=True)
class Deck:
    """A hero class, and card ids with their counts, in the order of the ids: equal decks are equal values.

    A deck need not be playable: it may be incomplete, or have cards of another edition. `check_deck` checks it.

    Raises:
        DeckError: If the class is unknown, or the cards are not ids with counts between 1 and 30.
    """

    hero_class: str
    cards: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "hero_class", check_class(self.hero_class))
        object.__setattr__(self, "cards", tuple(sorted(_counted(self.cards).items())))

    @property
    def copies(self) -> tuple[str, ...]:
        """The id of every copy, in order of the ids."""
        return tuple(card for card, count in self.cards for _ in range(count))

    def __len__(self) -> int:
        return sum(count for _, count in self.cards)

    def __str__(self) -> str:
        entries = ", ".join(f"{count} {card}" for card, count in self.cards)
        return f"{self.hero_class}: {entries}".rstrip()

    @classmethod
    def parse(cls, text: str) -> "Deck":
        """Reads the text that `str(deck)` gives, such as `ROGUE: 2 CS2_072, 1 EX1_131`; line breaks count as spaces.

        Raises:
            DeckError: If the text does not have that form.
        """
        hero_class, colon, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
        if not colon:
            raise DeckError(f"a deck's text must look like 'ROGUE: 2 CS2_072, 1 EX1_131', not {show(text)}")
        cards = []
        for entry in rest.split(",") if rest.strip() else ():
            match = _ENTRY.fullmatch(entry.strip())
            if match is None:
                raise DeckError(f"a card in a deck's text must look like '2 CS2_072', not {show(entry)}")
            cards.append((match[2], int(match[1])))
        return cls(hero_class.strip(), tuple(cards))


def check_class(name: str) -> str:
    """The hero class of that name, in upper or lower case.

    Raises:
        DeckError: If it is not one of the nine.
    """
    if not isinstance(name, str) or name.upper() not in HERO_CLASSES:
        raise DeckError(f"unknown hero class {show(name)}: {nearest(name, HERO_CLASSES)}")
    return name.upper()


@checked
def build_deck(entries: Iterable[str] | Mapping[str, int], cards: CardsLike, *, hero_class: str | None = None) -> Deck:
    """Builds a deck from names or ids of cards: a list with one entry per copy, or cards with their counts.

    Args:
        entries: Names (in any case) or ids.
        cards: The edition, its name or its cards by their ids.
        hero_class: The deck's class; by default, the class of the cards.

    Raises:
        CardError: If there is no such edition.
        DeckError: If a card is unknown, or the cards do not determine the class.
    """
    if isinstance(entries, str) or not isinstance(entries, Iterable):
        raise DeckError(f"a deck is built from a list of cards, or cards with counts, not from {show(entries)}")
    by_id = cards_of(cards)
    by_name = {card.name.casefold(): card for card in by_id.values() if card.collectible}
    included = []
    for entry, count in entries.items() if isinstance(entries, Mapping) else ((entry, 1) for entry in entries):
        card = (by_id.get(entry) or by_name.get(entry.casefold())) if isinstance(entry, str) else None
        if card is None:
            raise DeckError(f"unknown card {show(entry)}: {nearest(entry, [card.name for card in by_name.values()])}")
        included.append((card, count))
    if hero_class is None:
        hero_class = class_of(card for card, _ in included)
    return Deck(hero_class, tuple((card.id, count) for card, count in included))


def class_of(cards: Iterable[Card]) -> str:
    """The hero class of the cards that are not neutral.

    Raises:
        DeckError: If all are neutral, or two have different classes.
    """
    owned = [card for card in cards if card.hero_class is not HeroClass.neutral]
    if not owned:
        raise DeckError("all cards of the deck are neutral, so the class must be given")
    for card in owned:
        if card.hero_class is not owned[0].hero_class:
            first, other = (f"{card_label(card)} is a {card.hero_class.name.title()} card" for card in (owned[0], card))
            raise DeckError(f"a deck has cards of one class: {first}, {other}")
    return owned[0].hero_class.name.upper()


@checked
def check_deck(deck: Deck, cards: CardsLike, *, pool: Collection[str | Card] | None = None) -> Deck:
    """Returns the deck if it can be played.

    Args:
        deck: The deck.
        cards: The edition, its name or its cards by their ids.
        pool: The allowed cards, or their ids; by default, all cards of the edition.

    Raises:
        CardError: If there is no such edition.
        DeckError: If a card is unknown, has another class, is not in the pool or has too many copies, or if the deck
            does not have thirty cards.
    """
    allowed = None if pool is None else set(_ids(pool))
    for card, count in deck_cards(deck, cards):
        if why := obstacle(card, deck.hero_class):
            raise DeckError(f"{card_label(card)} {why}")
        if allowed is not None and card.id not in allowed:
            raise DeckError(f"{card_label(card)} is not in the pool")
        if count > most_copies(card):
            limit = "one copy of a legendary" if most_copies(card) == 1 else f"{MOST_COPIES} copies of a card"
            raise DeckError(f"{card_label(card)} has {count} copies, but a deck has at most {limit}")
    if len(deck) != DECK_SIZE:
        raise DeckError(f"a deck has {DECK_SIZE} cards, but this one has {len(deck)}")
    return deck


def check_deck_class(deck: Deck, hero_class: str | None) -> Deck:
    """Returns the deck if it has that class, or if no class is given.

    Raises:
        DeckError: If the deck has another class, or there is no such class.
    """
    if hero_class is not None and deck.hero_class != check_class(hero_class):
        raise DeckError(f"it is a {deck.hero_class.title()} deck, but the class given for it is {hero_class.title()}")
    return deck


def deck_cards(deck: Deck, cards: CardsLike) -> list[tuple[Card, int]]:
    """The deck's cards as an edition has them, with their counts.

    Raises:
        CardError: If there is no such edition.
        DeckError: If the edition lacks a card.
    """
    if not isinstance(deck, Deck):
        raise DeckError(f"a deck must be a Deck, as read_deck returns it, not {show(deck)}")
    by_id = cards_of(cards)
    for card, _ in deck.cards:
        if card not in by_id:
            named = next((each.id for each in by_id.values() if each.name == card and each.collectible), None)
            hint = "" if named is None else f": decks list cards by id, and the id of {card} is {named}"
            raise DeckError(f"card {show(card)} is not in this edition{hint}")
    return [(by_id[card], count) for card, count in deck.cards]


def obstacle(card: Card, hero_class: str) -> str | None:
    """Why a deck of that class cannot have the card, as the end of a sentence; None if it can."""
    if not card.collectible:
        return "cannot be put into a deck"
    if card.hero_class is not HeroClass.neutral and card.hero_class.name.upper() != hero_class:
        return f"is a {card.hero_class.name.title()} card, but the deck is a {hero_class.title()} deck"
    return None


def most_copies(card: Card) -> int:
    """How many copies of the card a deck may have."""
    return 1 if card.rarity == "legendary" else MOST_COPIES


def card_label(card: Card) -> str:
    """A card's label in error messages."""
    return f"{card.name} ({card.id})"


@checked
def random_deck(hero_class: str, pool: Sequence[str | Card], cards: CardsLike, rng: np.random.Generator) -> Deck:
    """A deck of thirty cards, drawn uniformly from all copies of the pool's cards that the class may have.

    Args:
        hero_class: The deck's class; cards of other classes are skipped.
        pool: Cards or their ids; their order determines which deck a seed gives.
        cards: The edition, its name or its cards by their ids.
        rng: The random generator.

    Raises:
        CardError: If there is no such edition.
        DeckError: If a card of the pool is not in the edition, or the pool has fewer than thirty copies.
    """
    hero_class = check_class(hero_class)
    if not isinstance(rng, np.random.Generator):
        raise DeckError(f"rng must be a random generator such as np.random.default_rng(1), not {show(rng)}")
    by_id = cards_of(cards)
    copies: list[str] = []
    for card_id in _ids(pool):
        if card_id not in by_id:
            raise DeckError(f"card {show(card_id)} of the pool is not in this edition")
        if obstacle(by_id[card_id], hero_class) is None:
            copies += [card_id] * most_copies(by_id[card_id])
    if len(copies) < DECK_SIZE:
        raise DeckError(f"a deck has {DECK_SIZE} cards, but the pool has only {len(copies)} for {hero_class.title()}")
    order = rng.permutation(len(copies))[:DECK_SIZE]
    return Deck(hero_class, tuple(Counter(copies[i] for i in order).items()))


def _counted(entries: Iterable[tuple[str, int]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    try:
        pairs = [(card, count) for card, count in entries]
    except (TypeError, ValueError):
        raise DeckError("a deck's cards must be pairs of an id and a count") from None
    for card, count in pairs:
        if not isinstance(card, str) or not CARD_ID.fullmatch(card):
            raise DeckError(f"a card id consists of letters, digits and underscores, not {show(card)}")
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise DeckError(f"card {show(card)}: {show(count)} is not a number of copies")
        counts[card] = counts.get(card, 0) + count
        if counts[card] > DECK_SIZE:
            raise DeckError(f"card {show(card)}: a deck has {DECK_SIZE} cards, not {show(counts[card])} copies of one")
    return counts


def _ids(pool: Iterable[str | Card]) -> list[str]:
    if isinstance(pool, str) or not isinstance(pool, Iterable):
        raise DeckError(f"a pool must be a list of cards or of card ids, not {show(pool)}")
    return [card.id if isinstance(card, Card) else card for card in pool]
