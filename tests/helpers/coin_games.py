"""Paired games that are coins: both sides have known rates, and share a known part of their luck."""

from dataclasses import dataclass

import numpy as np

from deckatlas.play.paired import SEATS, PairedGames
from deckatlas.play.runner import Progress
from deckatlas.stats.estimate import Floats


@dataclass(frozen=True, eq=False)
class CoinGames(PairedGames):
    """Two sides that win with known rates.

    Attributes:
        rates: The rate of the second side against each opponent.
        lead: How much more the first side wins, against each opponent.
        shared: The share of games in which both sides have the same luck.
        seed: The seed of the coins.
    """

    rates: Floats
    lead: Floats
    shared: float
    seed: int

    @property
    def is_same(self) -> bool:
        """Coins are never the same."""
        return False

    def play(self, rounds: range, *, progress: Progress | None) -> Floats:
        """Tosses the coins of some rounds; the same ones however rounds are divided."""
        shape = (len(self.opponents), len(SEATS))
        won = np.empty((2, len(rounds), *shape))
        for at, number in enumerate(rounds):
            rng = np.random.default_rng((self.seed, number))
            luck, other, is_shared = rng.random(shape), rng.random(shape), rng.random(shape) < self.shared
            won[0, at] = luck < (self.rates + self.lead)[:, np.newaxis]
            won[1, at] = np.where(is_shared, luck, other) < self.rates[:, np.newaxis]
        if progress is not None:
            progress(int(won.size))
        return won


def coin_games(
    *,
    opponents: int = 12,
    lead: float | Floats = 0.0,
    shared: float = 0.0,
    seed: int = 0,
    weights: Floats | None = None,
) -> CoinGames:
    """Coins with rates from 0.3 to 0.7, of equal weight unless weights are given."""
    given = np.ones(opponents) if weights is None else weights
    return CoinGames(
        kind="deck",
        names=("one", "other"),
        against="coins",
        opponents=tuple(f"coin {number}" for number in range(opponents)),
        weights=given / given.sum(),
        decks=("coin",),
        claim=lambda more: f"one wins {more} than other against coins",
        rates=np.linspace(0.3, 0.7, opponents),
        lead=np.broadcast_to(lead, (opponents,)),
        shared=shared,
        seed=seed,
    )
