"""The density of evaluated solutions over their measures and, if these are mana costs, of all legal decks."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.search.cells import NOWHERE
from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.evaluation import Floats
from deckatlas.search.exact import distribution
from deckatlas.stats.samples import weighted_quantiles
from deckatlas.views.columns import axis_name
from deckatlas.views.figures import colour, quiet
from deckatlas.views.map_figures import PANEL, Canvas, Size, first_two
from deckatlas.views.scale import colour_map

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 40
_SHOWN = 1e-4  # the share of all legal decks that is outside the picture, along a measure


@dataclass(frozen=True)
class Density:
    """The distribution of solutions over their measures.

    Attributes:
        title: The name of these solutions.
        points: The measures, one row per point.
        share: The share of all solutions at each point.
    """

    title: str
    points: Floats
    share: Floats


def evaluated_density(view: RunView) -> Density:
    """The density of the evaluated solutions over the first two measures.

    Raises:
        RunError: If nothing was evaluated.
    """
    points = view.log.matrix([name for name in first_two(view.measures) if name])
    points = points[view.archive.individual_cells != NOWHERE]
    if not len(points):
        raise RunError("there is nothing to draw: no solution has been evaluated yet")
    return Density(f"{view.name}: {len(points):,} evaluated", points, np.full(len(points), 1 / len(points)))


def exact_density(space: DeckSpace[Any] | None, measures: Sequence[str]) -> Density | None:
    """The density of all legal decks, if all measures are of mana costs: sum or mean, and variance."""
    if space is None:
        return None
    made = {"deck_mana_sum": 1, "deck_mana_mean": space.size}
    if not all(name in (*made, "deck_mana_variance") for name in measures):
        return None
    found = distribution(space, "deck_mana_sum")
    points = [found.sum / made[name] if name in made else found.variance for name in measures]
    return Density("all legal decks, exactly", np.stack(points, axis=1), found.share)


def density_size(view: RunView) -> Size:
    """The width and height of a picture of the density, in inches."""
    names = [name for name in first_two(view.measures) if name]
    if len(names) == 1:
        return PANEL + 2, PANEL
    panels = 1 if exact_density(view.deck_space(), names) is None else 2
    return 1.4 + (PANEL + 0.3) * panels, PANEL + 0.4


def draw_density(canvas: Canvas, view: RunView) -> None:
    """Draws the evaluated solutions beside all legal decks, if the density of these is known."""
    names = [name for name in first_two(view.measures) if name]
    evaluated, exact = evaluated_density(view), exact_density(view.deck_space(), names)
    shown = [evaluated] if exact is None else [evaluated, exact]
    edges = bins_of(view, names, shown)
    if len(names) == 1:
        return _draw_steps(canvas.subplots(), shown, names[0], edges[0])
    panels = canvas.subplots(1, len(shown), sharex=True, sharey=True, squeeze=False)[0]
    return draw_densities(canvas, list(panels), shown, names, edges)


def bins_of(view: RunView, names: Sequence[str], shown: Sequence[Density]) -> list[Floats]:
    """The boundaries of bins along each measure; the bins hold nearly all of each density."""
    return [_edges(shown, place, _step(view, name)) for place, name in enumerate(names)]


def shares_of(density: Density, edges: Sequence[Floats]) -> Floats:
    """The share of all solutions in each bin."""
    return np.asarray(np.histogramdd(density.points, bins=list(edges), weights=density.share)[0])


def draw_densities(
    canvas: Canvas, panels: Sequence["Axes"], shown: Sequence[Density], names: Sequence[str], edges: Sequence[Floats]
) -> None:
    """Draws densities side by side, in colours of one logarithmic scale."""
    from matplotlib.colors import LogNorm

    shares = [shares_of(each, edges) for each in shown]
    least = min(1 / len(shown[0].points), 1e-4)  # one solution
    norm = LogNorm(least, max(share.max() for share in shares))
    for axes, share, density in zip(panels, shares, shown, strict=True):
        drawn = np.ma.masked_less(share.T, least)
        mesh = axes.pcolormesh(*edges, drawn, norm=norm, cmap=colour_map().reversed(), linewidth=0, rasterized=True)
        quiet(axes, title=density.title, x=axis_name(names[0]), y="" if axes is not panels[0] else axis_name(names[1]))
    bar = canvas.colorbar(mesh, ax=list(panels), shrink=0.9, pad=0.02)
    bar.set_label("share of all, in each bin")
    bar.outline.set_visible(False)


def _draw_steps(axes: "Axes", shown: Sequence[Density], name: str, edges: Floats) -> None:
    for number, density in enumerate(shown):
        share, _ = np.histogram(density.points[:, 0], bins=edges, weights=density.share)
        axes.stairs(
            share, edges, color=colour(number), fill=number == 0, alpha=0.4 if number == 0 else 1.0, label=density.title
        )
    quiet(axes, title="how often solutions have each value", x=axis_name(name), y="share of all, in each bin")
    axes.legend(frameon=False, fontsize=9)


def _step(view: RunView, name: str) -> float | None:
    """The distance between neighbouring values of a column, if it is constant."""
    deck_size = view.description.layout.deck_size
    if not deck_size or name not in view.description.measures or name == "deck_mana_variance":
        return None
    return 1 / deck_size if name == "deck_mana_mean" else 1.0


def _edges(shown: Sequence[Density], place: int, step: float | None) -> Floats:
    """The boundaries along one measure; see `bins_of`."""
    marks = (_SHOWN / 2, 1 - _SHOWN / 2)
    ends = [end for density in shown for end in weighted_quantiles(density.points[:, place], density.share, marks)]
    low, high = min(ends), max(ends)
    if step is not None:
        width = step * max(1, ceil((high - low) / step / _BINS))
        return np.arange(low - step / 2, high + width, width)
    return np.linspace(low, high if high > low else low + 1, _BINS + 1)
