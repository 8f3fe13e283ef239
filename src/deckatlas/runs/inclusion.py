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
from deckatlas.search.deck_space import Counts
from deckatlas.search.evaluation import Floats
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import SHARE_STEP, mean_interval

Chosen = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PlacedDecks:
    """The decks of a map's elites, and where on the map they are.

    Attributes:
        ids: The cards of the pool.
        names: Their names.
        copies: The copies of each card: one row per elite, one column per card.
        places: Numbers of the elites by name, such as the measures of the map.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    copies: Counts
    places: Mapping[str, Floats]

    def having(self, card: str) -> Chosen:
        """Whether each elite has a card, by its id or name.

        No elite has a card that is not in the pool, such as one of another class, or one that a patch adds.
        """
        columns = [
            at for at, (known, name) in enumerate(zip(self.ids, self.names, strict=True)) if card in (known, name)
        ]
        return np.asarray((self.copies[:, columns] > 0).any(axis=1))

    def inclusion(self, card: str) -> float:
        """The share of elites that have the card, from 0 to 1; not a number (nan) without elites."""
        chosen = self.having(card)
        return float(chosen.mean()) if len(chosen) else np.nan

    def centroid(self, chosen: Chosen) -> Floats:
        """The mean place of the chosen elites, one number per column; nan if none is chosen."""
        if not chosen.any():
            return np.full(len(self.places), np.nan)
        return np.array([column[chosen].mean() for column in self.places.values()])

    def centroid_with(self, card: str, *, from_all: bool = False) -> Floats:
        """The mean place of the elites with a card, by itself or seen from that of all elites."""
        chosen = self.having(card)
        found = self.centroid(chosen)
        return found - self.centroid(np.ones_like(chosen)) if from_all else found


Pair = tuple[PlacedDecks, PlacedDecks]


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


def inclusion_change(pairs: Sequence[Pair], card: str) -> PairedChange:
    """How many of the elites have the card, before and after."""
    shares = [[decks.inclusion(card) for decks in pair] for pair in pairs]
    return _as_share(paired_change(np.array(shares, np.float64), step=SHARE_STEP))


def centroid_change(pairs: Sequence[Pair], card: str, *, from_all: bool = False) -> Mapping[str, PairedChange]:
    """Where the elites with the card are, before and after, along each column.

    A trial counts if the card is in elites on both sides; without such a trial there is nothing to compare, and the
    result is empty.

    Args:
        pairs: The trials; all have the same columns.
        card: The card, by its id or name.
        from_all: Whether places are seen from the centroid of all elites of their map. A patch that changes costs
            moves all decks along them; this leaves that out.
    """
    places = np.array([[decks.centroid_with(card, from_all=from_all) for decks in pair] for pair in pairs])
    known = places[np.isfinite(places).all(axis=(1, 2))] if len(places) else places
    if not len(known):
        return {}
    return {name: paired_change(known[:, :, number]) for number, name in enumerate(pairs[0][0].places)}


def centroid_apart(trials: Sequence[PlacedDecks], card: str) -> Mapping[str, Estimate]:
    """How far the centroid of the elites with the card is from that of the others, along each column, over trials.

    A trial counts if some of its elites have the card and some do not; without such a trial the result is empty.
    """
    apart = []
    for decks in trials:
        chosen = decks.having(card)
        apart.append(decks.centroid(chosen) - decks.centroid(~chosen))
    known = np.array([each for each in apart if np.isfinite(each).all()])
    return {name: mean_interval(known[:, at]) for at, name in enumerate(trials[0].places)} if len(known) else {}


def paired_change(values: Floats, *, step: float = 0.0) -> PairedChange:
    """The change of a number: one row per pair, before and after; see `mean_interval` for the step."""
    return PairedChange(*(mean_interval(each, step=step) for each in (*values.T, values[:, 1] - values[:, 0])))


def _as_share(change: PairedChange) -> PairedChange:
    before, after = (_within(each, 0.0, 1.0) for each in (change.before, change.after))
    return PairedChange(before, after, _within(change.change, -1.0, 1.0))


def _within(share: Estimate, least: float, most: float) -> Estimate:
    """A share whose interval does not reach beyond what is possible."""
    return replace(share, is_share=True).within(least, most)
