"""Metagames whose true win rates are known: outcomes are drawn, nothing is played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.analysis import Analysis
from deckatlas.metagame.equilibrium import mix_of
from deckatlas.metagame.matchups import Matchups, all_pairs
from deckatlas.metagame.metagame import Entrant, Metagame
from deckatlas.metagame.play import Budget
from deckatlas.runs.comparison import Players

Floats = npt.NDArray[np.float64]

CYCLE = (0.4, 0.65, 0.42)  # the first loses to the second, the second to the third, the third to the first


def rates_of(entries: Sequence[float]) -> Floats:
    """The matrix of rates, from those of all pairs."""
    size = round((1 + (1 + 8 * len(entries)) ** 0.5) / 2)
    rates = np.full((size, size), 0.5)
    for (i, j), rate in zip(all_pairs(size), entries, strict=True):
        rates[i, j], rates[j, i] = rate, 1 - rate
    return rates


def drawn_matchups(rates: Floats, *, seeds: int, rng: np.random.Generator) -> Matchups:
    """Matchups of a field with these true rates; the two games of a seed are independent."""
    names = tuple(f"deck {i}" for i in range(len(rates)))
    drawn = {(i, j): rng.binomial(2, rates[i, j], seeds) / 2 for i, j in all_pairs(len(rates))}
    return Matchups(names, drawn)


@dataclass(frozen=True)
class DrawnMetagame(Metagame):
    """A metagame that cannot be played."""

    @property
    def edition(self) -> str:
        return "none"

    def players(self) -> Players:
        raise NotImplementedError

    def joined_by(self, deck: str, *, name: str = "") -> Metagame:
        raise NotImplementedError

    def to_toml(self, notes: Mapping[str, str]) -> str:
        raise NotImplementedError

    def suite(self, portions: Mapping[int, int]) -> str:
        return "\n".join(f"{self.names[number]}: {portion}" for number, portion in portions.items())


def drawn_analysis(rates: Floats, *, seeds: int = 200, weights: Sequence[float] | None = None) -> Analysis:
    """The analysis of a field with these true rates."""
    matchups = drawn_matchups(rates, seeds=seeds, rng=np.random.default_rng(1))
    shares = [1.0] * len(rates) if weights is None else weights
    entrants = tuple(Entrant(name, name, "pilot", weight) for name, weight in zip(matchups.names, shares, strict=True))
    mix = mix_of(matchups, np.random.default_rng(2), samples=50)
    metagame = DrawnMetagame("drawn", entrants)
    return Analysis(matchups, mix, metagame.shares, metagame, Budget(games=2 * seeds))
