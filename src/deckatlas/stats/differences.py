"""Means of paired differences with intervals: of two sides, and of many candidates at once.

A difference is that of one seed: the share of its games that one side won, less the share that the other side won.
Two sides may meet opponents with different weights; seeds of different opponents are independent, so the variances of
their means add up.

Of a hundred 95 % intervals, five miss on average. Whoever looks for the best or the worst of many candidates looks at
those five. So intervals of many candidates are wider the more there are, and all of them hold at once in 95 % of cases.
"""

import math

import numpy as np
import numpy.typing as npt

from deckatlas.stats.averages import Strata, ratio_errors
from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.estimate import Estimate, Estimates, Floats

_MISSES = 0.05  # how often at least one interval of many candidates may miss


def stratified_difference(differences: Floats, weights: Floats, *, step: float, level: float, games: int) -> Estimate:
    """The weighted mean of differences over opponents, with Student's interval.

    Args:
        differences: One row per seed, one column per opponent; two rows or more.
        weights: The weight of each opponent; their sum is 1.
        step: How much one game changes a difference. Two seeds are added to the spread, with one step up and one step
            down, so that equal differences do not count as certain.
        level: The probability with which the interval may miss the truth.
        games: The number of games behind the differences.
    """
    error = standard_error(differences, weights, step=step)
    freedom = freedom_of(differences, weights, seeds=len(differences))
    return _interval(float(weights @ differences.mean(axis=0)), error, freedom, level=level, games=games)


def freedom_of(differences: Floats, weights: Floats, *, seeds: int) -> int:
    """Satterthwaite's degrees of freedom, rounded down, of the spread that so many such seeds would have.

    If one opponent varies most, its seeds are what counts.
    """
    parts = _variances(differences, weights)
    spread = float(parts.sum())
    opponents = spread**2 / float((parts**2).sum()) if spread > 0 else 1.0  # that vary alike and count as much
    return max(1, math.floor((seeds - 1) * opponents))


def standard_error(differences: Floats, weights: Floats, *, step: float) -> float:
    """The standard error of the weighted mean over opponents: see `stratified_difference`."""
    seeds = len(differences)
    least = 2 * (step * float(weights.max())) ** 2 / (seeds * (seeds - 1))
    return math.sqrt(float(_variances(differences, weights).sum()) + least)


def _variances(differences: Floats, weights: Floats) -> Floats:
    """The part of each opponent in the variance of the weighted mean."""
    parts: Floats = weights**2 * differences.var(axis=0, ddof=1) / len(differences)
    return parts


def weighted_difference(differences: Floats, weights: Floats, *, step: float, level: float, games: int) -> Estimate:
    """The weighted mean of some differences, each with its own weight; the rest as in `stratified_difference`."""
    shares = weights / weights.sum()
    value, count = float(shares @ differences), len(differences)
    if count < 2:
        return Estimate.without_ends(value, games)
    variance = float(((shares * (differences - value)) ** 2).sum()) * count / (count - 1)
    least = 2 * (step * float(shares.max())) ** 2
    return _interval(value, math.sqrt(variance + least), count - 1, level=level, games=games)


def _interval(value: float, error: float, freedom: int, *, level: float, games: int) -> Estimate:
    half = student_quantile(freedom, 1 - level / 2) * error
    return Estimate(value, value - half, value + half, games, is_share=True).within(-1.0, 1.0)


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
    # `stratified_difference` adds one game up and one down. Here units have two games, or one if seats are not swapped,
    # and half a unit each way fits both. With two games and equal weights, the interval is at least as wide as there.
    error = np.sqrt(error**2 + 1 / strata.sample.units**2)
    freedom = strata.sample.freedom
    quantile = student_quantile(freedom, 1 - _MISSES / (2 * comparisons)) if freedom > 0 else np.nan
    half = quantile * error
    low, high = np.maximum(value - half, -1.0), np.minimum(value + half, 1.0)
    return Estimates(value, error, low, high, np.full(len(value), games), is_share=True)
