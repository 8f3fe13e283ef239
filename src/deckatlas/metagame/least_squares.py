"""Least squares with coefficients that are not negative: the active-set method of Lawson and Hanson."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_ZERO = 1e-12
_STEPS_PER_COLUMN = 10  # far more than the method ever takes; it ends there if rounding makes it go in circles


def nonnegative_least_squares(design: Floats, target: Floats) -> Floats:
    """The x >= 0 for which design @ x is closest to the target."""
    count = design.shape[1]
    x, free = np.zeros(count), np.zeros(count, np.bool_)
    for _ in range(_STEPS_PER_COLUMN * count):
        slope = np.where(free, -np.inf, design.T @ (target - design @ x))
        if slope.max() <= _ZERO:
            break
        free[int(np.argmax(slope))] = True
        x = _feasible_fit(design, target, x, free)
    return x


def _feasible_fit(design: Floats, target: Floats, x: Floats, free: npt.NDArray[np.bool_]) -> Floats:
    """Moves from x to the best fit by the free columns; those that would become negative on the way are fixed at 0."""
    while True:
        fit = np.zeros(len(x))
        fit[free] = np.linalg.lstsq(design[:, free], target, rcond=None)[0]
        falling = free & (fit <= 0)
        if not falling.any():
            return fit
        step = float(np.min(x[falling] / np.maximum(x[falling] - fit[falling], _ZERO)))
        x = x + min(step, 1.0) * (fit - x)
        free &= x > _ZERO
        x = np.where(free, x, 0.0)
