"""Elites as people see them: the best solution of a cell, with everything that is known of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from deckatlas.search.evaluation import Floats, Ints, Solution
from deckatlas.stats.averages import Sample, mean_estimate, mean_estimates, rate_estimate, rate_estimates
from deckatlas.stats.estimate import Estimate, Estimates

WIN_RATE = "win_rate"


@dataclass(frozen=True)
class Elite:
    """The best solution of a cell.

    Attributes:
        cell: The index of its cell along each measure, from 0.
        number: Its number in the log.
        parent: The number of the solution that it was varied from, or -1.
        solution: The solution itself.
        games: The games it has played.
        objective: Its objective.
        measures: Its measures, by name.
        columns: All its columns, by name.
        rechecked: Its objective on fresh games, if it has played any.
    """

    cell: tuple[int, ...]
    number: int
    parent: int
    solution: Solution
    games: int
    objective: Estimate
    measures: dict[str, float]
    columns: dict[str, float]
    rechecked: Estimate | None


def estimate_of(column: str, value: float, error: float, sample: Sample, games: int) -> Estimate:
    """A column's value with its interval, as in an evaluation of the same games."""
    return (rate_estimate if column == WIN_RATE else mean_estimate)(value, error, sample, n=games)


def estimates_of(column: str, value: Floats, error: Floats, samples: Sequence[Sample], games: Ints) -> Estimates:
    """The same for many solutions."""
    return (rate_estimates if column == WIN_RATE else mean_estimates)(value, error, samples, n=games)
