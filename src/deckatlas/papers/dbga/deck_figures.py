"""Figures of decks and games: mana curves, bubble charts, and the lengths of games."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from deckatlas.papers.dbga.box_figure import COLOURS
from deckatlas.papers.dbga.decks import COST_NAMES, Bubble, card_numbers
from deckatlas.papers.drafts.contenders import Drafter
from deckatlas.stats.estimate import Estimate
from deckatlas.views.figures import GREY, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXIS_NAMES = {"cost": "mana cost", "attack": "attack", "defense": "defence"}
LEGEND_CARDS = (0.25, 1.0, 3.0)
LOWEST = -9  # the lowest value drawn; the only card below, which removes any creature by -99 defence, is drawn here
_AREA = 90  # the area of a bubble for one card, in square points


def draw_mana_curves(axes: "Axes", curves: Mapping[Drafter, Sequence[Estimate]]) -> None:
    """Draws the average number of cards of each cost, one curve per drafter, with intervals."""
    for drafter, curve in curves.items():
        values = np.array([mean.value for mean in curve])
        below = np.array([mean.value - mean.low if mean.has_ends else 0.0 for mean in curve])
        axes.errorbar(
            np.arange(len(curve)),
            values,
            yerr=below,
            label=drafter.title,
            color=COLOURS[drafter.choice],
            marker="o" if drafter.choice else "s",
            markersize=5,
            capsize=3,
            linestyle="-" if drafter.choice else "--",
        )
    axes.set_xticks(range(len(COST_NAMES)), COST_NAMES)
    axes.set_ylim(bottom=0)
    quiet(axes, title="Cards of a deck by mana cost", x="mana cost", y="cards, mean over decks")
    axes.legend(frameon=False, fontsize=9)


def draw_bubbles(axes: "Axes", drafter: Drafter, found: Sequence[Bubble], *, x: str, y: str) -> None:
    """Draws one bubble for every pair of numbers; its area is the mean number of cards. Items are hatched."""
    shade = COLOURS[drafter.choice]
    creatures = [(each.x, each.y, each.creatures.value) for each in found if each.creatures.value]
    items = [(each.x, each.y, each.items.value) for each in found if each.items.value]
    for cards, style in (
        (creatures, {"facecolors": shade, "alpha": 0.55}),
        (items, {"facecolors": "none", "hatch": "//////"}),
    ):
        if cards:
            xs, ys, counts = np.array(cards).T
            at = (np.maximum(xs, LOWEST), np.maximum(ys, LOWEST))
            axes.scatter(*at, s=_AREA * counts, edgecolors=shade, linewidths=0.8, **style)
    lowest = min(card_numbers(y))
    axes.set_yticks([LOWEST, *range(-6, 13, 3)], [str(lowest), *map(str, range(-6, 13, 3))])
    axes.set_ylim(LOWEST - 1.5, 13.5)
    quiet(axes, title=drafter.title, x=AXIS_NAMES[x], y=AXIS_NAMES[y])


def bubble_legend(axes: "Axes") -> None:
    """Draws a legend for the size of bubbles and for hatched ones."""
    for cards in LEGEND_CARDS:
        axes.scatter([], [], s=_AREA * cards, facecolors=GREY, edgecolors=GREY, alpha=0.55, label=f"{cards:g} per deck")
    axes.scatter([], [], s=_AREA, facecolors="none", edgecolors=GREY, hatch="//////", label="items")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=9, labelspacing=1.2)


def draw_turns(axes: "Axes", turns: Mapping[str, npt.NDArray[np.int64]], choices: Sequence[str]) -> None:
    """Draws the lengths of games in turns, one box per winner, in the colour of its choice; a diamond is the mean.

    One game in a hundred is below the lower end, and one in a hundred is above the upper end.
    """
    places = range(len(turns))
    for place, sample, choice in zip(places, turns.values(), choices, strict=True):
        if not len(sample):
            continue
        colour = COLOURS[choice]
        axes.boxplot(
            sample,
            positions=[place],
            widths=0.5,
            whis=(1, 99),
            showfliers=False,
            patch_artist=True,
            manage_ticks=False,
            boxprops={"facecolor": colour, "alpha": 0.3, "edgecolor": colour},
            medianprops={"color": colour, "linewidth": 2},
            whiskerprops={"color": colour},
            capprops={"color": colour},
        )
        axes.plot(place, float(np.mean(sample)), "D", color=colour, markersize=5)
    names = [winner.replace(" against ", "\nagainst ") for winner in turns]
    axes.set_xticks(places, [f"{name}\n{len(won):,} games" for name, won in zip(names, turns.values(), strict=True)])
    axes.set_xlim(-0.6, len(turns) - 0.4)
    axes.locator_params(axis="y", integer=True)
    quiet(axes, title="Lengths of games, by winner", x="", y="turns (one of each player)")
