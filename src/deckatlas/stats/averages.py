"""Averages of many candidates over the same games, each with a 95 % interval, stratified by opponent.

Games from one seed with swapped seats are not independent: together they are a *unit*. Units of one opponent are a
*stratum*. How much strata differ from each other is fixed by the suite and no source of doubt, so that an interval
comes from the spread of units within strata alone.

Arrays have a row a candidate and a column a game. All averages are ratios of sums: a mean over games divides by games,
an average over turns by turns, whose number differs from game to game; intervals take account of that.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deckatlas.stats.intervals import Z95, wilson

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sample:
    """What averages rest on, which says how wide an interval of a known standard error is.

    Attributes:
        units: How many units.
        freedom: The degrees of freedom that their spread is known with; none if there are too few to tell.
    """

    units: int
    freedom: int


@dataclass(frozen=True)
class Estimates:
    """Averages in arrays of one shape: their values, standard errors, and the ends of 95 % intervals.

    Where there are too few games to tell, the error is not a number, and the interval has no ends.
    """

    value: Floats
    error: Floats
    low: Floats
    high: Floats

    @classmethod
    def unknown(cls, shape: tuple[int, ...]) -> "Estimates":
        """Averages of which nothing is known."""
        return cls(*(np.full(shape, nothing) for nothing in (np.nan, np.nan, -np.inf, np.inf)))


class Strata:
    """How games fall into units, and units into strata."""

    def __init__(self, stratum: npt.NDArray[np.integer], unit: npt.NDArray[np.integer]) -> None:
        """Takes for each game the number of its stratum, from 0 on without gaps, and what its unit is told by there."""
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
        """What averages over all games rest on."""
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
        """For each stratum the sum of squares of units about the stratum's mean a game, made unbiased."""
        games = self._games_of_unit
        mean = self.by_stratum(of_units) / self._games_of_stratum
        squares = self.by_stratum((of_units - self.to_units(mean) * games) ** 2)
        with np.errstate(invalid="ignore"):
            return squares * self._unbiased

    def to_units(self, of_strata: Floats) -> Floats:
        """What holds for a stratum, for each of its units."""
        return of_strata[..., self._of_unit]


def ratios(strata: Strata, numerator: npt.NDArray[np.generic], denominator: npt.NDArray[np.generic]) -> Estimates:
    """The ratio of the sums over all games, for each candidate."""
    value, error = ratio_errors(strata, numerator, denominator)
    return Estimates(value, error, *mean_ends(value, error, np.asarray(strata.sample.freedom)))


def ratio_errors(
    strata: Strata, numerator: npt.NDArray[np.generic], denominator: npt.NDArray[np.generic]
) -> tuple[Floats, Floats]:
    """The same without intervals, for who has many to work out: values and standard errors."""
    if strata.units.min() < 2:
        strata = strata.whole  # a stratum of one unit tells nothing of the spread within it
    above, below = strata.by_unit(numerator), strata.by_unit(denominator)
    totals = below.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):  # games that are all forfeited at once have no turns
        value = above.sum(axis=1) / totals
        variance = strata.spread(above - value[:, np.newaxis] * below).sum(axis=1) / totals**2
    return value, np.sqrt(variance) if strata.sample.freedom > 0 else np.full_like(value, np.nan)


def ratios_by_stratum(
    strata: Strata, numerator: npt.NDArray[np.generic], denominator: npt.NDArray[np.generic]
) -> Estimates:
    """The ratio of the sums over the games of each stratum, for each candidate: a column a stratum."""
    above, below = strata.by_unit(numerator), strata.by_unit(denominator)
    totals = strata.by_stratum(below)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = strata.by_stratum(above) / totals
        variance = strata.spread(above - strata.to_units(value) * below) / totals**2
    return _estimates(value, variance, strata.units - 1)


def rates(strata: Strata, won: npt.NDArray[np.generic]) -> Estimates:
    """How often each candidate won, with intervals that stay between 0 and 1.

    The interval is Wilson's for as many independent games as would tell as much; see `deckatlas.stats.intervals`.
    """
    value, error = rate_errors(strata, won)
    return Estimates(value, error, *rate_ends(value, error, float(strata.sample.units)))


def rate_errors(strata: Strata, won: npt.NDArray[np.generic]) -> tuple[Floats, Floats]:
    """The same without intervals."""
    if strata.units.min() < 2:
        strata = strata.whole
    units = float(strata.sample.units)
    value = won.mean(axis=1, dtype=np.float64)
    squares = strata.spread(_shares(strata, won, strata.games.sum() / units)).sum(axis=1)
    return value, _rate_error(value, np.nan_to_num(squares, nan=0.0), units)


def rates_by_stratum(strata: Strata, won: npt.NDArray[np.generic]) -> Estimates:
    """How often each candidate won in each stratum: a column a stratum."""
    value = strata.by_stratum(strata.by_unit(won)) / strata.games
    shares = _shares(strata, won, strata.to_units(strata.games / strata.units))
    units = strata.units.astype(np.float64)
    error = _rate_error(value, np.nan_to_num(strata.spread(shares), nan=0.0), units)
    return Estimates(value, error, *rate_ends(value, error, units))


def _shares(strata: Strata, won: npt.NDArray[np.generic], games_of_unit: Floats | float) -> Floats:
    """Wins of units, in such measure that a unit of the usual number of games can have 1 at most."""
    return strata.by_unit(won) / games_of_unit


def _rate_error(value: Floats, squares: Floats, units: Floats | float) -> Floats:
    """Of rates whose units' squares about the mean sum up to this; one win and one loss are added to these."""
    centre = (value * units + 1) / (units + 2)
    spread = (squares + centre**2 + (1 - centre) ** 2) / (units + 2)
    return np.asarray(np.sqrt(spread / units))


def rate_ends(value: Floats, error: Floats, units: Floats | float) -> tuple[Floats, Floats]:
    """The ends of 95 % intervals of rates with these standard errors over so many units: as `rates` has them."""
    centre = (value * units + 1) / (units + 2)
    low, high = wilson(value, centre * (1 - centre) / error**2)
    return np.asarray(low), np.asarray(high)


def _estimates(value: Floats, variance: Floats, freedom: npt.NDArray[np.integer]) -> Estimates:
    error = np.where(freedom > 0, np.sqrt(variance), np.nan)
    return Estimates(value, error, *mean_ends(value, error, freedom))


def mean_ends(value: Floats, error: Floats, freedom: npt.NDArray[np.integer]) -> tuple[Floats, Floats]:
    """The ends of 95 % intervals of averages with these standard errors, by Student: as `ratios` has them."""
    half = student95(np.maximum(freedom, 1)) * error
    known = (freedom > 0) & np.isfinite(half + value)
    return np.where(known, value - half, -np.inf), np.where(known, value + half, np.inf)


def student95(freedom: npt.NDArray[np.integer]) -> Floats:
    """The 97.5 % point of Student's distribution, by its expansion about the normal one; exact for 1 and 2 degrees."""
    n, z = freedom.astype(np.float64), Z95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    expansion = z + sum(term / n ** (k + 1) for k, term in enumerate(terms))
    return np.where(freedom == 1, 12.706204736174698, np.where(freedom == 2, 4.302652729749464, expansion))
