"""Differences between candidates over the same games, with intervals that hold together.

Of a hundred 95 % intervals, five miss on average. Whoever looks for the best or the worst of many candidates looks at
those five. Here an interval is wider the more candidates there are, so that all of them hold at once in 95 % of cases.
"""

import numpy as np
import numpy.typing as npt

from deckatlas.stats.averages import Strata, ratio_errors
from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.estimate import Estimates

_MISSES = 0.05  # how often at least one interval may miss


def paired_differences(
    strata: Strata, ours: npt.NDArray[np.generic], theirs: npt.NDArray[np.generic], *, comparisons: int
) -> Estimates:
    """The mean over games of our share minus theirs, for each candidate, by Bonferroni's correction.

    Half a unit that only we win and half a unit that only they win are added to the spread (Agresti and Min), so that
    no interval is a point when all games agree.

    Args:
        strata: The assignment of games to units and strata.
        ours: Our share of each game, from 0 to 1: one row per candidate, or one row for all.
        theirs: The share in the same game of what we are compared with, one row per candidate.
        comparisons: The number of comparisons whose intervals hold together.
    """
    difference = np.asarray(ours, np.float64) - np.asarray(theirs, np.float64)
    games = difference.shape[1]
    value, error = ratio_errors(strata, difference, np.ones_like(difference))
    error = np.sqrt(error**2 + 1 / strata.sample.units**2)
    freedom = strata.sample.freedom
    quantile = student_quantile(freedom, 1 - _MISSES / (2 * comparisons)) if freedom > 0 else np.nan
    half = quantile * error
    return Estimates(value, error, value - half, value + half, np.full(len(value), games), is_share=True)
