"""Functions with the same bits on every machine."""

import numpy


def eigensystem(matrix: NDArray[numpy.float64]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, one per row. Only the numbers on and below the diagonal are read. The largest component of an eigenvector is positive.
    """

def combined_rows(weights: NDArray[numpy.float64], rows: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The sum of all rows, each times its weight."""

def row_products(rows: NDArray[numpy.float64], vector: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The inner product of each row and a vector."""

def add_outer_products(matrix: NDArray[numpy.float64], weights: NDArray[numpy.float64], rows: NDArray[numpy.float64]) -> None:
    """
    Adds each row's product with itself, times the row's weight, to a square matrix, on and below its diagonal.
    """

def exp(x: float) -> float:
    """e to the power of x; 0 below -708, and the largest power above 709."""

def log(x: float) -> float:
    """The natural logarithm of a finite number above zero."""
