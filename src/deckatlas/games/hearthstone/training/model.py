"""The model that is trained: a network over sparse features, with one stack of dense layers for each moment."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas._core import learning
from deckatlas.errors import ModelError, RunError
from deckatlas.files.arrays import read_arrays, write_arrays
from deckatlas.files.writing import make_folder
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.position_network import NetworkWeights, exact_numbers, quantised
from deckatlas.games.hearthstone.training.features import JointFeatures
from deckatlas.games.hearthstone.training.positions import Samples

LAYERS = (core.NETWORK_HIDDEN, core.NETWORK_HIDDEN)  # outputs of the dense layers before the last one
# What the whole numbers of a playing network can hold: see core/hearthstone/position_network.hpp.
ROW_LIMIT = 3.99
DENSE_LIMIT = 7.5

_MOMENTS = tuple(core.Moment.__members__)
_STATE = ("parameters", "first", "second")
_MATRICES = ("first", "second", "last")
_DENSE = tuple(name for matrix in _MATRICES for name in (matrix, f"{matrix}_bias"))

Singles = npt.NDArray[np.float32]


class RatingModel:
    """A model in training."""

    def __init__(self, features: JointFeatures, *, hidden: int, seed: int) -> None:
        """Makes an untrained model.

        Args:
            features: What its rows are for.
            hidden: Numbers in the row of a feature.
            seed: The seed of its first weights.
        """
        self._features, self._hidden = features, hidden
        self._trainer = learning.SparseTrainer(self._attributes(), **self._shape(), seed=seed)

    def fit(
        self,
        samples: Samples,
        *,
        batch: int,
        rates: tuple[float, float],
        weight_decay: float,
        seed: int,
        threads: int,
        progress: Callable[[int], object] | None = None,
    ) -> float:
        """Trains on all samples once, and returns the loss.

        Args:
            samples: What to learn from.
            batch: Samples per step.
            rates: The rate of learning at the start and at the end.
            weight_decay: The decay of what features do not share.
            seed: The seed of the order of samples.
            threads: The number of threads; the result does not depend on it.
            progress: Called with the number of steps done, about ten times a second.
        """
        return self._trainer.fit(
            *_inputs(samples),
            samples.targets,
            np.ones(len(samples), np.float32),
            batch_size=batch,
            rate=rates[0],
            final_rate=rates[1],
            weight_decay=weight_decay,
            seed=seed,
            threads=threads,
            progress=progress,
        )

    def predict(self, samples: Samples, *, threads: int) -> Singles:
        """The logit of each sample's chance to win."""
        return self._trainer.predict(*_inputs(samples), threads=threads)

    def write_state(self, path: Path) -> None:
        """Stores everything that training continues from."""
        steps, *numbers = self._trainer.state()
        make_folder(path.parent, error=RunError)
        write_arrays(path, {"steps": np.array(steps), **dict(zip(_STATE, numbers, strict=True))}, error=RunError)

    def read_state(self, path: Path) -> None:
        """Continues from a stored state.

        Raises:
            ModelError: If it is the state of another model.
            RunError: If the file cannot be read.
        """
        arrays = read_arrays(path, error=RunError)
        if arrays.keys() != {"steps", *_STATE}:
            raise RunError(f"{path}: it is not the state of a training")
        self._restore(steps=int(arrays["steps"]), **{name: arrays[name] for name in _STATE})

    def start_from(self, weights: NetworkWeights) -> None:
        """Begins the training with the numbers of a network; cards that it does not know have nothing of their own.

        Raises:
            ModelError: If the network has another width.
        """
        if weights.width != self._hidden:
            raise ModelError(
                f"the model has rows of {self._hidden} numbers, but the weights have rows of {weights.width}"
            )
        numbers = exact_numbers(weights)
        own = self._own_rows(weights.cards, numbers["own_numbers"], numbers["own_cards"])
        shared = numbers["shared"] / self._features.scales[:, None].astype(np.float64)
        for name in _MATRICES[:-1]:
            numbers[name] = numbers[name].transpose(0, 2, 1)
        stacks = [numbers[name][moment] for moment in range(len(_MOMENTS)) for name in _DENSE]
        rows = [own[:, :-1], shared[:, :-1], numbers["bias"], own[:, -1], shared[:, -1]]
        parameters = np.concatenate([part.ravel() for part in (*rows, *stacks)]).astype(np.float32)
        nothing = np.zeros_like(parameters)
        self._restore(steps=0, parameters=parameters, first=nothing, second=nothing)

    def network(self, editions: Sequence[Edition], *, about: str, decks: Sequence[Deck] = ()) -> NetworkWeights:
        """The model in whole numbers, with own numbers for the cards of these editions, and the decks that it knows.

        Raises:
            ModelError: If a number is too large.
        """
        numbers = iter(np.split(self._trainer.state()[1], np.cumsum(self._sizes())[:-1]))
        own, shared, bias, own_direct, shared_direct = (next(numbers) for _ in range(5))
        rows = np.column_stack([own.reshape(-1, self._hidden), own_direct])
        stacks = [[next(numbers) for _ in _DENSE] for _ in _MOMENTS]
        arrays = {name: np.stack(parts) for name, parts in zip(_DENSE, zip(*stacks, strict=True), strict=True)}
        for name, (inputs, outputs) in zip(_MATRICES, self._dense_shapes(), strict=True):
            by_input = arrays[name].reshape(len(_MOMENTS), inputs, outputs)
            arrays[name] = np.ascontiguousarray(by_input.transpose(0, 2, 1) if outputs > 1 else by_input[:, :, 0])
        shared_rows = np.column_stack([shared.reshape(-1, self._hidden), shared_direct])
        arrays |= {"bias": bias, "shared": shared_rows * self._features.scales[:, None]}
        parts = [quantised({**arrays, "own": rows[self._own(each)]}, each, about=about) for each in editions]
        return replace(united(parts), decks=tuple(decks))

    def _restore(self, **state: Any) -> None:
        self._trainer = learning.SparseTrainer.restored(self._attributes(), **self._shape(), **state)

    def _own_rows(
        self, cards: Sequence[str], of_numbers: npt.NDArray[Any], of_cards: npt.NDArray[Any]
    ) -> npt.NDArray[np.float64]:
        """The own row of each feature, from those of a network's numbers and of its cards by zone."""
        place_of = {card: place for place, card in enumerate(cards)}
        zone_of: dict[str, int] = {}  # zones of cards follow those of numbers
        rows = np.zeros((len(self._features.keys), of_numbers.shape[1]))
        rows[: len(of_numbers)] = of_numbers
        for number, (zone, entry) in enumerate(self._features.keys[len(of_numbers) :], start=len(of_numbers)):
            place, zone_number = place_of.get(entry), zone_of.setdefault(zone, len(zone_of))
            if place is not None:
                rows[number] = of_cards[place, zone_number]
        return rows

    def _own(self, edition: Edition) -> npt.NDArray[np.int64]:
        """The feature whose own part each feature of an edition has."""
        numbers, count = self._features.numbers[edition.name].astype(np.int64), len(self._features.keys)
        bases = np.concatenate([np.arange(count), self._features.bases.astype(np.int64)])
        return bases[numbers]

    def _attributes(self) -> tuple[Any, ...]:
        features = self._features
        values = features.values * features.scales[features.columns]
        return features.starts, features.columns, values.astype(np.float32), features.bases

    def _shape(self) -> dict[str, Any]:
        return {
            "features": len(self._features.keys),
            "attribute_count": len(core.FEATURE_ATTRIBUTES),
            "hidden": self._hidden,
            "layers": list(LAYERS),
            "stacks": len(_MOMENTS),
            "row_limit": ROW_LIMIT,
            "dense_limit": DENSE_LIMIT,
        }

    def _dense_shapes(self) -> list[tuple[int, int]]:
        return list(zip((self._hidden, *LAYERS), (*LAYERS, 1), strict=True))

    def _sizes(self) -> list[int]:
        """How many numbers each part of the parameters has."""
        features, attributes = len(self._features.keys), len(core.FEATURE_ATTRIBUTES)
        dense = [size for inputs, outputs in self._dense_shapes() for size in (inputs * outputs, outputs)]
        rows = [features * self._hidden, attributes * self._hidden, self._hidden, features, attributes]
        return [*rows, *(dense * len(_MOMENTS))]


def _inputs(samples: Samples) -> tuple[Any, Any, Any]:
    return samples.offsets, samples.features, samples.moments


def united(networks: Sequence[NetworkWeights]) -> NetworkWeights:
    """One network with the cards of several that differ in nothing else; the first that has a card decides."""
    first = networks[0]
    own = {
        card: row for each in reversed(networks) for card, row in zip(each.cards, each.arrays["own_cards"], strict=True)
    }
    cards = tuple(sorted(own))
    return NetworkWeights(cards, {**first.arrays, "own_cards": np.stack([own[card] for card in cards])}, first.about)
