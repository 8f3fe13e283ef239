"""Stopping games that other threads play: whoever waits for a long time asks now and then whether to go on."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

POLL_SECONDS = 0.2  # the longest wait between two questions

_here = threading.local()


class Stopped(Exception):  # noqa: N818 - a wish of the caller, not a mistake
    """The games of this thread are no longer wanted."""


@contextmanager
def heeding(stop: threading.Event) -> Iterator[None]:
    """Games of this thread stop once the event is set."""
    before = getattr(_here, "stop", None)
    _here.stop = stop
    try:
        yield
    finally:
        _here.stop = before


def check_stopped() -> None:
    """Called while waiting.

    Raises:
        Stopped: If the games of this thread are no longer wanted.
    """
    stop = getattr(_here, "stop", None)
    if stop is not None and stop.is_set():
        raise Stopped
