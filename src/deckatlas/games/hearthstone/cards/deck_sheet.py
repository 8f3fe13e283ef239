"""Everything about a Hearthstone deck that is known without playing it: cards, curve, types, legality, code."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from deckatlas.arguments import checked
from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass
from deckatlas.games.hearthstone.cards.deck_codes import HALL_OF_FAME, code_or_text
from deckatlas.games.hearthstone.cards.decks import Deck, check_deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT, EDITIONS, Edition, EditionLike, edition_of
from deckatlas.games.hearthstone.cards.measures import DUST
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.texts import text_of

LAST_OF_CURVE = 7  # the place of the curve that counts all cards of this cost and more


@dataclass(frozen=True)
class DeckSheet:
    """A deck with its cards as an edition has them.

    Attributes:
        deck: The deck.
        edition: The edition.
        cards: The cards with their counts, in the order of costs and names.
        missing: The ids of cards that the edition lacks, with their counts.
        curve: How many cards cost 0, 1 and so on; the last number counts all cards that cost 7 or more.
        types: How many cards are minions, spells and weapons.
        legality: For each edition, why the deck is not legal in it; None where it is.
        code: The deck's code; or its text, if a card has no dbf id. All commands read both.
    """

    deck: Deck
    edition: Edition
    cards: tuple[tuple[Card, int], ...]
    missing: tuple[tuple[str, int], ...]
    curve: tuple[int, ...]
    types: dict[str, int]
    legality: dict[str, str | None]
    code: str

    @property
    def class_cards(self) -> int:
        """The number of cards that are not neutral."""
        return sum(count for card, count in self.cards if card.hero_class is not HeroClass.neutral)

    @property
    def hall_of_fame(self) -> int:
        """The number of cards in the Hall of Fame, with which a deck is Wild, not Standard."""
        return sum(count for card, count in self.cards if card.set == HALL_OF_FAME)

    @property
    def mean_cost(self) -> float:
        """The mean cost of the cards that the edition has; 0 without any."""
        copies = sum(count for _, count in self.cards)
        return sum(card.cost * count for card, count in self.cards) / copies if copies else 0.0

    @property
    def dust(self) -> int:
        """The dust that it takes to craft all cards."""
        return sum(DUST.get(card.rarity, 0) * count for card, count in self.cards)

    def to_json(self) -> dict[str, Any]:
        """The sheet as plain data."""
        return {
            "class": self.deck.hero_class.lower(),
            "edition": self.edition.name,
            "cards": [{"copies": count, **card_facts(card, self.edition)} for card, count in self.cards],
            "missing": [{"copies": count, "id": card} for card, count in self.missing],
            "curve": list(self.curve),
            "types": self.types,
            "class_cards": self.class_cards,
            "mean_cost": round(self.mean_cost, 3),
            "dust": self.dust,
            "legality": self.legality,
            "code": self.code,
            "text": str(self.deck),
        }


@checked
def deck_sheet(deck: Deck, edition: EditionLike = DEFAULT) -> DeckSheet:
    """A deck's cards, mana curve, types, legality in every edition, and code.

    Args:
        deck: The deck; it may be incomplete, illegal, or have cards that the edition lacks.
        edition: The edition whose cards are shown, as an object, a name, or the path of a TOML file with a patch. Its
            legality is shown beside that in the editions that ship.

    Raises:
        CardError: If there is no such edition.
    """
    shown = edition_of(edition)
    by_id = shown.by_id
    held = [(by_id[card], count) for card, count in deck.cards if card in by_id]
    curve: Counter[int] = Counter()
    types: Counter[str] = Counter()
    for card, count in held:
        curve[min(card.cost, LAST_OF_CURVE)] += count
        types[card.type.name] += count
    return DeckSheet(
        deck=deck,
        edition=shown,
        cards=tuple(sorted(held, key=lambda entry: (entry[0].cost, entry[0].name))),
        missing=tuple((card, count) for card, count in deck.cards if card not in by_id),
        curve=tuple(curve[cost] for cost in range(LAST_OF_CURVE + 1)),
        types={each.name: types[each.name] for each in (CardType.minion, CardType.spell, CardType.weapon)},
        legality=legality(deck, *([] if shown.name in EDITIONS else [shown])),
        code=code_or_text(deck, shown),
    )


def legality(deck: Deck, *more: Edition) -> dict[str, str | None]:
    """For each edition that ships, and more, why a deck is not legal in it; None where it is."""
    return {each.name: _obstacle(deck, each) for each in (*map(edition_of, EDITIONS), *more)}


def card_facts(card: Card, edition: Edition) -> dict[str, Any]:
    """A card as plain data, with its text."""
    return {
        "id": card.id,
        "name": card.name,
        "class": card.hero_class.name,
        "type": card.type.name,
        "race": card.race.name,
        "rarity": card.rarity,
        "set": card.set,
        "cost": card.cost,
        "attack": card.attack,
        "health": card.health,
        "keywords": list(card.keywords),
        "text": text_of(card, edition),
    }


def _obstacle(deck: Deck, edition: Edition) -> str | None:
    try:
        check_deck(deck, edition)
    except DeckError as error:
        return str(error)
    return None
