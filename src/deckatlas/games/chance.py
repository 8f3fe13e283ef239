"""Randomness shared by all games: seeds, and the random streams that are passed in."""

import copyreg

import numpy as np

from deckatlas._core.locm import Rng, game_seed
from deckatlas.errors import StateError
from deckatlas.shapes import show

__all__ = ["Rng", "check_seed", "game_seed"]


def _stream(state: int) -> Rng:
    return Rng.from_state(state)


copyreg.pickle(Rng, lambda rng: (_stream, (rng.state,)))


def check_seed(seed: int) -> int:
    """Returns a seed in the core's form; negative seeds are two's complement, as in Java.

    Raises:
        StateError: If it is not a whole number of at most 64 bits.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not -(2**63) <= seed < 2**64:
        raise StateError(f"a seed is a whole number of at most 64 bits, not {show(seed)}")
    return int(seed) % 2**64
