"""The evaluated decks of a map beside all legal decks: both exactly, in the space of mana curves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.papers.mesb.maps import Floats, MapReport, deck_run_of
from deckatlas.runs.view import RunView
from deckatlas.search.exact import number_of_decks
from deckatlas.stats.samples import weighted_quantiles
from deckatlas.views.columns import column_name
from deckatlas.views.map_density import (
    Density,
    bins_of,
    draw_densities,
    evaluated_density,
    exact_density,
    shares_of,
)
from deckatlas.views.map_figures import PANEL

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

RANGE = (0.001, 0.999)  # the quantiles at the ends of ranges


@dataclass(frozen=True)
class Beside:
    """The evaluated decks of a map beside all legal ones.

    Attributes:
        view: The map.
        evaluated: The density of its evaluated decks.
        legal: The density of all legal decks.
        edges: The boundaries of bins along both measures.
    """

    view: RunView
    evaluated: Density
    legal: Density
    edges: tuple[Floats, ...]

    @classmethod
    def of(cls, view: RunView) -> "Beside":
        """Computes both densities of a map.

        Raises:
            RunError: If its measures are not two measures of mana costs.
        """
        legal = exact_density(view.deck_space(), view.measures)
        if legal is None or len(view.measures) != 2:
            raise RunError(f"{view.path} is not a map by two measures of mana costs with a known set of legal decks")
        evaluated = evaluated_density(view)
        return cls(view, evaluated, legal, tuple(bins_of(view, view.measures, [evaluated, legal])))


class DensityReport(MapReport):
    """The decks that maps evaluated beside all legal decks."""

    kind: Literal["density"] = "density"

    def report(self, study: Study) -> Report:
        """Two panels per map, and the distance between them."""
        found = {name: Beside.of(view) for name, view in self.views(study).items()}
        rows = [_summary(name, beside) for name, beside in found.items()]

        def draw(figure: "Figure") -> None:
            figure.set_size_inches(1.4 + 2 * (PANEL + 0.3), (PANEL + 0.4) * len(found))
            panels = figure.subplots(len(found), 2, sharex="row", sharey="row", squeeze=False)
            for line, (name, beside) in zip(panels, found.items(), strict=True):
                shown = [beside.evaluated, beside.legal]
                draw_densities(figure, list(line), shown, beside.view.measures, beside.edges)
                line[0].set_title(f"{name}: {len(beside.view.log):,} decks evaluated", loc="left", fontsize=11)

        notes = (
            "The right panels are exact: every legal deck of the pool counts once, by dynamic programming over mana "
            "costs. Colours mean the same on both sides: darker means more decks. Bins with less than one deck in "
            "10,000 are blank, unless they have an evaluated deck.",
            "`reached` is the share of all legal decks that are in a bin with an evaluated deck; `distance` is the "
            "share of decks that would have to move to another bin to turn one panel into the other. Ranges leave out "
            "a thousandth at each end.",
        )
        bins = [row for name, beside in found.items() for row in _rows(name, beside)]
        return Report(
            {"maps": rows, "bins": bins}, tuple(_tables(rows, found)), (self.budget(study), *notes), {"density": draw}
        )


def reached(evaluated: Floats, legal: Floats) -> float:
    """The share of legal decks that are in a bin with an evaluated one."""
    return float(legal[evaluated > 0].sum())


def distance(one: Floats, other: Floats) -> float:
    """The share of decks that would have to move to turn one distribution into the other."""
    return float(np.abs(one - other).sum()) / 2


def _summary(name: str, beside: Beside) -> dict[str, Any]:
    space = deck_run_of(beside.view).make_space()
    evaluated, legal = (shares_of(density, beside.edges) for density in (beside.evaluated, beside.legal))
    row: dict[str, Any] = {
        "map": name,
        "class": space.hero_class.lower(),
        "pool": space.pool_name,
        "evaluated": len(beside.view.log),
        "legal": str(number_of_decks(space)),
        "reached": 100 * reached(evaluated, legal),
        "distance": 100 * distance(evaluated, legal),
    }
    for place, measure in enumerate(beside.view.measures):
        for title, density in (("evaluated", beside.evaluated), ("legal", beside.legal)):
            values = density.points[:, place]
            low, high = weighted_quantiles(values, density.share, RANGE)
            mean = float(density.share @ values)
            row |= {f"{measure}_{title}": mean, f"{measure}_{title}_low": low, f"{measure}_{title}_high": high}
    return row


def _rows(name: str, beside: Beside) -> Iterator[dict[str, Any]]:
    """One row per bin that has a deck."""
    evaluated, legal = (shares_of(density, beside.edges) for density in (beside.evaluated, beside.legal))
    for at in np.argwhere((evaluated > 0) | (legal > 0)).tolist():
        row: dict[str, Any] = {"map": name}
        for measure, edges, place in zip(beside.view.measures, beside.edges, at, strict=True):
            row |= {f"{measure}_from": float(edges[place]), f"{measure}_to": float(edges[place + 1])}
        yield {**row, "evaluated": float(evaluated[tuple(at)]), "legal": float(legal[tuple(at)])}


def _tables(rows: Sequence[Mapping[str, Any]], found: Mapping[str, Beside]) -> Iterator[TextTable]:
    lines = tuple(
        (
            row["map"],
            f"{row['evaluated']:,}",
            f"{float(row['legal']):.4g}",
            f"{row['reached']:.1f}",
            f"{row['distance']:.1f}",
        )
        for row in rows
    )
    columns = ("map", "evaluated decks", "legal decks", "reached %", "distance %")
    yield TextTable("Evaluated decks and all legal decks", columns, lines)
    ranges = tuple(
        (row["map"], column_name(measure), *(_range(row, f"{measure}_{title}") for title in ("evaluated", "legal")))
        for row in rows
        for measure in found[row["map"]].view.measures
    )
    yield TextTable("Means (ranges)", ("map", "", "evaluated decks", "legal decks"), ranges)


def _range(row: Mapping[str, Any], name: str) -> str:
    return f"{row[name]:.2f} ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f})"
