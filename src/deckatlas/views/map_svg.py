"""Drawings of a map for its page: the map with details of each cell, curves, a recheck, mana curves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from math import isfinite

import numpy as np

from deckatlas.runs.description import DeckLine
from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Floats
from deckatlas.views.columns import axis_name, column_name
from deckatlas.views.map_curves import GrowthCurve
from deckatlas.views.map_grid import NOBODY, Axis, Grid
from deckatlas.views.scale import Scale
from deckatlas.views.svg import Frame, element, padded, points, text_element, tick, ticks

_MAP = {"width": 620.0, "height": 512.0, "left": 68.0, "right": 92.0, "bottom": 54.0, "top": 14.0}
_STRIP = {**_MAP, "height": 140.0}
_BAR = 60.0, 14.0  # from the right end, and how wide
_BAR_STEPS = 40
_CURVE = {"width": 440.0, "height": 260.0}
_COSTS = 8  # 0, 1, ..., 6, and 7 or more together


@dataclass(frozen=True)
class EliteText:
    """The texts of an elite.

    Attributes:
        tip: Its details in several lines, shown when a person points at it.
        name: Its cell and its numbers in one line, for screen readers.
    """

    tip: str
    name: str


def map_svg(grid: Grid, scale: Scale, objective: str, text_of: Callable[[int], EliteText], *, equal: bool) -> str:
    """The map: cells in the colours of their elites, with details for the pointer and for screen readers.

    Tab goes to the best cell; from there the page's script moves the focus by the places of the cells.

    Args:
        grid: The cells.
        scale: The colours.
        objective: The objective that the colours show.
        text_of: Gives the texts of an elite, by its number.
        equal: Whether all cells are of one size; otherwise their boundaries are drawn at their values.
    """
    x, y = (axis.places(equal=equal) for axis in (grid.x, grid.y))
    frame = Frame((float(x[0]), float(x[-1])), (float(y[0]), float(y[-1])), **(_MAP if grid.y.name else _STRIP))
    parts = [
        *_background(frame, grid, x, y),
        *_cells(frame, grid, (x, y), scale, text_of),
        *_map_axes(frame, grid, equal=equal),
        *_colour_bar(frame, scale, objective),
        *(element("rect", class_=f"mark {name}", aria_hidden="true") for name in ("chosen", "focused")),
    ]
    by = " and ".join(column_name(axis.name) for axis in (grid.x, grid.y) if axis.name)
    return frame.drawing(parts, title=f"the map by {by}: arrow keys move from cell to cell", role="group")


def _box(
    frame: Frame, x: Sequence[float] | Floats, y: Sequence[float] | Floats, content: str = "", **attributes: object
) -> str:
    """A rectangle between these ends."""
    left, right = (frame.across(float(value)) for value in x)
    bottom, top = (frame.down(float(value)) for value in y)
    return element("rect", content, x=left, y=top, width=right - left, height=bottom - top, **attributes)


def _background(frame: Frame, grid: Grid, x: Floats, y: Floats) -> Iterator[str]:
    """The background of cells without an elite, and of cells that no solution can be in."""
    yield _box(frame, frame.x, frame.y, class_="empty")
    for column in np.flatnonzero(~grid.x.reachable):
        yield _box(frame, x[column : column + 2], frame.y, class_="beyond")
    for row in np.flatnonzero(~grid.y.reachable):
        yield _box(frame, frame.x, y[row : row + 2], class_="beyond")


def _cells(
    frame: Frame, grid: Grid, places: tuple[Floats, Floats], scale: Scale, text_of: Callable[[int], EliteText]
) -> Iterator[str]:
    x, y = places
    best = int(grid.elites[grid.objectives == np.nanmax(grid.objectives)].min())  # the earliest of equals
    for column, row in np.argwhere(grid.elites != NOBODY).tolist():
        elite, objective = int(grid.elites[column, row]), float(grid.objectives[column, row])
        between = x[column : column + 2], y[row : row + 2]
        words = text_of(elite)
        yield _box(
            frame,
            *between,
            element("title", escape(words.tip)),
            fill=scale.hex(objective),
            class_="cell",
            role="button",
            tabindex=0 if elite == best else -1,
            aria_label=words.name,
            data_elite=elite,
            data_column=column,
            data_row=row,
        )


def _map_axes(frame: Frame, grid: Grid, *, equal: bool) -> Iterator[str]:
    bottom, right = frame.height - frame.bottom, frame.width - frame.right
    for value, words in _axis_ticks(grid.x, frame.x, equal=equal, most=9):
        at = frame.across(value)
        yield element("line", x1=at, x2=at, y1=bottom, y2=bottom + 4, class_="axis")
        yield text_element(words, x=at, y=bottom + 16, text_anchor="middle", class_="tick")
    yield text_element(axis_name(grid.x.name), x=(frame.left + right) / 2, y=frame.height - 6, **_NAME)
    if not grid.y.name:
        return
    for value, words in _axis_ticks(grid.y, frame.y, equal=equal, most=11):
        at = frame.down(value)
        yield element("line", x1=frame.left - 4, x2=frame.left, y1=at, y2=at, class_="axis")
        yield text_element(words, x=frame.left - 7, y=at + 3.5, text_anchor="end", class_="tick")
    middle = (frame.top + bottom) / 2
    yield text_element(axis_name(grid.y.name), x=12, y=middle, transform=f"rotate(-90 12 {middle:g})", **_NAME)


_NAME = {"text_anchor": "middle", "class_": "label"}


def _axis_ticks(axis: Axis, ends: tuple[float, float], *, equal: bool, most: int) -> list[tuple[float, str]]:
    if not equal:
        return [(value, tick(value)) for value in ticks(*ends, most)]
    return [(float(place), f"{axis.edges[place]:.3g}") for place in axis.some_boundaries(most)]


def _colour_bar(frame: Frame, scale: Scale, objective: str) -> Iterator[str]:
    from_right, width = _BAR
    left, bottom = frame.width - from_right - width, frame.height - frame.bottom
    bar = Frame((0, 1), (scale.low, scale.high), frame.width, frame.height, frame.left, frame.bottom, frame.top)
    step = (scale.high - scale.low) / _BAR_STEPS
    for number in range(_BAR_STEPS):
        low = scale.low + number * step
        top = bar.down(low + step)
        height = bar.down(low) - top + 0.5  # overlaps the next step a little, so that there is no visible gap
        yield element("rect", x=left, y=top, width=width, height=height, fill=scale.hex(low + step / 2))
    high = bottom > 300
    for value in ticks(scale.low, scale.high, 7 if high else 3):
        yield text_element(tick(value), x=left + width + 5, y=bar.down(value) + 3.5, class_="tick")
    middle = (frame.top + bottom) / 2
    at = frame.width - 8
    words = axis_name(objective) if high else column_name(objective)
    yield text_element(words, x=at, y=middle, transform=f"rotate(-90 {at:g} {middle:g})", **_NAME)


def curve_svgs(curve: GrowthCurve, objective: str) -> Iterator[str]:
    """The growth of the map, one drawing per number."""
    panels: list[tuple[str, str, tuple[str, ...]]] = [
        (f"{column_name(objective)} of the elites", axis_name(objective), ("best", "mean")),
        ("win rate of the elites", axis_name(WIN_RATE), ("best_win_rate", "mean_win_rate")),
        ("QD score", "sum over elites", ("qd_score",)),
        ("coverage", "share of cells with an elite", ("coverage",)),
    ]
    for title, unit, names in panels:
        if {*names} <= {*curve.numbers}:
            yield _curve_svg(title, unit, curve.evaluated, {name: curve.numbers[name] for name in names})


def _curve_svg(title: str, unit: str, evaluated: Floats, lines: Mapping[str, Floats]) -> str:
    values = list(chain.from_iterable(line.tolist() for line in lines.values()))
    from_zero = [0.0] if {*lines} & {"coverage", "qd_score"} else []
    low, high = padded([*values, *from_zero])
    frame = Frame((0.0, float(evaluated[-1])), (0.0 if from_zero else low, high), **_CURVE)
    parts = frame.axes(title=title, x="evaluations", y=unit, x_ticks=ticks(*frame.x, 6), y_ticks=ticks(*frame.y))
    ends = []
    for number, (name, line) in enumerate(lines.items()):
        words = name.partition("_")[0] if len(lines) > 1 else title
        xs, ys = [frame.across(x) for x in evaluated.tolist()], [frame.down(y) for y in line.tolist()]
        parts.append(element("polyline", element("title", words), points=points(xs, ys), class_=f"line line{number}"))
        ends.append(f"{words} {line[-1]:.4g}")
        if len(lines) > 1 and isfinite(ys[-1]):
            parts.append(text_element(words, x=xs[-1], y=ys[-1] - 6, text_anchor="end", class_=f"name name{number}"))
    return frame.drawing(parts, title=f"{title} over evaluations, in the end: {', '.join(ends)}")


def recheck_svg(view: RunView, tip: Callable[[int], str]) -> str:
    """The objective of every elite in the search and on fresh games, with the line where both are the same."""
    numbers = view.archive.elites.tolist()
    before = view.archive.objectives[view.archive.elites].tolist()
    fresh = view.rechecked(numbers)[0].tolist()
    ends = padded([*before, *fresh])
    frame = Frame(ends, ends, width=440.0, height=420.0, bottom=42.0)
    name = axis_name(view.objective)
    marks = ticks(*ends, 7)
    parts = frame.axes(title="", x=f"{name} in the search", y=f"{name} on fresh games", x_ticks=marks, y_ticks=marks)
    x, y = ([at(end) for end in ends] for at in (frame.across, frame.down))
    parts.append(element("line", x1=x[0], x2=x[1], y1=y[0], y2=y[1], class_="same"))
    for number, old, new in zip(numbers, before, fresh, strict=True):
        title = element("title", escape(tip(number)))
        parts.append(element("circle", title, cx=frame.across(old), cy=frame.down(new), r=3.2, class_="dot"))
    return frame.drawing(parts, title="elites in the search and on fresh games")


def mana_curve_svg(lines: Sequence[DeckLine]) -> str:
    """The number of cards of each cost in a deck."""
    counts = [0] * _COSTS
    for line in lines:
        counts[min(line.cost, _COSTS - 1)] += line.copies
    frame = Frame((0, _COSTS), (0, max(counts)), width=200.0, height=86.0, left=2.0, right=2.0, bottom=16.0, top=14.0)
    parts = []
    for cost, count in enumerate(counts):
        middle = frame.across(cost + 0.5)
        title = element("title", f"{count} cards")
        parts.append(_box(frame, (cost + 0.08, cost + 0.92), (0, count), title, class_="bar"))
        parts.append(text_element(str(count), x=middle, y=frame.down(count) - 3, text_anchor="middle", class_="tick"))
        name = f"{cost}+" if cost == _COSTS - 1 else str(cost)
        parts.append(text_element(name, x=middle, y=frame.height - 3, text_anchor="middle", class_="tick"))
    return frame.drawing(parts, title="cards by mana cost")
