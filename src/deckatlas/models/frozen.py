"""A trained model that no longer changes: dense layers, whoever trained them."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import surrogate as core
from deckatlas.errors import ModelError
from deckatlas.models.data import Floats, Singles

Layers = list[tuple[Singles, Singles]]  # a matrix of weights with one row per input, and the biases


class FrozenModel:
    """Predicts targets of solutions: one network with ELU between its layers, or the mean of several.

    Attributes:
        members: The layers of each network.
        targets: The names of the targets, in the order of the outputs.
        deck_size: The number of cards of a deck, if genes are counts; None if they are real numbers.
    """

    def __init__(self, members: Sequence[Layers], *, targets: Sequence[str], deck_size: int | None) -> None:
        """Takes the layers of each network.

        Raises:
            ModelError: If layers do not fit each other or the targets, or numbers are not finite.
        """
        self.members = [[_single_precision(layer) for layer in layers] for layers in members]
        self.targets = tuple(targets)
        self.deck_size = deck_size
        if self.core_model.targets != len(self.targets):
            raise ModelError(f"this model has {self.core_model.targets} outputs, but {len(self.targets)} targets")

    @cached_property
    def core_model(self) -> core.Model:
        """The model for the core's inner loop."""
        return core.Model(self.members, most_cards=1 if self.deck_size is None else self.deck_size)

    @property
    def genes(self) -> int:
        """How many genes a solution has."""
        return self.core_model.inputs

    def predict(self, genes: npt.NDArray[Any]) -> Floats:
        """The targets of solutions: one row per solution.

        Raises:
            ModelError: If the genes do not fit the model.
        """
        if self.deck_size is None:
            numbers = np.ascontiguousarray(genes, np.float64)
            return self.core_model.predict_vectors(numbers).astype(np.float64)
        counts = np.ascontiguousarray(genes, np.uint8)
        if counts.shape != np.shape(genes) or not np.array_equal(counts, genes):
            raise ModelError("this model is for decks: genes must be counts of cards from 0 to 255")
        return self.core_model.predict(counts).astype(np.float64)


def _single_precision(layer: tuple[npt.NDArray[Any], npt.NDArray[Any]]) -> tuple[Singles, Singles]:
    weights, biases = (np.ascontiguousarray(numbers, np.float32) for numbers in layer)
    if weights.ndim != 2 or biases.ndim != 1:
        raise ModelError("a layer is a matrix of weights and a list of biases")
    return weights, biases
