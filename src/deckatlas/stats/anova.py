"""Analysis of variance over one and two factors, and t tests of the differences between groups.

Groups may differ in size. All tests assume one variance for all groups that they pool. Values that do not vary at all
give no evidence if they are equal (F = 0, p = 1), and certainty if they are not (p = 0).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import mul
from typing import Literal

import numpy as np
import numpy.typing as npt

from deckatlas.stats.distributions import f_tail, student_cdf, student_quantile
from deckatlas.stats.estimate import Estimate

Values = npt.NDArray[np.float64]
Outcome = Literal["higher", "lower", "no difference"]
ErrorOf = Literal["pair", "all"]

ALPHA = 0.05  # the chance that a family of tests finds a difference where there is none
_ROUNDING = 1e-13  # a coordinate that is a smaller share of all values is the error of its computation


@dataclass(frozen=True)
class Squares:
    """A sum of squares with its degrees of freedom."""

    total: float
    freedom: int

    @property
    def mean(self) -> float:
        """The mean square: an estimate of a variance."""
        return self.total / self.freedom


@dataclass(frozen=True)
class FTest:
    """An F test of one effect.

    Attributes:
        f: The mean square of the effect over that of the error.
        freedom: The degrees of freedom of the effect.
        error_freedom: The degrees of freedom of the error.
        p: The probability of such an F, or a larger one, if there is no effect.
        explained: The effect's share of its own and the error's squares: partial eta squared.
    """

    f: float
    freedom: int
    error_freedom: int
    p: float
    explained: float

    @property
    def is_significant(self) -> bool:
        """Whether p is below 5 %."""
        return self.p < ALPHA


@dataclass(frozen=True)
class TTest:
    """A t test of a difference, one of a family of tests.

    Attributes:
        difference: The difference. Its interval is wide enough that all intervals of the family together cover the
            truth with a probability of 95 % or more (Bonferroni), so it excludes 0 exactly if the test is significant.
        t: The difference over its standard error.
        freedom: The degrees of freedom of the error.
        p: The probability of such a difference, or a larger one to either side, if there is none. Not adjusted.
        tests: The number of tests of the family.
    """

    difference: Estimate
    t: float
    freedom: int
    p: float
    tests: int = 1

    @property
    def adjusted_p(self) -> float:
        """Bonferroni's p: that of one test times the number of tests."""
        return min(1.0, self.p * self.tests)

    @property
    def outcome(self) -> Outcome:
        """The direction of a significant difference."""
        if self.adjusted_p >= ALPHA:
            return "no difference"
        return "higher" if self.difference.value > 0 else "lower"


@dataclass(frozen=True)
class TwoWay:
    """An analysis of variance over two factors, with sums of squares of type II.

    Each main effect is that beyond the other factor, and leaves the interaction aside; the interaction is beyond both.

    Attributes:
        rows: The main effect of the first factor.
        columns: The main effect of the second factor.
        interaction: The interaction.
        error: The squares within cells.
    """

    rows: FTest
    columns: FTest
    interaction: FTest
    error: Squares


def one_way(groups: Sequence[npt.ArrayLike]) -> FTest:
    """Whether the means of independent groups differ.

    Raises:
        ValueError: If there are fewer than two groups, an empty group, a value that is not finite, or no group with
            two values.
    """
    samples = _samples(groups)
    return _f_test(_between(samples), squares_within(samples))


def squares_within(groups: Iterable[npt.ArrayLike]) -> Squares:
    """The squares of values about the means of their groups: the error of an analysis of variance.

    Raises:
        ValueError: If a group is empty, a value is not finite, or no group has two values.
    """
    samples = [_sample(group) for group in groups]
    freedom = sum(len(sample) - 1 for sample in samples)
    if freedom < 1:
        raise ValueError("an analysis of variance needs a group with two values or more")
    return Squares(math.fsum(_squares_about_mean(sample) for sample in samples), freedom)


def pairwise_tests(groups: Mapping[str, npt.ArrayLike], *, error: ErrorOf = "pair") -> dict[tuple[str, str], TTest]:
    """Each later group minus each earlier one, as one family of tests.

    Args:
        groups: The values of each group, by name.
        error: The groups whose variance is pooled: those of the pair, as in the usual t test of two samples, or all,
            as in the analysis of variance of the groups.

    Returns:
        The tests, by the names of the later and the earlier group.

    Raises:
        ValueError: If there are fewer than two groups, or a pair has no error.
    """
    _samples(list(groups.values()))
    pairs = [((later, earlier), (groups[later], groups[earlier])) for earlier, later in combinations(groups, 2)]
    return {
        names: common_difference([pair], squares_within(groups.values() if error == "all" else pair), tests=len(pairs))
        for names, pair in pairs
    }


def two_way(cells: Sequence[Sequence[npt.ArrayLike]]) -> TwoWay:
    """How two crossed factors matter; `cells[i][j]` has the values at level i of the first and j of the second.

    Raises:
        ValueError: If a factor has fewer than two levels, or for the reasons of `one_way`.
    """
    levels = _levels(cells)
    values, row, column = _flat(cells)
    error = squares_within(group for line in cells for group in line)
    rows, columns = (_dummies(numbers, count) for numbers, count in zip((row, column), levels, strict=True))
    both = np.hstack([rows[:, [i]] * columns for i in range(rows.shape[1])])
    of_rows = _added_squares(values, (columns, rows))[-1]
    _, of_columns, of_both = _added_squares(values, (rows, columns, both))
    return TwoWay(_f_test(of_rows, error), _f_test(of_columns, error), _f_test(of_both, error), error)


def simple_main_effects(cells: Sequence[Sequence[npt.ArrayLike]]) -> tuple[FTest, ...]:
    """For each level of the first factor, the effect of the second; the error is that of all cells.

    Raises:
        ValueError: For the reasons of `two_way`.
    """
    _levels(cells)
    error = squares_within(group for line in cells for group in line)
    return tuple(_f_test(_between(_samples(line)), error) for line in cells)


def common_difference(pairs: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]], error: Squares, *, tests: int = 1) -> TTest:
    """The difference, first minus second, that several pairs of groups have in common.

    It is the mean of the differences of the pairs, weighted by their precision. Over the levels of a factor this is the
    main effect of type II of another factor with two levels: its t, squared, is the F of `two_way`. Of one pair it is
    the plain difference of two means.

    Args:
        pairs: The values of both groups of each pair.
        error: The squares within groups, mostly of more groups than these.
        tests: The number of tests of the family.

    Raises:
        ValueError: If a group is empty or a value is not finite.
    """
    samples = [(_sample(one), _sample(other)) for one, other in pairs]
    weights = [len(one) * len(other) / (len(one) + len(other)) for one, other in samples]
    differences = [_mean_difference(one, other) for one, other in samples]
    value = math.fsum(map(mul, weights, differences)) / math.fsum(weights)
    deviation = math.sqrt(error.mean / math.fsum(weights))
    t = value / deviation if deviation > 0 else math.copysign(math.inf, value) if value else 0.0
    half = deviation * student_quantile(error.freedom, 1 - ALPHA / (2 * tests))
    n = sum(len(one) + len(other) for one, other in samples)
    p = 2 * student_cdf(-abs(t), error.freedom)
    return TTest(Estimate(value, value - half, value + half, n), t, error.freedom, p, tests)


def _f_test(effect: Squares, error: Squares) -> FTest:
    explained = effect.total / (effect.total + error.total) if effect.total else 0.0
    f = 0.0 if not effect.total else effect.mean / error.mean if error.total else math.inf
    return FTest(f, effect.freedom, error.freedom, f_tail(f, effect.freedom, error.freedom), explained)


def _mean_difference(one: Values, other: Values) -> float:
    return float((one - one[0]).mean() - (other - one[0]).mean())  # values that are all equal leave exactly 0


def _between(samples: Sequence[Values]) -> Squares:
    """The squares of the means of groups about the mean of all values."""
    sizes = np.array([len(sample) for sample in samples])
    first = samples[0][0]  # values that are all equal leave exactly 0
    means = np.array([(sample - first).mean() for sample in samples])
    return Squares(float(sizes @ (means - sizes @ means / sizes.sum()) ** 2), len(samples) - 1)


def _squares_about_mean(sample: Values) -> float:
    moved = sample - sample[0]  # values that are all equal leave exactly 0
    return float(((moved - moved.mean()) ** 2).sum())


def _added_squares(values: Values, parts: Sequence[Values]) -> list[Squares]:
    """The squares that each part of a model explains beyond the parts before it, and beyond the mean.

    In an orthogonal basis that takes up the parts one after the other, these are the squares of the coordinates of each
    part: no two large sums are subtracted.
    """
    basis = np.linalg.qr(np.hstack([np.ones((len(values), 1)), *parts])).Q
    moved = values - values[0]
    coordinates = basis.T @ moved
    coordinates[np.abs(coordinates) <= _ROUNDING * np.linalg.norm(moved)] = 0.0
    of_parts = np.split(coordinates, np.cumsum([1, *(part.shape[1] for part in parts[:-1])]))[1:]
    return [Squares(float(each @ each), len(each)) for each in of_parts]


def _dummies(numbers: npt.NDArray[np.intp], levels: int) -> Values:
    """For each level but the first, a column that says which values have it."""
    columns: Values = (numbers[:, None] == np.arange(1, levels)).astype(np.float64)
    return columns


def _levels(cells: Sequence[Sequence[npt.ArrayLike]]) -> tuple[int, int]:
    widths = {len(line) for line in cells}
    if len(cells) < 2 or len(widths) != 1 or min(widths) < 2:
        raise ValueError("two factors need two levels or more each, and a group of values for each combination")
    return len(cells), widths.pop()


def _flat(cells: Sequence[Sequence[npt.ArrayLike]]) -> tuple[Values, npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """All values, with the row and the column of the cell of each."""
    samples = [_sample(group) for line in cells for group in line]
    row, column = np.divmod(np.arange(len(samples)), len(cells[0]))
    sizes = [len(sample) for sample in samples]
    return np.concatenate(samples), np.repeat(row, sizes), np.repeat(column, sizes)


def _samples(groups: Sequence[npt.ArrayLike]) -> list[Values]:
    if len(groups) < 2:
        raise ValueError("an analysis of variance needs two groups or more")
    return [_sample(group) for group in groups]


def _sample(group: npt.ArrayLike) -> Values:
    sample = np.asarray(group, dtype=np.float64)
    if sample.ndim != 1 or not len(sample) or not np.isfinite(sample).all():
        raise ValueError("a group must be a list of finite numbers, and not empty")
    return sample
