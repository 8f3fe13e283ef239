"""How good a surrogate was, round by round: the errors of its predictions, and what became of its candidates."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.search.archive import Archive
from deckatlas.search.cells import NOWHERE, Cells, best_of_cells
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.search.rounds import Round


@dataclass(frozen=True, eq=False)
class Placement:
    """Where candidates belong on a map, by their predictions and by their results.

    Attributes:
        cells: The cells of the map.
        predicted: The cell of each candidate by its predictions.
        found: Its cell by its results, or `NOWHERE`.
        is_elite: Whether it is an elite of the map.
    """

    cells: Cells
    predicted: Ints
    found: Ints
    is_elite: npt.NDArray[np.bool_]

    @property
    def elite_share(self) -> float:
        """The share of candidates that are elites; NaN without candidates."""
        return _mean(self.is_elite.astype(np.float64))

    @property
    def same_cell(self) -> float:
        """The share of candidates that are elites in the cell that was predicted; NaN without candidates."""
        return _mean((self.is_elite & (self.predicted == self.found)).astype(np.float64))

    @property
    def distance(self) -> float:
        """The mean distance between both cells of those that are elites: steps along the measures; NaN if none is."""
        return _mean(self.steps(self.predicted[self.is_elite]).astype(np.float64))

    @property
    def filled(self) -> frozenset[int]:
        """The cells of the candidates that are elites."""
        return frozenset(self.found[self.is_elite].tolist())

    def steps(self, predicted: Ints) -> Ints:
        """The distances of the candidates that are elites from as many cells."""
        return self.cells.steps(predicted, self.found[self.is_elite])


def placement(cells: Cells, *, predicted: Floats, measured: Floats, is_elite: npt.NDArray[np.bool_]) -> Placement:
    """Compares the predicted cells of candidates with the true ones.

    Args:
        cells: The cells of the map.
        predicted: The predicted measures, one row per candidate.
        measured: The true measures.
        is_elite: Whether each candidate is an elite of the map.
    """
    is_placed = np.isfinite(measured).all(axis=1)
    return Placement(cells, cells.numbers(predicted), np.where(is_placed, cells.numbers(measured), NOWHERE), is_elite)


def placement_on_new_map(cells: Cells, *, predicted: Floats, objectives: Floats, measured: Floats) -> Placement:
    """The same for a new map of these candidates alone, as in the paper on deep surrogates (its appendix B.1).

    Args:
        cells: The cells of the map.
        predicted: The predicted measures, one row per candidate.
        objectives: The true objective of each.
        measured: The true measures of each.
    """
    is_placed = np.isfinite(objectives) & np.isfinite(measured).all(axis=1)
    _, winners = best_of_cells(np.where(is_placed, cells.numbers(measured), NOWHERE), objectives)
    is_elite = np.zeros(len(objectives), np.bool_)
    is_elite[winners] = True
    return placement(cells, predicted=predicted, measured=measured, is_elite=is_elite)


@dataclass(frozen=True, eq=False)
class RoundStatistics:
    """The candidates of a round: predictions and results.

    Attributes:
        round: The round.
        solutions: The numbers of its candidates among all solutions.
        measured: The true value of each target, one number per candidate.
        entered: Whether each candidate is an elite of the map at the end of the round.
        errors: The mean squared error of the predictions of each target.
        noise: The part of these errors that comes from the games: the mean squared standard error of the results.
        placement: Where they belong on the map; None if a measure of the map was not predicted.
    """

    round: Round
    solutions: Ints
    measured: Mapping[str, Floats]
    entered: npt.NDArray[np.bool_]
    errors: Mapping[str, float]
    noise: Mapping[str, float]
    placement: Placement | None

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.round.number

    @property
    def training_errors(self) -> Mapping[str, float]:
        """The mean squared error of each target over the solutions trained on; empty if nothing was trained."""
        errors: Mapping[str, float] = self.round.facts.get("errors", {})
        return errors

    def to_json(self) -> dict[str, Any]:
        """The numbers of the round as plain data."""
        placed = self.placement
        return {
            "round": self.number,
            "first_evaluation": int(self.round.evaluations[0]),
            "evaluated": len(self.solutions),
            **self.round.facts,
            "candidate_errors": dict(self.errors),
            "noise": dict(self.noise),
            "entered": int(self.entered.sum()),
            "same_cell": None if placed is None else round(placed.same_cell * len(self.solutions)),
            "distance": None if placed is None else placed.distance,
        }


def round_statistics(view: RunView) -> tuple[RoundStatistics, ...]:
    """The statistics of all rounds of a search with a surrogate, the last of which may not be complete.

    A candidate has entered the map if it is an elite once its whole round is evaluated. Cells are those in which the
    round's predictions were placed: those at its start. Solutions have their final numbers, even if they played again
    later.

    Raises:
        RunError: If the run has no archive.
    """
    options = view.options
    if options is None:
        raise RunError(f"{view.path} has no archive")

    @cache  # most rounds start where another ended
    def archive_of(solutions: int) -> Archive:
        known = slice(solutions)
        return Archive.from_log(
            options, view.archive.objectives[known], view.archive.measures[known], planned=view.archive.planned
        )

    return tuple(_statistics(view, each, archive_of) for each in view.rounds)


def _statistics(view: RunView, found: Round, archive_of: Callable[[int], Archive]) -> RoundStatistics:
    solutions = view.history.solution[found.evaluations]
    before = int(view.history.solution[: found.evaluations[0]].max(initial=-1)) + 1
    after = int(view.history.solution[: found.evaluations[-1] + 1].max()) + 1
    entered: npt.NDArray[np.bool_] = np.isin(solutions, archive_of(after).elites)
    measured = {name: np.asarray(view.log.column(name)[solutions]) for name in found.predicted}
    predicted = _predicted_measures(view, found, solutions)
    placed = None
    if predicted is not None:
        cells = archive_of(before).cells
        placed = placement(cells, predicted=predicted, measured=view.archive.measures[solutions], is_elite=entered)
    return RoundStatistics(
        round=found,
        solutions=solutions,
        measured=measured,
        entered=entered,
        errors={name: _mean((found.predicted[name] - values) ** 2) for name, values in measured.items()},
        noise={name: _mean(view.log.error(name)[solutions] ** 2) for name in measured},
        placement=placed,
    )


def _predicted_measures(view: RunView, found: Round, solutions: Ints) -> Floats | None:
    """The measures of candidates as the surrogate's map has them; None if one of them is not predicted."""
    known = view.log.space.columns
    if not found.predicted or not all(name in known or name in found.predicted for name in view.measures):
        return None
    columns = [view.log.column(name)[solutions] if name in known else found.predicted[name] for name in view.measures]
    return np.stack(columns, axis=1)


def _mean(values: Floats) -> float:
    """The mean of the values that are known."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")


def targets_of(view: RunView) -> tuple[str, ...]:
    """The columns that the surrogate of a run predicts; none if there is no prediction."""
    return next((tuple(each.predicted) for each in view.rounds if each.predicted), ())
