"""Where candidates of a surrogate land: the cells that predictions name, the cells that games name, and noise."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.runs.round_statistics import Placement, placement_on_new_map
from deckatlas.runs.view import RunView
from deckatlas.search.cells import Cells
from deckatlas.search.rounds import Round, rounds_of
from deckatlas.stats.distributions import normal_cdf

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def rounds_in(view: RunView) -> list[Round]:
    """The rounds of a search with a surrogate that had candidates with predictions.

    Raises:
        RunError: If there are none.
    """
    found = [each for each in rounds_of(view.history.notes) if each.predicted]
    if not found:
        raise RunError(f"{view.path} has no round with predictions: its search is {view.run.algorithm}")
    return found


def is_full(each: Round) -> bool:
    """Whether all elites of the round's archive of predictions were evaluated: the last round is mostly cut short."""
    return int(each.facts["elites"]) == len(each.evaluations)


def full_rounds(view: RunView) -> list[Round]:
    """The full rounds; the first one of all, if none is full."""
    found = rounds_in(view)
    return [each for each in found if is_full(each)] or found[:1]


def solutions_of(view: RunView, each: Round) -> Ints:
    """The numbers of the solutions that a round evaluated."""
    return np.asarray(view.history.solution[each.evaluations], dtype=np.int64)


def placement_of(view: RunView, each: Round) -> Placement:
    """The candidates of a round on a new map of their own, by their predictions and by their games."""
    solutions = solutions_of(view, each)
    return placement_on_new_map(
        view.archive.cells,
        predicted=np.stack([predictions(view, each, name) for name in view.measures], axis=1),
        objectives=view.archive.objectives[solutions],
        measured=view.archive.measures[solutions],
    )


def distance_by_chance(placed: Placement, rng: np.random.Generator, *, samples: int = 100) -> float:
    """The mean distance if predictions are dealt out at random among the candidates that are elites."""
    predicted = placed.predicted[placed.is_elite]
    return float(np.mean([placed.steps(rng.permutation(predicted)).mean() for _ in range(samples)]))


def measure_errors(view: RunView, solutions: Ints) -> Floats:
    """The standard errors of the measures of solutions: one row each."""
    return np.stack([view.log.error(name)[solutions] for name in view.measures], axis=1)


def predictions(view: RunView, each: Round, column: str) -> Floats:
    """A column of a round's candidates as it was before they played: predicted, or known without playing."""
    if column in each.predicted:
        return np.asarray(each.predicted[column])
    return np.asarray(view.log.column(column)[solutions_of(view, each)], dtype=np.float64)


def errors_of(view: RunView, each: Round, column: str) -> Floats:
    """Prediction minus result, for each candidate of a round."""
    found = np.asarray(view.log.column(column), dtype=np.float64)[solutions_of(view, each)]
    errors: Floats = predictions(view, each, column) - found
    return errors


def staying_share(cells: Cells, measures: Floats, errors: Floats) -> float:
    """The mean probability that normal noise leaves solutions in their cells.

    Args:
        cells: The cells.
        measures: The measures of solutions, one row each, taken for their true values.
        errors: The standard deviations of the noise, in the same form.
    """
    indices = cells.indices(cells.numbers(measures))
    shares = np.ones(len(measures))
    for place, boundaries in enumerate(cells.boundaries):
        outer = np.concatenate([[-math.inf], boundaries[1:-1], [math.inf]])
        low, high = outer[indices[:, place]], outer[indices[:, place] + 1]
        shares *= [
            _between(below, above, value, error)
            for below, above, value, error in zip(low, high, measures[:, place], errors[:, place], strict=True)
        ]
    return float(shares.mean())


def _between(low: float, high: float, value: float, error: float) -> float:
    """The probability that a value with normal noise is between two boundaries."""
    if error == 0:
        return 1.0
    return normal_cdf((high - value) / error) - normal_cdf((low - value) / error)


def overlap(one: frozenset[int], other: frozenset[int]) -> float:
    """The share of all cells filled by one of two archives that both of them fill."""
    return len(one & other) / len(one | other)


def noise_overlap(
    cells: Cells, measures: Floats, errors: Floats, rng: np.random.Generator, *, samples: int = 100
) -> float:
    """The mean overlap of what solutions fill with what they would fill in a second evaluation.

    The results of two evaluations differ by the noise of both: by the square root of two standard errors.

    Args:
        cells: The cells.
        measures: The measures of solutions, one row each; those that are not finite fill nothing.
        errors: Their standard errors, in the same form.
        rng: Draws the noise.
        samples: The number of second evaluations that are drawn.
    """
    is_placed = np.isfinite(measures).all(axis=1)
    found, noise = measures[is_placed], math.sqrt(2) * errors[is_placed]
    filled = frozenset(cells.numbers(found).tolist())
    again = (found + noise * rng.standard_normal(found.shape) for _ in range(samples))
    return float(np.mean([overlap(filled, frozenset(cells.numbers(each).tolist())) for each in again]))


def mean_overlap(archives: Sequence[frozenset[int]]) -> float:
    """The mean overlap of neighbours in a list of archives."""
    return float(np.mean([overlap(one, other) for one, other in pairwise(archives)]))
