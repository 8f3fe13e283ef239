"""How surprising counts are, if each outcome has a given probability."""

from collections.abc import Hashable, Iterable, Mapping
from math import sqrt
from typing import Any

# A true hypothesis goes past it once in thirty thousand tries; the seeds are fixed, so a test that passes stays passed.
SURPRISING = 4.0


def surprise(outcomes: Iterable[Hashable], probabilities: Mapping[Any, float]) -> float:
    """Pearson's chi-square of `outcomes`, as a standard normal deviate (by Wilson and Hilferty's cube root).

    An outcome that has no probability is infinitely surprising.
    """
    counts = dict.fromkeys(probabilities, 0)
    n = 0
    for outcome in outcomes:
        if outcome not in counts:
            return float("inf")
        counts[outcome] += 1
        n += 1
    expected = {outcome: n * p for outcome, p in probabilities.items()}
    assert min(expected.values()) >= 5, "too few outcomes for the approximation"
    statistic = sum((counts[outcome] - e) ** 2 / e for outcome, e in expected.items())
    freedom = len(probabilities) - 1
    spread = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def uniform(outcomes: Iterable[Hashable]) -> dict[Hashable, float]:
    """The same probability for each outcome."""
    each = list(outcomes)
    return dict.fromkeys(each, 1 / len(each))
