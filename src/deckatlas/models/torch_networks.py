"""Networks of PyTorch as surrogates, for people with their own models and machines. PyTorch is an extra.

A network that PyTorch trained becomes a model like ours: it predicts in the core, runs inner loops and has a file. Our
own training gives the same model on every machine; that of PyTorch promises it on one machine only.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from deckatlas.errors import ModelError
from deckatlas.models.frozen import FrozenModel, Layers


def from_torch(module: Any, *, targets: Sequence[str], deck_size: int | None = None) -> FrozenModel:
    """A model from a network of PyTorch.

    Args:
        module: A `torch.nn.Sequential` of `Linear` layers with `ELU` between them; its inputs are the genes.
        targets: The names of the columns that it predicts.
        deck_size: The number of cards of a deck, if genes are counts of cards.

    Raises:
        ModelError: If the network has other layers, or they do not fit the targets.
    """
    return FrozenModel([_layers_of(module)], targets=targets, deck_size=deck_size)


def _layers_of(module: Any) -> Layers:
    import torch  # an extra

    parts = list(module) if isinstance(module, torch.nn.Sequential) else [module]
    kinds = [torch.nn.Linear if place % 2 == 0 else torch.nn.ELU for place in range(len(parts))]
    if len(parts) % 2 == 0 or not all(map(isinstance, parts, kinds)):
        names = ", ".join(type(part).__name__ for part in parts)
        raise ModelError(f"a surrogate has Linear layers with ELU between them, not {names}")
    if any(part.alpha != 1 for part in parts[1::2]):
        raise ModelError("the ELU of a surrogate has an alpha of 1")
    return [_layer_of(part) for part in parts[::2]]


def _layer_of(linear: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    weights = linear.weight.detach().cpu().numpy().astype(np.float32)
    if linear.bias is None:
        return np.ascontiguousarray(weights.T), np.zeros(len(weights), np.float32)
    return np.ascontiguousarray(weights.T), linear.bias.detach().cpu().numpy().astype(np.float32)
