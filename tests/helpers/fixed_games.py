"""Searches that rate candidates by fixed games, played to their end where a genome's strength is known."""

from collections.abc import Callable, Iterator
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from deckatlas.search.options import SearchOptions
from deckatlas.search.protocol import Ask, Generation, Search
from deckatlas.search.spaces import GenomeSpace

Play = Callable[[Ask], npt.NDArray[np.int32]]


def made(options: SearchOptions, space: GenomeSpace, *, budget: int | None = None, seed: int = 1) -> Search:
    def no_active_genes(seed: int) -> npt.NDArray[np.bool_]:
        raise AssertionError("this search has no use for active genes")

    return options.make(space=space, budget=budget, seed=seed, active_genes=no_active_genes)


def steps(search: Search, play: Play) -> Iterator[tuple[Ask, npt.NDArray[np.int32], Generation | None]]:
    """Plays a search to its end: each ask, what was told, and the generation that came of it."""
    while (ask := search.ask()) is not None:
        wins = play(ask)
        yield ask, wins, search.tell(wins)


def games_by_sum(space: GenomeSpace) -> Play:
    """Games against an opponent that a genome wins the more often the higher the sum of its genes is.

    Every seed has a bar to pass, from a normal distribution three times as wide as that of random genomes' sums.
    """
    middle = (space.low + space.high).sum() / 2
    width = 3 * np.sqrt(np.sum((space.high - space.low) ** 2) / 12)

    def play(ask: Ask) -> npt.NDArray[np.int32]:
        heights = (ask.genomes.sum(axis=1) - middle) / width
        wins = []
        for first, second, course in zip(ask.first, ask.second, ask.course, strict=True):
            bars = [NormalDist().inv_cdf((int(seed) + 1) / (2**64 + 1)) for seed in ask.courses[course].game_seeds]
            beats = heights[max(first, second)] > np.array(bars)
            wins.append(np.sum(beats if first >= 0 else ~beats))
        return np.array(wins, dtype=np.int32)

    return play
