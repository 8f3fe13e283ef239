"""Figures of a table of agents: a heat map of win rates, and averages beside published ones."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deckatlas.views.figures import BLACK, colour, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_rates(
    axes: "Axes", rows: Sequence[Mapping[str, Any]], *, lines: Sequence[str], columns: Sequence[str]
) -> None:
    """Draws a heat map of the rates at which the row's agent won against the column's, published rates in brackets."""
    found = {(row["row"], row["column"]): row for row in rows}
    won = np.full((len(lines), len(columns)), np.nan)
    for y, line in enumerate(lines):
        for x, column in enumerate(columns):
            row = found.get((line, column))
            if row is None:
                continue
            won[y, x] = row["won"]
            theirs = "" if row["published"] is None else f"\n({row['published']:.1f}){'*' if row['differs'] else ''}"
            ink = "white" if abs(row["won"] - 50) > 32 else "black"
            axes.text(x, y, f"{row['won']:.1f}{theirs}", ha="center", va="center", fontsize=8, color=ink)
    axes.imshow(won, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    quiet(axes, title="Games that the row won against the column, % (published)", x="", y="")
    axes.grid(visible=False)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(lines)), lines)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def draw_averages(axes: "Axes", rows: Sequence[Mapping[str, Any]]) -> None:
    """Draws averages with their intervals, the best at the top, beside the published ones."""
    places = range(len(rows))
    ours = np.array([row["average"] for row in rows])
    ends = np.array([[row["average"] - row["average_low"], row["average_high"] - row["average"]] for row in rows]).T
    axes.barh(places, ours, xerr=ends, color=colour(0), alpha=0.55, height=0.6, label="ours, 95 %", capsize=3)
    published = [(place, row["published"]) for place, row in zip(places, rows, strict=True) if row["published"]]
    if published:
        at, values = zip(*published, strict=True)
        axes.plot(values, at, "D", color=BLACK, markersize=6, label="published")
    quiet(axes, title="Games won against all others", x="%", y="")
    axes.set_yticks(places, [f"{row['rank']}  {row['agent']}" for row in rows])
    axes.set_xlim(0, 100)
    axes.invert_yaxis()
    axes.legend(frameon=False, loc="lower right")
