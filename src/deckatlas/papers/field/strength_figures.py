"""The strength of pilots in pictures: every list with its interval, and what pilots win beside the time they take."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deckatlas.views.figures import GREY, colour, marker, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_APART = 0.16  # between the dots of two pilots with one list
_SPREAD = 0.8  # of the dots of all pilots with one list, at most


def draw_lists(figure: "Figure", lists: Sequence[Mapping[str, Any]], *, opponent: str) -> None:
    """Dots with intervals, one line for each list in the order of the first pilot."""
    pilots = list(dict.fromkeys(row["pilot"] for row in lists))
    names = [row["list"] for row in lists if row["pilot"] == pilots[0]]
    figure.set_size_inches(9, 1.6 + 0.22 * len(pilots) + (0.2 + 0.05 * len(pilots)) * len(names))
    apart = min(_APART, _SPREAD / len(pilots))
    axes = figure.add_subplot()
    for number, pilot in enumerate(pilots):
        own = [row for row in lists if row["pilot"] == pilot]
        shift = apart * (number - (len(pilots) - 1) / 2)
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
    figure.legend(frameon=False, loc="outside lower center", fontsize=10)


def draw_trade(figure: "Figure", trade: Sequence[Mapping[str, Any]], *, opponent: str) -> None:
    """What each pilot wins over the CPU time of its games, with the opponent at one half."""
    figure.set_size_inches(9, 4.5 + 0.22 * len(trade))
    axes = figure.add_subplot()
    for number, row in enumerate(trade):
        axes.errorbar(
            row["cpu_ms_per_game"],
            row["won"],
            yerr=[[row["won"] - row["won_low"]], [row["won_high"] - row["won"]]],
            fmt=marker(number),
            color=colour(number),
            markersize=6,
            label=row["pilot"],
        )
    own = trade[0]["cpu_ms_per_game"] / trade[0]["times_as_long_per_game"]
    axes.plot(own, 50, "+", color=GREY, markersize=10, label=opponent)
    axes.axhline(50, color=GREY, linewidth=1.2)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    quiet(axes, title=f"Games won against {opponent}, and CPU time", x="CPU milliseconds per game", y="% (95 %)")
    figure.legend(frameon=False, loc="outside lower center", fontsize=10)
