"""Where a map has looked, beside where all legal decks are: both exactly, in the space of mana curves."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.maps.exact import Distribution, distribution, number_of_decks
from deckatlas.reports.figures import quiet
from deckatlas.reports.kind import Report, TextTable
from deckatlas.reports.mesb_maps import MANA, SUM, VARIANCE, Floats, MapReport, decks_of
from deckatlas.reports.study import Study
from deckatlas.runs.map_view import MapView

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_NEARLY_ALL = 0.9999  # of the legal decks: what a figure shows at least
_LEAST = 1e-5  # the least share that is shown
RANGE = (0.001, 0.999)  # the quantiles that ranges are told by


@dataclass(frozen=True)
class Densities:
    """Shares of decks in the same bins, those of means along the first axis and of variances along the second.

    Attributes:
        means: The edges of bins of mean mana costs.
        variances: The edges of bins of their variances.
        evaluated: The share of the map's evaluated decks.
        legal: The share of all legal decks.
    """

    means: Floats
    variances: Floats
    evaluated: Floats
    legal: Floats

    @property
    def reached(self) -> float:
        """The share of legal decks that are in a bin with an evaluated one."""
        return float(self.legal[self.evaluated > 0].sum())

    @property
    def distance(self) -> float:
        """The share of decks that had to move to make one of the other."""
        return float(np.abs(self.evaluated - self.legal).sum()) / 2


class Density(MapReport):
    """The decks that a map evaluated beside all legal decks."""

    kind: Literal["density"] = "density"
    bins: int = Field(default=40, ge=2, le=200, description="Bins along each axis, at most.")

    def report(self, study: Study) -> Report:
        """Two panels a map, and how far apart they are."""
        views = self.views(study)
        exact = {name: distribution(decks_of(view), SUM) for name, view in views.items()}
        found = {name: self._densities(view, exact[name]) for name, view in views.items()}
        rows = [_summary(name, views[name], exact[name], found[name]) for name in views]

        def draw(figure: "Figure") -> None:
            figure.set_size_inches(9.6, 0.4 + 4.0 * len(found))
            panels = figure.subplots(len(found), 2, sharex="row", sharey="row", squeeze=False)
            for line, (name, densities) in zip(panels, found.items(), strict=True):
                titles = f"{name}: {len(views[name].log):,} evaluated decks", "all legal decks of the class"
                for panel, title, shares in zip(line, titles, (densities.evaluated, densities.legal), strict=True):
                    shown = np.ma.masked_less(100 * shares.T, 100 * _LEAST)
                    mesh = panel.pcolormesh(densities.means, densities.variances, shown, cmap="viridis_r", vmin=0)
                    quiet(panel, title=title, x="mean mana cost", y="variance of mana costs")
                    figure.colorbar(mesh, ax=panel, label="% of decks in a bin")

        notes = (
            "The right panels are exact: every legal deck of the pool counts once, by dynamic programming over mana "
            "costs. Bins with less than a hundred-thousandth of the decks are white.",
            "`reached` is the share of all legal decks that lie in a bin with an evaluated deck; `distance` the share "
            f"of decks that would have to move to another bin to make one picture of the other. There are up to "
            f"{self.bins} x {self.bins} bins, over what both pictures show. Ranges leave out a thousandth at each end.",
        )
        densities_rows = [row for name, densities in found.items() for row in _rows(name, densities)]
        return Report({"maps": rows, "bins": densities_rows}, (_table(rows),), notes, {"density": draw})

    def _densities(self, view: MapView, legal: Distribution) -> Densities:
        sums, variances = (np.asarray(view.log.column(name), dtype=np.float64) for name in (SUM, VARIANCE))
        low, high = _ends(sums, legal.sum.astype(np.float64), legal.share)
        width = max(1, -(-int(high - low + 1) // self.bins))  # of whole sums, so that no bin has more of them
        edges = np.arange(low, high + width + 1, width) - 0.5, self._edges(variances, legal)
        evaluated, _, _ = np.histogram2d(sums, variances, bins=edges)
        every, _, _ = np.histogram2d(legal.sum, legal.variance, bins=edges, weights=legal.share)
        return Densities(edges[0] / decks_of(view).size, edges[1], evaluated / evaluated.sum(), every)

    def _edges(self, variances: Floats, legal: Distribution) -> Floats:
        low, high = _ends(variances, legal.variance, legal.share)
        return np.linspace(low, high, self.bins + 1)


def _ends(own: Floats, every: Floats, share: Floats) -> tuple[float, float]:
    """What an axis shows: all evaluated decks, and nearly all legal ones."""
    rest = (1 - _NEARLY_ALL) / 2
    low, high = quantiles(every, share, (rest, 1 - rest))
    return min(low, float(own.min())), max(high, float(own.max()))


def quantiles(values: Floats, share: Floats, at: tuple[float, ...]) -> list[float]:
    """Quantiles of values with shares: the least value up to which there is as much."""
    order = np.argsort(values, kind="stable")
    reached = np.searchsorted(np.cumsum(share[order]), at)
    return [float(value) for value in values[order][np.minimum(reached, len(order) - 1)]]


def _summary(name: str, view: MapView, legal: Distribution, densities: Densities) -> dict[str, Any]:
    space = decks_of(view)
    row: dict[str, Any] = {
        "map": name,
        "class": space.hero_class.lower(),
        "pool": space.pool_name,
        "evaluated": len(view.log),
        "legal": str(number_of_decks(space)),
        "reached": 100 * densities.reached,
        "distance": 100 * densities.distance,
    }
    for column, every in ((MANA, legal.sum / space.size), (VARIANCE, legal.variance)):
        own = np.asarray(view.log.column(column), dtype=np.float64)
        ends = {"evaluated": np.quantile(own, RANGE).tolist(), "legal": quantiles(every, legal.share, RANGE)}
        for title, (low, high) in ends.items():
            row |= {f"{column}_{title}_low": low, f"{column}_{title}_high": high}
        row |= {f"{column}_evaluated": float(own.mean()), f"{column}_legal": float(legal.share @ every)}
    return row


def _rows(name: str, densities: Densities) -> list[dict[str, Any]]:
    """Bins that have a deck in them."""
    return [
        {
            "map": name,
            f"{MANA}_from": float(densities.means[x]),
            f"{MANA}_to": float(densities.means[x + 1]),
            f"{VARIANCE}_from": float(densities.variances[y]),
            f"{VARIANCE}_to": float(densities.variances[y + 1]),
            "evaluated": float(densities.evaluated[x, y]),
            "legal": float(densities.legal[x, y]),
        }
        for x, y in np.argwhere((densities.evaluated > 0) | (densities.legal > 0)).tolist()
    ]


def _table(rows: list[dict[str, Any]]) -> TextTable:
    def ends(row: dict[str, Any], column: str, title: str) -> str:
        low, high = (row[f"{column}_{title}_{end}"] for end in ("low", "high"))
        return f"{row[f'{column}_{title}']:.2f} ({low:.2f} to {high:.2f})"

    lines = tuple(
        (
            row["map"],
            f"{row['evaluated']:,}",
            f"{float(row['legal']):.4g}",
            *(ends(row, column, title) for column in (MANA, VARIANCE) for title in ("evaluated", "legal")),
            f"{row['reached']:.1f}",
            f"{row['distance']:.1f}",
        )
        for row in rows
    )
    columns = (
        *("map", "evaluated", "legal decks", "mana: evaluated", "legal", "variance: evaluated", "legal"),
        *("reached %", "distance %"),
    )
    return TextTable("Evaluated decks and all legal decks: means (ranges)", columns, lines)
