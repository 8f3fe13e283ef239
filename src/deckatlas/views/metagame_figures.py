"""A metagame in pictures: the heat map of its matchups with the mix, and how shares change."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes
from deckatlas.metagame.standings import Standings
from deckatlas.metagame.stored_games import stored_standings
from deckatlas.views.figures import GREY, colour, picture_of, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure  # an extra

METAGAME = "metagame"  # the name of the picture in `deckatlas plot --what`
_NAMED_LINES = 8  # in the picture of shares over time
_MOST_WRITTEN = 30  # decks; the numbers of more would not be legible


def draw_metagame(figure: "Figure", standings: Standings) -> None:
    """The heat map of all matchups, the best rating first, with the mix beside it, and shares over time below."""
    size = len(standings.names)
    figure.set_size_inches(6.5 + 0.5 * size, 4.6 + 0.36 * size)
    grid = figure.add_gridspec(2, 2, width_ratios=(0.5 * size + 1, 3), height_ratios=(0.36 * size + 1, 2.4))
    matrix = figure.add_subplot(grid[0, 0])
    _draw_matrix(matrix, standings)
    _draw_mix(figure.add_subplot(grid[0, 1], sharey=matrix), standings)
    _draw_course(figure.add_subplot(grid[1, :]), standings)


def _draw_matrix(axes: "Axes", standings: Standings) -> None:
    order = standings.order
    rates = 100 * standings.matchups.rates[np.ix_(order, order)]
    shown = np.where(np.eye(len(order), dtype=np.bool_), np.nan, rates)
    axes.imshow(shown, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    quiet(axes, title="Wins of the row, %", x="bold: beyond chance", y="")
    if len(order) <= _MOST_WRITTEN:
        for y, i in enumerate(order):
            for x, j in enumerate(order):
                if i != j:
                    ink = "white" if abs(rates[y, x] - 50) > 32 else "black"
                    is_decided = (i, j) in standings.decided or (j, i) in standings.decided
                    weight = "bold" if is_decided else "normal"
                    axes.text(
                        x, y, f"{rates[y, x]:.0f}", ha="center", va="center", fontsize=8, color=ink, weight=weight
                    )
    names = [standings.names[i] for i in order]
    axes.grid(visible=False)
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _draw_mix(axes: "Axes", standings: Standings) -> None:
    mix, order = standings.mix, standings.order
    shares, low, high = (100 * values[order] for values in (mix.shares, mix.low, mix.high))
    places = range(len(order))
    axes.barh(places, shares, color=colour(0), alpha=0.55, height=0.6)
    axes.hlines(places, low, high, color=colour(0), linewidth=1.6)
    axes.plot(100 * standings.shares[order], places, "|", color=GREY, markersize=9)
    quiet(axes, title="Equilibrium mix, %", x="lines: 95 %; upright marks: today's shares", y="")
    axes.tick_params(labelleft=False, length=0)
    axes.set_xlim(0, 100)


def _draw_course(axes: "Axes", standings: Standings) -> None:
    course = standings.course
    largest = np.argsort(-course.mean, kind="stable")
    for number, i in enumerate(largest.tolist()):
        is_named = number < _NAMED_LINES
        axes.plot(
            course.time,
            100 * course.shares[:, i],
            color=colour(number) if is_named else GREY,
            linewidth=1.6 if is_named else 0.7,
            label=standings.names[i] if is_named else None,
        )
    quiet(axes, title="Shares over time if decks that win are copied, %", x="time", y="")
    axes.set_xlim(0, course.time[-1])
    axes.set_ylim(0, None)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=9)


def metagame_picture(standings: Standings, ending: str) -> bytes:
    """The picture as the content of a PNG, SVG or PDF file.

    Raises:
        RunError: If matplotlib is not installed, or the ending is unknown.
    """
    return picture_of(lambda figure: draw_metagame(figure, standings), ending, dpi=110)


@checked
def plot_metagame(standings: Standings, file: Path | str) -> None:
    """Draws a metagame to a PNG, SVG or PDF file.

    Args:
        standings: A metagame that was played, or the standings of stored games.
        file: The file.

    Raises:
        RunError: If matplotlib is not installed, the ending is unknown, or the file cannot be written.
    """
    content = metagame_picture(standings, Path(file).suffix.lower())
    write_bytes(file, content, error=RunError)


@checked
def plot_stored_games(run: Path | str, file: Path | str) -> None:
    """Draws the stored games of a metagame, whose decks have only the names that the game makes for them.

    Args:
        run: The store of the games.
        file: A PNG, SVG or PDF file.

    Raises:
        RunError: If the run is not the games of a metagame, not every pair has played, matplotlib is not installed,
            the ending is unknown, or the file cannot be written.
    """
    plot_metagame(stored_standings(Path(run)), file)
