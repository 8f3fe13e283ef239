"""Figures of the third experiment: shares of cards before and after the patch, and where their decks move."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deckatlas.papers.mesb.card_changes import PLACES, CardChange
from deckatlas.views.figures import GREY, colour, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # an extra
    from matplotlib.figure import Figure

_COLUMNS = 4


def draw_shares(figure: "Figure", changes: Sequence[CardChange], rare: float) -> None:
    """Draws a table of shares before the patch and one after it; a cross marks rare cards."""
    cards, archetypes = _names(changes)
    figure.set_size_inches(2.2 + 1.5 * len(archetypes), 1.6 + 0.4 * len(cards))
    panels = figure.subplots(1, 2, sharey=True)
    found = {(each.card, each.archetype): each for each in changes}
    for side, (axes, title) in enumerate(zip(panels, ("before the patch", "after the patch"), strict=True)):
        table = np.full((len(cards), len(archetypes)), np.nan)
        for y, card in enumerate(cards):
            for x, name in enumerate(archetypes):
                if (change := found[card, name]).is_in_pool:
                    table[y, x] = (change.share.before, change.share.after)[side].value
        axes.imshow(table, cmap="Blues", vmin=0, vmax=100, aspect="auto")
        for y, x in np.argwhere(np.isfinite(table)).tolist():
            _write_share(axes, x, y, table[y, x], rare)
        axes.set_title(f"Elites that have a card, {title}, %", loc="left", fontsize=11)
        axes.set_xticks(range(len(archetypes)), archetypes, rotation=30, ha="right")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    panels[0].set_yticks(range(len(cards)), cards, fontsize=9)


def _write_share(axes: "Axes", x: int, y: int, share: float, rare: float) -> None:
    if share <= rare:
        axes.text(x, y, f"× {share:.0f}", ha="center", va="center", fontsize=8, color=GREY)  # noqa: RUF001
    else:
        ink = "white" if share > 60 else "black"
        axes.text(x, y, f"{share:.0f}", ha="center", va="center", fontsize=9, color=ink)


def draw_places(figure: "Figure", changes: Sequence[CardChange], rare: float) -> None:
    """Draws one panel per card: an arrow per archetype, from the centroid of its elites before to that after.

    Archetypes in which the card is rare before and after have no arrow: their centroids are those of a few decks.
    """
    cards, archetypes = _names(changes)
    lines = -(-len(cards) // _COLUMNS)
    figure.set_size_inches(3.2 * min(_COLUMNS, len(cards)), 0.9 + 2.8 * lines)
    panels = figure.subplots(lines, min(_COLUMNS, len(cards)), sharex=True, sharey=True, squeeze=False).ravel()
    (across, x_words), (up, y_words) = PLACES.items()
    for panel, card in zip(panels, cards, strict=False):
        for change in (each for each in changes if each.card == card and each.places and each.is_common(rare)):
            (x0, x1), (y0, y1) = (
                (change.places[name].before.value, change.places[name].after.value) for name in (across, up)
            )
            ink = colour(archetypes.index(change.archetype))
            panel.plot([x0], [y0], "o", color=ink, markersize=4, markerfacecolor="white")
            panel.annotate("", (x1, y1), (x0, y0), arrowprops={"arrowstyle": "-|>", "color": ink, "lw": 1.4})
            panel.update_datalim([(x0, y0), (x1, y1)])
        panel.autoscale_view()
        quiet(panel, title=card, x=x_words, y=y_words)
        panel.label_outer()
    for panel in panels[len(cards) :]:
        panel.set_visible(False)
    handles = [panels[0].plot([], [], color=colour(number))[0] for number in range(len(archetypes))]
    figure.legend(handles, archetypes, loc="outside lower center", ncols=len(archetypes), frameon=False, fontsize=9)


def _names(changes: Sequence[CardChange]) -> tuple[list[str], list[str]]:
    """The cards and the archetypes, in order."""
    return list(dict.fromkeys(each.card for each in changes)), list(dict.fromkeys(each.archetype for each in changes))
