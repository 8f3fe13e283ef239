"""Page "Cards": the cards of a game, and with a run how often its elites have them, with whom, and where."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from fastapi import Path as InPath

from deckatlas.errors import RunError
from deckatlas.games import all_games, find
from deckatlas.patterns.partners import Partner, partners_of
from deckatlas.patterns.sources import decks_of_runs
from deckatlas.runs.card_statistics import CardStatistics, card_statistics
from deckatlas.runs.view import RunView
from deckatlas.studio.asking import ShelfOfApp, ViewOfRun
from deckatlas.studio.shelf import Shelf
from deckatlas.views.answers.shapes import AsCode, Number, Rate, Shape
from deckatlas.views.answers.solutions import game_of, space_of
from deckatlas.views.card_graph import card_graph
from deckatlas.views.columns import column_name

router = APIRouter(tags=["cards"])

GameName = Annotated[str, InPath(max_length=50, description="The name of a game.")]
CardId = Annotated[str, InPath(max_length=100, description="The id of a card.")]
MOST_PARTNERS = 30


class CardShape(Shape):
    """A card."""

    game: str
    id: str
    name: str
    group: str
    type: str
    cost: int
    stats: str
    keywords: list[str]
    text: str


class CardStatisticsShape(Shape):
    """A card among the elites of a run."""

    card: str
    name: str
    elites: int
    inclusion: Rate
    win_rate: Rate | None
    others: Rate | None
    drawn: Rate | None
    played: Rate | None
    win_drawn: Rate | None
    win_played: Rate | None

    @classmethod
    def of(cls, found: CardStatistics) -> "CardStatisticsShape":
        """The shape of the statistics of a card."""
        rates = {
            name: None if estimate is None else Rate.of(estimate)
            for name in ("win_rate", "others", "drawn", "played", "win_drawn", "win_played")
            for estimate in (getattr(found, name),)
        }
        return cls(card=found.card, name=found.name, elites=found.elites, inclusion=Rate.of(found.inclusion), **rates)


class PartnerShape(Shape):
    """A card that shares decks with another."""

    card: str
    name: str
    count: int
    support: Rate
    lift: Number

    @classmethod
    def of(cls, found: Partner) -> "PartnerShape":
        """The shape of a partner."""
        support = Rate.of(found.support)
        return cls(card=found.card, name=found.name, count=found.count, support=support, lift=found.lift)


class CardInRun(Shape):
    """A card in a run: its statistics, its partners, and its cells on the map."""

    game: str
    statistics: CardStatisticsShape
    partners: list[PartnerShape]
    shape: list[int]
    cells: list[list[int]]
    measures: list[str]
    code: AsCode


class GraphNode(Shape):
    """A card of the graph: how many elites have it, and its place, from 0 at the left and the top to 1."""

    card: str
    name: str
    elites: int
    x: float
    y: float


class GraphLink(Shape):
    """Two cards that share decks more often than random legal decks do; the weight says how much that means."""

    first: int
    second: int
    count: int
    lift: float
    weight: float


class GraphShape(Shape):
    """Which of the most used cards of a run go together: the weightiest links, and the cards that have one."""

    used: int
    nodes: list[GraphNode]
    links: list[GraphLink]
    code: AsCode


@router.get("/cards")
def get_cards(
    game: Annotated[str, Query(max_length=50)] = "",
    run: Annotated[str, Query(max_length=200, description="The run whose edition is shown.")] = "",
    *,
    shelf: ShelfOfApp,
) -> list[CardShape]:
    """The cards of a game, or of all games; or of a run, as its edition has them."""
    if run:
        view = shelf.view(run)
        chosen = [(game_of(view), space_of(view))]
    else:
        chosen = [(find(game), None)] if game else [(each, None) for each in all_games()]
    return [
        CardShape(
            game=each.name,
            id=card.id,
            name=card.name,
            group=card.group,
            type=card.type,
            cost=card.cost,
            stats=card.stats,
            keywords=list(card.keywords),
            text=card.text,
        )
        for each, space in chosen
        if each.offers("card_facts")
        for card in each.card_facts(space)
    ]


@router.get("/runs/{run}/cards")
def get_card_statistics(view: ViewOfRun, shelf: ShelfOfApp) -> list[CardStatisticsShape]:
    """All cards of a run's pool among its elites."""
    return [CardStatisticsShape.of(each) for each in _statistics(shelf, view)]


@router.get("/runs/{run}/cards/{card}")
def get_card_in_run(card: CardId, view: ViewOfRun, shelf: ShelfOfApp) -> CardInRun:
    """One card of a run's pool."""
    found = next((each for each in _statistics(shelf, view) if each.card == card), None)
    if found is None:
        raise HTTPException(404, "the pool of this run has no such card")
    decks = shelf.derived(view, "decks", lambda: decks_of_runs([view]))
    return CardInRun(
        game=game_of(view).name,
        statistics=CardStatisticsShape.of(found),
        partners=[PartnerShape.of(each) for each in partners_of(decks, card, most=MOST_PARTNERS)],
        shape=list(view.archive.cells.shape),
        cells=[list(cell) for cell in found.cells],
        measures=[column_name(name) for name in view.measures],
        code=AsCode.picture(view, "cells", colour=card),
    )


@router.get("/runs/{run}/card-graph")
def get_card_graph(view: ViewOfRun, shelf: ShelfOfApp) -> GraphShape:
    """The most used cards of the elites, and which of them go together."""
    return shelf.derived(view, "card graph", lambda: _graph(_statistics(shelf, view), view))


def _graph(statistics: list[CardStatistics], view: RunView) -> GraphShape:
    found = card_graph(view, statistics)
    return GraphShape(
        used=found.used,
        nodes=[GraphNode(**asdict(each)) for each in found.nodes],
        links=[GraphLink(**asdict(each)) for each in found.links],
        code=AsCode.picture(view, "graph"),
    )


def _statistics(shelf: Shelf, view: RunView) -> list[CardStatistics]:
    if not view.has_archive:
        raise RunError("this run has no map, so it has no elites with cards")
    return shelf.derived(view, "card statistics", lambda: card_statistics(view))
