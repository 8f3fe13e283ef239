"""How solutions become the inputs of a network.

Every encoding is linear, so a trained first layer can be rewritten as one row of weights per gene: predictions never
need the encoding.
"""

from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import surrogate as core
from deckatlas.errors import ModelError
from deckatlas.models.data import Floats, Singles


@dataclass(frozen=True, eq=False)
class Encoding:
    """Inputs are (genes - offset) times a matrix with one row per gene.

    Attributes:
        matrix: One row per gene, one column per input; None if inputs are the genes themselves.
        offset: What is subtracted from each gene.
    """

    matrix: Singles | None
    offset: Singles

    @property
    def inputs(self) -> int:
        """How many inputs there are."""
        return len(self.offset) if self.matrix is None else self.matrix.shape[1]

    def encode(self, genes: npt.NDArray[Any]) -> Singles:
        """The inputs of solutions."""
        moved = np.ascontiguousarray(genes, np.float32) - self.offset
        return moved if self.matrix is None else core.product(moved, self.matrix)

    def fold(self, weights: Singles, biases: Singles) -> tuple[Singles, Singles]:
        """The first layer for genes instead of inputs."""
        rows = weights if self.matrix is None else core.product(self.matrix, weights)
        moved = core.product(self.offset[np.newaxis], rows)[0]
        return rows, biases - moved


def plain(genes: int) -> Encoding:
    """Inputs are the genes, such as the counts of cards."""
    return Encoding(None, np.zeros(genes, np.float32))


def with_attributes(attributes: Floats) -> Encoding:
    """Inputs are the counts of cards, and the sums of the cards' attributes over the deck.

    A changed or new card then means something to the network, as its attributes do. Each attribute is divided by its
    largest absolute value.

    Args:
        attributes: One row per card, one column per attribute.

    Raises:
        ModelError: If there are no attributes, or some are not finite.
    """
    if attributes.ndim != 2 or not attributes.size or not np.isfinite(attributes).all():
        raise ModelError("attributes are a table of finite numbers: one row per card, one column per attribute")
    largest = np.abs(attributes).max(axis=0)
    scaled = attributes / np.where(largest > 0, largest, 1)
    matrix = np.concatenate([np.eye(len(attributes)), scaled], axis=1)
    return Encoding(np.ascontiguousarray(matrix, np.float32), np.zeros(len(attributes), np.float32))


def standardised(genes: npt.NDArray[Any]) -> Encoding:
    """Inputs are the genes, less their mean and divided by their deviation over these solutions."""
    means, deviations = moments(np.asarray(genes, np.float64))
    return Encoding(np.diag(1 / deviations).astype(np.float32), means.astype(np.float32))


def moments(numbers: Floats) -> tuple[Floats, Floats]:
    """The mean and the standard deviation of each column, 1 where all numbers are equal.

    Sums are exact until they are rounded, so they are the same on every machine.
    """
    means = np.array([fsum(column) / len(column) for column in numbers.T.tolist()])
    spread = ((numbers - means) ** 2).T.tolist()
    deviations = np.array([sqrt(fsum(column) / len(column)) for column in spread])
    return means, np.where(deviations > 0, deviations, 1.0)
