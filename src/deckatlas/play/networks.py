"""Small neural networks in files: one class and one format for draft policies and for ratings of positions.

A file is JSON: `{"layers": [48, 169, 3], "activation": "elu", "last": "none", "weights": [...], "biases": [...]}`.
`layers` has the number of inputs, then the number of outputs of each layer. `weights` has one list of numbers for each
layer, row by row with one row per input, and `biases` has one list for each layer. `activation` applies between layers,
`last` (optional) after the last one: "none", "elu" or "tanh".

The format in which the deck-search papers published their networks can be read, too: `layers`, and
`weights_then_biases` with the weights of all layers in one list and then the biases of all layers, with tanh after
every layer; other keys of such a file are ignored.
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas import _core
from deckatlas.errors import AgentError
from deckatlas.files.plain_data import read_json
from deckatlas.files.writing import write_text

Floats = npt.NDArray[np.float64]

_KEYS = {"layers", "activation", "weights", "biases"}


def read_network(path: Path) -> _core.Network:
    """Reads a network from a file.

    Raises:
        AgentError: If the file cannot be read or is not a network.
    """
    content = read_json(path, error=AgentError, what="the network ")
    try:
        return _network(content)
    except AgentError as error:
        raise AgentError(f"the network {path}: {error}") from None


def write_network(
    path: Path, layers: Sequence[tuple[Floats, Floats]], activation: str, *, last: str | None = None
) -> None:
    """Writes a network of layers, each a matrix of weights and a vector of biases, in single precision.

    Raises:
        AgentError: If the file cannot be written.
    """
    text = {
        "layers": [layers[0][0].shape[0], *(len(biases) for _, biases in layers)],
        "activation": activation,
        **({} if last is None else {"last": last}),
        "weights": [_short(weights) for weights, _ in layers],
        "biases": [_short(biases) for _, biases in layers],
    }
    write_text(path, json.dumps(text, separators=(",", ":")) + "\n", error=AgentError)


def _short(values: Floats) -> list[float]:
    """The numbers in single precision, as the shortest decimals that identify them."""
    return [float(str(value)) for value in values.astype(np.float32).ravel()]


def _network(text: Any) -> _core.Network:
    if not isinstance(text, dict):
        raise AgentError("it is not a JSON object")
    if "weights_then_biases" in text:
        return _published_network(text)
    if set(text) - {"last"} != _KEYS:
        raise AgentError(f"it must have exactly the keys {', '.join(sorted(_KEYS))}, and may have 'last'")
    sizes = _sizes(text)
    layers = []
    for i, (inputs, outputs) in enumerate(pairwise(sizes)):
        weights = _numbers(text, "weights", i, len(sizes) - 1, inputs * outputs)
        layers.append((weights.reshape(inputs, outputs), _numbers(text, "biases", i, len(sizes) - 1, outputs)))
    for key in ("activation", "last"):
        if not isinstance(text.get(key, ""), str):
            raise AgentError(f"'{key}' must be a text")
    return _core.network(layers, text["activation"], text.get("last", "none"))


def _published_network(text: dict[str, Any]) -> _core.Network:
    sizes = _sizes(text)
    numbers, needed = text["weights_then_biases"], sum((inputs + 1) * outputs for inputs, outputs in pairwise(sizes))
    if not isinstance(numbers, list):
        raise AgentError("'weights_then_biases' must be a list of numbers")
    if len(numbers) != needed:
        raise AgentError(f"such a network has {needed} weights and biases, not {len(numbers)}")
    return _core.network(published_layers(sizes, _floats(numbers, "'weights_then_biases'")), "tanh", "tanh")


def published_layers(sizes: Sequence[int], numbers: Floats) -> list[tuple[Floats, Floats]]:
    """The layers of a network whose numbers are in the order of the deck-search papers: all weights, then all biases.

    Args:
        sizes: The number of inputs, then the number of outputs of each layer.
        numbers: As many numbers as such a network has.
    """
    shapes = list(pairwise(sizes))
    ends = np.cumsum([inputs * outputs for inputs, outputs in shapes] + [outputs for _, outputs in shapes])
    parts = np.split(numbers, ends[:-1])
    return [
        (part.reshape(shape), biases) for part, biases, shape in zip(parts, parts[len(shapes) :], shapes, strict=False)
    ]


def _sizes(text: dict[str, Any]) -> list[int]:
    sizes = text.get("layers")
    if not isinstance(sizes, list) or len(sizes) < 2 or not all(type(n) is int and 1 <= n <= 4096 for n in sizes):
        raise AgentError("'layers' must be two or more sizes between 1 and 4096")
    return sizes


def _numbers(text: dict[str, Any], key: str, layer: int, layers: int, count: int) -> Floats:
    lists = text[key]
    if not isinstance(lists, list) or len(lists) != layers:
        raise AgentError(f"'{key}' must be {layers} lists, one for each layer")
    numbers = lists[layer]
    if not isinstance(numbers, list) or len(numbers) != count:
        raise AgentError(f"'{key}' of layer {layer + 1} must be {count} numbers")
    return _floats(numbers, f"'{key}' of layer {layer + 1}")


def _floats(numbers: list[Any], what: str) -> Floats:
    if not all(type(number) in (int, float) for number in numbers):
        raise AgentError(f"{what} holds something that is not a number")
    try:
        return np.array(numbers, dtype=np.float64)
    except OverflowError:
        raise AgentError(f"{what} holds a number that is too large") from None
