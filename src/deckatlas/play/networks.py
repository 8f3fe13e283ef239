"""Small neural networks in files.

A file is JSON: `{"layers": [48, 169, 3], "activation": "elu", "weights": [...], "biases": [...]}`. `layers` has the
number of inputs and then of each layer's outputs. `weights` has a list of numbers for each layer, row after row with a
row for each input, and so has `biases`. `activation`, "elu" or "tanh", stands between layers.
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

Array = npt.NDArray[np.float64]

_KEYS = {"layers", "activation", "weights", "biases"}


def read_network(path: Path) -> _core.Network:
    """Reads a network from a file.

    Raises:
        AgentError: If the file cannot be read or does not hold a network.
    """
    try:
        return _network(json.loads(path.read_text(encoding="utf-8")))
    except AgentError as error:
        raise AgentError(f"the network {path}: {error}") from None
    except OSError as error:
        raise AgentError(f"cannot read the network {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise AgentError(f"the network {path} is not JSON") from None


def write_network(path: Path, layers: Sequence[tuple[Array, Array]], activation: str) -> None:
    """Writes a network of layers, each a matrix of weights and a vector of biases, in single precision."""
    text = {
        "layers": [layers[0][0].shape[0], *(len(biases) for _, biases in layers)],
        "activation": activation,
        "weights": [_short(weights) for weights, _ in layers],
        "biases": [_short(biases) for _, biases in layers],
    }
    path.write_text(json.dumps(text, separators=(",", ":")) + "\n", encoding="utf-8")


def _short(values: Array) -> list[float]:
    """The numbers in single precision, as the shortest decimals that tell them apart."""
    return [float(str(value)) for value in values.astype(np.float32).ravel()]


def _network(text: Any) -> _core.Network:
    if not isinstance(text, dict) or set(text) != _KEYS:
        raise AgentError(f"it must have exactly the keys {', '.join(sorted(_KEYS))}")
    sizes = text["layers"]
    if not isinstance(sizes, list) or len(sizes) < 2 or not all(type(n) is int and 1 <= n <= 4096 for n in sizes):
        raise AgentError("'layers' must be two or more sizes between 1 and 4096")
    layers = []
    for i, (inputs, outputs) in enumerate(pairwise(sizes)):
        weights = _numbers(text, "weights", i, len(sizes) - 1, inputs * outputs)
        layers.append((weights.reshape(inputs, outputs), _numbers(text, "biases", i, len(sizes) - 1, outputs)))
    if not isinstance(text["activation"], str):
        raise AgentError("'activation' must be a text")
    return _core.network(layers, text["activation"])


def _numbers(text: dict[str, Any], key: str, layer: int, layers: int, count: int) -> Array:
    lists = text[key]
    if not isinstance(lists, list) or len(lists) != layers:
        raise AgentError(f"'{key}' must be {layers} lists, one for each layer")
    numbers = lists[layer]
    if not isinstance(numbers, list) or len(numbers) != count:
        raise AgentError(f"'{key}' of layer {layer + 1} must be {count} numbers")
    if not all(type(number) in (int, float) for number in numbers):
        raise AgentError(f"'{key}' of layer {layer + 1} holds something that is not a number")
    try:
        return np.array(numbers, dtype=np.float64)
    except OverflowError:
        raise AgentError(f"'{key}' of layer {layer + 1} holds a number that is too large") from None
