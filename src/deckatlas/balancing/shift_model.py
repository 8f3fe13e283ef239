"""A model of what patches do to a number: how far it moves, with its uncertainty.

The shift of a patch is a sum of parts for each knob, for the square of each, and for each pair of knobs, plus the luck
of the laps that were played (all patches of a round play the same laps), plus the noise of its games. A patch that
changes nothing shifts nothing, so there is no constant. All parts have normal priors around zero, whose spread is the
one of a few under which the results are likeliest. docs/decisions/0029 compares the model with others.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from deckatlas._core import numeric
from deckatlas.balancing.subject import Floats

_SPREADS = (0.003, 0.01, 0.03, 0.1, 0.3)  # of the part of a knob at its reach, a share of 1
_SECOND = 0.5  # the spread of squares and pairs, in units of that of knobs
_LUCK = 0.02  # the spread of the luck of laps
_DIGITS = 9  # numbers are rounded, so that machines whose sums differ in the last bit draw the same patches


def features(scaled: Floats) -> Floats:
    """One row per patch: its knobs, their squares, and the products of all pairs."""
    pairs = list(combinations(range(scaled.shape[1]), 2))
    products = [scaled[:, i] * scaled[:, j] for i, j in pairs]
    return np.concatenate([scaled, scaled**2, *(each[:, np.newaxis] for each in products)], axis=1)


@dataclass(frozen=True)
class ShiftModel:
    """What is known about the shift of one number.

    Attributes:
        mean: The expected parts.
        triangle: The upper triangle U of their precision U^T U.
    """

    mean: Floats
    triangle: Floats

    def drawn(self, rows: Floats, rng: np.random.Generator) -> Floats:
        """Shifts of patches that could as well be true."""
        noise = numeric.solve_triangle(self.triangle, rng.standard_normal((1, len(self.mean))))[0]
        parts = np.round(self.mean + noise, _DIGITS)
        return np.asarray(np.round(rows @ parts[: rows.shape[1]], _DIGITS))


def fitted(rows: Floats, laps: Floats, shifts: Floats, errors: Floats, *, knobs: int) -> ShiftModel:
    """The model after some evaluations.

    Args:
        rows: The features of each evaluated patch.
        laps: For each evaluation, 1 in the column of the laps that it played.
        shifts: How far the number moved.
        errors: The standard errors of these.
        knobs: The number of knobs.
    """
    design = np.concatenate([rows, laps], axis=1)
    weighted = design / errors[:, np.newaxis] ** 2
    moments, targets = weighted.T @ design, weighted.T @ shifts
    squares = float(((shifts / errors) ** 2).sum())
    found = []
    for spread in _SPREADS:
        second = rows.shape[1] - knobs
        spreads = np.concatenate(
            [np.full(knobs, spread), np.full(second, _SECOND * spread), np.full(laps.shape[1], _LUCK)]
        )
        triangle = numeric.triangle(moments + np.diag(spreads**-2))
        halfway = numeric.solve_triangle(triangle, targets[np.newaxis], transposed=True)
        mean = numeric.solve_triangle(triangle, halfway)[0]
        volume = float(np.log(np.diag(triangle)).sum() + np.log(spreads).sum())
        evidence = round((float(targets @ mean) - squares) / 2 - volume, 6)
        found.append((evidence, ShiftModel(np.round(mean, _DIGITS), triangle)))
    return max(found, key=lambda each: each[0])[1]
