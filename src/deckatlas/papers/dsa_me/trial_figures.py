"""Figures of trials: every trial of every algorithm, and the published means beside them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from deckatlas.papers.dsa_me.trials import FRESH_OF, Values, mean_of, published_mean
from deckatlas.views.figures import BLACK, colour, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # an extra
    from matplotlib.figure import Figure

_COLUMNS = 2
_BELOW = 0.22  # from one line of an algorithm to the next


def draw_trials(figure: "Figure", numbers: Mapping[str, Mapping[str, Values]], words: Mapping[str, str]) -> None:
    """Draws a panel per number: its mean with its interval and all trials, in the search, on fresh games, in the paper.

    Args:
        figure: Where to draw it.
        numbers: For each number and each algorithm, the values of all trials.
        words: The numbers to show, in words.
    """
    rows = -(-len(words) // _COLUMNS)
    algorithms = list(next(iter(numbers.values())))
    figure.set_size_inches(10.5, 1.0 + (0.8 + 0.42 * len(algorithms)) * rows)
    panels = figure.subplots(rows, _COLUMNS, sharey=True, squeeze=False).ravel()
    for panel, (key, title) in zip(panels, words.items(), strict=False):
        for place, name in enumerate(algorithms):
            _draw_published(panel, key, name, place - _BELOW, is_first=place == 0)
            label = "in the search, 95 %" if place == 0 else None
            _draw_values(panel, key, numbers[key][name], place=place, ink=colour(0), label=label)
            if key in FRESH_OF:
                label, fresh = "on fresh games, 95 %" if place == 0 else None, FRESH_OF[key]
                _draw_values(panel, fresh, numbers[fresh][name], place=place + _BELOW, ink=colour(1), label=label)
        quiet(panel, title=title, x="", y="")
        panel.set_yticks(range(len(algorithms)), algorithms)
        panel.set_ylim(len(algorithms) - 0.4, -0.6)
    for panel in panels[len(words) :]:
        panel.set_visible(False)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)


def _draw_values(panel: "Axes", key: str, values: Values, *, place: float, ink: str, label: str | None) -> None:
    found = mean_of(values, key)
    panel.plot(values, np.full(len(values), place), "o", color=ink, alpha=0.35, markersize=5, markeredgewidth=0)
    ends = [[found.value - found.low], [found.high - found.value]] if found.has_ends else None
    panel.errorbar(found.value, place, xerr=ends, fmt="|", color=ink, markersize=8, markeredgewidth=2, label=label)


def _draw_published(panel: "Axes", key: str, name: str, place: float, *, is_first: bool) -> None:
    theirs = published_mean(key, name)
    if theirs is None:
        return
    error = None if np.isnan(theirs.error) else theirs.error
    label = "in the paper, ± standard error" if is_first else None
    panel.errorbar(theirs.value, place, xerr=error, fmt="D", color=BLACK, markersize=4, linewidth=1, label=label)
