"""Stopping games that other threads play: whoever waits for a long time asks now and then whether to go on."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

POLL_SECONDS = 0.2  # the longest wait between two questions

_here = threading.local()


class Stopped(Exception):  # noqa: N818 - a wish of the caller, not a mistake
    """The games of this thread are no longer wanted."""


class Stop(Protocol):
    """What tells whether games are still wanted, such as an event of a thread or of a process."""

    def is_set(self) -> bool:
        """Whether they are no longer wanted."""
        ...


def stops_here() -> tuple[Stop, ...]:
    """What stops the games of this thread; threads that it starts to play for it must heed the same."""
    stops: tuple[Stop, ...] = getattr(_here, "stops", ())
    return stops


@contextmanager
def heeding(*stops: Stop) -> Iterator[None]:
    """Games of this thread stop once one of these is set, or one that the thread heeds already."""
    before = stops_here()
    _here.stops = (*before, *stops)
    try:
        yield
    finally:
        _here.stops = before


def check_stopped() -> None:
    """Called while waiting.

    Raises:
        Stopped: If the games of this thread are no longer wanted.
    """
    for stop in stops_here():
        if stop.is_set():
            raise Stopped
