"""The drawings of a metagame's page: the matrix with the mix, and shares over time."""

from collections.abc import Iterator

import numpy as np

from deckatlas.metagame.analysis import Analysis
from deckatlas.views.svg import Frame, element, points, text_element, ticks

_CELL, _ROW = 34.0, 22.0
_MIX = 150.0  # the width of the mix beside the matrix
_LINES = 4  # shares that have a colour of their own


def matrix_svg(analysis: Analysis) -> str:
    """The matrix, the best rating first, and beside it the share of each deck in the mix with its interval."""
    order, names = analysis.order, analysis.names
    left = 12 + 6.6 * (max(map(len, names)) + 3)
    top = 26.0
    right = left + _CELL * len(order) + 24
    frame = Frame((0, 1), (0, 1), width=right + _MIX + 30, height=top + _ROW * len(order) + 30)
    parts = [text_element("equilibrium mix, %", x=right, y=top - 10, class_="label")]
    for y, i in enumerate(order):
        at = top + _ROW * y
        parts.append(text_element(f"{names[i]}  {y + 1}", x=left - 6, y=at + 15, text_anchor="end", class_="tick"))
        parts.append(
            text_element(str(y + 1), x=left + _CELL * (y + 0.5), y=top - 10, text_anchor="middle", class_="tick")
        )
        for x, j in enumerate(order):
            if i != j:
                parts += _rate(analysis, i, j, left + _CELL * x, at)
        parts += _share(analysis, i, right, at)
    return frame.drawing(parts, title="games that the row won against the column, and the equilibrium mix")


def _rate(analysis: Analysis, i: int, j: int, x: float, y: float) -> Iterator[str]:
    rate = analysis.matchups.rate(i, j)
    is_decided = (i, j) in analysis.decided or (j, i) in analysis.decided
    tip = f"{analysis.names[i]} against {analysis.names[j]}: {rate.text(1)} of {rate.n:,} games"
    side = "won" if rate.value >= 0.5 else "lost"
    yield element(
        "rect",
        element("title", tip.replace("&", "&amp;").replace("<", "&lt;")),
        x=x,
        y=y,
        width=_CELL,
        height=_ROW,
        class_=f"rate {side}",
        fill_opacity=round(0.06 + 1.6 * abs(rate.value - 0.5), 3),
    )
    weight = " decided" if is_decided else ""
    yield text_element(
        f"{100 * rate.value:.0f}", x=x + _CELL / 2, y=y + 15, text_anchor="middle", class_=f"number{weight}"
    )


def _share(analysis: Analysis, i: int, left: float, y: float) -> Iterator[str]:
    share = analysis.mix.share(i)
    middle = y + _ROW / 2
    yield element("line", x1=left, x2=left, y1=y, y2=y + _ROW, class_="axis")
    yield element("rect", x=left, y=y + 5, width=_MIX * share.value, height=_ROW - 10, class_="share")
    yield element("line", x1=left + _MIX * share.low, x2=left + _MIX * share.high, y1=middle, y2=middle, class_="ends")
    if share.value > 0:
        yield text_element(f"{100 * share.value:.0f}", x=left + _MIX * share.high + 4, y=y + 15, class_="tick")


def course_svg(analysis: Analysis) -> str:
    """Shares over time, if decks that win are copied; the largest have names."""
    course = analysis.course
    top = float(100 * course.shares.max())
    frame = Frame((0.0, float(course.time[-1])), (0.0, top), width=720, height=300, right=160)
    parts = frame.axes(
        title="shares over time, %", x="time", y="", x_ticks=ticks(0, float(course.time[-1])), y_ticks=ticks(0, top)
    )
    largest = np.argsort(-course.mean, kind="stable").tolist()
    shown = slice(None, None, max(1, len(course.time) // 250))
    for number, i in reversed(list(enumerate(largest))):
        line = number if number < _LINES else 2
        xs = [frame.across(each) for each in course.time[shown].tolist()]
        ys = [frame.down(100 * each) for each in course.shares[shown, i].tolist()]
        parts.append(element("polyline", points=points(xs, ys), class_=f"line line{line}"))
    for number, i in enumerate(largest[:_LINES]):
        words = f"{analysis.names[i]} {100 * course.mean[i]:.0f} % on average"
        parts.append(
            text_element(words, x=frame.width - 155, y=frame.top + 14 + 16 * number, class_=f"name name{number}")
        )
    return frame.drawing(parts, title="shares over time if decks that win are copied")
