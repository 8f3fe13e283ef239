"""Where patterns live, as small drawings for pages: the cells whose elites have the pattern."""

from math import isnan

from deckatlas.patterns.patterns import Pattern
from deckatlas.runs.view import RunView
from deckatlas.views.columns import column_name
from deckatlas.views.pattern_words import shares_on_map
from deckatlas.views.svg import Frame, element, text_element

_SIZE = {"width": 240.0, "left": 18.0, "right": 4.0, "bottom": 18.0, "top": 4.0}


def pattern_svg(view: RunView, pattern: Pattern) -> str:
    """A small map with cells of one size: full where the elite has the pattern, pale where it has not."""
    shares = shares_on_map(view, pattern)
    columns, rows = shares.shape
    frame = Frame((0, columns), (0, rows), height=60.0 if rows == 1 else 220.0, **_SIZE)
    cells = []
    for column in range(columns):
        for row in range(rows):
            if not isnan(share := float(shares[column, row])):
                left, top = frame.across(column), frame.down(row + 1)
                width, height = frame.across(column + 1) - left, frame.down(row) - top
                full = 0.12 + 0.88 * share
                cells.append(
                    element("rect", x=left, y=top, width=width, height=height, class_="whole", fill_opacity=full)
                )
    names = [column_name(name) for name in view.measures[:2]]
    cells.append(text_element(names[0], x=frame.width / 2, y=frame.height - 5, text_anchor="middle", class_="tick"))
    if rows > 1:
        middle = (frame.height - frame.bottom) / 2
        turned = f"rotate(-90 12 {middle:g})"
        cells.append(text_element(names[1], x=12, y=middle, text_anchor="middle", transform=turned, class_="tick"))
    return frame.drawing(cells, title=f"the cells with these cards, by {' and '.join(names)}")
