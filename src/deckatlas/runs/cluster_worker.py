"""What a worker of a cluster does: it checks that it can play a run as the others do, and plays. Bytes in, bytes out.

A worker must have the same build and the same cards. One that has not answers so, and is not asked again.
"""

import signal
import time
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Any

from distributed import Worker, get_worker

import deckatlas
from deckatlas.errors import DeckatlasError
from deckatlas.play.signature import build_hash, own_signature
from deckatlas.play.stopping import Stopped, check_stopped, heeding
from deckatlas.runs.messages import FORM, pack, pack_outcomes_of, unpack, unpack_batches
from deckatlas.runs.tasks import Recipe
from deckatlas.search.evaluation import Evaluator

_EVALUATORS_KEPT = 8
_making = Lock()


class RefusedError(Exception):
    """This worker cannot play the run as the others do; the text says why."""


class OtherBuildError(Exception):
    """This worker has other files than those that are known to behave the same; its signature has to tell."""


def dask_setup(worker: Worker) -> None:
    """Dask calls it in processes of `local:N`: Ctrl-C in a terminal reaches them too, but the command ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def knock() -> None:
    """Does nothing: a worker that can call it has this package."""


def greet(message: bytes) -> bytes:
    """Checks that this worker can play a run, and makes everything that it needs for that."""
    table, _ = unpack(message)
    return _answered(table, lambda _: pack({}))


def play(message: bytes) -> bytes:
    """Makes the evaluations of some batches, one after the other."""
    table, batches = unpack_batches(message)

    def outcomes(evaluator: Evaluator) -> bytes:
        begun = time.monotonic()
        worker = get_worker()
        with heeding(_Abandoned(worker)):
            played = [evaluator.evaluate(batch, progress=lambda _games: check_stopped()) for batch in batches]
        return pack_outcomes_of({"worker": worker.address, "seconds": time.monotonic() - begun}, played)

    return _answered(table, outcomes)


def _answered(table: dict[str, Any], answer: Callable[[Evaluator], bytes]) -> bytes:
    """The answer, or what went wrong as plain data."""
    try:
        return answer(_evaluator(table))
    except OtherBuildError:
        found = {
            "build": build_hash(),
            "signature": own_signature(),
            "version": str(deckatlas.__version__),
            "messages": FORM,
        }
    except RefusedError as error:
        found = {"refused": str(error)}
    except MemoryError:
        found = {"failed": "has no memory left"}
    except DeckatlasError as error:
        found = {"error": type(error).__name__, "text": str(error)}
    except Stopped:
        found = {"failed": "was told to stop"}
    return pack({"worker": get_worker().address, **found})


def _evaluator(table: dict[str, Any]) -> Evaluator:
    if build_hash() not in table["builds"]:
        raise OtherBuildError
    with _making:  # the threads of a worker share it
        return _made(Recipe(**table["recipe"]))


@lru_cache(_EVALUATORS_KEPT)
def _made(recipe: Recipe) -> Evaluator:
    try:
        return recipe.evaluator()
    except DeckatlasError as error:
        raise RefusedError(str(error)) from None


class _Abandoned:
    """Ends the evaluations of this thread once nobody waits for them: the client has gone, or has cancelled them."""

    def __init__(self, worker: Worker) -> None:
        self._tasks, self._key = worker.state.tasks, worker.get_current_task()

    def is_set(self) -> bool:
        task = self._tasks.get(self._key)
        return task is None or task.state == "cancelled"
