"""Functions with the same bits on every machine."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def eigensystem(matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, one per row. Only the numbers on and below the diagonal are read. The largest component of an eigenvector is positive.
    """

def combined_rows(weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """The sum of all rows, each times its weight."""

def row_products(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], vector: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """The inner product of each row and a vector."""

def add_outer_products(matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
    """
    Adds each row's product with itself, times the row's weight, to a square matrix, on and below its diagonal.
    """

def triangle(matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    The upper triangle U of a symmetric positive definite matrix U^T U. Only the numbers on and above the diagonal are read.
    """

def solve_triangle(triangle: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, transposed: bool = False) -> NDArray[numpy.float64]:
    """
    For each row b, the solution of U x = b, or of U^T x = b if transposed, with an upper triangle U.
    """

def exp(x: float) -> float:
    """e to the power of x; 0 below -708, and the largest power above 709."""

def log(x: float) -> float:
    """The natural logarithm of a finite number above zero."""
