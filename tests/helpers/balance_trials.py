"""Trials of balance studies whose maps and matchups are worked out by hand: nothing is searched or played."""

from collections.abc import Sequence

import numpy as np

from deckatlas.balancing.subject import FoundMap
from deckatlas.balancing.trials import Half, SearchKey, Trial
from deckatlas.metagame.matchups import Matchups, all_pairs

KEY: SearchKey = ("hunter", "fast")
CARDS = ("Highmane", "Wolf", "Squire")


def found_map(cells: Sequence[int], rates: Sequence[float], holds: Sequence[Sequence[int]]) -> FoundMap:
    """A map of 2 x 2 cells over two measures from 0 to 2; each elite is in the middle of its cell."""
    places = np.array(np.unravel_index(cells, (2, 2))).T
    return FoundMap(
        shape=(2, 2),
        names=("mean cost", "spread of costs"),
        ranges=((0.0, 2.0), (0.0, 2.0)),
        cell=np.array(cells),
        win_rate=np.array(rates),
        measures=places.astype(np.float64) + 0.5,
        cards=CARDS,
        holds=np.array(holds, dtype=np.float64),
        best=("deck",),
    )


def half(found: FoundMap, wins: float) -> Half:
    """Two known decks, even between themselves, and a found one that wins as often as given."""
    rates = {(0, 1): 0.5, (0, 2): 1 - wins, (1, 2): 1 - wins}
    matchups = Matchups(("Zoo", "Face Hunter", "found"), {pair: np.full(4, rates[pair]) for pair in all_pairs(3)})
    held: tuple[dict[str, float], ...] = ({}, {"Wolf": 1.0}, {"Highmane": 1.0})
    return Half({KEY: found}, matchups, np.array([0.5, 0.5]), (KEY,), ("WARLOCK", "HUNTER", "HUNTER"), held)


def trials_of(pairs: Sequence[tuple[Half, Half]]) -> tuple[Trial, ...]:
    """One trial for each pair of halves, under the base edition and under the patch."""
    return tuple(Trial(number, number % 2 == 1, pair, ()) for number, pair in enumerate(pairs, start=1))
