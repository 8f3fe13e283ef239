"""Normal, beta, F and Student's distribution: their probabilities and quantiles, to about twelve digits.

The regularised incomplete beta function is the only special function here. Student's distribution is a case of it, and
so are the F distribution and binomial counts: P(F <= f) with d1 and d2 degrees of freedom is `incomplete_beta(d1 / 2,
d2 / 2, x)` with x = d1 f / (d1 f + d2), whose logit is log(d1 f / d2).

Numbers near 1 have few digits left: 1 - 1e-20 is 1. So the computation uses the logit u = log(x / (1 - x)), which gives
both x and 1 - x with all their digits.
"""

import math
from functools import lru_cache
from statistics import NormalDist

Z95 = 1.959963984540054  # the 97.5 % point of the normal distribution

_NORMAL = NormalDist()
_EPSILON = 4e-16  # a continued fraction ends here
_SMALL_STEP = 1e-10  # Newton's method squares its error: after such a small step no error is left
_LARGE = 10.0  # Stirling's series is exact to all digits from here
_MOST_TERMS = 100_000
_MOST_STEPS = 100


def normal_cdf(x: float) -> float:
    """The probability that a standard normal number is at most x."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def normal_quantile(p: float) -> float:
    """The x with `normal_cdf(x) == p`, for p between 0 and 1."""
    return _NORMAL.inv_cdf(p)


@lru_cache(maxsize=4096)
def student_quantile(freedom: float, p: float = 0.975) -> float:
    """The point of Student's distribution with probability p below it.

    Args:
        freedom: Degrees of freedom, above 0. They need not be whole; infinity gives the normal distribution.
        p: The probability, between 0 and 1.

    Raises:
        ValueError: If there is no such distribution or point.
    """
    _check_freedom(freedom)
    if not 0 < p < 1:
        raise ValueError(f"a quantile needs a probability between 0 and 1, not {p}")
    if math.isinf(freedom):
        return normal_quantile(p)
    if p == 0.5:
        return 0.0
    # T * T / (freedom + T * T) has a beta distribution; its logit is log(T * T / freedom).
    outside = 2 * min(p, 1 - p)
    u = -_beta_logit(freedom / 2, 0.5, outside)
    return math.copysign(math.sqrt(freedom) * math.exp(u / 2), p - 0.5)


def student_cdf(t: float, freedom: float) -> float:
    """The probability that a number of Student's distribution is at most t; far below 0 it keeps all its digits.

    Raises:
        ValueError: If there is no such distribution, or t is not a number.
    """
    _check_freedom(freedom)
    if math.isnan(t):
        raise ValueError("a probability needs a number, not nan")
    if math.isinf(freedom):
        return normal_cdf(t)
    tail = 0.5 if t == 0 else f_tail(t * t, 1, freedom) / 2
    return tail if t < 0 else 1 - tail


def f_tail(f: float, freedom: float, error_freedom: float) -> float:
    """The probability that a number of the F distribution is above f: the p value of an F test.

    Args:
        f: The number, 0 or more; it may be infinite.
        freedom: Degrees of freedom of the upper variance, above 0 and finite.
        error_freedom: Degrees of freedom of the lower variance, above 0 and finite.

    Raises:
        ValueError: If there is no such distribution, or f is below 0 or not a number.
    """
    if not (0 < freedom < math.inf and 0 < error_freedom < math.inf):
        raise ValueError(f"an F distribution needs two finite numbers above 0, not {freedom} and {error_freedom}")
    if not f >= 0:
        raise ValueError(f"F is a ratio of variances, 0 or more, not {f}")
    if f == 0 or math.isinf(f):
        return 1.0 if f == 0 else 0.0
    u = math.log(freedom) + math.log(f) - math.log(error_freedom)
    return math.exp(_log_incomplete_beta(error_freedom / 2, freedom / 2, -u))


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function: the probability that a beta variable is at most x.

    Raises:
        ValueError: If a or b is not above 0, or x is not between 0 and 1.
    """
    _check(a, b, x)
    if x in (0.0, 1.0):
        return float(x)
    return math.exp(_log_incomplete_beta(a, b, math.log(x) - math.log1p(-x)))


def inverse_incomplete_beta(a: float, b: float, p: float) -> float:
    """The x with `incomplete_beta(a, b, x) == p`.

    Raises:
        ValueError: If a or b is not above 0, or p is not between 0 and 1.
    """
    _check(a, b, p)
    return float(p) if p in (0.0, 1.0) else _share(_beta_logit(a, b, p))


def _check_freedom(freedom: float) -> None:
    if not freedom > 0:
        raise ValueError(f"Student's distribution needs degrees of freedom above 0, not {freedom}")


def _check(a: float, b: float, share: float) -> None:
    if not (0 < a < math.inf and 0 < b < math.inf):
        raise ValueError(f"a beta distribution needs two finite numbers above 0, not {a} and {b}")
    if not 0 <= share <= 1:
        raise ValueError(f"{share} is not between 0 and 1")


def _beta_logit(a: float, b: float, p: float) -> float:
    """The logit of the quantile of a beta distribution, by Newton's method.

    The density of the logit is log-concave, and so is its distribution function. Steps on its logarithm from the left
    of the root never pass the root, and a step from the right lands on the left. So it converges from any start.
    """
    if p > 0.5:  # the smaller of p and 1 - p has more digits
        return -_beta_logit(b, a, 1 - p)
    u, target = math.log(a / b), math.log(p)
    for _ in range(_MOST_STEPS):
        log_cdf = _log_incomplete_beta(a, b, u)
        step = (target - log_cdf) / math.exp(_log_front(a, b, u) - log_cdf)
        u += step
        if abs(step) <= _SMALL_STEP * max(1.0, abs(u)):
            break
    return u


def _log_incomplete_beta(a: float, b: float, u: float) -> float:
    """The logarithm of `incomplete_beta` at the x whose logit is u."""
    front = _log_front(a, b, u)
    if _share(u) * (a + b + 2) <= a + 1:
        return front - math.log(_continued_fraction(a, b, u))
    return math.log1p(-math.exp(front) / _continued_fraction(b, a, -u))


def _log_front(a: float, b: float, u: float) -> float:
    """The logarithm of x ** a * (1 - x) ** b / B(a, b), which is the density of the logit."""
    return -a * _softplus(-u) - b * _softplus(u) - _log_beta(a, b)


def _share(u: float) -> float:
    """The x between 0 and 1 whose logit is u."""
    return math.exp(-_softplus(-u))


def _softplus(u: float) -> float:
    """log(1 + exp(u)); for a logit u this is minus the logarithm of 1 - x."""
    return max(u, 0.0) + math.log1p(math.exp(-abs(u)))


def _continued_fraction(a: float, b: float, u: float) -> float:
    """The divisor that turns the density of the logit into the distribution function, for x below about its mean.

    This is the even part of the usual continued fraction, with denominators written in 1 - x as well as in x: where x
    is close to 1, nothing cancels. It is evaluated from its front to its end (Lentz's method).
    """
    x, y = _share(u), _share(-u)
    below_mean = a - (a + b) * x if x < 0.5 else (a + b) * y - b
    value = c = a / (a + 1) * (below_mean + 1)
    d = 0.0
    for n in range(1, _MOST_TERMS):
        at = a + 2 * n - 1
        numerator = (a + n - 1) * (a + b + n - 1) * n * (b - n) * (x / at) ** 2
        denominator = n + n * (b - n) * x / at + (a + n) / (at + 2) * (below_mean + 1 + n * (1 + y))
        c = denominator + numerator / c
        d = 1 / (denominator + numerator * d)
        value *= c * d
        if abs(c * d - 1) <= _EPSILON:
            break
    return value


def _log_beta(a: float, b: float) -> float:
    """The logarithm of the beta function; for large numbers by Stirling's formula, so that no digits cancel."""
    small, large = min(a, b), max(a, b)
    if large < _LARGE:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    rest = _stirling_rest(large) - _stirling_rest(small + large)
    if small < _LARGE:
        gone = small - (large - 0.5) * math.log1p(small / large) - small * math.log(small + large)
        return math.lgamma(small) + gone + rest
    ratio = small / large
    powers = (small - 0.5) * math.log(ratio / (1 + ratio)) - large * math.log1p(ratio)
    return 0.5 * math.log(2 * math.pi / large) + powers + _stirling_rest(small) + rest


def _stirling_rest(x: float) -> float:
    """The logarithm of the gamma function minus Stirling's formula, for large x."""
    y = 1 / (x * x)
    series = 1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - y * 691 / 360360))))
    return series / x
