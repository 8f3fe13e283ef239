"""Equilibria of matrix games with zero sum, exact and deterministic, with numpy alone.

The row player chooses a row, the column player a column, and the row player wins the entry. Its linear program is
solved by the simplex method on a dense tableau, which is computed afresh from the matrix at the end: rounding cannot
add up.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.least_squares import nonnegative_least_squares

Floats = npt.NDArray[np.float64]

EXACT = 1e-9  # what a best response may gain against a mix that is reported as an equilibrium
_ZERO = 1e-11  # entries of a tableau below this are rounding
_MOST_REFRESHES = 10


@dataclass(frozen=True)
class Equilibrium:
    """A pair of mixes to which neither player has a better response.

    Attributes:
        value: What the row player wins on average.
        rows: The row player's mix.
        columns: The column player's mix.
    """

    value: float
    rows: Floats
    columns: Floats


def solve_game(payoff: npt.ArrayLike) -> Equilibrium:
    """An equilibrium of a matrix game: a vertex of the set of all equilibria, the same every time.

    The matrix is moved so that all entries are positive. The column player then maximises the sum of y >= 0 under
    payoff @ y <= 1, whose reciprocal is the value; the reduced costs of the slacks are the row player's mix. A step
    enters the column with the largest gain. After a step that gains nothing, Bland's rule chooses until one does, so
    the method always ends.

    Raises:
        ValueError: If the matrix is empty, or an entry is not finite.
    """
    matrix = np.array(payoff, dtype=np.float64)
    if matrix.ndim != 2 or not matrix.size or not np.isfinite(matrix).all():
        raise ValueError("a matrix game needs a matrix of finite numbers")
    lowest = float(matrix.min())
    scale = float(matrix.max()) - lowest or 1.0
    rows, columns = matrix.shape
    program = np.zeros((rows + 1, columns + rows + 1))
    program[:rows, :columns] = (matrix - lowest) / scale + 1
    program[:rows, columns:-1] = np.eye(rows)
    program[:rows, -1] = 1
    program[-1, :columns] = -1
    tableau, basis = _solved(program)
    total = tableau[-1, -1]
    of_columns = np.zeros(columns + rows)
    of_columns[basis] = tableau[:rows, -1]
    return Equilibrium(
        (1 / float(total) - 1) * scale + lowest, _mix(tableau[-1, columns:-1]), _mix(of_columns[:columns])
    )


def _solved(program: Floats) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The last tableau of a program whose first has the slacks as its basis, and its basis."""
    rows = len(program) - 1
    basis = np.arange(program.shape[1] - 1 - rows, program.shape[1] - 1)
    tableau = program.copy()
    for _ in range(_MOST_REFRESHES):
        _maximise(tableau, basis)
        tableau = _refreshed(program, basis)
        if (tableau[-1, :-1] >= -_ZERO).all():
            break
    return tableau, basis


def _refreshed(program: Floats, basis: npt.NDArray[np.int64]) -> Floats:
    """The tableau of a basis, computed from the program itself."""
    body = np.linalg.solve(program[:-1, basis], program[:-1])
    body[:, basis] = np.eye(len(basis))
    costs = program[-1] - program[-1, basis] @ body
    costs[basis] = 0
    return np.vstack([body, costs])


def _maximise(tableau: Floats, basis: npt.NDArray[np.int64]) -> None:
    """Pivots until no column gains; `basis` has the variable of each row."""
    is_stuck = False
    while True:
        costs = tableau[-1, :-1]
        gaining = np.flatnonzero(costs < -_ZERO)
        if not len(gaining):
            return
        entering = int(gaining[0] if is_stuck else gaining[np.argmin(costs[gaining])])
        column, bounds = tableau[:-1, entering], tableau[:-1, -1]
        limiting = np.flatnonzero(column > _ZERO)
        ratios = bounds[limiting] / column[limiting]
        nearest = limiting[ratios <= ratios.min() + _ZERO]
        leaving = int(nearest[np.argmin(basis[nearest])])
        before = tableau[-1, -1]
        _pivot(tableau, leaving, entering)
        basis[leaving] = entering
        is_stuck = bool(tableau[-1, -1] <= before + _ZERO)


def _pivot(tableau: Floats, row: int, column: int) -> None:
    tableau[row] /= tableau[row, column]
    factors = tableau[:, column].copy()
    factors[row] = 0
    tableau -= factors[:, np.newaxis] * tableau[row]
    tableau[:, column] = 0
    tableau[row, column] = 1


def _mix(weights: Floats) -> Floats:
    positive = np.where(weights > _ZERO, weights, 0.0)
    return np.asarray(positive / positive.sum())


def symmetric_mix(gains: Floats) -> tuple[Floats, bool]:
    """The equilibrium mix of a symmetric game, and whether it is the only one.

    If there are several, it is the most even one: that with the least sum of squares. It does not depend on the order
    of the decks, and gives the same share to two that are alike.

    Args:
        gains: What the row wins against the column; the column wins the opposite.

    Raises:
        ValueError: If the matrix is not that of a symmetric game.
    """
    if gains.ndim != 2 or gains.shape[0] != gains.shape[1] or np.abs(gains + gains.T).max(initial=0) > _ZERO:
        raise ValueError("a symmetric game needs a square matrix in which the column loses what the row wins")
    found = solve_game(gains).columns
    # Every equilibrium plays only what is as good as possible against this one, and leaves indifferent what it plays.
    played, equal = found > 0, gains @ found > -EXACT
    exact = np.vstack([gains[np.ix_(played, equal)], np.ones(equal.sum())])
    if np.linalg.matrix_rank(exact) == equal.sum():
        return found, True
    even = _most_even(exact, -gains[np.ix_(~played, equal)])
    mix = np.zeros(len(found))
    mix[equal] = even
    is_equilibrium = (even >= 0).all() and (gains @ mix).max() <= EXACT
    return (mix if is_equilibrium else found), False


def _most_even(exact: Floats, at_least: Floats) -> Floats:
    """The x >= 0 with the least sum of squares under exact @ x = (0, ..., 0, 1) and at_least @ x >= 0.

    This is a problem of least distance: a non-negative least-squares fit of the last unit vector by the constraints
    has the solution in its residual.
    """
    size = exact.shape[1]
    limits = np.vstack([exact, -exact, at_least, np.eye(size)])
    sides = np.zeros(len(limits))
    sides[len(exact) - 1], sides[2 * len(exact) - 1] = 1, -1
    design = np.vstack([limits.T, sides])
    target = np.zeros(size + 1)
    target[-1] = 1
    residual = target - design @ nonnegative_least_squares(design, target)
    x = -residual[:-1] / residual[-1]
    x[np.abs(x) < EXACT] = 0
    return np.asarray(x / x.sum())
