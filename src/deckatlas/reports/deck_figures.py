"""Figures of decks and games: mana curves, bubble charts, and how long games took."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from deckatlas.reports.decks import COST_NAMES, Bubble, card_numbers
from deckatlas.reports.samples import Mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#2563eb", "#b91c1c", "#059669", "#d97706", "#7c3aed", "#0891b2")
MARKERS = "osD^vP"
AXIS_NAMES = {"cost": "mana cost", "attack": "attack", "defense": "defence"}
LEGEND_CARDS = (0.25, 1.0, 3.0)
LOWEST = -9  # of what is drawn; the one card below, which removes any creature by -99 defence, is drawn here
_AREA = 90  # of a bubble that stands for one card, in square points


def draw_mana_curves(axes: "Axes", curves: Mapping[str, Sequence[Mean]]) -> None:
    """Draws how many cards of each cost decks have on average, a curve each, with the intervals."""
    for number, (label, curve) in enumerate(curves.items()):
        values = np.array([mean.value for mean in curve])
        below = np.array([mean.value - mean.low for mean in curve])
        axes.errorbar(
            np.arange(len(curve)),
            values,
            yerr=below,
            label=label,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            markersize=5,
            capsize=3,
            linestyle="-" if number < 2 else "--",
        )
    axes.set_xticks(range(len(COST_NAMES)), COST_NAMES)
    axes.set(xlabel="mana cost", ylabel="cards of a deck, mean")
    axes.set_ylim(bottom=0)
    _plain(axes)
    axes.legend(frameon=False, fontsize=9)


def draw_bubbles(axes: "Axes", found: Sequence[Bubble], *, x: str, y: str, title: str, colour: int) -> None:
    """Draws a bubble for every pair of numbers; its area is the mean number of cards. Items are hatched."""
    shade = COLOURS[colour % len(COLOURS)]
    for cards, style in (
        (
            [(each.x, each.y, each.creatures.value) for each in found if each.creatures.value],
            {"facecolors": shade, "alpha": 0.55},
        ),
        (
            [(each.x, each.y, each.items.value) for each in found if each.items.value],
            {"facecolors": "none", "hatch": "//////"},
        ),
    ):
        if cards:
            xs, ys, counts = np.array(cards).T
            at = (np.maximum(xs, LOWEST), np.maximum(ys, LOWEST))
            axes.scatter(*at, s=_AREA * counts, edgecolors=shade, linewidths=0.8, **style)
    axes.set(title=title, xlabel=AXIS_NAMES[x], ylabel=AXIS_NAMES[y])
    lowest = min(card_numbers(y))
    axes.set_yticks([LOWEST, *range(-6, 13, 3)], [str(lowest), *map(str, range(-6, 13, 3))])
    axes.set_ylim(LOWEST - 1.5, 13.5)
    _plain(axes)


def bubble_legend(axes: "Axes") -> None:
    """Says how large bubbles are, and what is hatched."""
    grey = "#6b7280"
    for cards in LEGEND_CARDS:
        axes.scatter([], [], s=_AREA * cards, facecolors=grey, edgecolors=grey, alpha=0.55, label=f"{cards:g} a deck")
    axes.scatter([], [], s=_AREA, facecolors="none", edgecolors=grey, hatch="//////", label="items")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=9, labelspacing=1.2)


def draw_turns(axes: "Axes", turns: Mapping[str, npt.NDArray[np.int64]]) -> None:
    """Draws how many turns games took, a box for each winner; the ends are the shortest and the longest game."""
    places = range(len(turns))
    for place, sample in zip(places, turns.values(), strict=True):
        if not len(sample):
            continue
        colour = COLOURS[place % len(COLOURS)]
        axes.boxplot(
            sample,
            positions=[place],
            widths=0.5,
            whis=(0, 100),
            patch_artist=True,
            manage_ticks=False,
            boxprops={"facecolor": colour, "alpha": 0.3, "edgecolor": colour},
            medianprops={"color": colour, "linewidth": 2},
            whiskerprops={"color": colour},
            capprops={"color": colour},
        )
        axes.plot(place, float(np.mean(sample)), "D", color=colour, markersize=5)
    axes.set_xticks(places, [f"{winner}\n{len(sample):,} games" for winner, sample in turns.items()])
    axes.set_xlim(-0.6, len(turns) - 0.4)
    axes.set(ylabel="turns of the game (each player one)")
    axes.locator_params(axis="y", integer=True)
    _plain(axes)


def _plain(axes: "Axes") -> None:
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
