"""Means of paired differences with intervals, where pairs come from several opponents with different weights.

A difference is that of one seed: the share of its games that one side won, less the share that the other side won.
Seeds of different opponents are independent, so the variances of their means add up.
"""

import math

from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.estimate import Estimate, Floats


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
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), games, is_share=True)
