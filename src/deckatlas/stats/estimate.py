"""An estimate: a number, its 95 % interval and the size of its sample. Every number that is not exact has this form."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval.

    Attributes:
        value: The number.
        low: The lower end of the interval; not a number (nan) where the spread is not known.
        high: The upper end; known if the lower one is.
        n: The size of the sample: games for a rate or an average over games; otherwise independent values, such as
            runs, decks or pairs of numbers. A number that is known without a game has 0.
        is_share: Whether it is a share of 1, such as a win rate, which people read in percent.
    """

    value: float
    low: float
    high: float
    n: int
    is_share: bool = False

    @classmethod
    def without_ends(cls, value: float, n: int) -> "Estimate":
        """A number whose spread is not known."""
        return cls(value, math.nan, math.nan, n)

    @classmethod
    def exact(cls, value: float) -> "Estimate":
        """A number that is known without a game."""
        return cls(value, value, value, 0)

    @classmethod
    def from_cells(cls, row: Mapping[str, Any], name: str, *, n: int, prefix: str | None = None) -> "Estimate":
        """The estimate that `cells` wrote into a row."""
        ends = (row[key] for key in _end_names(name, prefix))
        low, high = (math.nan if end is None else end for end in ends)
        return cls(row[name], low, high, n)

    @property
    def has_ends(self) -> bool:
        """Whether the interval is known."""
        return not math.isnan(self.high - self.low)

    @property
    def half_width(self) -> float:
        """Half of the interval's length."""
        return (self.high - self.low) / 2

    def within(self, least: float, most: float) -> "Estimate":
        """The same number with an interval that has possible values only."""
        return replace(self, low=max(self.low, least), high=min(self.high, most)) if self.has_ends else self

    def in_percent(self) -> "Estimate":
        """A share as a plain number in percent."""
        return Estimate(100 * self.value, 100 * self.low, 100 * self.high, self.n)

    def mirrored(self) -> "Estimate":
        """The rest to 1: for a win rate, the opponent's win rate."""
        return replace(self, value=1 - self.value, low=1 - self.high, high=1 - self.low)

    def cells(self, name: str, *, n: str | None = None, prefix: str | None = None) -> dict[str, Any]:
        """The estimate as cells of a row, ready for JSON; an unknown end is None.

        Args:
            name: The name of the value's cell.
            n: The name of the cell for `n`; no such cell if not given.
            prefix: The text before `low` and `high` in the names of the ends; the name and `_` if not given.
        """
        low, high = _end_names(name, prefix)
        ends = (self.low, self.high) if self.has_ends else (None, None)
        return {name: self.value, low: ends[0], high: ends[1]} | ({} if n is None else {n: self.n})

    def ends(self, digits: int = 2) -> str:
        """The interval as text for people; empty if it is not known."""
        if not self.has_ends:
            return ""
        shown = self.in_percent() if self.is_share else self
        return f"[{shown.low:.{digits}f}, {shown.high:.{digits}f}]"

    def text(self, digits: int = 2) -> str:
        """The value and its interval as text for people, shares in percent."""
        value = f"{100 * self.value:.{digits}f} %" if self.is_share else f"{self.value:.{digits}f}"
        return f"{value} {self.ends(digits)}".rstrip()

    def plus_minus(self, digits: int = 2) -> str:
        """The value and half of the interval's length, without a unit; shares in percent."""
        shown = self.in_percent() if self.is_share else self
        half = f" ±{shown.half_width:.{digits}f}" if self.has_ends else ""
        return f"{shown.value:.{digits}f}{half}"

    def __str__(self) -> str:
        return f"{self.text()} (n = {self.n:,})"


def _end_names(name: str, prefix: str | None) -> tuple[str, str]:
    before = f"{name}_" if prefix is None else prefix
    return f"{before}low", f"{before}high"


@dataclass(frozen=True, eq=False)
class Estimates:
    """Many estimates in arrays of the same shape; `estimates[i]` is one of them.

    Attributes:
        value: The numbers.
        error: Their standard errors; not a number (nan) where there are too few games to estimate them.
        low: Lower ends of 95 % intervals; not a number (nan) where they are not known.
        high: Upper ends.
        n: The size of each sample: see `Estimate`.
        is_share: Whether they are shares of 1.
    """

    value: Floats
    error: Floats
    low: Floats
    high: Floats
    n: Ints
    is_share: bool = False

    @classmethod
    def unknown(cls, shape: tuple[int, ...]) -> "Estimates":
        """Estimates that are all unknown."""
        nothing = np.full(shape, np.nan)
        return cls(nothing, nothing.copy(), nothing.copy(), nothing.copy(), np.zeros(shape, np.int64))

    @classmethod
    def joined(cls, parts: Sequence["Estimates"], *, axis: int = 0) -> "Estimates":
        """All parts one after the other, along an axis; `is_share` is taken from the first."""
        arrays = zip(*(part._arrays for part in parts), strict=True)
        value, error, low, high, n = (np.concatenate(of_parts, axis=axis) for of_parts in arrays)
        return cls(value, error, low, high, n, parts[0].is_share)

    @property
    def _arrays(self) -> tuple[Floats, Floats, Floats, Floats, Ints]:
        return self.value, self.error, self.low, self.high, self.n

    def __getitem__(self, at: int | tuple[int, ...]) -> Estimate:
        """One estimate, by its index in the arrays."""
        value, low, high = (float(array[at]) for array in (self.value, self.low, self.high))
        return Estimate(value, low, high, int(self.n[at]), self.is_share)

    def taken(self, where: Any) -> "Estimates":
        """Some of the estimates, or all in another order: `where` indexes each array."""
        value, error, low, high, n = (array[where] for array in self._arrays)
        return Estimates(value, error, low, high, n, self.is_share)

    def times(self, factor: float) -> "Estimates":
        """All numbers multiplied by a factor, such as sums instead of means."""
        value, error, low, high = (factor * array for array in (self.value, self.error, self.low, self.high))
        return Estimates(value, error, low, high, self.n, self.is_share)
