"""Page "Decks": the decks that have a name, and any deck by its name or code."""

from shlex import quote
from typing import Annotated

from fastapi import APIRouter, Query

from deckatlas.errors import GameError
from deckatlas.games import all_games, find
from deckatlas.studio.routes.cards import GameName
from deckatlas.views.answers.shapes import AsCode, Shape
from deckatlas.views.answers.solutions import CardLine

router = APIRouter(tags=["decks"])


class DeckNameShape(Shape):
    """A deck that has a name."""

    game: str
    name: str
    group: str
    about: str


class DeckShape(Shape):
    """A deck by its name or code."""

    game: str
    name: str
    group: str
    cards: list[CardLine]
    code: str
    block: str
    notes: list[str]
    as_code: AsCode


@router.get("/decks")
def get_decks() -> list[DeckNameShape]:
    """The decks that have a name, of all games."""
    return [
        DeckNameShape(game=game.name, name=deck.name, group=deck.group, about=deck.about)
        for game in all_games()
        for deck in game.deck_names()
    ]


@router.get("/decks/{game}")
def get_deck(game: GameName, deck: Annotated[str, Query(min_length=1, max_length=2000)]) -> DeckShape:
    """A deck by its name, its code, or its cards."""
    found = find(game)
    if not found.offers("deck_facts"):
        raise GameError(f"{game} has no decks to show")
    facts = found.deck_facts(deck)
    known = {card.id: card for card in found.card_facts()}
    cards = [
        CardLine(
            id=card,
            name=known[card].name if card in known else card,
            cost=known[card].cost if card in known else 0,
            type=known[card].type if card in known else "not in this edition",
            copies=copies,
            stats=known[card].stats if card in known else "",
            text=known[card].text if card in known else "",
        )
        for card, copies in facts.cards
    ]
    return DeckShape(
        game=game,
        name=facts.name,
        group=facts.group,
        cards=sorted(cards, key=lambda line: (line.cost, line.name)),
        code=facts.code,
        block=facts.block,
        notes=list(facts.notes),
        as_code=_as_code(game, facts.code),
    )


def _as_code(game: str, deck: str) -> AsCode:
    """What draws the curve of a deck."""
    return AsCode(
        command=f"deckatlas deck {game} {quote(deck)} --picture curve.png",
        python=f"from deckatlas.views.solution_figures import plot_deck\n\nplot_deck({game!r}, {deck!r}, 'curve.png')",
    )
