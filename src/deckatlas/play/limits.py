"""Limits of one call: the most games and threads, and the check of such numbers."""

import os

import numpy as np

from deckatlas.errors import MatchError
from deckatlas.shapes import show

MAX_GAMES = 1_000_000_000
MAX_THREADS = 1024


def positive(name: str, value: int, most: int, *, least: int = 1) -> int:
    """A whole number from `least` to `most`.

    Raises:
        MatchError: If the value is not such a number.
    """
    number = int(value) if isinstance(value, np.integer) else value
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise MatchError(f"{name} must be a whole number from {least} to {most}, not {show(number)}")
    return number


def available_threads() -> int:
    """The number of threads that this process may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """The number of threads to use: the given one, or all available ones for None.

    Raises:
        MatchError: If it is not a number of threads.
    """
    return available_threads() if threads is None else positive("threads", threads, MAX_THREADS)
