"""Numbers of a Hearthstone deck itself, without playing it."""

from dataclasses import dataclass

import numpy as np

from deckatlas.cards.hearthstone.codes import CardType
from deckatlas.cards.hearthstone.decks import Deck, deck_cards
from deckatlas.cards.hearthstone.editions import CardsLike

DUST = {"free": 0, "common": 40, "rare": 100, "epic": 400, "legendary": 1600}


@dataclass(frozen=True)
class DeckMeasures:
    """What a deck is made of.

    Attributes:
        deck_mana_sum: What all cards cost together.
        deck_mana_variance: How much costs vary over the cards: the mean of squares about their mean.
        num_minion_cards: How many are minions.
        num_spell_cards: How many are spells, secrets among them.
        dust: What it takes to craft them.
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
    costs = [card.cost for card in copies]
    return DeckMeasures(
        deck_mana_sum=sum(costs),
        deck_mana_variance=float(np.var(costs)) if costs else 0.0,
        num_minion_cards=sum(card.type is CardType.minion for card in copies),
        num_spell_cards=sum(card.type is CardType.spell for card in copies),
        dust=sum(DUST[card.rarity] for card in copies),
    )
