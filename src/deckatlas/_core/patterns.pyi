"""Sets of cards that many decks share."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def frequent_sets(has: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], needs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, least: int, fewest: int, longest: int, only_maximal: bool, most_sets: int, most_steps: int) -> tuple[NDArray[numpy.uint16], NDArray[numpy.int64], NDArray[numpy.int64], bool]:
    """
    Sets of items that at least `fewest` decks of at least this weight have: the items of all sets one after the other, where each set ends, its weight, and whether all were found.

    `has` says for each deck which items it has; `needs` names for each item an earlier one that it never comes without, or -1. A set with the greatest length counts as maximal. The search gives up after too many sets or steps.
    """
