"""Drawings of the rounds of a search with a surrogate, for the page of a map."""

from math import ceil, floor, log10

import numpy as np

from deckatlas.search.evaluation import Floats
from deckatlas.views.columns import axis_name, column_name
from deckatlas.views.round_numbers import Predictions, RoundCurves
from deckatlas.views.svg import Frame, Range, dots, element, padded, points, text_element, ticks

_LETTER = 5.6  # the width of a letter in names of lines


def prediction_svg(found: Predictions) -> str:
    """What was predicted of each candidate against what its games showed, with the line where both are the same."""
    ends = found.ends
    frame = Frame(ends, ends, width=440.0, height=420.0, bottom=42.0)
    marks, name = ticks(*ends, 7), axis_name(found.target)
    parts = frame.axes(title=name, x="predicted", y="in games", x_ticks=marks, y_ticks=marks)
    (left, right), (bottom, top) = ([at(end) for end in ends] for at in (frame.across, frame.down))
    parts.append(element("line", x1=left, x2=right, y1=bottom, y2=top, class_="same"))
    for number, chosen in enumerate((~found.newest, found.newest)):
        x = [frame.across(value) for value in np.clip(found.predicted[chosen], *ends).tolist()]
        y = [frame.down(value) for value in found.measured[chosen].tolist()]
        parts.append(dots(x, y, class_=f"dots dots{number}"))
    return frame.drawing(parts, title=f"{column_name(found.target)}: predictions and results of all candidates")


def round_svg(numbers: Floats, curves: RoundCurves) -> str:
    """Numbers over rounds."""
    lines = {name: _logarithms(line) if curves.logarithmic else line for name, line in curves.lines.items()}
    low, high = padded(np.concatenate([*lines.values()]).tolist())
    y = (low, high) if curves.logarithmic else (0.0, high)
    first, last = float(numbers[0]), float(numbers[-1])
    frame = Frame((first, last) if last > first else (first - 1, last + 1), y, width=440.0, height=260.0, left=66.0)
    parts = frame.axes(
        title=curves.title,
        x="round",
        y=curves.unit,
        x_ticks=[mark for mark in ticks(*frame.x) if mark == round(mark)],
        y_ticks=_powers(y) if curves.logarithmic else ticks(*y),
        y_text=_power if curves.logarithmic else None,
    )
    across, ends, right = [frame.across(x) for x in numbers.tolist()], [], frame.width - frame.right
    for number, (name, line) in reversed([*enumerate(lines.items())]):
        down = [frame.down(value) for value in line.tolist()]
        title = element("title", name)
        parts.append(element("polyline", title, points=points(across, down), class_=f"line line{number}"))
        if len(down) == 1:  # which is no line
            parts.append(dots(across, down, class_=f"dots line{number}"))
        parts.append(text_element(name, x=right, y=frame.top - 10, text_anchor="end", class_=f"name name{number}"))
        right -= _LETTER * len(name) + 14
        ends.append(f"{name} {curves.lines[name][-1]:.4g}")
    return frame.drawing(parts, title=f"{curves.title} over rounds, in the end: {', '.join(ends)}")


def _logarithms(values: Floats) -> Floats:
    """Decimal logarithms; not a number (nan) where there is none."""
    return np.array([log10(value) if value > 0 else np.nan for value in values.tolist()])


def _powers(ends: Range) -> list[float]:
    """Round numbers on a logarithmic axis: powers of ten, and if those are few, twice and five times these."""
    factors = (1, 2, 5) if ends[1] - ends[0] < 2.5 else (1,)
    marks = [power + log10(factor) for power in range(floor(ends[0]), ceil(ends[1]) + 1) for factor in factors]
    return [mark for mark in marks if ends[0] <= mark <= ends[1]]


def _power(mark: float) -> str:
    return f"{round(10**mark, 12):g}"
