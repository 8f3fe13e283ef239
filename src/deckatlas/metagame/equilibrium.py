"""The equilibrium mix of a field, with its uncertainty: the mix is solved again for many resampled matrices."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.matchups import Matchups
from deckatlas.metagame.matrix_game import solve_game, symmetric_mix
from deckatlas.stats.estimate import Estimate

Floats = npt.NDArray[np.float64]

SAMPLES = 400
_PLAYED = 1e-6  # a smaller share is none


@dataclass(frozen=True)
class Mix:
    """The equilibrium mix: the shares against which no deck wins more than half of its games.

    Attributes:
        shares: The share of each deck for the measured rates.
        low: The lower end of the interval of each share.
        high: The upper end.
        mean: The mean share over the resampled matrices.
        chance: How often the deck is in the mix of a resampled matrix.
        is_unique: Whether the measured rates have one equilibrium only; otherwise the most even one is given.
        gain: How much more than half of its games the best deck wins against these shares. It is 0 for the measured
            rates; the interval is over the resampled matrices.
        drawn: The shares for each of the resampled matrices, one row each.
    """

    shares: Floats
    low: Floats
    high: Floats
    mean: Floats
    chance: Floats
    is_unique: bool
    gain: Estimate
    drawn: Floats

    def share(self, i: int) -> Estimate:
        """The share of a deck with its interval."""
        return Estimate(float(self.shares[i]), float(self.low[i]), float(self.high[i]), self.gain.n, is_share=True)


def mix_of(matchups: Matchups, rng: np.random.Generator, *, samples: int = SAMPLES) -> Mix:
    """The equilibrium mix of a field."""
    shares, is_unique = symmetric_mix(matchups.gains)
    gains = [matrix - 0.5 for matrix in matchups.resampled(rng, samples)]
    drawn = np.array([solve_game(each).columns for each in gains])
    best = [float((each @ shares).max()) for each in gains]
    most = float(np.quantile(best, 0.975))
    # Quantiles of the draws, extended to the measured share: it is one of the mixes that the games allow.
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    return Mix(
        shares=shares,
        low=np.minimum(low, shares),
        high=np.maximum(high, shares),
        mean=drawn.mean(axis=0),
        chance=(drawn > _PLAYED).mean(axis=0),
        is_unique=is_unique,
        gain=Estimate(0.0, 0.0, most, matchups.games, is_share=True),
        drawn=drawn,
    )
