"""The C++ core: rules, agents and runners."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

from deckatlas._core import (
    hearthstone as hearthstone,
    learning as learning,
    locm as locm,
    numeric as numeric,
    patterns as patterns,
    surrogate as surrogate
)


build_flags: str = ...

class Network:
    """Dense layers with one activation between them and one after the last."""

    @property
    def inputs(self) -> int: ...

    @property
    def outputs(self) -> int: ...

    def evaluate(self, inputs: Sequence[float]) -> list[float]:
        """The outputs of the last layer."""

def network(layers: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], activation: str, last: str = 'none') -> Network:
    """
    A network of layers, each a matrix of weights with one row per input and a vector of biases. Activations, between layers and after the last, are 'none', 'elu' and 'tanh'.
    """
