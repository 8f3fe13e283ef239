"""The drawings of a balance study: shifts as dumbbells, matrices before and after, and maps with their difference."""

from collections.abc import Collection, Iterator, Sequence
from html import escape

import numpy as np

from deckatlas.balancing.questions import Sentence
from deckatlas.balancing.study import Study
from deckatlas.balancing.subject import BASE, PATCHED, Floats
from deckatlas.balancing.tables import mean_rates
from deckatlas.balancing.trial_questions import cell_name
from deckatlas.balancing.trials import SearchKey, Trial
from deckatlas.views.scale import Scale
from deckatlas.views.svg import Frame, element, padded, text_element, tick, ticks

_ROW = 22.0
_CELL = 15.0
_STRONGEST = 0.25  # a difference of rates with the full colour
_BORN, _DIED = "+", "\N{MINUS SIGN}"  # cells that only one edition ever fills
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


def maps_svg(trials: Sequence[Trial], key: SearchKey, changed: Collection[str]) -> list[str]:
    """The mean map of all trials before and after, and their difference.

    Cells that only one edition ever fills have no difference of win rates: they are born, or died, and marked so.

    Args:
        trials: The trials.
        key: The search whose maps are drawn.
        changed: The cells that changed beyond noise, which are outlined: subjects of sentences.
    """
    before, after = mean_rates(trials, key)
    scale = Scale.over([*before.tolist(), *after.tolist()])
    first = trials[0].halves[BASE].maps[key]
    drawings = []
    for title, values in (("before", before), ("after", after), ("difference", after - before)):
        frame = Frame(*first.ranges, **_MAP)  # type: ignore[arg-type]
        parts = [element("rect", x=frame.left, y=frame.top, width=270, height=230, class_="empty-map")]
        for cell, value in enumerate(values.tolist()):
            place = first.place(cell)
            beyond = cell_name(key, place) in changed
            if not np.isnan(value):
                parts.append(_map_cell(frame, first.shape, place, value, title, scale, beyond=beyond))
            elif title == "difference" and not np.isnan([before[cell], after[cell]]).all():
                side = PATCHED if np.isnan(before[cell]) else BASE
                filled = sum(cell in trial.halves[side].maps[key].cell for trial in trials)
                often = f"{filled} of {len(trials)} trials"
                parts += _one_sided_cell(frame, first.shape, place, side, often, beyond=beyond)
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
        return f"{key[0].title()}, difference: {_BORN} born, {_DIED} died"
    return f"{key[0].title()}, {title}: {100 * scale.low:.0f} % (dark) to {100 * scale.high:.0f} %"


def _map_cell(
    frame: Frame, shape: Sequence[int], place: Sequence[int], value: float, title: str, scale: Scale, *, beyond: bool
) -> str:
    is_difference = title == "difference"
    words = f"{100 * value:+.1f} points" if is_difference else f"{100 * value:.1f} % of games won"
    colour: dict[str, object] = {"fill": scale.hex(value), "class_": "cell"}
    if is_difference:
        colour = {
            "class_": f"rate {'won' if value >= 0 else 'lost'}{' beyond-noise' if beyond else ''}",
            "fill_opacity": round(min(1.0, abs(value) / _STRONGEST), 3),
        }
    return element("rect", element("title", escape(words)), **_square(frame, shape, place), **colour)


def _one_sided_cell(
    frame: Frame, shape: Sequence[int], place: Sequence[int], side: int, often: str, *, beyond: bool
) -> Iterator[str]:
    """A cell that only one edition fills: the sign of its colour on the empty map."""
    square = _square(frame, shape, place)
    words = f"{'born' if side == PATCHED else 'died'}: filled in {often}, and never under the other edition"
    noise = " beyond-noise" if beyond else ""
    yield element("rect", element("title", escape(words)), **square, class_=f"rate one-sided{noise}")
    middle = {"x": square["x"] + square["width"] / 2, "y": square["y"] + square["height"] / 2 + 5}
    sign, class_ = (_BORN, "sign won") if side == PATCHED else (_DIED, "sign lost")
    yield text_element(sign, **middle, text_anchor="middle", class_=class_)


def _square(frame: Frame, shape: Sequence[int], place: Sequence[int]) -> dict[str, float]:
    """Where a cell is drawn."""
    (left, right), (bottom, top) = (
        (low + at * (high - low) / cells, low + (at + 1) * (high - low) / cells)
        for (low, high), at, cells in zip((frame.x, frame.y), place, shape, strict=True)
    )
    x, y = frame.across(left), frame.down(top)
    return {"x": x, "y": y, "width": frame.across(right) - x, "height": frame.down(bottom) - y}
