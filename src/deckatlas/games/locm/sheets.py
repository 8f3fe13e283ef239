"""The cards and decks of Legends of Code and Magic as pages show them: see `deckatlas.games.sheets`."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from deckatlas.errors import DeckError
from deckatlas.games.locm.agents import BATTLE_AGENTS, DRAFT_POLICIES
from deckatlas.games.locm.cards import Card, check_deck
from deckatlas.games.locm.editions import ABILITIES, edition_from_text, official
from deckatlas.games.locm.entrants import PILOT
from deckatlas.games.locm.explanation import COACHES
from deckatlas.games.locm.find import abilities_of
from deckatlas.games.sheets import CardFacts, DeckFacts, ReplayChoices


def cards_of(space: Mapping[str, Any] | None) -> tuple[CardFacts, ...]:
    """All cards in the order of their ids, in the edition of a run's table [space].

    Raises:
        CardError: If its patch has a mistake.
    """
    patch = "" if space is None else str(space.get("patch", ""))
    edition = edition_from_text(patch) if patch else official()
    return tuple(_facts(card) for card in edition.cards)


def _facts(card: Card) -> CardFacts:
    keywords = tuple(name for letter, name in ABILITIES.items() if letter in card.keywords)
    stats = f"{card.attack}/{card.defense}"
    return CardFacts(str(card.id), card.name, "", card.type, card.cost, stats, keywords, abilities_of(card))


def deck_facts(given: str) -> DeckFacts:
    """A deck by the ids of its thirty cards, separated by spaces.

    Raises:
        DeckError: If it is not such a deck.
    """
    words = given.split()
    if not all(word.isascii() and word.isdecimal() and len(word) < 4 for word in words):
        raise DeckError("a deck is written as the ids of its thirty cards, separated by spaces")
    deck = sorted(check_deck([int(word) for word in words]).tolist())
    code = " ".join(map(str, deck))
    held = Counter(deck)
    return DeckFacts("deck", "", tuple((str(card), copies) for card, copies in held.items()), code, code)


def replay_choices() -> ReplayChoices:
    """All draft policies and battle agents that need no file, and the coaches."""
    quick = [name for name in BATTLE_AGENTS if name != PILOT]
    policies = tuple(name for name, entry in DRAFT_POLICIES.items() if not _needs_file(entry.options))
    return ReplayChoices(policies, (PILOT, *quick), COACHES)


def _needs_file(options: Mapping[str, Any]) -> bool:
    return any(option.is_file and option.default is None for option in options.values())
