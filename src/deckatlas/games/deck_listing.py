"""One deck of any game for people: as the game itself shows it, or else from the facts of its cards."""

from collections.abc import Iterable
from textwrap import wrap
from typing import Any

from deckatlas.games.game import Game, Listing, PlainTable

LAST_OF_CURVE = 7  # it counts all cards that cost as much or more
_WIDTH = 30  # of the texts in a table, which then fits 80 columns


def mana_curve(cards: Iterable[tuple[int, int]]) -> list[int]:
    """How many cards cost 0, 1 and so on; the last number counts 7 and more.

    Args:
        cards: The cost and the copies of each card.
    """
    counts = [0] * (LAST_OF_CURVE + 1)
    for cost, copies in cards:
        counts[max(0, min(cost, LAST_OF_CURVE))] += copies
    return counts


def deck_listing(game: Game, given: str, **options: Any) -> Listing:
    """A deck with its cards and its mana curve.

    Args:
        game: The game.
        given: The deck, in a form that the game reads.
        **options: Options of the game for the command `deck`.

    Raises:
        DeckError: If there is no such deck.
        GameError: If the game has no decks to show.
    """
    if game.offers("show_deck") or not game.offers("deck_facts"):
        return game.show_deck(given, **options)
    facts = game.deck_facts(given)
    known = {card.id: card for card in game.card_facts()}
    held = [(known[card], copies) for card, copies in facts.cards if card in known]
    held.sort(key=lambda each: (each[0].cost, each[0].name))
    rows: list[tuple[str, ...]] = []
    for card, copies in held:
        first, *rest = wrap(card.text, _WIDTH) or [""]
        rows.append((str(copies), str(card.cost), card.name, card.stats, first))
        rows += [("", "", "", "", line) for line in rest]
    table = PlainTable("", "", ("", "cost", "card", "stats", "text"), frozenset({"card", "text"}), (tuple(rows),))
    data = {
        "name": facts.name,
        "class": facts.group,
        "cards": [
            {"copies": copies, "id": card.id, "name": card.name, "type": card.type, "cost": card.cost}
            for card, copies in held
        ],
        "curve": mana_curve((card.cost, copies) for card, copies in held),
        "code": facts.code,
    }
    return Listing((table, *facts.notes, facts.code), data)
