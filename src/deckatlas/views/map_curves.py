"""How maps grow over their evaluations: the numbers of one, and the mean of several trials with a band."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deckatlas.runs.hashes import canonical_json
from deckatlas.runs.view import WIN_RATE, RunView
from deckatlas.search.archive_statistics import statistics
from deckatlas.search.evaluation import Floats
from deckatlas.stats.means import mean_interval

POINTS = 100


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


def curve_of(view: RunView, points: int = POINTS) -> GrowthCurve:
    """A map in numbers at so many moments, evenly over its run."""
    rates = view.log.column(WIN_RATE) if WIN_RATE in view.log.names and view.objective != WIN_RATE else None
    rows: list[dict[str, float]] = []
    for evaluations, archive in view.archives(points):
        now = statistics(archive, view.description.scoring)
        row: dict[str, float] = {"evaluated": evaluations, "best": now.best, "mean": now.mean}
        if rates is not None and len(archive):
            of_elites = rates[archive.elites]
            row |= {"best_win_rate": float(of_elites.max()), "mean_win_rate": float(of_elites.mean())}
        rows.append(row | {"elites": now.elites, "cells": now.cells})
        rows[-1] |= {"coverage": now.coverage, "qd_score": now.qd_score, "below_offset": now.below_offset}
    names = list(rows[-1]) if rows else []
    columns = {name: np.array([row.get(name, np.nan) for row in rows], np.float64) for name in names}
    return GrowthCurve(columns.pop("evaluated", np.zeros(0)), columns)


def band_of(curves: Sequence[GrowthCurve], name: str) -> Band:
    """A number over several trials, as long as all of them went on, with the 95 % interval of its mean."""
    evaluated, values = _side_by_side(curves, name)
    ends = [mean_interval(column) for column in values.T]
    return Band(
        evaluated=evaluated,
        value=np.array([each.value for each in ends]),
        low=np.array([each.low if each.has_ends else each.value for each in ends]),
        high=np.array([each.high if each.has_ends else each.value for each in ends]),
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
        together.setdefault(canonical_json(config), []).append(view)
    named: dict[str, list[RunView]] = {}
    for group in together.values():
        name = group[0].name
        others = sum(each[0].name == name for each in named.values())
        named[f"{name} ({others + 1})" if others else name] = group
    return named
