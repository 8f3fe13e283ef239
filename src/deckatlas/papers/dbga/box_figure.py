"""The figure of box plots: one box per line with its rates, and the published median beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from deckatlas.papers.drafts.finalists import FITNESS, HONEST, SAME
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.samples import box_of
from deckatlas.views.figures import BLACK, GREY, colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Grey for agents by name, and a colour for each choice among runs.
COLOURS = {"": GREY, FITNESS: colour(0), HONEST: colour(1), SAME: colour(2)}
MEANINGS = {
    "": "an agent by name",
    FITNESS: "best run by its own fitness",
    HONEST: "best run by fresh games",
    SAME: "best run by both",
}


@dataclass(frozen=True)
class BoxLine:
    """One box.

    Attributes:
        label: The text below it; lines with the same label are drawn together.
        choice: The choice among runs, or empty.
        rates: The win rates behind the box, in percent.
        overall: The rate over all games.
    """

    label: str
    choice: str
    rates: npt.NDArray[np.float64]
    overall: Estimate


def draw_boxes(
    axes: "Axes",
    lines: Sequence[BoxLine],
    *,
    bests: Mapping[str, Sequence[Estimate]],
    published: Mapping[str, float],
) -> None:
    """Draws boxes from the lowest to the highest rate, with their dots.

    Args:
        axes: The axes to draw on.
        lines: The boxes, in order.
        bests: For labels of runs, the win rate in fresh games of every run's best.
        published: The published median, by label.
    """
    labels = list(dict.fromkeys(line.label for line in lines))
    for at, label in enumerate(labels):
        here = [line for line in lines if line.label == label]
        marks = len(here) + (label in bests)
        places = [at + 0.27 * (k - (marks - 1) / 2) for k in range(marks)]
        for place, line in zip(places, here, strict=False):
            _draw_box(axes, place, line)
        for rate in bests.get(label, ()):
            axes.plot(places[-1], 100 * rate.value, "_", color=GREY, markersize=11, markeredgewidth=1.4, alpha=0.8)
        if label in published:
            axes.plot(
                [at - 0.42, at + 0.42],
                [published[label]] * 2,
                color=BLACK,
                linestyle=(0, (4, 2)),
                linewidth=1.3,
                zorder=1,
            )
    axes.set_xticks(range(len(labels)), [label.replace(", ", ",\n") for label in labels])
    axes.set_xlim(-0.6, len(labels) - 0.4)
    _legend(axes, lines, with_bests=bool(bests), with_published=any(label in published for label in labels))


def _draw_box(axes: "Axes", place: float, line: BoxLine) -> None:
    colour, box = COLOURS[line.choice], box_of(line.rates)
    five = {"whislo": box.lowest, "q1": box.lower, "med": box.median, "q3": box.upper, "whishi": box.highest}
    axes.bxp(
        [five],
        positions=[place],
        widths=0.22,
        showfliers=False,
        patch_artist=True,
        manage_ticks=False,
        boxprops={"facecolor": colour, "alpha": 0.3, "edgecolor": colour},
        medianprops={"color": colour, "linewidth": 2},
        whiskerprops={"color": colour},
        capprops={"color": colour},
    )
    spread = [place + 0.05 * ((k % 3) - 1) for k in range(len(line.rates))]
    axes.plot(spread, line.rates, "o", color=colour, markersize=2.6, alpha=0.75)
    axes.annotate(
        f"{100 * line.overall.value:.1f}",
        (place, box.highest),
        xytext=(0, 4),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=colour,
    )


def _legend(axes: "Axes", lines: Sequence[BoxLine], *, with_bests: bool, with_published: bool) -> None:
    from matplotlib.lines import Line2D  # an extra, and slow to import
    from matplotlib.patches import Patch

    meanings = {MEANINGS[line.choice]: COLOURS[line.choice] for line in lines}
    handles: list[Patch | Line2D] = [
        Patch(facecolor=colour, edgecolor=colour, alpha=0.4, label=meaning) for meaning, colour in meanings.items()
    ]
    if with_bests:
        handles.append(
            Line2D([], [], color=GREY, marker="_", linestyle="", markersize=11, label="every run's best, fresh games")
        )
    if with_published:
        handles.append(Line2D([], [], color=BLACK, linestyle=(0, (4, 2)), label="published median"))
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, fontsize=8, frameon=False)
