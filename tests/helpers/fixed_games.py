"""Searches that rate candidates by fixed games, played to their end where a genome's strength is known."""

from statistics import NormalDist

import numpy as np

from deckatlas.search.options import SearchOptions
from deckatlas.search.protocol import Ask, Generation, Numbers, Search
from deckatlas.search.spaces import GenomeSpace
from helpers.searches import Arena, NoWorld, play_through


def made(options: SearchOptions, space: GenomeSpace, *, budget: int | None = None, seed: int = 1) -> Search:
    return options.make(space=space, budget=budget, seed=seed, world=NoWorld())


def steps(search: Search, play: Arena) -> list[tuple[Ask, Numbers, Generation]]:
    """Plays a search to its end: each ask, what was told, and the generation that came of it."""
    played = play_through(search, play)
    return list(zip(played.asks, played.wins, played.generations, strict=True))


def games_by_sum(space: GenomeSpace) -> Arena:
    """Games against an opponent that a genome wins the more often the higher the sum of its genes is.

    Every seed has a bar to pass, from a normal distribution three times as wide as that of random genomes' sums.
    """
    middle = (space.low + space.high).sum() / 2
    width = 3 * np.sqrt(np.sum((space.high - space.low) ** 2) / 12)

    def play(ask: Ask) -> Numbers:
        heights = (ask.genomes.sum(axis=1) - middle) / width
        wins = []
        for first, second, course in zip(ask.first, ask.second, ask.course, strict=True):
            bars = [NormalDist().inv_cdf((int(seed) + 1) / (2**64 + 1)) for seed in ask.courses[course].game_seeds]
            beats = heights[max(first, second)] > np.array(bars)
            wins.append(np.sum(beats if first >= 0 else ~beats))
        return np.array(wins, dtype=np.int32)

    return play
