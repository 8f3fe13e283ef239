"""The strength of pilots in a picture: every list with its interval, the best at the top, and a line at one half."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deckatlas.views.figures import GREY, colour, marker, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_APART = 0.16  # between the dots of two pilots with one list


def draw_lists(figure: "Figure", lists: Sequence[Mapping[str, Any]], *, opponent: str) -> None:
    """Dots with intervals, one line for each list in the order of the first pilot."""
    pilots = list(dict.fromkeys(row["pilot"] for row in lists))
    names = [row["list"] for row in lists if row["pilot"] == pilots[0]]
    figure.set_size_inches(9, 1.6 + 0.3 * len(names))
    axes = figure.add_subplot()
    for number, pilot in enumerate(pilots):
        own = [row for row in lists if row["pilot"] == pilot]
        shift = _APART * (number - (len(pilots) - 1) / 2)
        axes.errorbar(
            [row["won"] for row in own],
            [names.index(row["list"]) + shift for row in own],
            xerr=[[row["won"] - row["won_low"] for row in own], [row["won_high"] - row["won"] for row in own]],
            fmt=marker(number),
            color=colour(number),
            markersize=5,
            label=f"{pilot}, 95 %",
        )
    axes.axvline(50, color=GREY, linewidth=1.2)
    quiet(axes, title=f"Games won against {opponent}, the same list on both sides", x="%", y="")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
