"""Intervals of mean shares that rest on few trials, some of which may be 0 or 1: Gaffke's bounds.

Shares of a mix or of elites are no normal numbers: in half of the trials a class may be absent, and in the others it
may have any share. Student's interval of six such trials ends below the truth in a tenth of all cases. Gaffke's upper
bound adds one trial in which the share is 1, and weighs all trials at random, each weighting as likely as any other:
the bound is the 97.5 % quantile of the weighted mean. The lower bound adds a trial with 0 instead. No distribution of
shares is known for which either bound errs in more than 2.5 % of cases, and for trials of yes and no they are the
bounds of Clopper and Pearson. Eight trials without a class leave room for a share of 37 %: less would be claimed too
often about classes that are rare but large.

References: N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
variable" (2005); E. Learned-Miller and P. Thomas, "A new confidence interval for the mean of a bounded random variable"
(2019).
"""

from collections.abc import Sequence

import numpy as np

from deckatlas.stats.estimate import Estimate, Floats

ONE_SIDE = 0.025  # how often an interval may miss the truth on one side
_HALVINGS = 24  # of the range in which a bound is


def mean_share(values: Floats) -> Estimate:
    """The mean of independent shares of 1, with its 95 % interval."""
    shares = np.clip(values, 0.0, 1.0)  # sums of shares may pass 1 by a rounding error
    low, high = 1 - _upper_bound(1 - shares), _upper_bound(shares)
    return Estimate(float(shares.mean()), low, high, len(shares), is_share=True)


def _upper_bound(shares: Floats) -> float:
    weighed = [*shares.tolist(), 1.0]
    low, high = float(shares.mean()), 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if chance_of_at_most(middle, weighed) < 1 - ONE_SIDE else (low, middle)
    return high


def chance_of_at_most(bound: float, values: Sequence[float]) -> float:
    """The probability that a randomly weighted mean is at most a bound, if all weightings are equally likely.

    Weightings are the points of a simplex, and the mean is linear. So this is the part of the simplex on one side of a
    plane, which Varsi's algorithm finds: it cuts an edge between a corner on either side, again and again.
    """
    above = [value - bound for value in values if value > bound]
    below = [bound - value for value in values if value <= bound]
    if not below:
        return 0.0
    parts = [0.0, *(1.0 for _ in below)]  # by the number of corners below that are left
    for over in above:
        for at, under in enumerate(below, start=1):
            parts[at] = (over * parts[at - 1] + under * parts[at]) / (over + under)
    return parts[-1]
