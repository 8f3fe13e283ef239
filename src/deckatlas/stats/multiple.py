"""Many tests at once: p values that allow for the number of questions asked."""

import math
from collections.abc import Sequence

from deckatlas.stats.distributions import student_cdf


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p values by Holm's method, in the order given.

    If all hypotheses are true, the chance that any adjusted value is below `alpha` is at most `alpha`, however the
    tests depend on each other.
    """
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    adjusted = [1.0] * len(p_values)
    largest = 0.0
    for rank, at in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[at]))
        adjusted[at] = largest
    return adjusted


def two_sided_p(value: float, error: float, freedom: float) -> float:
    """The probability of a value at least so far from zero, by Student's distribution, if the truth is zero."""
    if error == 0:
        return 1.0 if value == 0 else 0.0
    return min(1.0, 2 * student_cdf(-abs(value / error), freedom)) if math.isfinite(error) else 1.0
