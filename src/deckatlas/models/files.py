"""Trained models in files.

A file is JSON: `{"genes": [...], "targets": [...], "deck_size": 30, "training": {...}, "networks": [...]}`. `genes` has
the names of the genes, such as the ids of cards, and `deck_size` is null where genes are real numbers. Each network is
as in the files of rating networks: `layers` has the number of inputs, then the outputs of each layer; `weights` has one
list of numbers for each layer, row by row with one row per input, and `biases` has one list for each layer. Numbers are
in single precision, as the shortest decimals that identify them.

`cards`, if it is there, is a hash of the cards that the model was trained with. A model knows cards by their ids, and
the attributes of cards are folded into its first layer, so it would not notice that a patch has changed some.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from deckatlas.errors import ModelError
from deckatlas.files.plain_data import read_json
from deckatlas.models.data import Singles
from deckatlas.models.frozen import FrozenModel, Layers
from deckatlas.models.recipes import Training
from deckatlas.shapes import Check, Misfit, list_of, number_between, record, show, text

OTHER_CARDS = "it was trained with other cards: those of another edition, patch or version"

_WIDEST = 4096
_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class ModelFile:
    """A model and what it was made for.

    Attributes:
        model: The model.
        genes: The names of the genes.
        training: How it was trained.
    """

    model: FrozenModel
    genes: tuple[str | int, ...]
    training: Training


def model_text(model: FrozenModel, *, genes: Sequence[str | int], training: Training, cards: str = "") -> str:
    """The content of a model's file.

    Args:
        model: The model.
        genes: The names of the genes.
        training: How it was trained.
        cards: A hash of the cards that it was trained with; if empty, any with these names will do.
    """
    document: dict[str, Any] = {
        "genes": list(genes),
        "targets": list(model.targets),
        "deck_size": model.deck_size,
        "training": training.model_dump(mode="json"),
        "networks": [_network(layers) for layers in model.members],
    }
    if cards:
        document["cards"] = cards
    return json.dumps(document, separators=(",", ":")) + "\n"


def read_model(path: Path, *, genes: Sequence[str | int], deck_size: int | None, cards: str = "") -> ModelFile:
    """Reads a model for these genes from a file.

    Args:
        path: The file.
        genes: The names of the genes.
        deck_size: The number of cards of a deck; None if genes are real numbers.
        cards: A hash of the cards in play; if it or that of the file is not known, only names are compared.

    Raises:
        ModelError: If the file cannot be read, is not a model, or is one of other genes, cards or decks.
    """
    document = read_json(path, error=ModelError, what="the model ")
    try:
        _check_document(document)
        if document["genes"] != list(genes):
            raise ModelError(difference_of_genes(document["genes"], genes))
        if document["deck_size"] != deck_size:
            raise ModelError(f"it is for decks of {show(document['deck_size'])} cards, not {show(deck_size)}")
        if cards and document.get("cards", cards) != cards:
            raise ModelError(OTHER_CARDS)
        members = [_layers(network, len(genes), len(document["targets"])) for network in document["networks"]]
        model = FrozenModel(members, targets=document["targets"], deck_size=deck_size)
        return ModelFile(model, tuple(genes), Training.model_validate(document["training"]))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in ("training", *first["loc"]))
        raise ModelError(f"the model {path}: {place}: {first['msg']}") from None
    except (ModelError, Misfit) as error:
        raise ModelError(f"the model {path}: {error}") from None


def _network(layers: Layers) -> dict[str, Any]:
    return {
        "layers": [len(layers[0][0]), *(len(biases) for _, biases in layers)],
        "activation": "elu",
        "weights": [_short(weights) for weights, _ in layers],
        "biases": [_short(biases) for _, biases in layers],
    }


def _short(values: Singles) -> list[float]:
    return [float(str(value)) for value in values.ravel()]


def _id(value: Any) -> None:
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise Misfit(f"expected the name of a gene, not {show(value)}")


def _size_or_nothing(value: Any) -> None:
    if value is not None:
        number_between(1, 255)(value)


def _elu(value: Any) -> None:
    if value != "elu":
        raise Misfit(f"the activation of a surrogate is 'elu', not {show(value)}")


def _number(value: Any) -> None:
    if type(value) not in (int, float) or not abs(value) <= _LARGEST:
        raise Misfit(f"expected a finite number, not {show(value)}")


_NETWORK: Check = record(
    {
        "layers": list_of(number_between(1, _WIDEST), most=17),
        "activation": _elu,
        "weights": list_of(list_of(_number)),
        "biases": list_of(list_of(_number)),
    }
)
_check_document: Check = record(
    {
        "genes": list_of(_id),
        "targets": list_of(text),
        "deck_size": _size_or_nothing,
        "training": record({}, more_keys=True),
        "networks": list_of(_NETWORK, most=64),
    },
    {"cards": text},
)


def _layers(network: dict[str, Any], genes: int, targets: int) -> Layers:
    sizes = network["layers"]
    if len(sizes) < 2 or sizes[0] != genes or sizes[-1] != targets:
        raise ModelError(f"layers must lead from {genes} genes to {targets} targets")
    shapes = list(pairwise(sizes))
    if not len(shapes) == len(network["weights"]) == len(network["biases"]):
        raise ModelError(f"weights and biases must be {len(shapes)} lists each, one for each layer")
    layers = []
    for number, (inputs, outputs) in enumerate(shapes):
        weights, biases = (np.array(network[key][number], np.float32) for key in ("weights", "biases"))
        if weights.size != inputs * outputs or biases.size != outputs:
            raise ModelError(f"layer {number + 1} must have {inputs * outputs} weights and {outputs} biases")
        layers.append((weights.reshape(inputs, outputs), biases))
    return layers


def difference_of_genes(found: Sequence[Any], expected: Sequence[str | int]) -> str:
    """What differs between the genes of a model and those of a space."""
    for number, (one, other) in enumerate(zip(found, expected, strict=False)):
        if one != other:
            return f"it is for other solutions: gene {number + 1} is {show(one)}, not {show(other)}"
    return f"it is for {len(found)} genes, not {len(expected)}"
