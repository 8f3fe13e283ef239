"""What a pilot was not trained with, in a picture: every list and every patch with its interval."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deckatlas.views.figures import BLACK, GREY, colour, marker, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

Rows = Sequence[Mapping[str, Any]]


def draw_unseen(figure: "Figure", lists: Rows, patches: Rows, *, goal: float) -> None:
    """Dots with intervals, the lists above the patches; lines at one half and at the goal."""
    names = [row["list"] for row in lists] + [row["patch"] for row in patches]
    figure.set_size_inches(9, 1.8 + 0.3 * len(names))
    axes = figure.add_subplot()
    first = 0
    for number, (title, rows) in enumerate((("lists", lists), ("patches", patches))):
        axes.errorbar(
            [row["won"] for row in rows],
            range(first, first + len(rows)),
            xerr=[[row["won"] - row["won_low"] for row in rows], [row["won_high"] - row["won"] for row in rows]],
            fmt=marker(number),
            color=colour(number),
            markersize=5,
            label=f"{title}, 95 %",
        )
        first += len(rows)
    axes.axvline(50, color=GREY, linewidth=1.2)
    axes.axvline(goal, color=BLACK, linewidth=1.2, linestyle=":", label=f"goal, {goal:g} %")
    quiet(axes, title="Games won against the pilot that was trained with it", x="%", y="")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    figure.legend(frameon=False, loc="outside lower center", ncols=3, fontsize=10)
