"""How good predicted chances are: the loss, the calibration, and a baseline to compare with."""

from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.games.hearthstone.training.positions import Samples

Floats = npt.NDArray[np.float64]

_BINS = 10
_STEPS = 25  # of Newton's method, which converges long before
_MOST_SCORE = 3000.0  # beyond it, a rating means that the game is won or lost


def log_loss(logits: npt.NDArray[Any], targets: npt.NDArray[Any]) -> float:
    """The negative logarithm of the chance given to what happened, on average."""
    wide = logits.astype(np.float64)
    return float(np.mean(np.logaddexp(0, wide) - targets * wide))


def calibration(logits: npt.NDArray[Any], targets: npt.NDArray[Any]) -> list[dict[str, float]]:
    """For each tenth of the range of chances: how many predictions are in it, their mean, and how often it happened."""
    chances = 1 / (1 + np.exp(-logits.astype(np.float64)))
    bins = np.minimum((chances * _BINS).astype(np.int64), _BINS - 1)
    found = [np.flatnonzero(bins == number) for number in range(_BINS)]
    return [
        {
            "positions": len(rows),
            "predicted": round(float(chances[rows].mean()), 4),
            "observed": round(float(targets[rows].mean()), 4),
        }
        for rows in found
        if len(rows)
    ]


def calibration_error(logits: npt.NDArray[Any], targets: npt.NDArray[Any]) -> float:
    """The distance between predicted and observed chances, averaged over positions by their tenths."""
    bins = calibration(logits, targets)
    return sum(each["positions"] * abs(each["predicted"] - each["observed"]) for each in bins) / len(logits)


def baseline_logits(learnt: Samples, measured: Samples) -> Floats:
    """The logits of `measured` by a logistic regression on the pilots' own ratings, fitted to `learnt` by moment."""
    logits = np.zeros(len(measured))
    for moment in np.unique(measured.moments):
        rows, others = learnt.moments == moment, measured.moments == moment
        weights = _logistic_regression(_inputs(learnt.scores[rows]), learnt.targets[rows].astype(np.float64))
        logits[others] = _inputs(measured.scores[others]) @ weights
    return logits


def _inputs(scores: npt.NDArray[Any]) -> Floats:
    """A constant, the rating, and whether it says that the game is won or lost."""
    wide = scores.astype(np.float64)
    clipped = np.clip(wide, -_MOST_SCORE, _MOST_SCORE) / 1000
    return np.stack([np.ones_like(wide), clipped, np.sign(wide) * (np.abs(wide) > _MOST_SCORE)], axis=1)


def _logistic_regression(inputs: Floats, targets: Floats) -> Floats:
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-(inputs @ weights)))
        slopes = inputs.T @ (targets - chances) - 1e-3 * weights
        curvature = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + 1e-3 * np.eye(len(weights))
        weights = weights + np.linalg.solve(curvature, slopes)
    return weights
