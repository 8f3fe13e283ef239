"""Averages of many candidates over the same games, each with a 95 % interval, stratified by opponent.

Games from one seed with swapped seats are not independent: together they are a *unit*. Units of one opponent are a
*stratum*. The suite fixes how much strata differ from each other, so this adds no uncertainty: an interval comes from
the spread of units within strata alone.

Arrays have one row per candidate and one column per game. All averages are ratios of sums: a mean over games divides by
games, an average over turns divides by turns. The number of turns differs from game to game, and intervals take account
of that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deckatlas.stats.distributions import student_quantile
from deckatlas.stats.estimate import Estimate, Estimates, Floats, Ints
from deckatlas.stats.rates import wilson


@dataclass(frozen=True)
class Sample:
    """The size of the sample behind averages; it decides how wide an interval of a known standard error is.

    Attributes:
        units: The number of units.
        freedom: The degrees of freedom of the estimated spread; 0 if there are too few units to estimate it.
    """

    units: int
    freedom: int


class Strata:
    """The assignment of games to units, and of units to strata."""

    def __init__(self, stratum: npt.NDArray[np.integer], unit: npt.NDArray[np.integer]) -> None:
        """Takes for each game the number of its stratum (from 0, without gaps) and the number of its unit within it."""
        self._order = np.lexsort((unit, stratum))
        strata, units = stratum[self._order], unit[self._order]
        new_stratum = np.diff(strata, prepend=-1) != 0
        self._unit_starts = np.flatnonzero(new_stratum | np.append(True, units[1:] != units[:-1]))
        of_unit = strata[self._unit_starts]
        self._starts = np.flatnonzero(np.diff(of_unit, prepend=-1) != 0)
        self._of_unit = of_unit
        self._games_of_unit = np.diff(self._unit_starts, append=len(stratum)).astype(np.float64)
        self.games: Ints = np.bincount(stratum)
        self.units: Ints = np.bincount(of_unit)
        self._games_of_stratum = self.by_stratum(self._games_of_unit)
        with np.errstate(divide="ignore"):
            self._unbiased = self.units / (self.units - 1)

    @cached_property
    def sample(self) -> Sample:
        """The sample behind averages over all games."""
        units = int(self.units.sum())
        return Sample(units, units - (len(self.units) if self.units.min() > 1 else 1))

    @property
    def whole(self) -> "Strata":
        """The same units in one stratum."""
        units = np.repeat(np.arange(len(self._of_unit)), self._games_of_unit.astype(np.int64))
        unit_of_game = np.empty_like(units)
        unit_of_game[self._order] = units
        return Strata(np.zeros_like(units), unit_of_game)

    def by_unit(self, values: npt.NDArray[np.generic]) -> Floats:
        """Sums over the games of each unit."""
        return np.add.reduceat(values[:, self._order].astype(np.float64), self._unit_starts, axis=1)

    def by_stratum(self, of_units: Floats) -> Floats:
        """Sums over the units of each stratum."""
        return np.add.reduceat(of_units, self._starts, axis=-1)

    def spread(self, of_units: Floats) -> Floats:
        """For each stratum, the unbiased sum of squares of its units about its mean per game."""
        games = self._games_of_unit
        mean = self.by_stratum(of_units) / self._games_of_stratum
        squares = self.by_stratum((of_units - self.to_units(mean) * games) ** 2)
        with np.errstate(invalid="ignore"):
            return squares * self._unbiased

    def to_units(self, of_strata: Floats) -> Floats:
        """Repeats the value of each stratum for each of its units."""
        return of_strata[..., self._of_unit]


def ratios(strata: Strata, numerator: npt.NDArray[np.generic], denominator: npt.NDArray[np.generic]) -> Estimates:
    """The ratio of the sums over all games, for each candidate."""
    value, error = ratio_errors(strata, numerator, denominator)
    return _means(value, error, np.asarray(strata.sample.freedom), strata.games.sum())


def ratio_errors(
    strata: Strata, numerator: npt.NDArray[np.generic], denominator: npt.NDArray[np.generic]
) -> tuple[Floats, Floats]:
    """Values and standard errors of `ratios`, without intervals: faster where there are many to compute."""
    if strata.units.min() < 2:
        strata = strata.whole  # one unit says nothing about the spread within its stratum
    above, below = strata.by_unit(numerator), strata.by_unit(denominator)
    totals = below.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):  # games that are all forfeited at the start have no turns
        value = above.sum(axis=1) / totals
        variance = strata.spread(above - value[:, np.newaxis] * below).sum(axis=1) / totals**2
    return value, np.sqrt(variance) if strata.sample.freedom > 0 else np.full_like(value, np.nan)


def ratios_by_stratum(
    strata: Strata, numerator: npt.NDArray[np.generic], denominator: npt.NDArray[np.generic]
) -> Estimates:
    """The ratio of the sums over the games of each stratum, for each candidate: one column per stratum."""
    above, below = strata.by_unit(numerator), strata.by_unit(denominator)
    totals = strata.by_stratum(below)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = strata.by_stratum(above) / totals
        variance = strata.spread(above - strata.to_units(value) * below) / totals**2
    freedom = strata.units - 1
    return _means(value, np.where(freedom > 0, np.sqrt(variance), np.nan), freedom, strata.games)


def rates(strata: Strata, won: npt.NDArray[np.generic]) -> Estimates:
    """How often each candidate won, with intervals that stay between 0 and 1.

    The interval is Wilson's for the number of independent games that carry the same information; see
    `deckatlas.stats.rates`.
    """
    value, error = rate_errors(strata, won)
    return _rates(value, error, float(strata.sample.units), strata.games.sum())


def rate_errors(strata: Strata, won: npt.NDArray[np.generic]) -> tuple[Floats, Floats]:
    """Values and standard errors of `rates`, without intervals."""
    if strata.units.min() < 2:
        strata = strata.whole
    units = float(strata.sample.units)
    value = won.mean(axis=1, dtype=np.float64)
    squares = strata.spread(_shares(strata, won, strata.games.sum() / units)).sum(axis=1)
    return value, _rate_error(value, np.nan_to_num(squares, nan=0.0), units)


def rates_by_stratum(strata: Strata, won: npt.NDArray[np.generic]) -> Estimates:
    """How often each candidate won in each stratum: one column per stratum."""
    value = strata.by_stratum(strata.by_unit(won)) / strata.games
    shares = _shares(strata, won, strata.to_units(strata.games / strata.units))
    units = strata.units.astype(np.float64)
    error = _rate_error(value, np.nan_to_num(strata.spread(shares), nan=0.0), units)
    return _rates(value, error, units, strata.games)


def _shares(strata: Strata, won: npt.NDArray[np.generic], games_of_unit: Floats | float) -> Floats:
    """Wins of units, scaled so that a unit with the usual number of games has at most 1."""
    return strata.by_unit(won) / games_of_unit


def _rate_error(value: Floats, squares: Floats, units: Floats | float) -> Floats:
    """Standard errors of rates, from the sum of squares of units about the mean; adds one win and one loss."""
    centre = (value * units + 1) / (units + 2)
    spread = (squares + centre**2 + (1 - centre) ** 2) / (units + 2)
    return np.asarray(np.sqrt(spread / units))


def rate_estimate(value: float, error: float, sample: Sample, *, n: int) -> Estimate:
    """The estimate of a rate with this standard error, as `rates` gives it; `n` is the number of games behind it."""
    return _rates(np.array(value), np.array(error), sample.units, np.array(n))[()]


def mean_estimate(value: float, error: float, sample: Sample, *, n: int) -> Estimate:
    """The estimate of an average with this standard error, as `ratios` gives it; `n` is its number of games."""
    return _means(np.array(value), np.array(error), np.array(sample.freedom), np.array(n))[()]


def rate_estimates(value: Floats, error: Floats, samples: Sequence[Sample], *, n: Ints) -> Estimates:
    """The same for many rates, each with its sample."""
    return _rates(value, error, np.array([each.units for each in samples], np.float64), n)


def mean_estimates(value: Floats, error: Floats, samples: Sequence[Sample], *, n: Ints) -> Estimates:
    """The same for many averages, each with its sample."""
    return _means(value, error, np.array([each.freedom for each in samples], np.int64), n)


def _rates(value: Floats, error: Floats, units: Floats | float, games: Ints) -> Estimates:
    """Wilson's intervals for the number of independent games that would have these errors."""
    centre = (value * units + 1) / (units + 2)
    low, high = wilson(value, centre * (1 - centre) / error**2)
    n = np.broadcast_to(games, value.shape)
    return Estimates(value, error, np.asarray(low), np.asarray(high), n, is_share=True)


def _means(value: Floats, error: Floats, freedom: Ints, games: Ints) -> Estimates:
    """Student's intervals."""
    known, places = np.unique(np.maximum(freedom, 1), return_inverse=True)
    quantiles = np.array([student_quantile(each) for each in known.tolist()])[places]
    half = np.where(freedom > 0, quantiles.reshape(freedom.shape) * error, np.nan)
    return Estimates(value, error, value - half, value + half, np.broadcast_to(games, value.shape))
