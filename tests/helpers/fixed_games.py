"""Searches that rate candidates by fixed games, played to their end where a genome's strength is known."""

from statistics import NormalDist

import numpy as np

from deckatlas.search.batches import Batch, Numbers
from deckatlas.search.options import MatchupOptions
from deckatlas.search.protocol import Generation
from deckatlas.search.scripts import Script
from deckatlas.search.spaces import GenomeSpace
from helpers.searches import Arena, NoWorld, courses_of, play_through


def made(options: MatchupOptions, space: GenomeSpace, *, budget: int | None = None, seed: int = 1) -> Script:
    return options.make(space=space, budget=budget, seed=seed, world=NoWorld())


def steps(search: Script, play: Arena) -> list[tuple[Batch, Numbers, Generation]]:
    """Plays a search to its end: each ask, what was told, and the generation that came of it."""
    played = play_through(search, play)
    return list(zip(played.asks, played.wins, played.generations, strict=True))


def games_by_sum(space: GenomeSpace) -> Arena:
    """Games against an opponent that a genome wins the more often the higher the sum of its genes is.

    Every seed has a bar to pass, from a normal distribution three times as wide as that of random genomes' sums.
    """
    middle = (space.low + space.high).sum() / 2
    width = 3 * np.sqrt(np.sum((space.high - space.low) ** 2) / 12)

    def play(ask: Batch) -> Numbers:
        heights = (ask.genes.sum(axis=1) - middle) / width
        wins = []
        for first, second, course in zip(ask.first, ask.second, ask.course, strict=True):
            bars = [NormalDist().inv_cdf((int(seed) + 1) / (2**64 + 1)) for seed in courses_of(ask)[course].game_seeds]
            beats = heights[max(first, second)] > np.array(bars)
            wins.append(np.sum(beats if first >= 0 else ~beats))
        return np.array(wins, dtype=np.int32)

    return play
