"""Averages over some of the games only, such as the games in which a card was drawn, with 95 % intervals.

Arrays have one row per candidate (a card, for example) and one column per game, as in `deckatlas.stats.averages`. The
number of chosen games varies with the games themselves: such an average is a ratio of two sums that both vary.
"""

import numpy as np
import numpy.typing as npt

from deckatlas.stats.averages import Strata, ratio_errors, ratios
from deckatlas.stats.estimate import Estimates
from deckatlas.stats.rates import wilson

Flags = npt.NDArray[np.bool_]


def rates_among(strata: Strata, happened: Flags, among: Flags) -> Estimates:
    """How often something happened in the chosen games, for each candidate; unknown without a chosen game.

    The interval is Wilson's for the number of independent games that carry the same information. As in `averages`, one
    game of either kind is added, so that the interval stays wide when all games are equal.

    Args:
        strata: The assignment of games to units and strata.
        happened: Whether it happened, for each candidate and game.
        among: Which games are chosen, for each candidate and game.
    """
    n = among.sum(axis=1)
    value, error = ratio_errors(strata, happened & among, among)
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = (value * n + 1) / (n + 2)
        squares = np.nan_to_num((error * n) ** 2, nan=0.0)
        smoothed = np.sqrt((squares + centre**2 + (1 - centre) ** 2) / (n * (n + 2)))
        low, high = wilson(value, centre * (1 - centre) / smoothed**2)
    return Estimates(value, smoothed, np.asarray(low), np.asarray(high), n, is_share=True)


def means_among(strata: Strata, values: npt.NDArray[np.generic], among: Flags) -> Estimates:
    """The mean of values over the chosen games, for each candidate; unknown without a chosen game."""
    n = among.sum(axis=1)
    found = ratios(strata, np.where(among, values, 0), among)
    certain = n > 1  # one game says nothing about the spread
    low, high = (np.where(certain, end, np.nan) for end in (found.low, found.high))
    return Estimates(found.value, found.error, low, high, n)
