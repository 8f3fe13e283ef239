"""Regions of maps: boxes of cells, and ranges of measures or of any other column of the elites."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isnan

from deckatlas.errors import RunError
from deckatlas.runs.elites import Elite
from deckatlas.runs.view import RunView
from deckatlas.search.log import check_columns
from deckatlas.shapes import show

CELLS = "cells"
_FORM = "write a range as deck_mana_mean=2..3.5, turns up to 8 as num_turns=..8, or cells as cells=0..5,0..9"

Range = tuple[float, float]


@dataclass(frozen=True)
class Region:
    """A part of a map: the elites that are within all of its ranges.

    Attributes:
        columns: The ranges of columns, both ends included.
        cells: The range of cells along each measure, both ends included; empty if any cell will do.
    """

    columns: tuple[tuple[str, Range], ...] = ()
    cells: tuple[Range, ...] = ()

    def elites(self, view: RunView) -> list[Elite]:
        """The elites of a map that are in the region, the best first.

        Raises:
            RunError: If the map has another number of measures than the region has ranges of cells.
            SearchError: If a column is unknown.
        """
        check_columns([name for name, _ in self.columns], view.log.columns, "columns")
        if self.cells and len(self.cells) != len(view.measures):
            measures = ", ".join(view.measures)
            raise RunError(f"cells of {view.name} have {len(view.measures)} ranges, one per measure: {measures}")
        return [each for each in view.elites() if self._has(each)]

    def _has(self, elite: Elite) -> bool:
        ranges = [(elite.columns[name], ends) for name, ends in self.columns]
        if self.cells:
            ranges += zip(elite.cell, self.cells, strict=True)
        return all(low <= value <= high for value, (low, high) in ranges)


def region_of(parts: Sequence[str]) -> Region:
    """Reads a region, such as "deck_mana_mean=2..3.5" and "cells=0..5,0..9".

    Raises:
        RunError: If a part is no range, or names a column a second time.
    """
    columns: dict[str, Range] = {}
    cells: tuple[Range, ...] = ()
    for part in parts:
        name, equals, text = part.partition("=")
        name = name.strip()
        if not equals or not name:
            raise RunError(f"{show(part)} is not a region: {_FORM}")
        if name in columns or (name == CELLS and cells):
            raise RunError(f"the region has two ranges of {show(name)}")
        if name == CELLS:
            cells = tuple(_range(part, each) for each in text.split(","))
        else:
            columns[name] = _range(part, text)
    return Region(tuple(columns.items()), cells)


def _range(part: str, text: str) -> Range:
    low, dots, high = text.strip().partition("..")
    try:
        ends = (float(low) if low else -inf, float(high) if high else inf) if dots else (float(low), float(low))
    except ValueError:
        raise RunError(f"{show(part)} is not a region: {_FORM}") from None
    if isnan(ends[0]) or isnan(ends[1]) or ends[0] > ends[1]:
        raise RunError(f"{show(part)} is not a region: a range goes from a lower to a higher number")
    return ends
