"""Models that learn from evaluations, and searches on them."""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


WIDEST_LAYER: int = 4096

class Trainer:
    """
    Trains dense layers with ELU between them and a linear output, by Adam.
    """

    def __init__(self, sizes: Sequence[int], seed: int, *, portable: bool = False) -> None:
        """
        A new network; `sizes` has the number of inputs, then of each layer's outputs. Weights and biases are drawn uniformly within sqrt(3 / inputs of the layer) of zero. `portable` selects the path for any machine, which gives the same bytes.
        """

    @property
    def inputs(self) -> int: ...

    @property
    def targets(self) -> int: ...

    def fit(self, inputs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, epochs: int, batch_size: int, rate: float, final_rate: float, weight_decay: float = 0.0, seed: int, progress: Callable[[int], object] | None = None) -> list[float]:
        """
        Trains over all rows in batches, in a new order each epoch, and returns the loss of each epoch: squared errors summed over targets times the row's weight, averaged over rows. The rate moves on a straight line to its final value; weight decay is decoupled from the gradient. Moments and steps continue from the last call. `progress` is called about ten times a second with the number of batches done; an exception in it ends training, and leaves a network that is trained in part.
        """

    def loss_and_gradients(self, inputs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, NDArray[numpy.float32]]:
        """
        The loss over all rows as one batch, and its gradients in the order of the parameters.
        """

    def predict(self, inputs: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
        """The targets of rows."""

    def state(self) -> tuple[int, NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        Steps so far, parameters, first and second moments. Parameters are in order of layers: the weights input by input, then the biases.
        """

    @staticmethod
    def restored(sizes: Sequence[int], steps: int, parameters: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, portable: bool = False) -> Trainer:
        """A trainer that continues from a state."""

class Model:
    """A trained surrogate, frozen: one network, or the mean of several."""

    def __init__(self, members: Sequence[Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]]], *, most_cards: int) -> None:
        """
        Each network is a list of layers: a matrix of weights with one row per input, and a vector of biases. ELU is between layers. Decks have at most `most_cards` cards.
        """

    @property
    def inputs(self) -> int: ...

    @property
    def targets(self) -> int: ...

    @property
    def most_cards(self) -> int: ...

    def predict(self, counts: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, portable: bool = False) -> NDArray[numpy.float32]:
        """
        The targets of decks, given the count of each card. The first layer is calculated in whole numbers, so that the order of cards does not matter.
        """

    def predict_vectors(self, vectors: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, portable: bool = False) -> NDArray[numpy.float32]:
        """The targets of real vectors."""

def product(a: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
    """
    The product of two matrices, summed in order, so that it is the same on every machine.
    """

def has_vector_path() -> bool:
    """Whether this machine has a faster path than the portable one."""

MOST_POOL_CARDS: int = 1024

MOST_CELLS: int = 10000000

LARGEST_CARD_NUMBER: int = 100000

def inner_map(model: Model, most_copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], size: int, *, objective: int | tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], str], measures: Sequence[int | tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], str]], boundaries: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], side: str, predictions: int, initial: int, batch: int, seed: int, starts: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, start_predictions: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, least_copies: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, limits: Sequence[tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], int]] = [], portable: bool = False, progress: Callable[[int], object] | None = None) -> tuple[dict[str, NDArray], int]:
    """
    MAP-Elites over decks on the predictions of a model. The objective and each measure is a target's number, or numbers of the cards with 'sum', 'mean' or 'variance'. Decks to start with, then `initial` random ones, enter the map first; then generations of `batch` mutants of elites, until there were `predictions` predictions in all. Decks with `start_predictions` enter with these and count as no prediction. All decks have `least_copies` of each card, and for each of the `limits` the numbers of their cards have at most that sum; with such constraints `initial` is 0. Returns the elites in order of cells, as the columns cells, counts, predictions, objectives and measures, and how many predictions were made. `progress` is called about ten times a second with that number; an exception in it ends the call.
    """
