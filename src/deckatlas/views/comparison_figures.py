"""Runs compared, as a picture: each number of each group of trials over its course, with a band."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.shapes import nearest, show
from deckatlas.views.columns import axis_name
from deckatlas.views.figures import colour, quiet
from deckatlas.views.map_figures import draw_band
from deckatlas.views.run_comparison import OVER, compared

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TITLES = {"best": "best", "mean": "mean", "coverage": "coverage", "qd_score": "QD score"}


def draw_comparison(figure: "Figure", views: Sequence[RunView], over: str = OVER[0]) -> None:
    """Draws the numbers of maps or evolutions over their course, as means over trials in their bands.

    Args:
        figure: Where to draw them.
        views: Two or more runs of one kind.
        over: One of `OVER`.

    Raises:
        RunError: If the runs cannot be compared, or there is no such axis.
    """
    if over not in OVER:
        raise RunError(f"curves cannot be drawn over {show(over)}: {nearest(over, OVER)}")
    found = compared(views)
    numbers = found.numbers
    rows = -(-len(numbers) // 2)
    figure.set_size_inches(9.0, 1.2 + 3.1 * rows)
    panels = figure.subplots(rows, 2, squeeze=False).ravel()
    objective = axis_name(views[0].objective) if views[0].objective else "score"
    for axes, number in zip(panels, numbers, strict=False):
        for place, band in enumerate(found.bands(number, over).values()):
            draw_band(axes, band, color=colour(place))
        unit = objective if number in ("best", "mean") else ""
        quiet(axes, title=_TITLES[number], x="seconds of work" if over == "seconds" else over, y=unit)
        axes.set_xlim(left=0)
    for axes in panels[len(numbers) :]:
        axes.set_visible(False)
    _legend(figure, {name: len(group) for name, group in found.groups.items()}, is_interval=found.is_interval)


def _legend(figure: "Figure", trials: dict[str, int], *, is_interval: bool) -> None:
    """Draws a legend: the groups with their trials, and the meaning of the band."""
    from matplotlib.lines import Line2D  # an extra, and slow to import

    lines = [Line2D([], [], color=colour(place), linewidth=3) for place in range(len(trials))]
    labels = [f"{name}: {f'mean of {count} trials' if count > 1 else 'one run'}" for name, count in trials.items()]
    band = "95 % interval of the mean over trials" if is_interval else "lowest to highest trial"
    words = f"band: {band}" if max(trials.values()) > 1 else None
    figure.legend(lines, labels, loc="outside lower center", ncols=2, frameon=False, title=words)
