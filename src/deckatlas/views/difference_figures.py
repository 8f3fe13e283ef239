"""Differences with their intervals, in a picture: a comparison by opponent, deck and seat, or the swaps of a deck."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from deckatlas.play.paired import BETTER, UNDECIDED, Comparison, Row, in_points, verdict_of
from deckatlas.stats.estimate import Estimate
from deckatlas.views.figures import GREY, colour, picture_of, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure  # an extra

Named = tuple[str, Estimate]

_WIDTH = 7.5
_LINE = 0.27  # inches
_LETTERS = 96  # of a line of the title
_LONGEST_NAME = 44
_TITLES = {"opponent": "against", "deck": "with", "seat": "moving"}


def comparison_picture(found: Comparison, ending: str) -> bytes:
    """The difference as a whole, and by opponent, deck and seat, as the content of a PNG, SVG or PDF file.

    Raises:
        RunError: If matplotlib is not installed, or the ending is unknown.
    """
    parts = [("", [("all games", found.difference)])]
    parts += [(_TITLES[part], _named(found.parts[part])) for part in _TITLES if part in found.parts]
    return picture_of(lambda figure: _draw(figure, found.sentence, parts), ending)


def swaps_picture(data: Mapping[str, Any], ending: str) -> bytes:
    """The swaps that `deckatlas improve` found, as the content of a PNG, SVG or PDF file.

    Args:
        data: What the command writes as JSON.
        ending: .png, .svg or .pdf.

    Raises:
        RunError: If matplotlib is not installed, or the ending is unknown.
    """
    rows = [
        (_swap_name(each), Estimate.from_cells(each, "difference", n=each["games"], prefix=""))
        for each in data["swaps"]
    ]
    return picture_of(lambda figure: _draw(figure, data["sentence"], [("", rows)]), ending)


def _named(rows: Sequence[Row]) -> list[Named]:
    return [(row.name, row.difference) for row in sorted(rows, key=lambda row: -row.difference.value)]


def _wrapped(name: str) -> str:
    return fill(name, _LONGEST_NAME)


def _swap_name(swap: Mapping[str, Any]) -> str:
    return f"{', '.join(swap['in'])} for {', '.join(swap['out'])}"


def _draw(figure: "Figure", sentence: str, parts: Sequence[tuple[str, Sequence[Named]]]) -> None:
    """One frame per part under each other, with a common scale of points."""
    heights = [_LINE * sum(_wrapped(name).count("\n") + 1 for name, _ in rows) for _, rows in parts]
    figure.set_size_inches(_WIDTH, 1.3 + sum(heights) + 0.45 * len(parts))
    frames = figure.subplots(len(parts), 1, squeeze=False, sharex=True, height_ratios=[each + 0.16 for each in heights])
    for (title, rows), axes in zip(parts, frames[:, 0], strict=True):
        _draw_part(axes, title, rows)
    frames[-1, 0].set_xlabel("difference in points, with its interval; filled: beyond chance")
    figure.suptitle(fill(sentence, _LETTERS), x=0.01, ha="left", fontsize=9.5)


def _draw_part(axes: "Axes", title: str, rows: Sequence[Named]) -> None:
    for place, (_, difference) in enumerate(rows):
        shown, verdict = difference.in_percent(), verdict_of(difference)
        paint = GREY if verdict == UNDECIDED else colour(0) if verdict == BETTER else colour(1)
        if shown.has_ends:
            axes.hlines(place, shown.low, shown.high, color=paint, linewidth=1.6)
        axes.plot(shown.value, place, "o", color=paint, markerfacecolor="white" if verdict == UNDECIDED else paint)
        axes.annotate(
            f"{in_points(difference)[0]}  n = {difference.n:,}",
            (1.01, place),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=8,
            color=paint,
        )
    axes.axvline(0, color=GREY, linewidth=0.8)
    quiet(axes, title=title, x="", y="")
    axes.set_yticks(range(len(rows)), [_wrapped(name) for name, _ in rows], fontsize=8.5)
    axes.set_ylim(len(rows) - 0.4, -0.6)
