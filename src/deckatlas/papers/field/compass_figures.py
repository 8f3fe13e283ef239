"""The compass in pictures: the matrix with known matchups marked, and reported against measured strengths."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deckatlas.papers.field.knowledge import STRONG
from deckatlas.views.figures import BLACK, GREY, colour, quiet
from deckatlas.views.table_figures import draw_rates

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure  # an extra

Rows = Sequence[Mapping[str, Any]]

RIGHT, WRONG = colour(2), colour(4)  # green and orange, which the heat map does not have
_INSET = 0.45  # from the middle of a cell to the frame


def draw_matrix(figure: "Figure", rates: Rows, strengths: Rows, matchups: Rows) -> None:
    """A heat map in the order of strength, with a frame around each matchup in which the row is known as favoured."""
    names = [row["archetype"] for row in strengths]
    figure.set_size_inches(3.2 + 0.72 * len(names), 2.2 + 0.5 * len(names))
    axes = figure.add_subplot()
    draw_rates(axes, rates, lines=names, columns=names)
    axes.set_title(
        "Games that the row won against the column, %", loc="left", fontsize=11, pad=30 if matchups else None
    )
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    for row in matchups:
        _frame(axes, names.index(row["against"]), names.index(row["favoured"]), row)
    if matchups:
        _explain_frames(figure, axes)


def _frame(axes: "Axes", x: int, y: int, row: Mapping[str, Any]) -> None:
    width = 3.0 if row["known"] in STRONG else 1.4
    ink = RIGHT if row["agrees"] else WRONG
    across, down = ([at + _INSET * step for step in steps] for at, steps in ((x, (-1, 1, 1, -1)), (y, (-1, -1, 1, 1))))
    axes.fill(across, down, fill=False, edgecolor=ink, linewidth=width)


def _explain_frames(figure: "Figure", axes: "Axes") -> None:
    for ink, done in ((RIGHT, "more"), (WRONG, "less")):
        axes.plot([], [], color=ink, linewidth=3, label=f"people favour the row, and it won {done} than half")
    axes.plot([], [], color=GREY, linewidth=1.4, label="thin: favoured slightly")
    figure.legend(frameon=False, loc="outside lower center", ncols=3, fontsize=10)


def draw_strengths(figure: "Figure", strengths: Rows) -> None:
    """What was reported and what we measure, archetype by archetype."""
    figure.set_size_inches(9, 1.6 + 0.36 * len(strengths))
    axes = figure.add_subplot()
    lowest = min((row["reported"] for row in strengths if row["reported"] is not None), default=50.0)
    for place, row in enumerate(strengths):
        ends = [[row["won"] - row["won_low"]], [row["won_high"] - row["won"]]]
        axes.errorbar(row["won"], place, xerr=ends, fmt="o", color=colour(0), markersize=6)
        if row["reported"] is not None:
            axes.plot([row["reported"], row["won"]], [place, place], color=GREY, linewidth=0.8, zorder=0)
            axes.plot(row["reported"], place, "D", color=BLACK, markersize=6)
        elif row["is_weaker"]:
            axes.annotate(
                "",
                (lowest - 8, place),
                (lowest, place),
                arrowprops={"arrowstyle": "->", "color": BLACK, "linestyle": ":"},
            )
    axes.plot([], [], "o", color=colour(0), label="ours, 95 %")
    axes.plot([], [], "D", color=BLACK, label="reported")
    axes.plot([], [], ":", color=BLACK, label=f"reported to be below {lowest:g}")
    axes.axvline(50, color=GREY, linewidth=0.8)
    quiet(axes, title="Games won against the field", x="%", y="")
    axes.set_yticks(range(len(strengths)), [f"{row['rank']}  {row['archetype']}" for row in strengths])
    axes.set_ylim(len(strengths) - 0.5, -0.5)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
