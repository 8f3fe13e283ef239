"""The drawings of a balance study: shifts as dumbbells, matrices before and after, and maps with their difference."""

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from deckatlas.balancing.questions import Sentence
from deckatlas.balancing.study import Study
from deckatlas.balancing.subject import BASE, PATCHED, SIDES, Floats
from deckatlas.balancing.trial_questions import cell_name, rates_by_cell
from deckatlas.balancing.trials import SearchKey
from deckatlas.views.scale import Scale
from deckatlas.views.svg import Frame, element, padded, text_element, tick, ticks

_ROW = 22.0
_CELL = 15.0
_STRONGEST = 0.25  # a difference of rates with the full colour
_MAP = {"width": 330.0, "height": 300.0, "left": 46.0, "right": 14.0, "bottom": 44.0, "top": 26.0}


def dumbbell_svg(sentences: Sequence[Sentence], *, title: str) -> str:
    """Numbers before and after, joined by a line; a change beyond chance is bold, and its interval is drawn."""
    ends = [100 * end for each in sentences for end in _ends(each)]
    left = 16 + 6.2 * max(len(each.question.subject) for each in sentences)
    height = 60 + _ROW * len(sentences)
    frame = Frame(padded(ends), (0.0, 1.0), width=760, height=height, left=left, right=24)
    bottom = frame.height - frame.bottom
    parts = [text_element(f"{title}, %: before ○, after ●, interval of the difference —", x=8, y=14, class_="label")]
    for value in ticks(*frame.x, most=8):
        at = frame.across(value)
        parts.append(element("line", x1=at, x2=at, y1=frame.top, y2=bottom, class_="grid"))
        parts.append(text_element(tick(value), x=at, y=bottom + 16, text_anchor="middle", class_="tick"))
    for row, sentence in enumerate(sentences):
        parts += _dumbbell(frame, sentence, frame.top + _ROW * (row + 0.5))
    return frame.drawing(parts, title=title)


def _ends(sentence: Sentence) -> tuple[float, float, float, float]:
    asked = sentence.question
    low, high = (min(1.0, max(0.0, asked.before.value + end)) for end in (asked.difference.low, asked.difference.high))
    return asked.before.value, asked.after.value, low, high


def _dumbbell(frame: Frame, sentence: Sentence, y: float) -> Iterator[str]:
    asked = sentence.question
    before, after, low, high = (frame.across(100 * end) for end in _ends(sentence))
    weight = " decided" if sentence.is_change else ""
    yield text_element(asked.subject, x=frame.left - 8, y=y + 4, text_anchor="end", class_=f"tick{weight}")
    yield element("line", x1=low, x2=high, y1=y, y2=y, class_="ends")
    way = ("rise" if after > before else "fall") if sentence.is_change else "still"
    yield element("line", x1=before, x2=after, y1=y, y2=y, class_=f"moved {way}")
    yield element("circle", cx=before, cy=y, r=4.5, class_="before")
    yield element("circle", element("title", escape(sentence.text)), cx=after, cy=y, r=5, class_=f"after {way}")


def matrices_svg(study: Study) -> str:
    """How often the row won against the column: before, after, and the difference."""
    field = study.field
    order = np.argsort(-(field.before.rates @ field.shares), kind="stable")
    names = [field.names[i] for i in order]
    before, after = (side.rates[np.ix_(order, order)] for side in (field.before, field.after))
    decided = {frozenset((each.question.subject, each.question.place)) for each in study.matchups if each.is_change}
    left = 14 + 6.0 * max(map(len, names))
    size = _CELL * len(names)
    gap = 26.0
    frame = Frame((0, 1), (0, 1), width=left + 3 * size + 2 * gap + 8, height=30 + size + 12)
    parts = [
        text_element(name, x=left - 6, y=30 + _CELL * (row + 0.75), text_anchor="end", class_="tick")
        for row, name in enumerate(names)
    ]
    drawn = (("before", before - 0.5), ("after", after - 0.5), ("difference", after - before))
    for number, (title, matrix) in enumerate(drawn):
        x = left + number * (size + gap)
        parts.append(text_element(title, x=x, y=20, class_="label"))
        parts += _matrix(names, matrix, x, 30.0, decided if title == "difference" else set(), title)
    return frame.drawing(parts, title="how often the row won against the column, before and after")


def _matrix(
    names: Sequence[str], matrix: Floats, x: float, y: float, decided: set[frozenset[str]], title: str
) -> Iterator[str]:
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            if row == column:
                continue
            value = float(matrix[row, column])
            number = f"{100 * value:+.1f} points" if title == "difference" else f"{100 * (value + 0.5):.0f} %"
            yield element(
                "rect",
                element("title", escape(f"{one} against {other}, {title}: {number}")),
                x=x + _CELL * column,
                y=y + _CELL * row,
                width=_CELL,
                height=_CELL,
                class_=f"rate {'won' if value >= 0 else 'lost'}{' beyond-noise' if {one, other} in decided else ''}",
                fill_opacity=round(min(1.0, abs(value) / (_STRONGEST if title == "difference" else 0.5)), 3),
            )


def maps_svg(study: Study, key: SearchKey) -> list[str]:
    """The mean map of all trials before and after, and their difference with cells beyond noise outlined."""
    maps = [[half.maps[key] for half in trial.halves] for trial in study.trials]
    rates = np.array([[rates_by_cell(found) for found in pair] for pair in maps])
    with np.errstate(invalid="ignore"):
        means = [np.array([_mean(column) for column in rates[:, side].T]) for side in SIDES]
    scale = Scale.over([*means[BASE].tolist(), *means[PATCHED].tolist()])
    outlined = {each.question.subject for each in study.cells if each.is_change}
    first = maps[0][0]
    drawings = []
    before, after = means
    for title, values in (("before", before), ("after", after), ("difference", after - before)):
        frame = Frame(*first.ranges, **_MAP)  # type: ignore[arg-type]
        parts = [element("rect", x=frame.left, y=frame.top, width=270, height=230, class_="empty-map")]
        for cell, value in enumerate(values.tolist()):
            if not np.isnan(value):
                place = [int(each) for each in np.unravel_index(cell, first.shape)]
                label = cell_name(key, ", ".join(map(str, place)))
                parts.append(_map_cell(frame, first.shape, place, value, title, scale, beyond=label in outlined))
        parts += frame.axes(
            title=_map_title(key, title, scale),
            x=first.names[0],
            y=first.names[1],
            x_ticks=ticks(*first.ranges[0], most=5),
            y_ticks=ticks(*first.ranges[1], most=5),
        )
        drawings.append(frame.drawing(parts, title=f"the map of {key[0]} {title}"))
    return drawings


def _map_title(key: SearchKey, title: str, scale: Scale) -> str:
    if title == "difference":
        return f"{key[0].title()}, difference: blue gains, orange loses"
    return f"{key[0].title()}, {title}: {100 * scale.low:.0f} % (dark) to {100 * scale.high:.0f} %"


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _map_cell(
    frame: Frame, shape: Sequence[int], place: Sequence[int], value: float, title: str, scale: Scale, *, beyond: bool
) -> str:
    (left, right), (bottom, top) = (
        (low + at * (high - low) / cells, low + (at + 1) * (high - low) / cells)
        for (low, high), at, cells in zip((frame.x, frame.y), place, shape, strict=True)
    )
    is_difference = title == "difference"
    words = f"{100 * value:+.1f} points" if is_difference else f"{100 * value:.1f} % of games won"
    colour: dict[str, object] = {"fill": scale.hex(value), "class_": "cell"}
    if is_difference:
        colour = {
            "class_": f"rate {'won' if value >= 0 else 'lost'}{' beyond-noise' if beyond else ''}",
            "fill_opacity": round(min(1.0, abs(value) / _STRONGEST), 3),
        }
    return element(
        "rect",
        element("title", escape(words)),
        x=frame.across(left),
        y=frame.down(top),
        width=frame.across(right) - frame.across(left),
        height=frame.down(bottom) - frame.down(top),
        **colour,
    )
