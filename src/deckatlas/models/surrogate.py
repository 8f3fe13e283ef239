"""A surrogate: it is fitted to what evaluations found, and predicts the targets of other solutions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import surrogate as core
from deckatlas.errors import ModelError
from deckatlas.models.data import Floats, Singles, TrainingData
from deckatlas.models.encodings import Encoding, moments, plain, standardised, with_attributes
from deckatlas.models.frozen import FrozenModel, Layers
from deckatlas.models.recipes import Training

_NETWORK, _ORDER, _NOISE, _HELD_OUT = range(4)  # what a seed is for

Progress = Callable[[int], object]


@dataclass(frozen=True)
class FitReport:
    """What a training came to.

    Attributes:
        rows: How many solutions were trained on.
        held_out: How many were not.
        losses: The loss of each epoch, as an average over networks.
        trained_errors: The mean squared error of each target over the solutions trained on.
        held_out_errors: The same over those held out; NaN if there are none.
    """

    rows: int
    held_out: int
    losses: tuple[float, ...]
    trained_errors: tuple[float, ...]
    held_out_errors: tuple[float, ...]


class Surrogate:
    """A model that can be trained again and again.

    Attributes:
        training: How it is made and trained.
        targets: The names of what it predicts.
    """

    def __init__(
        self,
        training: Training,
        *,
        genes: int,
        targets: Sequence[str],
        deck_size: int | None = None,
        attributes: Floats | None = None,
    ) -> None:
        """Sets up a surrogate that knows nothing yet.

        Args:
            training: How it is made and trained.
            genes: How many genes a solution has.
            targets: The names of the columns to predict.
            deck_size: The number of cards of a deck, if genes are counts of cards.
            attributes: One row per card and one column per attribute, for that encoding.

        Raises:
            ModelError: If these do not fit each other.
        """
        if not targets or len(set(targets)) < len(targets):
            raise ModelError("a surrogate needs at least one target, and each target only once")
        self.training = training
        self.targets = tuple(targets)
        self._genes, self._deck_size = genes, deck_size
        self._encoding: Encoding | None = None if training.normalise and deck_size is None else plain(genes)
        if training.encoding == "attributes":
            if attributes is None or deck_size is None:
                raise ModelError("this space has no attributes of cards: use the encoding 'counts'")
            if len(attributes) != genes:
                raise ModelError(f"there are attributes of {len(attributes)} cards, but the space has {genes} cards")
            self._encoding = with_attributes(attributes)
        inputs = genes if self._encoding is None else self._encoding.inputs
        if max(inputs, len(self.targets)) > core.WIDEST_LAYER:
            raise ModelError(
                f"a surrogate has at most {core.WIDEST_LAYER:,} inputs and targets, not {inputs:,} and {len(targets):,}"
            )
        self._scale: tuple[Floats, Floats] | None = None
        self._trainers: list[core.Trainer] = []
        self._frozen: FrozenModel | None = None

    def fit(self, data: TrainingData, seed: int, *, progress: Progress | None = None) -> FitReport:
        """Trains on solutions; the same data and seeds, training after training, give the same model.

        Args:
            data: The solutions, oldest first.
            seed: The seed of everything random in this training.
            progress: Called about ten times a second; an exception in it ends the training, after which this surrogate
                must not be used.

        Raises:
            ModelError: If the data do not fit, or training diverges.
        """
        if data.genes.shape[1] != self._genes or data.targets.shape[1] != len(self.targets):
            raise ModelError(
                f"this surrogate has {self._genes} genes and {len(self.targets)} targets, "
                f"the data {data.genes.shape[1]} and {data.targets.shape[1]}"
            )
        trained, held_out = self._split(len(data), seed)
        if not self.training.warm_start:
            self._trainers, self._scale = [], None
        learnt = data.rows(trained)
        if self._scale is None:
            self._scale = self._scale_of(learnt)
            if self.training.normalise and self._deck_size is None:
                self._encoding = standardised(learnt.genes)
        losses = self._train(learnt, seed, progress)
        self._frozen = FrozenModel(
            [self._layers(trainer) for trainer in self._trainers], targets=self.targets, deck_size=self._deck_size
        )
        return FitReport(len(trained), len(held_out), losses, self._errors(learnt), self._errors_of(data, held_out))

    @property
    def frozen(self) -> FrozenModel:
        """The model as it is now.

        Raises:
            ModelError: If it was never trained.
        """
        if self._frozen is None:
            raise ModelError("this surrogate was not trained yet")
        return self._frozen

    def predict(self, genes: npt.NDArray[Any]) -> Floats:
        """The targets of solutions: one row per solution."""
        return self.frozen.predict(genes)

    def layers(self) -> list[Layers]:
        """The dense layers of each network, from genes to targets, with ELU between them."""
        return self.frozen.members

    def _split(self, rows: int, seed: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The rows to train on and those held out."""
        kept = max(1, int(rows * (1 - self.training.hold_out)))
        order = np.arange(rows, dtype=np.int64)
        if self.training.shuffle and kept < rows:
            order = np.random.default_rng([seed, _HELD_OUT]).permutation(rows)
        return np.sort(order[:kept]), np.sort(order[kept:])

    def _scale_of(self, data: TrainingData) -> tuple[Floats, Floats]:
        if self.training.normalise:
            return moments(data.targets)
        return np.zeros(len(self.targets)), np.ones(len(self.targets))

    def _train(self, data: TrainingData, seed: int, progress: Progress | None) -> tuple[float, ...]:
        assert self._encoding is not None
        assert self._scale is not None
        inputs = self._encoding.encode(data.genes)
        if self.training.input_noise > 0:
            noise = np.random.default_rng([seed, _NOISE]).standard_normal(inputs.shape)
            inputs = (inputs + self.training.input_noise * noise).astype(np.float32)
        means, deviations = self._scale
        targets = ((data.targets - means) / deviations).astype(np.float32)
        weights = data.weight.astype(np.float32)
        if not self._trainers:
            sizes, networks = self._sizes(self._encoding), range(self.training.networks)
            self._trainers = [core.Trainer(sizes, _word(seed, _NETWORK, number)) for number in networks]
        losses = [
            trainer.fit(
                inputs,
                targets,
                weights,
                epochs=self.training.epochs,
                batch_size=self.training.batch,
                rate=self.training.rate,
                final_rate=self.training.final_rate,
                weight_decay=self.training.weight_decay,
                seed=_word(seed, _ORDER, number),
                progress=progress,
            )
            for number, trainer in enumerate(self._trainers)
        ]
        return tuple(fsum(epoch) / len(epoch) for epoch in zip(*losses, strict=True))

    def _sizes(self, encoding: Encoding) -> list[int]:
        return [encoding.inputs, *self.training.hidden_layers, len(self.targets)]

    def _layers(self, trainer: core.Trainer) -> Layers:
        """The layers of a network, with the encoding and the scales of the targets in the first and the last."""
        assert self._encoding is not None
        assert self._scale is not None
        layers = unflattened(self._sizes(self._encoding), trainer.state()[1])
        means, deviations = self._scale
        weights, biases = layers[-1]
        layers[-1] = (
            (weights * deviations).astype(np.float32),
            (biases * deviations + means).astype(np.float32),
        )
        layers[0] = self._encoding.fold(*layers[0])
        return layers

    def _errors(self, data: TrainingData) -> tuple[float, ...]:
        squares = (self.predict(data.genes) - data.targets) ** 2
        return tuple(fsum(column) / len(column) for column in squares.T.tolist())

    def _errors_of(self, data: TrainingData, rows: npt.NDArray[np.int64]) -> tuple[float, ...]:
        return self._errors(data.rows(rows)) if len(rows) else (float("nan"),) * len(self.targets)


def unflattened(sizes: Sequence[int], parameters: Singles) -> Layers:
    """The layers of parameters in one list: layer by layer, the weights input by input, then the biases."""
    layers, start = [], 0
    for inputs, outputs in pairwise(sizes):
        middle, end = start + inputs * outputs, start + (inputs + 1) * outputs
        layers.append((parameters[start:middle].reshape(inputs, outputs), parameters[middle:end]))
        start = end
    return layers


def _word(seed: int, purpose: int, number: int) -> int:
    """A seed of 64 bits for one purpose of one network."""
    return int(np.random.SeedSequence([seed, purpose, number]).generate_state(1, np.uint64)[0])
