"""Elites as people see them: the best solution of a cell, with everything that is known of it."""

from dataclasses import dataclass

from deckatlas.search.evaluation import Solution
from deckatlas.stats.averages import Sample, mean_estimate, rate_estimate
from deckatlas.stats.estimate import Estimate

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
