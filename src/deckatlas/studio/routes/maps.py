"""Page "Map": the elites of a run along any two columns, how the map was filled, patterns in a box, differences."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from fastapi import Path as InPath

from deckatlas.studio.asking import ShelfOfApp, ViewOfRun
from deckatlas.views.answers.maps import EliteShape, MapShape, elites_of, map_of
from deckatlas.views.answers.patterns import Box, BoxPatterns, patterns_of
from deckatlas.views.answers.shapes import AsCode, Shape, plain
from deckatlas.views.columns import bounds_of
from deckatlas.views.map_difference import map_difference
from deckatlas.views.map_filling import plane_of

router = APIRouter(tags=["map"])

ColumnName = Annotated[str, Query(description="A column of the run; a measure of its map by default.", max_length=200)]
Cell = Annotated[int, Query(ge=0, le=10_000)]


@router.get("/runs/{run}/map")
def get_map(view: ViewOfRun, shelf: ShelfOfApp, x: ColumnName = "", y: ColumnName = "", decks: bool = True) -> MapShape:
    """The map of a run."""
    return shelf.derived(view, f"map {x!r} {y!r} {decks}", lambda: map_of(view, x, y, decks=decks))


@router.get("/runs/{run}/elites/{number}")
def get_elite(view: ViewOfRun, number: Annotated[int, InPath(ge=0, le=2**40)]) -> EliteShape:
    """A solution of a map, such as an elite."""
    if not view.has_archive or number >= len(view.log):
        raise HTTPException(404, "there is no such solution of a map")
    return elites_of(view, [number])[0]


@router.get("/runs/{run}/map/patterns")
def get_patterns(
    view: ViewOfRun,
    left: Cell,
    right: Cell,
    bottom: Cell,
    top: Cell,
    x: ColumnName = "",
    y: ColumnName = "",
    support: Annotated[float, Query(ge=0.2, le=1, description="The share of the decks that have a set.")] = 0.5,
) -> BoxPatterns:
    """Sets of cards that many decks in a box of cells share."""
    return patterns_of(view, Box(left, right, bottom, top), x, y, support=support)


class DifferenceShape(Shape):
    """This map minus another, in the cells of this one; columns of the cells that both have."""

    other: str
    cell: list[int]
    number: list[int]
    other_number: list[int]
    value: list[float | None]
    low: list[float | None]
    high: list[float | None]
    is_beyond_noise: list[bool]
    is_share: bool
    code: AsCode


@router.get("/runs/{run}/map/difference")
def get_difference(
    view: ViewOfRun,
    shelf: ShelfOfApp,
    other: Annotated[str, Query(description="The id of another run.", max_length=200)],
    x: ColumnName = "",
    y: ColumnName = "",
) -> DifferenceShape:
    """This map minus that of another run."""
    against = shelf.view(other)
    plane = plane_of(view, x, y)
    found = map_difference(plane, against)
    return DifferenceShape(
        other=against.name,
        cell=[each.cell for each in found],
        number=[each.number for each in found],
        other_number=[each.other for each in found],
        value=plain([each.difference.value for each in found]),
        low=plain([each.difference.low for each in found]),
        high=plain([each.difference.high for each in found]),
        is_beyond_noise=[each.is_beyond_noise for each in found],
        is_share=bounds_of(view.objective) == (0.0, 1.0),
        code=AsCode.picture([view, against], "difference", measures=plane.names),
    )
