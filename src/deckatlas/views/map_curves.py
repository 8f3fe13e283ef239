"""Growth curves of maps over their evaluations: the numbers of one map, and the mean of several trials with a band.

Curves are drawn on the final cells: at each moment, the solutions evaluated so far are put into the cells that the map
has in the end. On the cells that a growing map had at that moment, its QD score follows the number of cells, and two
searches look alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np

from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.hashes import canonical_json
from deckatlas.runs.view import RunView
from deckatlas.search.archive_statistics import ArchiveStatistics, statistics, summary
from deckatlas.search.cells import best_of_cells
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.stats.means import mean_interval
from deckatlas.views.columns import bounds_of

POINTS = 100
ENOUGH_TRIALS = 5  # for an interval; with fewer, Student's interval is many times wider than the range of the trials

WhichCells = Literal["final", "growing"]


@dataclass(frozen=True)
class Moment:
    """A map at a moment of its run.

    Attributes:
        evaluations: The number of evaluations so far.
        elites: The numbers of the elites at that moment.
        statistics: The statistics of the map at that moment.
    """

    evaluations: int
    elites: Ints
    statistics: ArchiveStatistics


@dataclass(frozen=True)
class GrowthCurve:
    """The statistics of a map over time.

    Attributes:
        evaluated: The number of evaluations so far, at each moment.
        numbers: For each name, its value at each moment: `best` and `mean` objective of the elites, `best_win_rate`
            and `mean_win_rate` if the map has a win rate that is not its objective, `elites`, `cells`, `coverage`,
            `qd_score`, and `below_offset`, the number of elites that lower the QD score.
    """

    evaluated: Floats
    numbers: Mapping[str, Floats]


@dataclass(frozen=True)
class Band:
    """The mean of a number over trials, and a band around it; with one trial, the band is the mean itself."""

    evaluated: Floats
    value: Floats
    low: Floats
    high: Floats


def moments_of(view: RunView, points: int = POINTS, *, cells: WhichCells = "final") -> Iterator[Moment]:
    """A map at moments spread evenly over its run. Solutions have the numbers that are known in the end.

    Args:
        view: The map.
        points: The number of moments.
        cells: Whether solutions are in the cells that the map has in the end, or in those that it had at the moment.
    """
    if cells == "growing":
        for evaluations, archive in view.archives(points):
            yield Moment(evaluations, archive.elites, statistics(archive, view.description.scoring))
        return
    archive, firsts = view.archive, view.log.first_evaluations
    for evaluations in np.unique(np.linspace(0, view.log.evaluations, points + 1)[1:].round().astype(int)).tolist():
        if evaluations == 0:  # with few evaluations the first points round to 0
            continue
        solutions = int(np.searchsorted(firsts, evaluations))
        _, elites = best_of_cells(archive.individual_cells[:solutions], archive.objectives[:solutions])
        found = summary(
            archive.objectives[elites], archive.cells, solutions=solutions, scoring=view.description.scoring
        )
        yield Moment(evaluations, elites, found)


def curve_of(view: RunView, points: int = POINTS, *, cells: WhichCells = "final") -> GrowthCurve:
    """The statistics of a map at this number of moments; see `moments_of`."""
    rates = view.log.column(WIN_RATE) if WIN_RATE in view.log.names and view.objective != WIN_RATE else None
    rows: list[dict[str, float]] = []
    for moment in moments_of(view, points, cells=cells):
        now = moment.statistics
        row: dict[str, float] = {"evaluated": moment.evaluations, "best": now.best, "mean": now.mean}
        if rates is not None and len(moment.elites):
            of_elites = rates[moment.elites]
            row |= {"best_win_rate": float(of_elites.max()), "mean_win_rate": float(of_elites.mean())}
        rows.append(row | {"elites": now.elites, "cells": now.cells})
        rows[-1] |= {"coverage": now.coverage, "qd_score": now.qd_score, "below_offset": now.below_offset}
    names = list(rows[-1]) if rows else []
    columns = {name: np.array([row.get(name, np.nan) for row in rows], np.float64) for name in names}
    return GrowthCurve(columns.pop("evaluated", np.zeros(0)), columns)


def curve_bounds(name: str, objective: str) -> tuple[float, float]:
    """The least and the greatest possible value of a curve, for maps with this objective."""
    if name in ("best", "mean"):
        return bounds_of(objective)
    if name.endswith(WIN_RATE):
        return bounds_of(WIN_RATE)
    return {"coverage": (0.0, 1.0), "elites": (0.0, inf)}.get(name, (-inf, inf))


def band_of(curves: Sequence[GrowthCurve], name: str, *, within: tuple[float, float] = (-inf, inf)) -> Band:
    """The mean of a number over several trials, up to the end of the shortest one, with its 95 % interval.

    Args:
        curves: The curve of each trial.
        name: The name of the number.
        within: The least and the greatest possible value. Student's interval ignores these, so it is clipped there.
    """
    evaluated, values = _side_by_side(curves, name)
    ends = [mean_interval(column) for column in values.T]
    return Band(
        evaluated=evaluated,
        value=np.array([each.value for each in ends]),
        low=np.array([max(each.low, within[0]) if each.has_ends else each.value for each in ends]),
        high=np.array([min(each.high, within[1]) if each.has_ends else each.value for each in ends]),
    )


def range_of(curves: Sequence[GrowthCurve], name: str) -> Band:
    """The mean with a band from the lowest to the highest trial, for a few trials."""
    evaluated, values = _side_by_side(curves, name)
    return Band(evaluated, values.mean(axis=0), values.min(axis=0), values.max(axis=0))


def _side_by_side(curves: Sequence[GrowthCurve], name: str) -> tuple[Floats, Floats]:
    """The moments of the shortest trial, and a number at these moments, one row per trial."""
    first = min(curves, key=lambda curve: curve.evaluated[-1])
    values = [np.interp(first.evaluated, each.evaluated, each.numbers[name]) for each in curves]
    return first.evaluated, np.array(values)


def trials(views: Sequence[RunView]) -> dict[str, list[RunView]]:
    """Groups maps into trials: maps whose configurations differ only in seed and name are trials of one search.

    Each group has the name of its first trial, with a number if another group has that name too.
    """
    together: dict[str, list[RunView]] = {}
    for view in views:
        config = {key: value for key, value in view.config.items() if key not in ("name", "seed")}
        if view.options is not None:  # a view by other measures has a different archive from its configuration
            config["archive"] = view.options.model_dump(mode="json")
        together.setdefault(canonical_json(config), []).append(view)
    named: dict[str, list[RunView]] = {}
    for group in together.values():
        name = group[0].name
        others = sum(each[0].name == name for each in named.values())
        named[f"{name} ({others + 1})" if others else name] = group
    return named
