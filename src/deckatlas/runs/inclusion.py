"""Which elites of a map have a card, where on the map they are, and how both change between paired trials.

Elites of one map descend from each other, so they are no independent sample: intervals here are over trials. Trial k
before a change and trial k after it are a pair.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Floats
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval

Chosen = npt.NDArray[np.bool_]
Pair = tuple[RunView, RunView]


@dataclass(frozen=True)
class PairedChange:
    """A number in trials before and after a change.

    Attributes:
        before: Its mean over the trials before.
        after: Its mean over the trials after.
        change: The mean difference of pairs, after minus before; `n` is the number of pairs.
    """

    before: Estimate
    after: Estimate
    change: Estimate

    def in_percent(self) -> "PairedChange":
        """A share as a plain number in percent."""
        return PairedChange(self.before.in_percent(), self.after.in_percent(), self.change.in_percent())


def cards_of_elites(view: RunView) -> Chosen:
    """Whether each elite has each card of the pool: one row per elite, in the order of their cells.

    Raises:
        RunError: If the run is not a map of decks.
    """
    if not view.description.layout.deck_size:
        raise RunError(f"{view.path} is not a map of decks: no elite has cards")
    return np.asarray(view.log.solutions[view.archive.elites] > 0)


def elites_with(view: RunView, card: str) -> Chosen:
    """Whether each elite has the card, by its id or name, in the order of their cells.

    No elite has a card that is not in the pool, such as one of another class, or one that a patch adds.

    Raises:
        RunError: If the run is not a map of decks.
    """
    places = [place for place, gene in enumerate(view.description.genes) if card in (gene.id, gene.name)]
    return np.asarray(cards_of_elites(view)[:, places].any(axis=1))


def inclusion(view: RunView, card: str) -> float:
    """The share of elites that have the card, from 0 to 1; not a number (nan) without elites."""
    chosen = elites_with(view, card)
    return float(chosen.mean()) if len(chosen) else np.nan


def centroid(view: RunView, chosen: Chosen, columns: Sequence[str]) -> Floats:
    """The mean of some columns over the chosen elites, which are as many as their cells; nan if none is chosen.

    Args:
        view: The map.
        chosen: For each elite, in the order of their cells, whether it counts.
        columns: The names of the columns, such as the measures of the map.
    """
    if not chosen.any():
        return np.full(len(columns), np.nan)
    return np.asarray(view.log.matrix(tuple(columns))[view.archive.elites[chosen]].mean(axis=0))


def inclusion_change(pairs: Sequence[Pair], card: str) -> PairedChange:
    """How many of the elites have the card, before and after."""
    shares = [[inclusion(view, card) for view in pair] for pair in pairs]
    return _as_share(paired_change(np.array(shares, np.float64)))


def centroid_change(
    pairs: Sequence[Pair], card: str, columns: Sequence[str], *, from_all: bool = False
) -> Mapping[str, PairedChange]:
    """Where the elites with the card are, before and after, along each column.

    A trial counts if the card is in elites on both sides; without such a trial there is nothing to compare, and the
    result is empty.

    Args:
        pairs: The trials.
        card: The card, by its id or name.
        columns: The names of the columns.
        from_all: Whether places are seen from the centroid of all elites of their map. A patch that changes costs
            moves all decks along them; this leaves that out.
    """
    places = np.array([[_centroid_with(view, card, columns, from_all=from_all) for view in pair] for pair in pairs])
    known = places[np.isfinite(places).all(axis=(1, 2))] if len(places) else places
    if not len(known):
        return {}
    return {name: paired_change(known[:, :, number]) for number, name in enumerate(columns)}


def _centroid_with(view: RunView, card: str, columns: Sequence[str], *, from_all: bool) -> Floats:
    chosen = elites_with(view, card)
    found = centroid(view, chosen, columns)
    return found - centroid(view, np.ones_like(chosen), columns) if from_all else found


def centroid_apart(views: Sequence[RunView], card: str, columns: Sequence[str]) -> Mapping[str, Estimate]:
    """How far the centroid of the elites with the card is from that of the others, along each column, over trials.

    A trial counts if some of its elites have the card and some do not; without such a trial the result is empty.
    """
    apart = []
    for view in views:
        chosen = elites_with(view, card)
        apart.append(centroid(view, chosen, columns) - centroid(view, ~chosen, columns))
    known = np.array([each for each in apart if np.isfinite(each).all()])
    return {name: mean_interval(known[:, number]) for number, name in enumerate(columns)} if len(known) else {}


def paired_change(values: Floats) -> PairedChange:
    """The change of a number: one row per pair, the value before and the value after."""
    before, after = values.T
    return PairedChange(mean_interval(before), mean_interval(after), mean_interval(after - before))


def _as_share(change: PairedChange) -> PairedChange:
    before, after = (_within(each, 0.0, 1.0) for each in (change.before, change.after))
    return PairedChange(before, after, _within(change.change, -1.0, 1.0))


def _within(share: Estimate, least: float, most: float) -> Estimate:
    """A share whose interval does not reach beyond what is possible."""
    return replace(share, is_share=True).within(least, most)
