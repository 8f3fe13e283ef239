"""How maps grow over their evaluations: the numbers of one map, and the mean of several trials with a band.

Curves are drawn on the final cells: at each moment, what was evaluated by then is put into the cells that the map has
in the end. On the cells that a growing map had at that moment, its QD score follows the number of cells, and two
searches look alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np

from deckatlas.runs.hashes import canonical_json
from deckatlas.runs.view import WIN_RATE, RunView
from deckatlas.search.archive_statistics import ArchiveStatistics, statistics, summary
from deckatlas.search.cells import best_of_cells
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.stats.means import mean_interval
from deckatlas.views.columns import bounds_of

POINTS = 100
ENOUGH_TRIALS = 5  # for an interval; of fewer, Student's is many times as wide as the trials lie apart

WhichCells = Literal["final", "growing"]


@dataclass(frozen=True)
class Moment:
    """A map at a moment of its run.

    Attributes:
        evaluations: How many evaluations had been made.
        elites: The numbers of the elites then.
        statistics: The map in numbers then.
    """

    evaluations: int
    elites: Ints
    statistics: ArchiveStatistics


@dataclass(frozen=True)
class GrowthCurve:
    """A map in numbers over time.

    Attributes:
        evaluated: How many evaluations had been made, at each moment.
        numbers: The number of each name at each moment: `best` and `mean` objective of the elites, `best_win_rate` and
            `mean_win_rate` where games are counted so and this is not the objective, `elites`, `cells`, `coverage`,
            `qd_score`, and `below_offset`, how many elites lower it.
    """

    evaluated: Floats
    numbers: Mapping[str, Floats]


@dataclass(frozen=True)
class Band:
    """The mean of a number over trials, and a band around it: the mean itself where there is one trial."""

    evaluated: Floats
    value: Floats
    low: Floats
    high: Floats


def moments_of(view: RunView, points: int = POINTS, *, cells: WhichCells = "final") -> Iterator[Moment]:
    """A map at so many moments, evenly over its run. Solutions have the numbers that are known in the end.

    Args:
        view: The map.
        points: How many moments.
        cells: Whether solutions are in the cells that the map has in the end, or in those that it had at the moment.
    """
    if cells == "growing":
        for evaluations, archive in view.archives(points):
            yield Moment(evaluations, archive.elites, statistics(archive, view.description.scoring))
        return
    archive, firsts = view.archive, view.log.first_evaluations
    for evaluations in np.unique(np.linspace(0, view.log.evaluations, points + 1)[1:].round().astype(int)).tolist():
        if evaluations == 0:  # of few evaluations the first points fall on none
            continue
        solutions = int(np.searchsorted(firsts, evaluations))
        _, elites = best_of_cells(archive.individual_cells[:solutions], archive.objectives[:solutions])
        found = summary(
            archive.objectives[elites], archive.cells, solutions=solutions, scoring=view.description.scoring
        )
        yield Moment(evaluations, elites, found)


def curve_of(view: RunView, points: int = POINTS, *, cells: WhichCells = "final") -> GrowthCurve:
    """A map in numbers at so many moments; see `moments_of`."""
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
    """The least and the greatest value that a number of a curve can have, for maps of this objective."""
    if name in ("best", "mean"):
        return bounds_of(objective)
    if name.endswith(WIN_RATE):
        return bounds_of(WIN_RATE)
    return {"coverage": (0.0, 1.0), "elites": (0.0, inf)}.get(name, (-inf, inf))


def band_of(curves: Sequence[GrowthCurve], name: str, *, within: tuple[float, float] = (-inf, inf)) -> Band:
    """A number over several trials, as long as all of them went on, with the 95 % interval of its mean.

    Args:
        curves: The curve of each trial.
        name: The number.
        within: The least and the greatest value possible. Student's interval does not know of these, so that it is
            cut off there.
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
    """The same with a band from the lowest to the highest trial, which a few trials can tell."""
    evaluated, values = _side_by_side(curves, name)
    return Band(evaluated, values.mean(axis=0), values.min(axis=0), values.max(axis=0))


def _side_by_side(curves: Sequence[GrowthCurve], name: str) -> tuple[Floats, Floats]:
    """The moments of the shortest trial, and a row a trial with a number at these."""
    first = min(curves, key=lambda curve: curve.evaluated[-1])
    values = [np.interp(first.evaluated, each.evaluated, each.numbers[name]) for each in curves]
    return first.evaluated, np.array(values)


def trials(views: Sequence[RunView]) -> dict[str, list[RunView]]:
    """Maps by what they are: those whose configurations differ in seed and name alone are trials of one thing.

    Each has the name of its first trial, with a number where others have that name too.
    """
    together: dict[str, list[RunView]] = {}
    for view in views:
        config = {key: value for key, value in view.config.items() if key not in ("name", "seed")}
        if view.options is not None:  # a view by other measures has another archive than its configuration says
            config["archive"] = view.options.model_dump(mode="json")
        together.setdefault(canonical_json(config), []).append(view)
    named: dict[str, list[RunView]] = {}
    for group in together.values():
        name = group[0].name
        others = sum(each[0].name == name for each in named.values())
        named[f"{name} ({others + 1})" if others else name] = group
    return named
