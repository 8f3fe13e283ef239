"""Random generators of tasks: each independent of the others, and the same every time.

A task's generator is numpy's `PCG64(SeedSequence(seed, spawn_key=(number,)))`. Making a seed sequence takes longer than
drawing a deck, so the states of many tasks are computed at once, by the same published algorithm.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

_BLOCK = 256  # tasks whose states are computed together
_POOL = 4  # words of a seed sequence
_MIXED = _POOL * _POOL  # words that it has hashed before it takes the number of a task
_BITS = 32
_SHIFT = np.uint32(16)
_HASH_FIRST, _HASH_FACTOR = 0x43B0D7E5, 0x931E8875
_OUT_FIRST, _OUT_FACTOR = 0x8B51F9DD, 0x58F38DED
_LEFT, _RIGHT = 0xCA01F9DD, 0x4973F715

Words = npt.NDArray[np.uint32]


class _State(ISeedSequence):
    """The state of one generator."""

    __slots__ = ("words",)

    def __init__(self, words: npt.NDArray[np.uint64]) -> None:
        self.words = words

    def generate_state(self, n_words: int, dtype: npt.DTypeLike = np.uint32) -> npt.NDArray[np.uint64]:
        """The words that PCG64 asks for."""
        return self.words


def rng_of(seed: int, number: int) -> np.random.Generator:
    """The random generator of one task, independent of the other tasks.

    Args:
        seed: The seed of all tasks, below 2 to the power of 128.
        number: The number of the task, below 2 to the power of 32.
    """
    block, place = divmod(number, _BLOCK)
    state = _State(_states(seed, block)[place])
    return np.random.Generator(np.random.PCG64(state))  # type: ignore[arg-type]  # numpy takes any ISeedSequence


@lru_cache(maxsize=16)
def _states(seed: int, block: int) -> npt.NDArray[np.uint64]:
    """The states of all tasks of a block: one row of four words each."""
    numbers = np.arange(block * _BLOCK, (block + 1) * _BLOCK, dtype=np.uint32)
    constant = _HASH_FIRST * pow(_HASH_FACTOR, _MIXED, 1 << _BITS)
    pool = []
    for word in np.random.SeedSequence(seed).pool.tolist():
        hashed, constant = _hashed(numbers, constant, _HASH_FACTOR)
        pool.append(_folded(_word(_LEFT * word) - _word(_RIGHT) * hashed))
    states = np.empty((_BLOCK, 2 * _POOL), dtype="<u4")
    constant = _OUT_FIRST
    for place in range(2 * _POOL):
        states[:, place], constant = _hashed(pool[place % _POOL], constant, _OUT_FACTOR)
    return states.view("<u8").astype(np.uint64)


def _hashed(words: Words, constant: int, factor: int) -> tuple[Words, int]:
    """Words after one step of the hash, and the constant of the next step."""
    following = constant * factor
    return _folded((words ^ _word(constant)) * _word(following)), following


def _folded(words: Words) -> Words:
    return words ^ (words >> _SHIFT)


def _word(number: int) -> np.uint32:
    """The lowest bits of a number."""
    return np.uint32(number & ((1 << _BITS) - 1))
