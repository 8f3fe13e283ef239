"""How much must be played for a verdict on what is meant: a larger sample, or the fewest trials that can meet it."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence

import numpy as np

from deckatlas.stats.estimate import Estimate
from deckatlas.stats.mean_shares import ONE_SIDE, mean_share

_DOUBLINGS = 5  # beyond 32 times as many trials, intervals shrink with the root of their number


def is_decided(found: Estimate, low: float, high: float) -> bool:
    """Whether an interval is in a range, or outside of it."""
    return (low <= found.low and found.high <= high) or found.high < low or found.low > high


def enough(found: Estimate, trials: Sequence[float], low: float, high: float) -> float:
    """How large a sample decides, if the number stays as it is; infinite if it is too close to an end of the range.

    Args:
        found: The number.
        trials: Its values trial by trial, if it is a part of a whole; otherwise nothing.
        low: The low end of the range.
        high: The high end.
    """
    if not trials:
        return _by_root(found, low, high)

    def repeated(size: int) -> Estimate:
        return mean_share(np.resize(np.array(trials), size))

    most = len(trials) * 2**_DOUBLINGS
    least = _least(len(trials), most, lambda size: is_decided(repeated(size), low, high))
    return _by_root(repeated(most), low, high) if least is None else least


def trials_to_meet(low: float, high: float) -> int | None:
    """The fewest trials that can meet a range of a share, if all of them have the same one; None if no number can.

    The interval of equal shares has the same width wherever they are: 1 - 0.025^(1 / trials).
    """
    width = high - low
    if width <= 0:
        return None
    return 1 if width >= 1 else math.ceil(math.log(ONE_SIDE) / math.log(1 - width))


def _by_root(found: Estimate, low: float, high: float) -> float:
    """The size of a sample whose interval, which shrinks with its root, no longer reaches past an end."""
    ends = [end for end in (low, high) if 0 < end < 1]
    if not ends or found.value in ends or not found.has_ends:
        return math.inf
    reaches = [(found.high if end > found.value else found.low) - found.value for end in ends]
    return found.n * max((reach / (end - found.value)) ** 2 for reach, end in zip(reaches, ends, strict=True))


def _least(size: int, most: int, is_enough: Callable[[int], bool]) -> int | None:
    """The least size, from a given one to the most, that is enough; found by halving, as if larger ones were too."""
    while not is_enough(size):
        if size >= most:
            return None
        size = min(2 * size, most)
    return bisect_left(range(size), True, lo=(size + 1) // 2, key=is_enough)
