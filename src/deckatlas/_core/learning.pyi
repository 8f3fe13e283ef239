"""Models that learn from the positions of games."""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class SparseTrainer:
    """Trains a rating of samples with a few of many features, by Adam."""

    def __init__(self, attributes: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]], *, features: int, attribute_count: int, hidden: int, layers: Sequence[int], stacks: int, row_limit: float, dense_limit: float, seed: int, portable: bool = False) -> None:
        """
        A new model. `attributes` has, for each feature, where its entries start, then the attribute and the value of each entry. `layers` has the outputs of the dense layers before the last one. Rows of features stay within `row_limit` of zero, their own parts within twice that, dense weights within `dense_limit`. `portable` selects the path for any machine, which gives the same bytes.
        """

    @property
    def parameters(self) -> int: ...

    def fit(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], stacks: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, batch_size: int, rate: float, final_rate: float, weight_decay: float = 0.0, seed: int, threads: int = 1, progress: Callable[[int], object] | None = None) -> float:
        """
        Trains on all samples once, in an order drawn from the seed, and returns the loss: the negative logarithm of the chance given to what happened times the sample's weight, averaged over samples. The rate moves on a straight line to its final value. Weight decay concerns features' own rows and weights. The result does not depend on the number of threads. `progress` is called about ten times a second with the number of batches done; an exception in it ends training, and leaves a model that is trained in part.
        """

    def loss_and_gradients(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], stacks: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, threads: int = 1) -> tuple[float, NDArray[numpy.float32]]:
        """
        The loss over all samples as one batch, and its gradients in the order of the parameters.
        """

    def predict(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], stacks: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], *, threads: int = 1) -> NDArray[numpy.float32]:
        """The logit of each sample's chance."""

    def state(self) -> tuple[int, NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        Steps so far, parameters, first and second moments. Parameters are in this order: features' own rows, shared rows, the bias of the hidden values, features' own weights, shared weights, then each stack's layers: the weights input by input, then the biases.
        """

    @staticmethod
    def restored(attributes: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]], *, features: int, attribute_count: int, hidden: int, layers: Sequence[int], stacks: int, row_limit: float, dense_limit: float, steps: int, parameters: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], portable: bool = False) -> SparseTrainer:
        """A trainer that continues from a state."""
