"""The map of a run along any two columns, with how it was filled, and its solutions one by one."""

from collections.abc import Mapping, Sequence

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Ints
from deckatlas.views.answers.shapes import AsCode, NamedRate, Number, Rate, Shape, plain
from deckatlas.views.card_changes import card_changes
from deckatlas.views.columns import axis_name, bounds_of, column_name
from deckatlas.views.map_filling import improvements, plane_of
from deckatlas.views.map_grid import Axis

_MOST_WORDS = 40  # lines on a solution that is no deck


class ColumnShape(Shape):
    """A column that can be an axis."""

    name: str
    title: str


class AxisShape(Shape):
    """An axis: its boundaries, and whether a solution can be in each cell."""

    name: str
    title: str
    edges: list[Number]
    reachable: list[bool]

    @classmethod
    def of(cls, axis: Axis) -> "AxisShape":
        """The shape of an axis."""
        title = axis_name(axis.name) if axis.name else ""
        return cls(name=axis.name, title=title, edges=axis.edges.tolist(), reachable=axis.reachable.tolist())


class MapCard(Shape):
    """A card of the pool."""

    id: str
    name: str
    cost: int


class RatesColumn(Shape):
    """The same number of many solutions, in columns."""

    value: list[float | None]
    low: list[float | None]
    high: list[float | None]
    is_share: bool


class Filling(Shape):
    """All solutions that were the best of their cell when they were found, in this order, in columns.

    The last one of a cell is its elite now.
    """

    number: list[int]
    cell: list[int]
    found: list[int]
    games: list[int]
    objective: RatesColumn
    win_rate: RatesColumn | None
    decks: list[list[int]]


class MapShape(Shape):
    """A map along two columns. Cell x * (number of cells along y) + y; decks are pairs of a card's place and copies."""

    name: str
    objective: str
    objective_title: str
    measures: list[str]
    columns: list[ColumnShape]
    x: AxisShape
    y: AxisShape
    evaluations: int
    cards: list[MapCard]
    filling: Filling
    code: AsCode


def map_of(view: RunView, x: str = "", y: str = "", *, decks: bool = True) -> MapShape:
    """The map of a run along two columns.

    Args:
        view: The run.
        x: The column along x; a measure of its map by default.
        y: The column along y.
        decks: Whether the decks of all solutions come with it.

    Raises:
        DeckatlasError: If the run has no map, or a column is not known.
    """
    plane = plane_of(view, x, y)
    numbers = improvements(plane.cells, view.log.column(view.objective))
    genes = view.description.genes if decks and view.description.layout.deck_size else ()
    has_rate = WIN_RATE in view.log.columns and view.objective != WIN_RATE
    return MapShape(
        name=view.name,
        objective=view.objective,
        objective_title=column_name(view.objective),
        measures=list(view.measures),
        columns=[ColumnShape(name=name, title=column_name(name)) for name in view.log.columns],
        x=AxisShape.of(plane.x),
        y=AxisShape.of(plane.y),
        evaluations=view.log.evaluations,
        cards=[MapCard(id=gene.id, name=gene.name, cost=int(gene.facts.get("cost", 0))) for gene in genes],
        filling=Filling(
            number=numbers.tolist(),
            cell=plane.cells[numbers].tolist(),
            found=(view.log.first_evaluations[numbers] + 1).tolist(),
            games=view.log.games[numbers].tolist(),
            objective=_rates(view, view.objective, numbers),
            win_rate=_rates(view, WIN_RATE, numbers) if has_rate else None,
            decks=_decks(view, numbers) if genes else [],
        ),
        code=AsCode.picture(view, "map", measures=plane.names),
    )


def _rates(view: RunView, column: str, numbers: Ints) -> RatesColumn:
    found = view.rated_all(column, numbers)
    return RatesColumn(
        value=plain(found.value.tolist()),
        low=plain(found.low.tolist()),
        high=plain(found.high.tolist()),
        is_share=bounds_of(column) == (0.0, 1.0),
    )


def _decks(view: RunView, numbers: Ints) -> list[list[int]]:
    rows = view.log.solutions[numbers]
    decks: list[list[int]] = [[] for _ in range(len(numbers))]
    for row, place in zip(*(part.tolist() for part in np.nonzero(rows)), strict=True):
        decks[row] += (place, int(rows[row, place]))
    return decks


class EliteShape(Shape):
    """A solution with everything that is known of it, but its place on a map."""

    number: int
    found: int
    games: int
    parent: int | None
    changes: list[str]
    objective: Rate
    rechecked: Rate | None
    columns: list[NamedRate]
    words: list[str]
    code: str


def elites_of(view: RunView, numbers: Sequence[int]) -> list[EliteShape]:
    """Solutions of a map, such as its elites, with everything that is known of them.

    Raises:
        RunError: If the run has no map, or there is no such solution.
    """
    if not view.has_archive:
        raise RunError("this run has no map: single solutions are only known for maps")
    for number in numbers:
        view.check_solution(number)
    all_of_them = np.array(numbers, dtype=np.int64)
    rated = {name: view.rated_all(name, all_of_them) for name in {*view.log.columns, view.objective}}
    return [
        _elite(view, number, {name: Rate.of(column[place]) for name, column in rated.items()})
        for place, number in enumerate(numbers)
    ]


def _elite(view: RunView, number: int, rates: Mapping[str, Rate]) -> EliteShape:
    parent = int(view.log.parents[number])
    rechecked = view.rechecked_estimate(number)
    is_deck = bool(view.description.layout.deck_size)
    return EliteShape(
        number=number,
        found=int(view.log.first_evaluations[number]) + 1,
        games=int(view.log.games[number]),
        parent=parent if parent >= 0 else None,
        changes=list(card_changes(view, parent, number)) if parent >= 0 else [],
        objective=rates[view.objective],
        rechecked=None if rechecked is None else Rate.of(rechecked),
        columns=[NamedRate.of(name, rates[name]) for name in view.log.columns],
        words=[] if is_deck else view.in_words(view.log.solutions[number])[:_MOST_WORDS],
        code=view.code(view.log.solutions[number]) if is_deck else "",
    )
