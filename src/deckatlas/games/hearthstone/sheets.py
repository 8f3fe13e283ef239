"""Hearthstone's cards and decks as pages show them: see `deckatlas.games.sheets`. Nothing here reads a named file."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from deckatlas.errors import CardError, DeckError
from deckatlas.games.hearthstone.agents import AGENTS, DEFAULT_PILOT, EVOLVED, SCORES
from deckatlas.games.hearthstone.cards.codes import CardType
from deckatlas.games.hearthstone.cards.deck_codes import clipboard_block, code_or_text, read_deck
from deckatlas.games.hearthstone.cards.deck_sheet import deck_sheet, legality
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT, EDITIONS, Edition, edition_with
from deckatlas.games.hearthstone.cards.library import deck_label, library
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.texts import text_of
from deckatlas.games.hearthstone.replay import COACHES
from deckatlas.games.sheets import CardFacts, DeckFacts, DeckName, ReplayChoices
from deckatlas.shapes import nearest, show

_EDITIONS_KEPT = 8
_WITH_STATS = (CardType.minion, CardType.weapon)


def cards_of(space: Mapping[str, Any] | None) -> tuple[CardFacts, ...]:
    """The cards that decks can have in the edition of a run's table [space], in the order of classes, costs and names.

    Raises:
        CardError: If there is no such edition, or its patch has a mistake.
    """
    return _cards_of(*_edition_and_patch(space))


def _edition_and_patch(space: Mapping[str, Any] | None) -> tuple[str, str]:
    given = {} if space is None else space
    name = str(given.get("edition", DEFAULT))
    if name not in EDITIONS:
        raise CardError(f"unknown edition {show(name)}: {nearest(name, EDITIONS)}")
    return name, str(given.get("patch", ""))


@lru_cache(_EDITIONS_KEPT)
def _cards_of(name: str, patch: str) -> tuple[CardFacts, ...]:
    edition = edition_with(name, patch)
    held = sorted(
        (card for card in edition.cards if card.collectible and card.type is not CardType.hero),
        key=lambda card: (card.hero_class.name, card.cost, card.name),
    )
    return tuple(_facts(card, edition) for card in held)


def _facts(card: Card, edition: Edition) -> CardFacts:
    stats = f"{card.attack}/{card.health}" if card.type in _WITH_STATS else ""
    group, kind = card.hero_class.name, card.type.name
    return CardFacts(card.id, card.name, group, kind, card.cost, stats, tuple(card.keywords), text_of(card, edition))


def named_decks() -> tuple[DeckName, ...]:
    """The library, in the order of classes and names."""
    found = sorted(library().values(), key=lambda each: (each.deck.hero_class, each.name))
    return tuple(
        DeckName(
            each.name, each.deck.hero_class.lower(), ", ".join(filter(None, (each.archetype, str(each.era or ""))))
        )
        for each in found
    )


def deck_facts(given: str, space: Mapping[str, Any] | None = None) -> DeckFacts:
    """A deck by its name, its code or its text.

    Raises:
        DeckError: If there is no such deck.
    """
    edition = edition_with(*_edition_and_patch(space))
    deck = read_deck(given, edition.by_id)
    sheet = deck_sheet(deck, edition)
    name = deck_label(deck)
    legal = [each for each, reason in legality(deck).items() if reason is None]
    notes = (
        f"mean cost {sheet.mean_cost:.2f}",
        f"{sheet.dust:,} dust",
        f"{sheet.class_cards} cards of the class",
        f"legal in {', '.join(legal)}" if legal else "legal in no edition that ships",
    )
    return DeckFacts(name, deck.hero_class.lower(), deck.cards, sheet.code, _block(deck, edition, name), notes)


def _block(deck: Deck, edition: Edition, name: str) -> str:
    try:
        return clipboard_block(deck, edition.by_id, name=name)
    except DeckError:  # a card, such as one of a patch, has no number for codes
        return code_or_text(deck, edition.by_id)


def replay_choices() -> ReplayChoices:
    """The decks that are legal in the usual edition, and agents of the core without options that they need."""
    legal = tuple(each.name for each in named_decks() if legality(library()[each.name].deck)[DEFAULT] is None)
    quick = [name for name in AGENTS if name not in (DEFAULT_PILOT, "planner")]
    planners = [f"planner:score={score}" for score in (*SCORES, *EVOLVED)]
    return ReplayChoices(legal, (DEFAULT_PILOT, *quick, *planners), COACHES)
