"""Measures of a Hearthstone deck that need no games."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from deckatlas.games.hearthstone.cards.codes import CardType
from deckatlas.games.hearthstone.cards.decks import Deck, deck_cards
from deckatlas.games.hearthstone.cards.editions import CardsLike
from deckatlas.games.hearthstone.cards.table import Card

DUST = {"free": 0, "common": 40, "rare": 100, "epic": 400, "legendary": 1600}

# What each card adds to the measures that sum over a deck's cards.
SUMS: Mapping[str, Callable[[Card], int]] = MappingProxyType(
    {
        "deck_mana_sum": lambda card: card.cost,
        "num_minion_cards": lambda card: card.type is CardType.minion,
        "num_spell_cards": lambda card: card.type is CardType.spell,
        "dust": lambda card: DUST[card.rarity],
    }
)


@dataclass(frozen=True)
class DeckMeasures:
    """Measures of a deck.

    Attributes:
        deck_mana_sum: The sum of the costs of all cards.
        deck_mana_variance: The variance of the costs: the mean squared difference from their mean.
        num_minion_cards: The number of minions.
        num_spell_cards: The number of spells, including secrets.
        dust: The dust needed to craft all cards.
    """

    deck_mana_sum: int
    deck_mana_variance: float
    num_minion_cards: int
    num_spell_cards: int
    dust: int


def measures(deck: Deck, cards: CardsLike) -> DeckMeasures:
    """The measures of a deck with the cards of an edition.

    Raises:
        DeckError: If the edition lacks a card of the deck.
    """
    copies = [card for card, count in deck_cards(deck, cards) for _ in range(count)]
    sums = {name: sum(number(card) for card in copies) for name, number in SUMS.items()}
    squares = sum(card.cost**2 for card in copies) * len(copies) - sums["deck_mana_sum"] ** 2
    return DeckMeasures(**sums, deck_mana_variance=squares / max(len(copies), 1) ** 2)
