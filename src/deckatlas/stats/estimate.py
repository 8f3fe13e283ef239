"""An estimate: a number, its 95 % interval, and what it rests on. The one form of every number that is not exact."""

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
        low: The lower end of the interval; not a number (nan) where nothing tells the spread.
        high: The upper end; known where the lower one is.
        n: What it rests on: the games of a rate or of an average over games; otherwise the independent values, such as
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
        """A number whose spread nothing tells."""
        return cls(value, math.nan, math.nan, n)

    @classmethod
    def exact(cls, value: float) -> "Estimate":
        """A number that is known without a game."""
        return cls(value, value, value, 0)

    @classmethod
    def from_cells(cls, row: Mapping[str, Any], name: str, *, n: int, prefix: str | None = None) -> "Estimate":
        """The estimate that `cells` has put into a row."""
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

    def in_percent(self) -> "Estimate":
        """A share as a plain number of percent."""
        return Estimate(100 * self.value, 100 * self.low, 100 * self.high, self.n)

    def mirrored(self) -> "Estimate":
        """What is left of 1: of a rate of wins, the rate of the opponent's."""
        return replace(self, value=1 - self.value, low=1 - self.high, high=1 - self.low)

    def cells(self, name: str, *, n: str | None = None, prefix: str | None = None) -> dict[str, Any]:
        """The estimate as cells of a row, ready for JSON: an end that is not known is None.

        Args:
            name: The name of the value's cell.
            n: The name of the cell of what it rests on, if there is to be one.
            prefix: What comes before `low` and `high` in the names of the ends; the name if not given.
        """
        low, high = _end_names(name, prefix)
        ends = (self.low, self.high) if self.has_ends else (None, None)
        return {name: self.value, low: ends[0], high: ends[1]} | ({} if n is None else {n: self.n})

    def ends(self, digits: int = 2) -> str:
        """The interval for people; nothing where it is not known."""
        if not self.has_ends:
            return ""
        shown = self.in_percent() if self.is_share else self
        return f"[{shown.low:.{digits}f}, {shown.high:.{digits}f}]"

    def text(self, digits: int = 2) -> str:
        """The value and its interval for people, shares in percent."""
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
    """Many estimates, in arrays of one shape; `estimates[i]` is one of them.

    Attributes:
        value: The numbers.
        error: Their standard errors; not a number where there are too few games to tell.
        low: Lower ends of 95 % intervals; not a number where they are not known.
        high: Upper ends.
        n: What each rests on: see `Estimate`.
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
        """Numbers of which nothing is known."""
        nothing = np.full(shape, np.nan)
        return cls(nothing, nothing.copy(), nothing.copy(), nothing.copy(), np.zeros(shape, np.int64))

    @classmethod
    def joined(cls, parts: Sequence["Estimates"], *, axis: int = 0) -> "Estimates":
        """All of them one after the other, along an axis; whether they are shares is as of the first."""
        arrays = zip(*(part._arrays for part in parts), strict=True)
        value, error, low, high, n = (np.concatenate(of_parts, axis=axis) for of_parts in arrays)
        return cls(value, error, low, high, n, parts[0].is_share)

    @property
    def _arrays(self) -> tuple[Floats, Floats, Floats, Floats, Ints]:
        return self.value, self.error, self.low, self.high, self.n

    def __getitem__(self, at: int | tuple[int, ...]) -> Estimate:
        """One of them, by its place in the arrays."""
        value, low, high = (float(array[at]) for array in (self.value, self.low, self.high))
        return Estimate(value, low, high, int(self.n[at]), self.is_share)

    def taken(self, where: Any) -> "Estimates":
        """Some of them, or the same in another order: `where` indexes each array."""
        value, error, low, high, n = (array[where] for array in self._arrays)
        return Estimates(value, error, low, high, n, self.is_share)

    def times(self, factor: float) -> "Estimates":
        """Numbers so many times as large, such as sums instead of means."""
        value, error, low, high = (factor * array for array in (self.value, self.error, self.low, self.high))
        return Estimates(value, error, low, high, self.n, self.is_share)
