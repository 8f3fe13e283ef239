"""Sequential tests with planned looks: their error rate holds over all looks together, whenever one stops.

The chance of a false alarm is *spent*: after a share t of the budget, `alpha * t ** SPENDING` of it is spent. Critical
values follow from the joint distribution of all looks, that of a Brownian motion, by numerical integration. An interval
with the critical value of its look covers the truth at all looks at once: one may stop at any of them, and a look
decides exactly if its interval excludes zero.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from deckatlas.stats.distributions import normal_cdf, student_quantile
from deckatlas.stats.estimate import Floats

ALPHA = 0.05
LOOKS = (1 / 16, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 3 / 4, 1)  # shares of the budget
SPENDING = 2.0  # 1 spends evenly; larger numbers keep more for the end, where most of the power is

_NODES = 160  # of the numerical integration
_FAR = 8.5  # standard deviations, beyond which there is nothing
_BISECTIONS = 60


def planned_looks(units: int, *, least: int = 2) -> tuple[int, ...]:
    """The numbers of units at which a test looks: the planned shares of all units, none before `least`."""
    wanted = (max(min(least, units), round(share * units)) for share in LOOKS)
    return tuple(dict.fromkeys(wanted))


def spent_levels(looks: Sequence[int], *, alpha: float = ALPHA) -> tuple[float, ...]:
    """For each look, the two-sided level of its interval, such that all looks together err with probability `alpha`.

    Args:
        looks: The number of units at each look, ascending; the last is the whole budget.
        alpha: The probability that an interval of any look does not cover the truth.

    Raises:
        ValueError: If the looks do not ascend, or alpha is not between 0 and 1.
    """
    if not looks or any(b <= a for a, b in zip((0, *looks), looks, strict=False)) or not 0 < alpha < 1:
        raise ValueError(f"looks must ascend and alpha must be between 0 and 1, not {tuple(looks)} and {alpha}")
    return _levels(tuple(look / looks[-1] for look in looks), alpha)


@lru_cache(maxsize=256)
def _levels(shares: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    x, weight = np.polynomial.legendre.leggauss(_NODES)
    # Where the motion is if no look before has decided: points, and the probability at each.
    at, mass, before, spent = np.zeros(1), np.ones(1), 0.0, 0.0
    levels = []
    for share in shares:
        step = math.sqrt(share - before)
        bound = _bound(at, mass, step, alpha * share**SPENDING - spent)
        levels.append(2 * normal_cdf(-bound / math.sqrt(share)))
        reach = min(bound, _FAR * math.sqrt(share))
        points = reach * x
        density = np.exp(-(((points[:, np.newaxis] - at) / step) ** 2) / 2) / (step * math.sqrt(2 * math.pi))
        at, mass = points, (density @ mass) * weight * reach
        before, spent = share, alpha * share**SPENDING
    return tuple(levels)


def _bound(at: Floats, mass: Floats, step: float, chance: float) -> float:
    """The distance from zero that the next look passes with this probability, on both sides together."""
    low, high = 0.0, _FAR * (step + float(np.abs(at).max()))
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        passed = float(mass @ (_cdf((at - middle) / step) + _cdf((-at - middle) / step)))
        low, high = (middle, high) if passed > chance else (low, middle)
    return (low + high) / 2


def _cdf(x: Floats) -> npt.NDArray[np.float64]:
    return np.array([normal_cdf(each) for each in x.tolist()])


def detectable(error: float, level: float, *, freedom: float = math.inf, power: float = 0.8) -> float:
    """The difference that a look finds with at least this probability; a bit less with under five degrees of freedom.

    Args:
        error: The standard error at the last look.
        level: The two-sided level of the last look.
        freedom: The degrees of freedom of the standard error there; infinity if it is known.
        power: The probability.
    """
    return (student_quantile(freedom, 1 - level / 2) + student_quantile(freedom, power)) * error
