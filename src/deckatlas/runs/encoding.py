"""The encoding of evaluations and solutions as bytes in a store; docs/store.md describes the same for readers.

All numbers are little-endian. Totals of measured columns are stored as whole numbers, never as rounded averages; the
smallest number of the type means "unknown".
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.search.evaluation import Column, Floats, Ints, Outcomes

_GAMES_PER_BYTE = 4
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class NumberLayout:
    """How the numbers of an evaluation are stored: totals, then the counts they are divided by, then standard errors.

    Attributes:
        columns: The measured columns.
    """

    columns: tuple[Column, ...]

    @cached_property
    def counts(self) -> tuple[str, ...]:
        """The counts other than games that divide totals, such as turns; columns can share one."""
        return tuple(dict.fromkeys(column.over for column in self.columns if column.over not in ("", "games")))

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The type of a row."""
        totals = [(f"total_{place}", f"<{column.storage}") for place, column in enumerate(self.columns)]
        counts = [(f"count_{name}", "<i4") for name in self.counts]
        errors = [(f"error_{place}", "<f8") for place in range(len(self.columns))]
        return np.dtype([*totals, *counts, *errors])

    def encode(self, outcomes: Outcomes) -> npt.NDArray[np.void]:
        """The rows of a batch.

        Raises:
            ValueError: If a total is not a whole number although its column says so, or is too large.
        """
        rows = np.zeros(len(outcomes), self.dtype)
        for place, column in enumerate(self.columns):
            rows[f"total_{place}"] = _stored(outcomes.total[:, place], column)
            rows[f"error_{place}"] = outcomes.error[:, place]
            if column.over in self.counts:
                rows[f"count_{column.over}"] = outcomes.weight[:, place]
        return rows

    def decode(self, content: bytes | bytearray, games: Ints) -> tuple[Floats, Floats, Floats]:
        """Totals, weights and errors of evaluations with these numbers of games.

        Raises:
            ValueError: If the number of rows differs.
        """
        rows = np.frombuffer(content, self.dtype)
        if len(rows) != len(games):
            raise ValueError(f"there are numbers of {len(rows)} evaluations, not of {len(games)}")
        shape = (len(rows), len(self.columns))
        total, weight, error = np.empty(shape), np.empty(shape), np.empty(shape)
        for place, column in enumerate(self.columns):
            total[:, place] = _loaded(rows[f"total_{place}"], column)
            error[:, place] = rows[f"error_{place}"]
            if column.over == "games":
                weight[:, place] = games
            else:
                weight[:, place] = rows[f"count_{column.over}"] if column.over else 1.0
        return total, weight, error


def _stored(total: Floats, column: Column) -> npt.NDArray[Any]:
    if column.storage == "f8":
        return total
    bounds = np.iinfo(column.storage)
    known = np.isfinite(total)
    whole = np.where(known, total, 0)
    if (whole != np.round(whole)).any() or (np.abs(whole) > bounds.max).any():
        raise ValueError(f"a total of {column.name} is not a whole number of {bounds.bits} bits")
    return np.where(known, whole.astype(np.int64), bounds.min)


def _loaded(total: npt.NDArray[Any], column: Column) -> Floats:
    values = total.astype(np.float64)
    if column.storage != "f8":
        values[total == np.iinfo(column.storage).min] = np.nan
    return values


@dataclass(frozen=True)
class MeasureLayout:
    """How the measures of a solution that are known without playing are stored.

    Attributes:
        names: The names of the measures.
        whole: Those that are whole numbers, which take half the space.
    """

    names: tuple[str, ...]
    whole: frozenset[str] = frozenset()

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The type of a row of measures."""
        return np.dtype([(name, "<i4" if name in self.whole else "<f8") for name in self.names])

    def encode(self, measures: Floats) -> list[bytes]:
        """Measures, one row per solution, as bytes."""
        if not self.names:
            return [b""] * len(measures)
        rows = np.zeros(len(measures), self.dtype)
        for place, name in enumerate(self.names):
            rows[name] = measures[:, place]
        return each_row(rows)

    def decode(self, content: bytes | bytearray, count: int) -> Floats:
        """The measures of `count` solutions.

        Raises:
            ValueError: If there are more or fewer.
        """
        if not self.names:
            return np.empty((count, 0))
        rows = np.frombuffer(content, self.dtype)
        if len(rows) != count:
            raise ValueError(f"there are measures of {len(rows)} solutions, not of {count}")
        return np.stack([rows[name].astype(np.float64) for name in self.names], axis=1)


@dataclass(frozen=True)
class GeneLayout:
    """How solutions are stored: a deck as the indexes of its cards in the pool, anything else as its numbers.

    Attributes:
        length: How many numbers a solution has.
        dtype: Their type.
        deck_size: How many cards a deck has; 0 if solutions are not decks.
    """

    length: int
    dtype: np.dtype[Any]
    deck_size: int = 0

    @property
    def stored(self) -> np.dtype[Any]:
        """The type of the stored numbers."""
        if not self.deck_size:
            return self.dtype.newbyteorder("<")
        return np.dtype("u1" if self.length <= 256 else "<u2")

    def encode(self, genes: npt.NDArray[Any]) -> list[bytes]:
        """Solutions, one per row, as bytes."""
        rows = genes
        if self.deck_size:
            places = np.tile(np.arange(self.length), len(genes))
            rows = np.repeat(places, genes.ravel()).reshape(len(genes), self.deck_size)
        return each_row(rows.astype(self.stored))

    def decode(self, content: bytes | bytearray, count: int) -> npt.NDArray[Any]:
        """`count` solutions, one per row.

        Raises:
            ValueError: If there are more or fewer.
        """
        rows = np.frombuffer(content, self.stored).reshape(count, self.deck_size or self.length)
        if not self.deck_size:
            return rows.astype(self.dtype, copy=False)
        if rows.size and int(rows.max()) >= self.length:
            raise ValueError("a deck has a card that is not in the pool")
        places = rows + self.length * np.arange(count)[:, np.newaxis]
        copies = np.bincount(places.ravel(), minlength=count * self.length)
        return copies.astype(self.dtype).reshape(count, self.length)


def pack_outcomes(outcome: Bytes, games: Ints) -> list[bytes]:
    """The outcomes of each evaluation's games as two bits each, the first game in the lowest bits of the first byte."""
    # All evaluations at once, without an index for each game: a batch can have ten million games.
    sizes = -(-games // _GAMES_PER_BYTE)
    ends = np.cumsum(sizes) * _GAMES_PER_BYTE
    spare = sizes * _GAMES_PER_BYTE - games
    is_game = np.ones(int(sizes.sum()) * _GAMES_PER_BYTE, np.bool_)
    for place in range(1, _GAMES_PER_BYTE):
        is_game[ends[spare >= place] - place] = False
    padded = np.zeros(len(is_game), np.uint8)
    padded[is_game] = outcome
    quarters = padded.reshape(-1, _GAMES_PER_BYTE)
    packed = quarters[:, 0] | quarters[:, 1] << 2 | quarters[:, 2] << 4 | quarters[:, 3] << 6
    return _cut(packed.tobytes(), sizes)


def unpack_outcomes(content: bytes, games: int) -> Bytes:
    """The outcomes of an evaluation's games."""
    packed = np.frombuffer(content, np.uint8)
    quarters = np.stack([packed >> shift & 3 for shift in (0, 2, 4, 6)], axis=1)
    return quarters.ravel()[:games]


def pack_margins(margin: npt.NDArray[np.int8], games: Ints) -> list[bytes]:
    """The margins of each evaluation's games, one signed byte each."""
    return _cut(margin.tobytes(), games)


def each_row(rows: npt.NDArray[Any]) -> list[bytes]:
    """The bytes of each row."""
    return _cut(rows.tobytes(), np.full(len(rows), rows[:1].nbytes))


def _cut(content: bytes, sizes: Ints) -> list[bytes]:
    """Consecutive parts of these sizes, in bytes."""
    ends = np.cumsum(sizes).tolist()
    return [content[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
