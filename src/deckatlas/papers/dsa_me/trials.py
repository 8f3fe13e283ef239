"""Shared parts of reports on trials: their choice, the numbers of each, means over trials, and differences of means."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.experiments.kind import ReportOptions
from deckatlas.experiments.published import PublishedCheck, some_of, tables, under_any_name
from deckatlas.experiments.study import Study
from deckatlas.papers.budget import BUDGET
from deckatlas.papers.dsa_me.published import (
    CELLS,
    HEALTH,
    METRICS,
    QD_SCORE,
    TABLE_1,
    WIN_RATE,
    Mean,
    sum_of_objectives,
)
from deckatlas.runs.elites import WIN_RATE as WIN_RATE_COLUMN
from deckatlas.runs.view import RunView
from deckatlas.shapes import nearest, show
from deckatlas.stats.anova import common_difference, squares_within
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval

SUM, REACHABLE = "sum_of_objectives", "reachable_cells"
FRESH_QD, FRESH_SUM, FRESH_CELLS = "fresh_qd_score", "fresh_sum_of_objectives", "fresh_cells"
FRESH_HEALTH, FRESH_WIN_RATE = "fresh_health_difference", "fresh_win_rate"
FRESH_REACHABLE = "fresh_reachable_cells"

IN_THE_SEARCH = {
    HEALTH: METRICS[HEALTH],
    WIN_RATE: METRICS[WIN_RATE],
    CELLS: METRICS[CELLS],
    REACHABLE: "cells filled, % of those that can be reached",
    QD_SCORE: METRICS[QD_SCORE],
    SUM: "QD score, Σ f",
}
ON_FRESH_GAMES = {
    FRESH_HEALTH: "mean health difference of the best",
    FRESH_WIN_RATE: "win rate of the elite that won most, %",
    FRESH_CELLS: METRICS[CELLS],
    FRESH_REACHABLE: IN_THE_SEARCH[REACHABLE],
    FRESH_QD: METRICS[QD_SCORE],
    FRESH_SUM: IN_THE_SEARCH[SUM],
}
FRESH_OF = {
    HEALTH: FRESH_HEALTH,
    WIN_RATE: FRESH_WIN_RATE,
    CELLS: FRESH_CELLS,
    REACHABLE: FRESH_REACHABLE,
    QD_SCORE: FRESH_QD,
    SUM: FRESH_SUM,
}  # each number of the search, and what it becomes on fresh games

PERCENT = frozenset({WIN_RATE, CELLS, REACHABLE, FRESH_CELLS, FRESH_REACHABLE, FRESH_WIN_RATE})

Values = npt.NDArray[np.float64]  # one per trial

NOTES = (
    "The paper divides the number of elites by 1,600, all cells of the map, and its program counts one entry too many. "
    "By the published binning, cells beyond the ends of the ranges exist but cannot be reached.",
    "The QD score of the paper's table is Σ (f + 30) / 60 over elites, and its text defines it as Σ f; f is the mean "
    "health difference. The paper's Σ f follows from its other two numbers.",
    "On fresh games: each final elite plays again, and only these games count. Elites are placed again by their fresh "
    "measures, and the best of each cell counts, so the archive has fewer elites.",
)


class TrialsReport(ReportOptions):
    """A report on trials of several searches."""

    of_archives: ClassVar[bool] = True

    algorithms: dict[str, str] = Field(min_length=1, description="The run of each algorithm, by the name shown.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about runs that do not exist, and about published values that mean nothing here."""
        for name, run in self.algorithms.items():
            if run not in runs:
                place = ("report", "algorithms", name)
                yield Complaint((place, place[:-1]), f"no run {show(run)}: {nearest(run, runs)}")
        yield from tables({**BUDGET, **self.published_checks()})(published, ("published",))

    def published_checks(self) -> Mapping[str, PublishedCheck]:
        """Checks of published values beside the budget of a trial, by name."""
        return {}

    def pairs_check(self) -> PublishedCheck:
        """A check of findings, by title: for each algorithm, some others that it is compared with."""
        return under_any_name(tables(dict.fromkeys(self.algorithms, some_of(self.algorithms))))

    def smoke(self) -> Self:
        """The same options, since the runs take the time."""
        return self

    def trials(self, study: Study) -> dict[str, tuple[RunView, ...]]:
        """The trials of each algorithm.

        Raises:
            RunError: If a trial has no elite.
        """
        found = {name: tuple(run.view for run in study.maps[run]) for name, run in self.algorithms.items()}
        for view in (view for views in found.values() for view in views):
            if not len(view.archive):
                raise RunError(f"{view.path} has no elite")
        return found


def numbers_of_trials(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Values]]:
    """For each number and each algorithm, the values of all trials."""
    names = list(dict.fromkeys(row["algorithm"] for row in rows))
    return {
        key: {name: np.array([row[key] for row in rows if row["algorithm"] == name]) for name in names}
        for key in (*IN_THE_SEARCH, *ON_FRESH_GAMES)
    }


def numbers_of(view: RunView) -> dict[str, float]:
    """All numbers of a trial, by the games of its search and on fresh games.

    Raises:
        RunError: If its elites have played no fresh games.
    """
    again = view.recheck()
    if again is None:
        raise RunError(f"{view.path} has elites that played no fresh games: give its run a recheck")
    now, elites = view.statistics, view.archive.elites
    rates = np.asarray(view.log.column(WIN_RATE_COLUMN))[elites]
    most_won = int(elites[np.argmax(rates)])
    return {
        HEALTH: now.best,
        WIN_RATE: 100 * float(rates.max()),
        CELLS: 100 * now.coverage,
        REACHABLE: 100 * now.reachable_coverage,
        QD_SCORE: now.qd_score,
        SUM: now.mean * now.elites,
        FRESH_HEALTH: again.champion,
        FRESH_WIN_RATE: 100 * float(view.rechecked([most_won], WIN_RATE_COLUMN)[0][0]),
        FRESH_CELLS: 100 * again.after.coverage,
        FRESH_REACHABLE: 100 * again.after.reachable_coverage,
        FRESH_QD: again.after.qd_score,
        FRESH_SUM: again.after.mean * again.after.elites,
    }


def published_mean(number: str, algorithm: str) -> Mean | None:
    """What table 1 has, or what follows from it; None if it has nothing."""
    if number == SUM and algorithm in TABLE_1[QD_SCORE]:
        return Mean(sum_of_objectives(TABLE_1[QD_SCORE][algorithm].value, TABLE_1[CELLS][algorithm].value), math.nan)
    return TABLE_1.get(number, {}).get(algorithm)


def standard_error(values: Values) -> float | None:
    """The standard error of a mean over trials; None for a single trial."""
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else None


def ahead(one: Values, other: Values) -> Estimate:
    """The mean of some trials minus that of others, with the interval of the t test that pools their variance."""
    if len(one) + len(other) < 3:
        return Estimate.without_ends(float(one.mean() - other.mean()), len(one) + len(other))
    return common_difference([(one, other)], squares_within((one, other))).difference


def mean_of(values: Values, number: str) -> Estimate:
    """The mean of a number over trials. Student's interval ignores that shares end at 0 and 100 %, so it is clipped."""
    mean = mean_interval(values)
    return mean.within(0.0, 100.0) if number in PERCENT else mean


def mean_cells(values: Values, number: str) -> dict[str, Any]:
    """The mean of a number over trials as cells of a row, with its interval and its standard error."""
    return {**mean_of(values, number).cells("mean"), "mean_error": standard_error(values)}
