"""What is drawn of the rounds of a search with a surrogate: predictions against results, and numbers over rounds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.runs.round_statistics import RoundStatistics, round_statistics, targets_of
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Floats
from deckatlas.views.columns import axis_name, column_name

_WITHIN = 1.0, 99.0  # percentiles of predictions between which the axes end: a new model can be wrong by any amount

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Predictions:
    """The candidates of all rounds, by one target.

    Attributes:
        target: The target.
        predicted: What was predicted of each candidate.
        measured: What its games showed.
        newest: Whether it belongs to the last round.
    """

    target: str
    predicted: Floats
    measured: Floats
    newest: Bools

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of both axes: they hold all results, and all predictions but the most extreme ones."""
        usual = np.percentile(self.predicted, _WITHIN)
        values = np.concatenate([usual, self.measured[np.isfinite(self.measured)]])
        low, high = float(values.min()), float(values.max())
        room = 0.05 * (high - low) or 0.5
        return low - room, high + room

    @property
    def beyond(self) -> int:
        """How many predictions lie beyond the ends; they are drawn at the border."""
        low, high = self.ends
        return int(((self.predicted < low) | (self.predicted > high)).sum())


@dataclass(frozen=True, eq=False)
class RoundCurves:
    """Numbers over rounds that share a frame.

    Attributes:
        title: What they are.
        unit: Their unit.
        lines: The numbers of each line, by its name.
        logarithmic: Whether the vertical axis is logarithmic; otherwise it starts at zero.
    """

    title: str
    unit: str
    lines: dict[str, Floats]
    logarithmic: bool


def predictions_of(view: RunView) -> list[Predictions]:
    """The candidates of a run by each target.

    Raises:
        RunError: If no surrogate has predicted anything.
    """
    rounds = [each for each in _rounds(view) if each.round.predicted]
    newest = np.concatenate([np.full(len(each.solutions), each is rounds[-1]) for each in rounds])
    return [
        Predictions(
            target,
            np.concatenate([each.round.predicted[target] for each in rounds]),
            np.concatenate([each.measured[target] for each in rounds]),
            newest,
        )
        for target in targets_of(view)
    ]


def curves_of(view: RunView) -> tuple[Floats, list[RoundCurves]]:
    """The numbers of the rounds of a run, and what is drawn over them: the errors of each target, and placements.

    Raises:
        RunError: If no surrogate has predicted anything.
    """
    rounds = _rounds(view)
    curves = [
        RoundCurves(f"error of {column_name(target)}", f"squared {axis_name(target)}", _errors(rounds, target), True)
        for target in targets_of(view)
    ]
    shares = {"entered": [float(each.entered.mean()) for each in rounds]}
    if any(each.placement for each in rounds):
        nothing = float("nan")
        shares["in the predicted cell"] = [each.placement.same_cell if each.placement else nothing for each in rounds]
        distances = np.array([each.placement.distance if each.placement else nothing for each in rounds])
        apart = RoundCurves(
            "distance from the predicted cell", "cells", {"mean of those that entered": distances}, False
        )
        curves.append(apart)
    named = {name: np.array(values) for name, values in shares.items()}
    curves.insert(len(targets_of(view)), RoundCurves("candidates", "share of the round's candidates", named, False))
    return np.array([each.number for each in rounds], np.float64), curves


def rounds_in_words(numbers: Floats) -> str:
    """How many rounds there are."""
    return f"{len(numbers):,} round{'' if len(numbers) == 1 else 's'}"


def _errors(rounds: Sequence[RoundStatistics], target: str) -> dict[str, Floats]:
    """The lines of a target's errors; a line without any number is left out."""
    lines = {
        "candidates": [each.errors.get(target) for each in rounds],
        "training": [each.training_errors.get(target) for each in rounds],
        "noise": [each.noise.get(target) for each in rounds],
    }
    known = {name: np.array(values, np.float64) for name, values in lines.items()}
    return {name: values for name, values in known.items() if (values > 0).any()}


def _rounds(view: RunView) -> tuple[RoundStatistics, ...]:
    if not targets_of(view):
        raise RunError(f"{view.name} has no predictions: its search is {view.run.algorithm}")
    return round_statistics(view)
