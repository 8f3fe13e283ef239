"""Outcomes that an executor will have: what `submit` returns.

Futures of the standard library each have a lock of their own. For evaluations that take no time, that costs as much as
asking for them.
"""

from collections.abc import Sequence
from threading import Condition

from deckatlas.search.evaluation import Outcomes

_arrived = Condition()  # of all that somebody waits for: few at a time


class Pending:
    """The outcomes of a task, sooner or later.

    Attributes:
        is_done: Whether the outcomes are there, or an error instead.
        error: The error; None before, and if there is none.
    """

    __slots__ = ("_is_awaited", "_outcomes", "error", "is_done")

    def __init__(self) -> None:
        self.is_done = self._is_awaited = False
        self.error: BaseException | None = None
        self._outcomes: Outcomes | None = None

    def set(self, outcomes: Outcomes) -> None:
        """Gives the outcomes; only the first that is given counts."""
        self._end(outcomes, None)

    def fail(self, error: BaseException) -> None:
        """Gives an error instead."""
        self._end(None, error)

    def _end(self, outcomes: Outcomes | None, error: BaseException | None) -> None:
        if self.is_done:
            return
        self._outcomes, self.error = outcomes, error
        self.is_done = True
        if self._is_awaited:  # asked after `is_done` is set, while `wait` does both the other way round
            with _arrived:
                _arrived.notify_all()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until it is done; returns whether it is."""
        if not self.is_done:
            with _arrived:
                self._is_awaited = True
                _arrived.wait_for(lambda: self.is_done, seconds)
        return self.is_done

    def result(self) -> Outcomes:
        """Waits for the outcomes.

        Raises:
            BaseException: The error that was given instead.
        """
        self.wait()
        if self._outcomes is None:
            assert self.error is not None
            raise self.error
        return self._outcomes


def are_done(pending: Sequence[Pending]) -> bool:
    """Whether all of them are done."""
    return pending[0].is_done if len(pending) == 1 else all(each.is_done for each in pending)
