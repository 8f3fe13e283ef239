"""Growth curves of trials as rows, and as curves again: the rows of other calls are curves like those of this one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from deckatlas.papers.other_results import ColumnType, Row
from deckatlas.runs.view import RunView
from deckatlas.views.map_curves import GrowthCurve, curve_of

CURVES = "curves"
GROWN: Mapping[str, ColumnType] = {"qd_score": "number", "elites": "number"}


def growth_rows(view: RunView, points: int, *, at: str, per_evaluation: int = 1) -> list[Row]:
    """The QD score and the number of elites of a trial while it grows.

    Args:
        view: The trial.
        points: The number of moments.
        at: The name of the number that says when: "evaluations", "games".
        per_evaluation: How many of these an evaluation takes.
    """
    curve = curve_of(view, points)
    moments = (curve.evaluated * per_evaluation).astype(int).tolist()
    columns = [curve.numbers[key].tolist() for key in GROWN]
    return [
        {at: moment, **dict(zip(GROWN, found, strict=True))} for moment, *found in zip(moments, *columns, strict=True)
    ]


def curves_of_rows(
    rows: Iterable[Mapping[str, Any]], *, at: str, numbers: Collection[str] = GROWN
) -> dict[str, list[GrowthCurve]]:
    """The curves of all trials, by algorithm.

    Args:
        rows: One row per algorithm, trial and moment, in this order.
        at: The name of the number that says when.
        numbers: The names of the other numbers.
    """
    trials: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for row in rows:
        trials.setdefault((row["algorithm"], row["trial"]), []).append(row)
    found: dict[str, list[GrowthCurve]] = {}
    for (name, _), of_trial in trials.items():
        curve = GrowthCurve(_column(of_trial, at), {key: _column(of_trial, key) for key in numbers})
        found.setdefault(name, []).append(curve)
    return found


def _column(rows: Sequence[Mapping[str, Any]], name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([row[name] for row in rows], dtype=np.float64)
