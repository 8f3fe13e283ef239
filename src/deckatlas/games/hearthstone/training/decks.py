"""The decks of a training's games: named decks, as they are or changed, decks of files, and random ones."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from deckatlas.errors import CardError, DeckError
from deckatlas.games.hearthstone.cards.codes import HeroClass
from deckatlas.games.hearthstone.cards.deck_files import read_deck_file
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES, Deck, check_deck, most_copies, random_deck
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.cards.library import deck_called, named_decks
from deckatlas.games.hearthstone.cards.pools import pool
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.training.config import DecksTable
from deckatlas.shapes import nearest, show


class TrainingDecks:
    """Draws the decks of an edition's games."""

    def __init__(self, table: DecksTable, edition: Edition) -> None:
        """Collects the decks to draw from.

        Raises:
            DeckError: If a file has no legal decks, a deck left out is unknown, or no deck can be played.
        """
        self._edition = edition
        self._most_swaps = table.most_swaps
        self._pools = {hero_class: pool(edition, hero_class) for hero_class in HERO_CLASSES}
        left_out = {_known(name) for name in table.left_out}
        named = [deck for name, deck in named_decks().items() if name not in left_out and self._is_legal(deck)]
        if not named:
            raise DeckError(f"no named deck can be played in edition {edition.name}")
        self._named = tuple(named)
        self._further = tuple(deck for file in table.files for deck in read_deck_file(Path(file), edition))
        further = table.further if self._further else 0
        weights = np.array([table.library, table.mutated, table.random, further, table.transplanted])
        self._chances = weights / weights.sum()
        self._further_share = further / (table.library + further) if further else 0
        featured = [card for name in table.featured if (card := _known_card(name, edition)) is not None]
        self._featured_share = table.featured_share
        self._featured = {hero_class: _usable(featured, hero_class) for hero_class in HERO_CLASSES}
        self._can_feature = [deck for deck in named if self._featured[deck.hero_class]]

    @property
    def named(self) -> tuple[Deck, ...]:
        """The named decks."""
        return self._named

    def draw(self, count: int, rng: np.random.Generator) -> list[Deck]:
        """Draws decks; the same generator gives the same decks."""
        draws = (self._a_named, self._a_mutated, self._a_random, self._a_further, self._a_transplanted)
        return [draws[kind](rng) for kind in rng.choice(len(draws), size=count, p=self._chances)]

    def _is_legal(self, deck: Deck) -> bool:
        try:
            check_deck(deck, self._edition)
        except DeckError:
            return False
        return True

    def _a_named(self, rng: np.random.Generator) -> Deck:
        return self._named[rng.integers(len(self._named))]

    def _a_random(self, rng: np.random.Generator) -> Deck:
        hero_class = HERO_CLASSES[rng.integers(len(HERO_CLASSES))]
        return random_deck(hero_class, self._pools[hero_class], self._edition, rng)

    def _is_further(self, rng: np.random.Generator) -> bool:
        """Whether the next mutated deck comes from a file: as often as unchanged decks do."""
        return self._further_share > 0 and rng.random() < self._further_share

    def _a_further(self, rng: np.random.Generator) -> Deck:
        return self._further[rng.integers(len(self._further))]

    def _a_transplanted(self, rng: np.random.Generator) -> Deck:
        deck = self._a_named(rng)
        others = [hero_class for hero_class in HERO_CLASSES if hero_class != deck.hero_class]
        hero_class = others[rng.integers(len(others))]
        return transplanted(deck, hero_class, self._pools[hero_class], rng)

    def _a_mutated(self, rng: np.random.Generator) -> Deck:
        is_featuring = bool(self._can_feature) and rng.random() < self._featured_share
        if is_featuring:
            deck = self._can_feature[rng.integers(len(self._can_feature))]
        else:
            deck = self._a_further(rng) if self._is_further(rng) else self._a_named(rng)
        swaps = int(rng.integers(1, self._most_swaps + 1))
        featured = self._featured[deck.hero_class] if is_featuring else ()
        return mutated(deck, self._pools[deck.hero_class], swaps, rng, featured=featured)


def mutated(
    deck: Deck, cards: Sequence[Card], swaps: int, rng: np.random.Generator, *, featured: Sequence[Card] = ()
) -> Deck:
    """A deck in which some copies are exchanged for copies of other cards; it may draw a removed card again.

    Args:
        deck: The deck.
        cards: The cards that its class can use.
        swaps: How many copies are exchanged.
        rng: The random generator.
        featured: Cards that some of the new copies are of: at least one, if the deck can have more of them.
    """
    copies = list(deck.copies)
    for place in rng.choice(len(copies), size=swaps, replace=False):
        copies[place] = ""
    counts = Counter(filter(None, copies))
    if free := _free(featured, counts):
        most = min(swaps, len(free))
        counts.update(_chosen(free, int(rng.integers(1, most + 1)), rng))
    counts.update(_chosen(_free(cards, counts), len(deck) - counts.total(), rng))
    return Deck(deck.hero_class, tuple(counts.items()))


def transplanted(deck: Deck, hero_class: str, cards: Sequence[Card], rng: np.random.Generator) -> Deck:
    """A deck moved to another class: neutral cards of the pool stay, and random cards of the class replace all others.

    Args:
        deck: The deck.
        hero_class: The other class.
        cards: The pool of that class.
        rng: The random generator.
    """
    neutral = {card.id for card in cards if card.hero_class == HeroClass.neutral}
    counts = Counter({card: copies for card, copies in deck.cards if card in neutral})
    of_class = [card for card in cards if card.hero_class != HeroClass.neutral]
    counts.update(_chosen(_free(of_class, counts), len(deck) - counts.total(), rng))
    return Deck(hero_class, tuple(counts.items()))


def _free(cards: Sequence[Card], counts: Counter[str]) -> list[str]:
    """The copies of cards that a deck with these counts can still have."""
    return [card.id for card in cards for _ in range(most_copies(card) - counts[card.id])]


def _chosen(copies: Sequence[str], count: int, rng: np.random.Generator) -> list[str]:
    return [copies[place] for place in rng.choice(len(copies), size=count, replace=False)]


def check_featured(names: Sequence[str], editions: Sequence[Edition]) -> None:
    """Checks that each featured card is one of decks, in some of the editions.

    Raises:
        CardError: If one is not.
    """
    for name in names:
        if all(_known_card(name, edition) is None for edition in editions):
            known = [card.name for card in editions[0].cards if card.collectible]
            raise CardError(f"decks.featured: no deck can have {show(name)}: {nearest(name, known)}")


def _known_card(name: str, edition: Edition) -> Card | None:
    """The card that decks of an edition can have under a name or an id."""
    try:
        card = edition[name]
    except CardError:
        return None
    return card if card.collectible else None


def _usable(cards: Sequence[Card], hero_class: str) -> tuple[Card, ...]:
    """The cards that decks of a class can have."""
    return tuple(card for card in cards if card.hero_class.name.upper() in (hero_class, HeroClass.neutral.name.upper()))


def _known(name: str) -> str:
    found = deck_called(name)
    if found is None:
        raise DeckError(f"decks.left_out: there is no deck {show(name)}")
    return found.name
