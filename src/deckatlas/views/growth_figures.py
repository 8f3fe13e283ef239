"""A metagame that has grown, in a picture: its mix round by round, and what the best responses gained."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes
from deckatlas.metagame.growth import Growth
from deckatlas.views.figures import GREY, colour, marker, picture_of, quiet
from deckatlas.views.growth_numbers import best_gains, mixes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure  # an extra

_NAMED = 9  # decks with a colour of their own
_OTHERS = "#D9D9D9"  # of all other decks together


def draw_growth(figure: "Figure", growth: Growth) -> None:
    """The shares of the mix before each round, and the gain of every response with its interval."""
    figure.set_size_inches(11, 4.8)
    shares, gains = figure.subplots(1, 2, width_ratios=(1.2, 1))
    _draw_mixes(shares, growth)
    _draw_gains(gains, growth)


def _draw_mixes(axes: "Axes", growth: Growth) -> None:
    lines = mixes(growth)
    places = np.arange(1, len(growth.fields) + 1)
    below = np.zeros(len(places))
    named = dict(list(lines.items())[:_NAMED])
    others = [values for name, values in lines.items() if name not in named]
    bars = [(name, values, colour(number)) for number, (name, values) in enumerate(named.items())]
    if others:
        bars.append(("others", np.sum(others, axis=0), _OTHERS))
    for name, values, paint in bars:
        axes.bar(places, values, bottom=below, width=0.72, color=paint, label=name, alpha=0.85)
        below = below + values
    quiet(axes, title="Equilibrium mix before each round, %", x="round", y="")
    axes.set_xticks(places, [*map(str, places[:-1]), str(places[-1]) if growth.is_closed else "end"])
    axes.set_ylim(0, 100)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, reverse=True)


def _draw_gains(axes: "Axes", growth: Growth) -> None:
    kinds = [each.kind for each in growth.rounds[0].responses]
    for number, kind in enumerate(kinds):
        shift = 0.5 * (number / max(1, len(kinds) - 1) - 0.5) if len(kinds) > 1 else 0.0
        responses = ((each.number + shift, each.responses[number]) for each in growth.rounds)
        found = [(place, response.gain) for place, response in responses if response.deck]
        places, values = [place for place, _ in found], [gain.value for _, gain in found]
        axes.vlines(places, [gain.low for _, gain in found], [gain.high for _, gain in found], color=colour(number))
        axes.plot(places, values, marker(number), color=colour(number), markersize=5, label=kind)
    best = best_gains(growth)
    axes.plot([*best], [*best.values()], color=GREY, linewidth=1.0, label="the best")
    axes.axhline(growth.plan.margin, color=GREY, linewidth=1.0, linestyle="--")
    quiet(axes, title="Gain of the best responses, points (95 %)", x="round; dashed: the margin", y="")
    axes.set_xticks([each.number for each in growth.rounds])
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)


def growth_picture(growth: Growth, ending: str) -> bytes:
    """The picture as the content of a PNG, SVG or PDF file.

    Raises:
        RunError: If matplotlib is not installed, or the ending is unknown.
    """
    return picture_of(lambda figure: draw_growth(figure, growth), ending, dpi=110)


@checked
def plot_growth(growth: Growth, file: Path | str) -> None:
    """Draws a metagame that has grown to a PNG, SVG or PDF file.

    Raises:
        RunError: If matplotlib is not installed, the ending is unknown, or the file cannot be written.
    """
    content = growth_picture(growth, Path(file).suffix.lower())
    write_bytes(file, content, error=RunError)
